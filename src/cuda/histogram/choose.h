/* choose.h - which kernel counts, where its counters lie, and how large the launch is */
#ifndef HEDDLE_CUDA_HISTOGRAM_CHOOSE_H
#define HEDDLE_CUDA_HISTOGRAM_CHOOSE_H

#include "cuda/core/choice.h"
#include "launch.h"

struct hd_cuda_count_choice {
  struct hd_cuda_choice launch;
  u32 where;       /* HD_WHERE_... of kernels/histogram/args.h */
  u32 span;        /* counters of a block, of all counters if there is one range */
  u32 ranges;      /* of counters, each of them counted by other blocks */
  u32 copies;      /* of each counter, side by side */
  u32 loads;       /* vectors in flight a thread */
  u32 min_blocks;  /* a multiprocessor, that registers are held down for */
  bool near_edges; /* edges lie in shared memory, too */
  bool halves;     /* two counters a word */
};

/* Words of shared memory for counters and tables of a block that counts. */
u32 hd_cuda_count_room(const struct hd_cuda_limits *limits);
/* Whether sums of weights in one word each are worth a try for n elements. */
bool hd_cuda_count_thin_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_count *c,
                               u64 n);
/* For n elements. */
void hd_cuda_count_choose(const struct hd_cuda_limits *limits, const struct hd_cuda_count *c, u64 n,
                          struct hd_cuda_count_choice *choice);

#endif
