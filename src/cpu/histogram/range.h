/* range.h - the pass before: what range of values automatic bins have, or weights */
#ifndef HEDDLE_CPU_HISTOGRAM_RANGE_H
#define HEDDLE_CPU_HISTOGRAM_RANGE_H

#include "api/backend.h"
#include "kernels.h"

/* The least and the greatest finite value, or positive finite one, of elements `stride` apart; lo > hi if
 * there is none. entry names the public call in messages. */
heddle_status hd_cpu_find_range(heddle_context *ctx, const char *entry, heddle_type type,
                                const void *in, ptrdiff_t stride, size_t count, bool positive,
                                struct hd_cpu_range *range);

/* lo and hi of bins that have auto_range; others stay as they are. */
heddle_status hd_cpu_resolve_bins(heddle_context *ctx, const char *entry, heddle_type type,
                                  const void *in, ptrdiff_t stride, size_t count,
                                  heddle_bins *bins);

#endif
