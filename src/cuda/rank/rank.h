/* rank.h - what the files of order statistics on a CUDA device ask of each other
 *
 * rank.c     the calls: an array
 * rows.c     rows
 * sorted.c   rows that are sorted, and the results picked
 * search.c   an array that is read once
 * counted.c  an array of keys of one or two bytes
 * take.c     the first elements of an array, without sorting the rest
 * sieve.c    few of them, in one read
 * top.c      the first elements of rows, by a warp each
 * weighted.c quantiles by weights
 * choose.c   which of these, and sizes of launches */
#ifndef HEDDLE_CUDA_RANK_RANK_H
#define HEDDLE_CUDA_RANK_RANK_H

#include "cuda/sort/sort.h"

#include "kernels/rank/args.h" /* needs their types */

/* What is wanted of every row: elements by ranks, or quantiles. */
struct hd_cuda_rank_wanted {
  const struct hd_quantiles *quantiles; /* NULL: elements */
  const u64 *ranks;
  const f64 *shares;
  size_t count;
};

/* A call, but for its arrays. */
struct hd_cuda_rank {
  struct hd_cuda_call *call;
  struct hd_sort sort; /* of keys, or of positions */
  struct hd_cuda_sort_scratch none;
  struct hd_cuda_sort_job job;
  struct hd_cuda_rank_wanted wanted;
  size_t k; /* partial_sort */
};
void hd_cuda_rank_make(struct hd_cuda_rank *rank, struct hd_cuda_call *call,
                       const struct hd_sort *sort);
/* Bytes of a result. */
u32 hd_cuda_rank_bytes(const struct hd_cuda_rank *rank);
/* The key of a kernel of `file`: elements, results. */
void hd_cuda_rank_key(const struct hd_cuda_rank *rank, const char *file,
                      struct hd_cuda_kernel_key *key);
/* Blocks of a kernel for so many elements, `each` of a block. */
u64 hd_cuda_rank_blocks(const struct hd_cuda_rank *rank, const struct hd_cuda_kernel *kernel,
                        u64 elements, u64 each);

/* ---- sorted.c -------------------------------------------------------------------------------- */

/* Rows one behind the other in device memory at `in`, element 0 of their array; `array`: one row that a
 * fault may be of. Results of all rows at out. */
heddle_status hd_cuda_rank_sorted(struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows,
                                  cu_pointer in, bool array, cu_pointer out);
/* The first rank->k of each row. */
heddle_status hd_cuda_rank_firsts(struct hd_cuda_rank *rank, const struct hd_cuda_sort_rows *rows,
                                  cu_pointer in, cu_pointer out, cu_pointer index);

/* ---- search.c -------------------------------------------------------------------------------- */

/* Whether an array of so many elements is searched, not sorted. */
bool hd_cuda_rank_is_searched(const struct hd_cuda_rank *rank, u64 count);
heddle_status hd_cuda_rank_search(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                  cu_pointer out);
/* The one element of this rank stays in *state, struct rank_state. */
heddle_status hd_cuda_rank_find(struct hd_cuda_rank *rank, cu_pointer in, u64 count, u64 wanted,
                                cu_pointer *state);

/* ---- counted.c ------------------------------------------------------------------------------- */

/* Elements below each key, of keys of one or two bytes, and one more. */
heddle_status hd_cuda_rank_count(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                 cu_pointer *starts);

/* ---- take.c ---------------------------------------------------------------------------------- */

/* Whether the first elements of so many are taken, and these sorted. */
bool hd_cuda_rank_is_taken(const struct hd_cuda_rank *rank, u64 count);
heddle_status hd_cuda_rank_take(struct hd_cuda_rank *rank, cu_pointer in, u64 count, cu_pointer out,
                                cu_pointer index);

/* a->ticket and the words at a->told are zero; sieved: where a sieve has missed something. */
heddle_status hd_cuda_rank_take_all(struct hd_cuda_rank *rank, const struct rank_take_args *a,
                                    bool sieved);

/* ---- sieve.c --------------------------------------------------------------------------------- */

/* Whether so few first elements are wanted of so many that one read finds them. */
bool hd_cuda_rank_is_sieved(const struct hd_cuda_rank *rank, u64 count);
heddle_status hd_cuda_rank_sieve(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                 cu_pointer out, cu_pointer index);

/* ---- top.c ----------------------------------------------------------------------------------- */

/* Whether a warp takes each row. */
bool hd_cuda_rank_is_by_warps(const struct hd_cuda_rank *rank,
                              const struct hd_cuda_sort_rows *rows);
/* As hd_cuda_rank_firsts. */
heddle_status hd_cuda_rank_top(const struct hd_cuda_rank *rank,
                               const struct hd_cuda_sort_rows *rows, cu_pointer in, cu_pointer out,
                               cu_pointer index);

/* ---- weighted.c ------------------------------------------------------------------------------ */

/* rank->wanted of an array with a weight an element, all wherever they are. */
heddle_status hd_cuda_rank_weighted(struct hd_cuda_rank *rank, const void *in, const void *weights,
                                    u64 count, f64 *out);
/* Of every row, one behind the other in device memory, element 0 of their arrays at `in` and `weights`. */
heddle_status hd_cuda_rank_weighted_rows(struct hd_cuda_rank *rank,
                                         const struct hd_cuda_sort_rows *rows, cu_pointer in,
                                         cu_pointer weights, cu_pointer out);

/* ---- choose.c -------------------------------------------------------------------------------- */

struct hd_cuda_rank_sizes {
  u32 sampled;        /* samples, a power of two */
  u32 sample_threads; /* of the block that orders them */
  u32 threads, loads; /* of a read: vectors of 16 bytes a thread and tile */
  u32 stages;         /* of a read by bulk copies, where there are such */
  u32 blocks;         /* an SM, at least */
  u32 narrow_threads, finish_threads;
  u32 take_items; /* elements a thread and tile */
};
struct hd_cuda_rank_sizes hd_cuda_rank_sizes_of(const struct hd_cuda_rank *rank, u32 slots);

#endif
