/* window.h - the exponent with which exact sums of weights are mostly in fixed point */
#ifndef HEDDLE_CUDA_HISTOGRAM_WINDOW_H
#define HEDDLE_CUDA_HISTOGRAM_WINDOW_H

#include "launch.h"

/* Chosen for the weights that come first; any is right. */
struct hd_cuda_window {
  cu_pointer words;       /* 4 u32 of device memory, for as long as the window is used */
  cu_pointer range_words; /* those of range_args */
  bool whole;             /* all weights come in one call */
  bool known;
  bool on_device; /* the exponent is the first of `words`, else `given` */
  i32 given;
};

/* Chooses the window for `count` weights if there is none yet, and sets it. */
heddle_status hd_cuda_window_find(struct hd_cuda_count *c, const struct hd_cuda_operand *weights,
                                  size_t count, struct hd_cuda_window *window);
void hd_cuda_window_set(struct hd_cuda_count *c, const struct hd_cuda_window *window);

#endif
