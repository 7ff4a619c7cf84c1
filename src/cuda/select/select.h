/* select.h - what the files of select and of runs ask of each other, on a CUDA device
 *
 * test.c    from a comparison to an interval of keys
 * pass.c    kernels and launches
 * choose.c  sizes of launches
 * host.c    arrays of the host, piece by piece
 * select.c  the call; cuda/runs has its own */
#ifndef HEDDLE_CUDA_SELECT_SELECT_H
#define HEDDLE_CUDA_SELECT_SELECT_H

#include "cuda/core/choice.h"
#include "cuda/core/cuda.h"

#include "kernels/select/args.h" /* needs their types */

/* A call, but for its arrays. */
struct hd_cuda_select_job {
  struct hd_cuda_call *call;
  struct select_test test;
  u32 key_bytes;
  const char *predicate; /* the caller's test, as text, and the type of its x; NULL: none */
  const char *tested;
  heddle_type type; /* of a predicate's elements */
  bool is_float, runs;
  u32 value_bytes;    /* 0: no values are wanted */
  u32 position_bytes; /* 0: nor positions */
  bool rest;          /* values that are not selected, behind the others */
  bool ends;          /* positions: the end is one more */
};

/* Arrays in device memory; 0: there is none. */
struct hd_cuda_select_arrays {
  cu_pointer of, in, out, positions;
  u64 count, first; /* elements; before them */
  cu_pointer left;  /* runs: the element before */
  cu_pointer total; /* u64: how many are selected */
  cu_pointer all;   /* rest: where that is already */
};

/* ---- test.c ---------------------------------------------------------------------------------- */

/* Elements of the type that compare so with the value, whose bits are given. */
struct select_test hd_cuda_select_test(heddle_comparison comparison, heddle_type type, u64 value);
/* Elements that differ from their neighbours. */
struct select_test hd_cuda_select_runs_test(heddle_type type);

/* ---- pass.c ---------------------------------------------------------------------------------- */

/* Queues what finds the selected elements of at least one. */
heddle_status hd_cuda_select_pass(const struct hd_cuda_select_job *job,
                                  const struct hd_cuda_select_arrays *arrays);
/* And what counts them alone. */
heddle_status hd_cuda_select_count(const struct hd_cuda_select_job *job,
                                   const struct hd_cuda_select_arrays *arrays);
/* As the call asks for it: what is wanted, in one pass, or two. */
heddle_status hd_cuda_select_dense(const struct hd_cuda_select_job *job,
                                   const struct hd_cuda_select_arrays *arrays);

/* ---- choose.c -------------------------------------------------------------------------------- */

/* What a launch is about. */
struct hd_cuda_select_work {
  u64 count; /* elements */
  u32 key_bytes, value_bytes, position_bytes;
  bool runs;
  bool same;     /* values are what is tested */
  bool in_place; /* and may be written over */
};

struct hd_cuda_select_sizes {
  u32 threads, items; /* a tile is a block's threads times items of each */
  u32 blocks;         /* an SM, at least */
  u32 stages, depth;  /* of compact_bulk.cu; no stages: compact.cu */
  u32 room;           /* of a warp there: elements */
  u32 shared;         /* dynamic shared memory of either */
};
struct hd_cuda_select_sizes hd_cuda_select_sizes(const struct hd_cuda_limits *limits,
                                                 const struct hd_cuda_select_work *work);
/* Elements of a launch, at most: a multiple of 16. */
u64 hd_cuda_select_most(const struct hd_cuda_limits *limits);

/* ---- host.c ---------------------------------------------------------------------------------- */

struct hd_cuda_select_operand {
  const char *what;
  void *at;
  u32 bytes; /* of an element; 0: there is none */
  enum hd_cuda_memory_space space;
};
struct hd_cuda_select_operands {
  struct hd_cuda_select_operand of, in, out, positions; /* in.at may be of.at, out.at in.at */
};

/* Where they are; *host: one is not the device's. */
heddle_status hd_cuda_select_spaces(struct hd_cuda_call *call, struct hd_cuda_select_operands *o,
                                    u64 count, bool ends, bool *host);
/* All of them, wherever they are: waits, and tells how many are selected. */
heddle_status hd_cuda_select_host(const struct hd_cuda_select_job *job,
                                  const struct hd_cuda_select_operands *o, u64 count, u64 *found);
/* A number that the device has found: waits. */
heddle_status hd_cuda_select_fetch(struct hd_cuda_call *call, cu_pointer word, u64 *found);
/* A call's count, known now, to memory of the host or the device. */
heddle_status hd_cuda_select_tell(struct hd_cuda_call *call, const char *what, u64 found, u64 *to);

#endif
