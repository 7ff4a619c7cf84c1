/* choose.h - which kernel takes points, where its counters lie, and how large the launch is */
#ifndef HEDDLE_CUDA_HISTOGRAM_AXES_CHOOSE_H
#define HEDDLE_CUDA_HISTOGRAM_AXES_CHOOSE_H

#include "cuda/core/choice.h"

/* What a choice is for. */
struct hd_cuda_axes_job {
  const struct hd_cuda_limits *limits;
  heddle_type type;
  size_t dims;
  u64 n, slots; /* points; slots of the grid */
  bool packed;  /* 16 bytes of all columns begin at the same points */
  bool weighted;
  u32 table_words; /* of shared memory, that tables of all axes take */
};

struct hd_cuda_axes_choice {
  struct hd_cuda_choice launch;
  u32 where;      /* HD_WHERE_... of kernels/histogram/args.h */
  u32 span;       /* counters of a block */
  u32 vectors;    /* of each axis in flight a thread */
  u32 min_blocks; /* a multiprocessor, that registers are held down for */
  bool ahead;     /* so many more are under way */
  bool halves;    /* two counters a word */
};

/* Words of shared memory that a block has for counters and tables. */
u32 hd_cuda_axes_room(const struct hd_cuda_limits *limits);
void hd_cuda_axes_choose(const struct hd_cuda_axes_job *job, struct hd_cuda_axes_choice *choice);

#endif
