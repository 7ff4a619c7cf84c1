/* sort.h - what the files of sorts on a CUDA device ask of each other
 *
 * sort.c    the calls: an array; where arrays lie
 * rows.c    rows: segments, or an axis
 * host.c    arrays of the host on their way
 * parts.c   those that the device has no room for
 * job.c     what kernels need to know of a call
 * dense.c   rows one behind the other on the device: which of those below sorts which
 * counted.c one row of keys of one or two bytes
 * merged.c  one row of some tiles, which are merged
 * short.c   rows of some elements, a thread each
 * network.c rows that some threads have room for
 * block.c   rows that a block has room for
 * steps.c   longer ones, digit by digit
 * finish.c  or by some of their digits, and what is left in blocks
 * choose.c  sizes of launches */
#ifndef HEDDLE_CUDA_SORT_SORT_H
#define HEDDLE_CUDA_SORT_SORT_H

#include "cuda/core/choice.h"

#include "kernels/sort/args.h" /* needs their types */

/* What is left of the caller's scratch. */
struct hd_cuda_sort_scratch {
  cu_pointer at;
  u64 left;
};

/* A call, but for its arrays. */
struct hd_cuda_sort_job {
  struct hd_cuda_call *call;
  const struct hd_sort *sort;
  struct sort_map map;
  u32 key_bytes, order; /* HEDDLE_ORDER of kernels/sort/key.h */
  u32 bit_begin, bit_end, digits;
  bool positions;
  struct hd_cuda_sort_scratch *scratch;
};
void hd_cuda_sort_job_make(struct hd_cuda_sort_job *job, struct hd_cuda_call *call,
                           const struct hd_sort *sort, struct hd_cuda_sort_scratch *scratch);
/* Whether keys are sorted by some of their bits; whether elements alike may be other bits for that or another
 * reason, or something goes with them, so that their order among themselves shows. */
bool hd_cuda_sort_is_part(const struct hd_cuda_sort_job *job);
bool hd_cuda_sort_is_numbered(const struct hd_cuda_sort_job *job);
/* Memory of the caller's scratch, or of the context's. */
heddle_status hd_cuda_sort_take(const struct hd_cuda_sort_job *job, u64 bytes, cu_pointer *out);
/* The key of a kernel of `file`: elements, values of so many bytes. */
void hd_cuda_sort_key(const struct hd_cuda_sort_job *job, const char *file, u32 value_bytes,
                      struct hd_cuda_kernel_key *key);

/* Arrays in device memory; 0: there is none. */
struct hd_cuda_sort_arrays {
  cu_pointer keys, values, keys_out, values_out;
  cu_pointer
      unsorted;   /* of a u64 that is 0 by then if the keys of the one row are in order; or 0 */
  bool overwrite; /* keys and values may be */
};

/* Rows that lie one behind the other. */
struct hd_cuda_sort_rows {
  u64 rows, length;   /* of each; segments: the longest */
  u64 elements;       /* from the first one's start to the last one's end */
  const u64 *offsets; /* segments, in host memory; or NULL */
  cu_pointer device;  /* and on the device */
  bool are_tiles; /* of one row: the last one may be shorter, and positions are those in the row */
};

/* What block.cu, short.cu and network.cu have in common. */
struct sort_block_args hd_cuda_sort_block_args(const struct hd_cuda_sort_job *job,
                                               const struct hd_cuda_sort_arrays *arrays,
                                               const struct hd_cuda_sort_rows *rows);
/* Queues the sort of every row. */
heddle_status hd_cuda_sort_dense(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows);
/* Its first launch, and the one behind it that sorts, too. */
heddle_status hd_cuda_sort_dense_choose(const struct hd_cuda_sort_job *job,
                                        const struct hd_cuda_sort_rows *rows,
                                        struct hd_cuda_choice *first, struct hd_cuda_choice *then);
/* The most scratch that this takes for a row of `count` elements. */
u64 hd_cuda_sort_bytes(const struct hd_cuda_sort_job *job, u64 count);
/* For rows. */
u64 hd_cuda_sort_rows_bytes(const struct hd_cuda_sort_job *job,
                            const struct hd_cuda_sort_rows *rows);

/* ---- host.c ---------------------------------------------------------------------------------- */

struct hd_cuda_sort_back {
  struct hd_cuda_operand operand;
  cu_pointer from;
  u64 bytes; /* 0: it is on the device */
};
struct hd_cuda_sort_host {
  struct hd_cuda_sort_arrays arrays;
  struct hd_cuda_sort_back keys, values;
};
/* The arrays of a call, elements first to end - 1 of each, as the device reaches them. */
heddle_status hd_cuda_sort_bring(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 first, u64 end,
                                 struct hd_cuda_sort_host *host);
/* One input; NULL stays 0. */
heddle_status hd_cuda_sort_bring_array(const struct hd_cuda_sort_job *job, const char *what,
                                       const void *from, u64 count, u32 bytes, cu_pointer *device);
/* Rows of an axis, at least one with at least one element, brought together where they do not lie one behind the
 * other (rows.c). */
struct hd_cuda_row_plan;
heddle_status hd_cuda_sort_rows_input(const struct hd_cuda_sort_job *job, const char *what,
                                      const void *in, u32 bytes, const heddle_rows *rows,
                                      const struct hd_cuda_row_plan *plan, cu_pointer *dense);
/* One array, by operand.in to device memory `at`, or by operand.out from there. */
heddle_status hd_cuda_sort_move(struct hd_cuda_call *call, struct hd_cuda_operand operand,
                                cu_pointer at, size_t bytes);
/* Rows of elements first to end - 1, wherever their arrays are; of the host, larger ones than the device has room
 * for. */
heddle_status hd_cuda_sort_arrays(const struct hd_cuda_sort_job *job,
                                  const struct hd_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows, u64 first, u64 end);
/* Queues the way back. */
heddle_status hd_cuda_sort_send(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_host *host);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* One row of the host, of which the device has room for a part; space: of the four arrays. */
heddle_status hd_cuda_sort_parts(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 count,
                                 const enum hd_cuda_memory_space space[4]);

/* ---- choose.c -------------------------------------------------------------------------------- */

struct hd_cuda_sort_sizes {
  u32 threads, items; /* a tile is a block's threads times items of each */
  u32 blocks;         /* an SM, at least */
};
/* Of blocks that sort whole rows. */
struct hd_cuda_sort_sizes hd_cuda_sort_block_sizes(const struct hd_cuda_limits *limits,
                                                   u32 key_bytes, u32 value_bytes);
/* Of steps by a digit, of so many elements in all. */
struct hd_cuda_sort_sizes hd_cuda_sort_step_sizes(const struct hd_cuda_limits *limits,
                                                  u32 key_bytes, u32 value_bytes, u64 elements);

/* ---- counted.c ------------------------------------------------------------------------------- */

/* Whether an array of so many elements is sorted by counting. */
bool hd_cuda_sort_is_counted(const struct hd_cuda_sort_job *job, u64 count);
heddle_status hd_cuda_sort_counted(const struct hd_cuda_sort_job *job,
                                   const struct hd_cuda_sort_arrays *arrays, u64 count);
u64 hd_cuda_sort_counted_bytes(const struct hd_cuda_sort_job *job);
heddle_status hd_cuda_sort_counted_choose(const struct hd_cuda_sort_job *job, u64 count,
                                          struct hd_cuda_choice *first);

/* ---- merged.c ------------------------------------------------------------------------------- */

/* Whether a row of so many elements is sorted in tiles. */
bool hd_cuda_sort_is_merged(const struct hd_cuda_sort_job *job, u64 count);
heddle_status hd_cuda_sort_merged(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays, u64 count);
u64 hd_cuda_sort_merged_bytes(const struct hd_cuda_sort_job *job, u64 count);
void hd_cuda_sort_merged_choose(const struct hd_cuda_sort_job *job, u64 count,
                                struct hd_cuda_choice *first, struct hd_cuda_choice *then);

/* ---- short.c, network.c, block.c, steps.c --------------------------------------------------------------- */

/* Rows of at most SHORT_MOST elements, no segments. */
heddle_status hd_cuda_sort_shorts(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows);

void hd_cuda_sort_shorts_choose(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_rows *rows,
                                struct hd_cuda_choice *choice);
/* Elements of the longest of so many rows that a network sorts; 0: it sorts none of this call. */
u64 hd_cuda_sort_network_most(const struct hd_cuda_sort_job *job, u64 rows);
heddle_status hd_cuda_sort_network(const struct hd_cuda_sort_job *job,
                                   const struct hd_cuda_sort_arrays *arrays,
                                   const struct hd_cuda_sort_rows *rows);
void hd_cuda_sort_network_choose(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_rows *rows,
                                 struct hd_cuda_choice *choice);
/* Elements of the longest row that a block sorts; of segments half as many. */
u32 hd_cuda_sort_block_most(const struct hd_cuda_sort_job *job);
heddle_status hd_cuda_sort_blocks(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_arrays *arrays,
                                  const struct hd_cuda_sort_rows *rows);
void hd_cuda_sort_blocks_choose(const struct hd_cuda_sort_job *job,
                                const struct hd_cuda_sort_rows *rows,
                                struct hd_cuda_choice *choice);
/* Whether a sort by steps may end with kernels/sort/finish.cu. */
bool hd_cuda_sort_may_finish(const struct hd_cuda_sort_job *job,
                             const struct hd_cuda_sort_rows *rows);
struct hd_cuda_sort_finish {
  struct hd_cuda_kernel sample, small, large;
  cu_pointer list;
};
u64 hd_cuda_sort_finish_bytes(const struct hd_cuda_sort_job *job, u64 count);
heddle_status hd_cuda_sort_finish_find(const struct hd_cuda_sort_job *job, u64 count,
                                       struct hd_cuda_sort_finish *f);
/* Queues the launch behind the count, and that behind SORT_TOPS steps. */
heddle_status hd_cuda_sort_sample(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_finish *f,
                                  const struct sort_args *args);
heddle_status hd_cuda_sort_finish(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_finish *f,
                                  const struct sort_args *args);
/* All rows; of segments those beyond `most` elements. */
heddle_status hd_cuda_sort_steps(const struct hd_cuda_sort_job *job,
                                 const struct hd_cuda_sort_arrays *arrays,
                                 const struct hd_cuda_sort_rows *rows, u64 most);
void hd_cuda_sort_steps_choose(const struct hd_cuda_sort_job *job,
                               const struct hd_cuda_sort_rows *rows, struct hd_cuda_choice *first,
                               struct hd_cuda_choice *then);
u64 hd_cuda_sort_step_bytes(const struct hd_cuda_sort_job *job, u64 count);

#endif
