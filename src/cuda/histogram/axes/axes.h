/* axes.h - what the files of this room ask of each other: a call's axes, and launches over its points */
#ifndef HEDDLE_CUDA_HISTOGRAM_AXES_AXES_H
#define HEDDLE_CUDA_HISTOGRAM_AXES_AXES_H

#include "choose.h"
#include "cuda/histogram/launch.h"
#include "points.h"

/* A call under way. */
struct hd_cuda_axes {
  struct hd_cuda_call *call;
  struct hd_histogram_nd job; /* bins have their range */
  struct hd_cuda_points points;
  f64 range[HD_MOST_DIMS][3];              /* found for auto_range: least, greatest, any */
  struct hd_cuda_bins *bins[HD_MOST_DIMS]; /* held until the call ends */
  struct hd_cuda_bins grid;                /* integers, which slots are */
  cu_pointer tables;                       /* as of hd_cuda_tables_find, for every pass */
  cu_pointer outside;                      /* u64[HD_EXTRA_SLOTS] an axis, or 0 */
};

/* One pass over all points. */
struct hd_cuda_axes_pass {
  struct hd_cuda_axes *axes;
  struct hd_histogram grid; /* the job of one axis that slots are */
  bool squares;             /* the weights' squares are summed */
  bool outside;             /* points outside of axes are counted, too */
  struct hd_cuda_tables tables;
  struct hd_cuda_count count;
};

/* What a pass needs to choose its kernel. */
struct hd_cuda_axes_job hd_cuda_axes_job_of(const struct hd_cuda_axes_pass *pass,
                                            const struct hd_cuda_some_points *some);
/* Queues the counting of some points; last: also the output. */
heddle_status hd_cuda_axes_count(struct hd_cuda_axes_pass *pass,
                                 const struct hd_cuda_some_points *some, bool last);
/* Queues slots[i] = the slot of point i, u32. *slots: in, room of HD_CUDA_SLOTS_BYTES(some->n); out, where in it
 * they are. */
heddle_status hd_cuda_axes_slots(struct hd_cuda_axes_pass *pass,
                                 const struct hd_cuda_some_points *some, cu_pointer *slots);
#define HD_CUDA_SLOTS_BYTES(n) ((n) * sizeof(u32) + 16)

/* All points, slots first and then what they weigh or how many they are. */
heddle_status hd_cuda_axes_weigh(struct hd_cuda_axes_pass *pass);

#endif
