/* choice.h - one launch as a primitive's choose.c gives it: which kernel, and how large */
#ifndef HEDDLE_CUDA_CORE_CHOICE_H
#define HEDDLE_CUDA_CORE_CHOICE_H

#include "cuda.h"

struct hd_cuda_choice {
  const char *strategy; /* "one_wave": the kernel's name without its primitive */
  const char *file;     /* "fold/one_wave.cu", below src/kernels */
  const char *kernel;   /* "heddle_fold_one_wave" */
  u32 threads;          /* a block */
  u32 shared_bytes;     /* dynamic, a block */
  u64 blocks;           /* 0: as many as the device runs at once, which the kernel tells */
};

/* As heddle_explain gives it (choice.c); `then` is the launch behind it, or NULL. */
heddle_status hd_cuda_explain(heddle_context *ctx, const struct hd_cuda_choice *launch,
                              const struct hd_cuda_choice *then, heddle_plan *out);

/* What rooms have for asked.c. Bins of all axes are found, and stay with the context while they are held; `held` has
 * room for HD_MOST_DIMS. */
heddle_status hd_cuda_histogram_nd_hold(heddle_context *ctx, const struct hd_histogram_nd *job,
                                        void **held);
void hd_cuda_histogram_nd_release(void **held);
/* A handle of rows in no order, without memory, folded. */
heddle_status hd_cuda_groups_reduce_asked(heddle_context *ctx, const struct hd_asked *asked,
                                          size_t count, const void *in, void *out);

#endif
