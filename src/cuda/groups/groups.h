/* groups.h - the order of groups on a CUDA device
 *
 * make.c     from ids to a handle
 * gather.c   rows, group after group
 * reduce.c   rows folded where they are: which kernels, and their launches
 * columns.c  columns brought together and folded as segments: exact sums, and one column in order */
#ifndef HEDDLE_CUDA_GROUPS_GROUPS_H
#define HEDDLE_CUDA_GROUPS_GROUPS_H

#include "cuda/core/inside.h"
#include "cuda/search/search.h"

#include "kernels/groups/args.h"      /* needs their types */
#include "kernels/groups/fold_args.h" /* needs them, too */

/* A handle: own.memory is cut into the arrays. */
struct hd_cuda_groups {
  struct hd_cuda_state own;
  u64 count, groups;
  u32 order_bytes;  /* of a position; 0: rows are in order */
  u32 bits;         /* of long groups' pieces */
  cu_pointer order; /* or 0 */
  cu_pointer offsets, longs, owners;
  struct groups_found found;
};

static inline u64 hd_cuda_groups_long_count(const struct hd_cuda_groups *g) {
  return g->found.listed >> 32;
}
static inline u64 hd_cuda_groups_pieces(const struct hd_cuda_groups *g) {
  return g->found.listed & UINT32_MAX;
}

/* A call's fold; arrays are in device memory. */
struct hd_cuda_groups_fold {
  struct hd_cuda_call *call;
  const struct hd_cuda_groups *groups;
  const struct hd_fold *fold;
  cu_pointer in, out;
  u64 width;
  u32 element_bytes, out_bytes;
};
heddle_status hd_cuda_groups_columns(const struct hd_cuda_groups_fold *f);

#endif
