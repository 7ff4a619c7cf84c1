/* histogram.h - the CPU's histogram entries; backend.h says what each does */
#ifndef HEDDLE_CPU_HISTOGRAM_H
#define HEDDLE_CPU_HISTOGRAM_H

#include "../backend.h"

heddle_status hd_cpu_histogram(heddle_context *ctx, const struct hd_histogram *job, const void *in,
                               const void *weights, size_t count, u64 *counts,
                               heddle_histogram_result *result, double *sums);
heddle_status hd_cpu_histogram_begin(heddle_context *ctx, const struct hd_histogram *job,
                                     void **state);
heddle_status hd_cpu_histogram_update(void *state, const void *in, const void *weights,
                                      size_t count);
heddle_status hd_cpu_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                      double *sums);
void hd_cpu_histogram_free(void *state);

#endif
