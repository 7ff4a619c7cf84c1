/* choose.h - which kernel folds a piece of an array, and how large the launch is */
#ifndef HEDDLE_CUDA_FOLD_CHOOSE_H
#define HEDDLE_CUDA_FOLD_CHOOSE_H

#include "cuda/core/choice.h"
#include "fold.h"

/* What a launch is given of an array: the choice depends on the first line alone. */
struct hd_cuda_fold_piece {
  u64 first, count; /* chunks before it (order-independent: elements); its elements */
  bool state;       /* the launch updates a state, and has no result */
  u32 head;         /* order-independent: elements before the first multiple of 16 bytes */
};

struct hd_cuda_fold_choice {
  struct hd_cuda_choice launch;
  bool whole;        /* single_block and one_wave, which have no states */
  u32 blocks_per_sm; /* that registers are held down for */
  u32 level;         /* a group has 2^level chunks */
  u32 per_block;     /* groups of a block */
  u64 span;          /* order_free: vectors of 16 bytes of a block */
  u64 partials;      /* totals that blocks leave for the last one; 0: there is one block */
};

void hd_cuda_fold_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_fold_run *run,
                         const struct hd_cuda_fold_piece *piece,
                         struct hd_cuda_fold_choice *choice);

/* TOTAL_TAGGED of kernels/base/block_partials.h: totals that carry their own signal. */
bool hd_cuda_fold_is_tagged(const struct hd_cuda_fold_run *run);
/* HEDDLE_LEVELS and HEDDLE_GROUPS of kernels/fold/one_pass.cu: the most that a launch may have. */
u32 hd_cuda_fold_most_levels(const struct hd_cuda_fold_run *run);
u32 hd_cuda_fold_most_groups(const struct hd_cuda_fold_run *run);
/* Chunks that one launch takes, wherever they begin. */
u64 hd_cuda_fold_most_chunks(const struct hd_cuda_fold_run *run);

#endif
