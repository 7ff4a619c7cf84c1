/* window.h - the exponent with which exact sums of weights are mostly in fixed point */
#ifndef HEDDLE_CUDA_HISTOGRAM_WINDOW_H
#define HEDDLE_CUDA_HISTOGRAM_WINDOW_H

#include "launch.h"

/* Chooses the window for `count` weights if there is none yet, and sets it. */
heddle_status hd_cuda_window_find(struct hd_cuda_count *c, const struct hd_cuda_operand *weights,
                                  size_t count, struct hd_cuda_window *window);
void hd_cuda_window_set(struct hd_cuda_count *c, const struct hd_cuda_window *window);

#endif
