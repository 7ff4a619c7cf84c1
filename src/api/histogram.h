/* histogram.h - what histograms of whole arrays, of those in parts and of several axes check alike */
#ifndef HEDDLE_API_HISTOGRAM_H
#define HEDDLE_API_HISTOGRAM_H

#include "api.h"
#include "overlap.h"

enum { HD_MOST_CHANNELS = 4, HD_MOST_BINS = 1 << 28 };

/* Copies *given, of any version, to *bins. A range that auto_range is to find is not looked at. */
heddle_status hd_histogram_check_bins(const char *entry, heddle_type type, const heddle_bins *given,
                                      heddle_bins *bins);
/* Each struct says its size: one struct where there are several channels (or axes: `what`) is found out
 * before what lies behind it is written over. */
heddle_status hd_histogram_check_results(const char *entry, const char *what,
                                         const heddle_histogram_result *result, size_t results);

/* A histogram of several dimensions, but for its arrays: *job, and the options as this version knows them. */
heddle_status hd_histogram_nd_job(heddle_type type, size_t dims, const heddle_bins *bins,
                                  const heddle_histogram_nd_options *options,
                                  struct hd_histogram_nd *job, heddle_histogram_nd_options *copy);

/* What is written; fills outs[3]. */
heddle_status hd_histogram_check_output(const char *entry, heddle_context *ctx, u64 *counts,
                                        heddle_histogram_result *result, double *sums,
                                        bool weighted, size_t channels, size_t bins,
                                        struct hd_span *outs);
/* The caller's structs may be of another version: each is as long as it says. */
void hd_histogram_deliver(heddle_histogram_result *out, const heddle_histogram_result *from,
                          size_t channels);

#endif
