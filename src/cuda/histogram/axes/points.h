/* points.h - where the points of a call lie, and slices of them in device memory */
#ifndef HEDDLE_CUDA_HISTOGRAM_AXES_POINTS_H
#define HEDDLE_CUDA_HISTOGRAM_AXES_POINTS_H

#include "cuda/core/cuda.h"

/* Columns and weights of the host are copied, slice after slice; others stay where they are. */
struct hd_cuda_points {
  struct hd_cuda_call *call;
  const struct hd_histogram_nd *job;
  size_t count, most; /* points; those of a slice */
  size_t element_bytes, weight_bytes;
  const char *column[HD_MOST_DIMS], *weights;
  enum hd_cuda_memory_space space[HD_MOST_DIMS], weights_space;
  /* Rows of a matrix of the host are copied whole: `row` elements apart, the axes' in row_bytes from
   * `first` on; 0: column by column. */
  size_t row, row_bytes;
  const char *first;
  cu_pointer copy[HD_MOST_DIMS], weights_copy; /* room for a slice of what is the host's */
  void *tight;                                 /* host memory for a column that is not dense */
  size_t tight_bytes;
  bool on_host; /* some of it is */
};

/* Some points of a call. */
struct hd_cuda_some_points {
  size_t at, n;
  cu_pointer column[HD_MOST_DIMS];
  ptrdiff_t stride[HD_MOST_DIMS];
  cu_pointer weights;
};

/* Where everything is; nothing is copied. *p is to be ended by hd_cuda_points_end, also after a failure. */
heddle_status hd_cuda_points_find(struct hd_cuda_call *call, const struct hd_histogram_nd *job,
                                  const void *const *columns, const void *weights, size_t count,
                                  struct hd_cuda_points *p);
/* Room for slices of at most `most` points, fewer where there is not enough memory. */
heddle_status hd_cuda_points_room(struct hd_cuda_points *p, size_t most);
/* Points some->at and on, at most a slice of them, on the device; axes of the bits `axes` alone. */
heddle_status hd_cuda_points_place(struct hd_cuda_points *p, unsigned axes, bool weights,
                                   struct hd_cuda_some_points *some);
void hd_cuda_points_end(struct hd_cuda_points *p);

#endif
