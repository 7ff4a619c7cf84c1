/* histogram.h - what histograms of whole arrays and of those in parts check alike */
#ifndef HEDDLE_API_HISTOGRAM_H
#define HEDDLE_API_HISTOGRAM_H

#include "api.h"
#include "overlap.h"

enum { HD_MOST_CHANNELS = 4 };

/* What is written; fills outs[3]. */
heddle_status hd_histogram_check_output(const char *entry, heddle_context *ctx, u64 *counts,
                                        heddle_histogram_result *result, double *sums,
                                        bool weighted, size_t channels, size_t bins,
                                        struct hd_span *outs);
/* The caller's structs may be of another version: each is as long as it says. */
void hd_histogram_deliver(heddle_histogram_result *out, const heddle_histogram_result *from,
                          size_t channels);

#endif
