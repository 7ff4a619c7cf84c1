/* order.c - ids looked at, sorted, and where groups begin among them: what a handle and a call by ids share
 *
 * Method   kernels/groups/ids.cu says whether ids have groups and are in order; kernels/groups/offsets.cu where groups
 *          begin, by a search among sorted ids, and lists long ones with their pieces, for folds.
 * Memory   ids twice, and what their sort takes */
#include "cuda/sort/sort.h"
#include "groups.h"
#include "order/types.h"

enum { THREADS = 256, OWNER_BLOCKS = 64 };

struct hd_cuda_groups_ids hd_cuda_groups_ids_of(struct hd_cuda_call *call, heddle_type type,
                                                u64 count, u64 groups) {
  struct hd_cuda_groups_ids ids = {
      .call = call, .id_bytes = (u32)heddle_type_size(type), .is_signed = hd_is_signed(type)};
  ids.key_bytes = groups > (u64)1 << 32 ? ids.id_bytes : 4;
  ids.bits = 1;
  while (ids.bits < 8 * ids.key_bytes && (groups - 1) >> ids.bits) ids.bits++;
  if (!groups) ids.bits = 1;
  ids.args = (struct groups_make_args){
      .count = count, .groups = groups, .mask = ~(u64)0 >> (64 - ids.bits)};
  return ids;
}

heddle_status hd_cuda_groups_see_ids(struct hd_cuda_groups_ids *ids) {
  struct hd_cuda_call *call = ids->call;
  struct groups_make_args *a = &ids->args;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  HD_TRY(hd_cuda_scratch(call, sizeof(struct groups_found), &a->found));
  HD_TRY(hd_cuda_zero(call, a->found, sizeof(struct groups_found)));
  if (ids->key_bytes < ids->id_bytes)
    HD_TRY(hd_cuda_scratch(call, (size_t)a->count * sizeof(u32), &a->narrow));
  hd_cuda_kernel_file(&key, "groups/ids.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_ID_BYTES", ids->id_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_SIGNED", ids->is_signed);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_ids", THREADS, 0, &kernel));
  const u64 tiles = (a->count + GROUPS_TILE - 1) / GROUPS_TILE;
  HD_TRY(hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, tiles), a, sizeof *a));
  a->keys = a->narrow ? a->narrow : a->ids;
  return HEDDLE_OK;
}

heddle_status hd_cuda_groups_sort_ids(struct hd_cuda_groups_ids *ids, cu_pointer values,
                                      u32 value_bytes, cu_pointer out) {
  struct hd_cuda_sort_scratch scratch = {0};
  struct hd_cuda_sort_job job;
  const u64 count = ids->args.count;
  const struct hd_sort sort = {.entry = ids->call->entry,
                               .what = values ? HD_SORT_PAIRS : HD_SORT_POSITIONS,
                               .type = ids->key_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32,
                               .value_bytes = value_bytes,
                               .bit_end = ids->bits,
                               .map = {.bits = 8 * ids->key_bytes}};
  const struct hd_cuda_sort_rows rows = {.rows = 1, .length = count, .elements = count};
  struct hd_cuda_sort_arrays arrays = {.keys = ids->args.keys,
                                       .values = values,
                                       .values_out = out,
                                       .unsorted = ids->args.found +
                                                   offsetof(struct groups_found, unsorted)};
  HD_TRY(hd_cuda_scratch(ids->call, (size_t)(count * ids->key_bytes), &arrays.keys_out));
  hd_cuda_sort_job_make(&job, ids->call, &sort, &scratch);
  ids->args.keys = arrays.keys_out;
  return hd_cuda_sort_dense(&job, &arrays, &rows);
}

heddle_status hd_cuda_groups_find_offsets(const struct hd_cuda_groups_ids *ids) {
  struct hd_cuda_call *call = ids->call;
  const struct groups_make_args *a = &ids->args;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "groups/offsets.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", ids->key_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_offsets", THREADS, 0, &kernel));
  const u64 blocks = (a->groups + THREADS - 1) / THREADS;
  HD_TRY(hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, blocks ? blocks : 1), a,
                        sizeof *a));
  if (a->count < GROUPS_LONG || !a->longs) return HEDDLE_OK;
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_owners", THREADS, 0, &kernel));
  return hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, OWNER_BLOCKS), a,
                        sizeof *a);
}

/* ---- long groups ------------------------------------------------------------------------------- */

enum {
  PIECES_ENOUGH = 4096, /* of one group of all rows */
  PIECE_LEAST = 11,     /* a chunk */
  ROWS_A_PIECE =
      112 /* no list has more pieces than rows by this: 5 pieces of 992 rows are the most */
};

u32 hd_cuda_groups_piece_bits(u64 count) {
  u32 bits = PIECE_LEAST;
  while (count >> bits > PIECES_ENOUGH && bits < GROUPS_PIECE_MOST) bits++;
  return bits;
}
u64 hd_cuda_groups_most_long(u64 count) { return count / GROUPS_LONG + 1; }
u64 hd_cuda_groups_most_pieces(u64 count) { return count / ROWS_A_PIECE + 1; }
