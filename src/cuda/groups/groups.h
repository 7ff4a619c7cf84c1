/* groups.h - the order of groups on a CUDA device
 *
 * order.c    ids looked at, sorted, and where groups begin
 * make.c     from ids to a handle
 * scatter.c  ids that are used once
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
  struct groups_found found; /* as the host knows it */
  cu_pointer found_there;    /* or 0; as the device does, where nobody waits for it */
};

/* ---- order.c ---------------------------------------------------------------------------------- */

struct hd_cuda_groups_ids {
  struct hd_cuda_call *call;
  struct groups_make_args args; /* ids, and where offsets and so on are to lie, are the caller's */
  u32 id_bytes, key_bytes;
  u32 bits; /* of ids that have a group */
  bool is_signed;
};
struct hd_cuda_groups_ids hd_cuda_groups_ids_of(struct hd_cuda_call *call, heddle_type type,
                                                u64 count, u64 groups);
/* What ids show, into args.found, in scratch, and the fault if there is one; args.keys are then what is sorted. */
heddle_status hd_cuda_groups_see_ids(struct hd_cuda_groups_ids *ids);
/* Sorts args.keys, and values along with them into `out`, or their positions if there are no values. */
heddle_status hd_cuda_groups_sort_ids(struct hd_cuda_groups_ids *ids, cu_pointer values,
                                      u32 value_bytes, cu_pointer out);
/* From args.keys in order: args.offsets, and args.longs and args.owners unless these are 0. */
heddle_status hd_cuda_groups_find_offsets(const struct hd_cuda_groups_ids *ids);
/* Of so many rows: the bits of long groups' pieces, and how many such groups and pieces there may be. */
u32 hd_cuda_groups_piece_bits(u64 count);
u64 hd_cuda_groups_most_long(u64 count);
u64 hd_cuda_groups_most_pieces(u64 count);

/* ---- folds -------------------------------------------------------------------------------------- */

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
/* Rows where they are. */
heddle_status hd_cuda_groups_fold_rows(const struct hd_cuda_groups_fold *f);
/* An array by groups as segments. */
heddle_status hd_cuda_groups_segments(const struct hd_cuda_groups_fold *f, cu_pointer x,
                                      cu_pointer offsets, u64 segments, cu_pointer out);

#endif
