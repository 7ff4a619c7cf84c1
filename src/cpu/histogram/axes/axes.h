/* axes.h - the axes of a histogram of several dimensions, and points to slots of their grid */
#ifndef HEDDLE_CPU_HISTOGRAM_AXES_AXES_H
#define HEDDLE_CPU_HISTOGRAM_AXES_AXES_H

#include "api/backend.h"
#include "cpu/cpu.h"
#include "cpu/histogram/find.h"

/* Points outside of each axis, as one worker met them; lines of the cache of its own. */
struct hd_cpu_outside {
  u64 of[HD_MOST_DIMS][HD_EXTRA_SLOTS];
};

struct hd_cpu_axis {
  struct hd_plan plan;
  hd_cpu_index_kernel *kernel;
  const unsigned char *column;
  ptrdiff_t elements_apart;
  u32 slots_apart; /* of neighbouring bins of the axis */
};

struct hd_cpu_axes {
  heddle_context *ctx;
  size_t dims, element_bytes;
  bool flow;
  size_t slots; /* of the grid; without flow one more for what is in none of its bins, the last */
  struct hd_cpu_axis axis[HD_MOST_DIMS];
  struct hd_cpu_outside *outside; /* of each worker, up to the context's threads */
};

/* bins of *job are resolved. *axes is to be ended by hd_cpu_axes_free, also after a failure. */
heddle_status hd_cpu_axes_make(struct hd_cpu_axes *axes, heddle_context *ctx,
                               const struct hd_histogram_nd *job, const void *const *columns,
                               size_t count);
void hd_cpu_axes_free(struct hd_cpu_axes *axes);

/* slot[i] = the slot of point at + i, times 2^shift, for n <= HD_INDEX_BLOCK points. */
void hd_cpu_axes_find(struct hd_cpu_axes *axes, const struct hd_cpu_histogram_kernels *kernels,
                      size_t worker, size_t at, size_t n, u32 shift, u32 *slot);

/* What all workers met, one result an axis; `count` points in all. */
/* As heddle_explain gives it (call.c). */
heddle_status hd_cpu_histogram_nd_choose(heddle_context *ctx, const struct hd_asked *asked,
                                         size_t count, struct hd_cpu_choice *choice);

void hd_cpu_axes_results(const struct hd_cpu_axes *axes, u64 count,
                         heddle_histogram_result *results);

#endif
