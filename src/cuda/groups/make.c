/* make.c - the order of groups: kernels/groups/ids.cu, a sort, kernels/groups/offsets.cu
 *
 * Method   One read says whether ids have groups and are in order; the call waits for that. If they are not, their
 *          positions are sorted by as many bits as groups have, ids of 64 bits as 32 where groups allow it.
 *          Groups begin where a search among sorted ids says. Long ones are listed, and cut into pieces,
 *          for folds.
 * Memory   of the handle: a position a row, unless ids are in order; 8 bytes a group; about a third of a byte a row
 *          for the list of long groups. For a while: ids twice, and what their sort takes */
#include "cuda/sort/sort.h"
#include "groups.h"
#include "order/types.h"

enum {
  THREADS = 256,
  OWNER_BLOCKS = 64,
  PIECES_ENOUGH = 4096, /* of one group of all rows */
  PIECE_LEAST = 11,     /* a chunk */
  ROWS_A_PIECE =
      112 /* no list has more pieces than rows by this: 5 pieces of 992 rows are the most */
};

struct make {
  struct hd_cuda_call *call;
  struct hd_cuda_groups *groups;
  struct groups_make_args args;
  u32 id_bytes, key_bytes;
  bool is_signed;
};

static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

/* ---- the ids --------------------------------------------------------------------------------- */

static heddle_status bad_id(const struct make *m, u64 at) {
  struct hd_cuda_call *call = m->call;
  u64 id = 0;
  HD_TRY(hd_cuda_check(
      call, call->cu->copy_out(&id, m->args.ids + at * m->id_bytes, m->id_bytes, call->stream),
      "copying an id"));
  HD_TRY(hd_cuda_wait(call, call->stream));
  const i64 value = m->id_bytes == 4 ? (i64)(i32)(u32)id : (i64)id;
  if (m->is_signed && value < 0)
    return hd_fail(
        HEDDLE_BAD_DATA,
        "%s: `ids[%llu]` is %lld, but there are %llu groups; give ids from 0 to one less",
        call->entry, (unsigned long long)at, (long long)value, (unsigned long long)m->args.groups);
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: `ids[%llu]` is %llu, but there are %llu groups; give ids from 0 to one less",
                 call->entry, (unsigned long long)at, (unsigned long long)id,
                 (unsigned long long)m->args.groups);
}

static heddle_status look_at_ids(struct make *m) {
  struct hd_cuda_call *call = m->call;
  struct groups_make_args *a = &m->args;
  struct groups_found *found = &m->groups->found;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  HD_TRY(hd_cuda_no_capture(call, "looking at ids"));
  HD_TRY(hd_cuda_scratch(call, sizeof *found, &a->found));
  HD_TRY(hd_cuda_zero(call, a->found, sizeof *found));
  if (m->key_bytes < m->id_bytes)
    HD_TRY(hd_cuda_scratch(call, (size_t)a->count * sizeof(u32), &a->narrow));
  hd_cuda_kernel_file(&key, "groups/ids.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_ID_BYTES", m->id_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_SIGNED", m->is_signed);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_ids", THREADS, 0, &kernel));
  const u64 tiles = (a->count + GROUPS_TILE - 1) / GROUPS_TILE;
  HD_TRY(hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, tiles), a, sizeof *a));
  HD_TRY(hd_cuda_check(call, call->cu->copy_out(found, a->found, sizeof *found, call->stream),
                       "copying a result to the host"));
  HD_TRY(hd_cuda_wait(call, call->stream));
  a->keys = a->narrow ? a->narrow : a->ids;
  return found->bad ? bad_id(m, ~found->bad) : HEDDLE_OK;
}

/* ---- the handle's memory ---------------------------------------------------------------------- */

static heddle_status place(struct make *m) {
  struct hd_cuda_groups *g = m->groups;
  const u64 order = padded(g->count * g->order_bytes);
  const u64 offsets = padded((g->groups + 1) * sizeof(u64));
  const u64 longs = padded((g->count / GROUPS_LONG + 1) * sizeof(struct groups_long));
  const u64 owners = padded((g->count / ROWS_A_PIECE + 1) * sizeof(u32));
  HD_TRY(hd_cuda_memory(m->call, (size_t)(order + offsets + longs + owners), &g->own.memory));
  if (g->order_bytes) g->order = g->own.memory;
  m->args.offsets = g->offsets = g->own.memory + order;
  m->args.longs = g->longs = g->offsets + offsets;
  m->args.owners = g->owners = g->longs + longs;
  return HEDDLE_OK;
}

/* ---- the order -------------------------------------------------------------------------------- */

static u32 bits_of(u64 groups) {
  u32 bits = 1;
  while (bits < 64 && (groups - 1) >> bits) bits++;
  return bits;
}

static heddle_status sort_ids(struct make *m) {
  struct hd_cuda_sort_scratch scratch = {0};
  struct hd_cuda_sort_job job;
  struct hd_cuda_groups *g = m->groups;
  const struct hd_sort sort = {.entry = m->call->entry,
                               .what = HD_SORT_POSITIONS,
                               .type = m->key_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32,
                               .value_bytes = g->order_bytes,
                               .bit_end = bits_of(g->groups),
                               .map = {.bits = 8 * m->key_bytes}};
  const struct hd_cuda_sort_rows rows = {.rows = 1, .length = g->count, .elements = g->count};
  struct hd_cuda_sort_arrays arrays = {.keys = m->args.keys, .values_out = g->order};
  HD_TRY(hd_cuda_scratch(m->call, (size_t)(g->count * m->key_bytes), &arrays.keys_out));
  hd_cuda_sort_job_make(&job, m->call, &sort, &scratch);
  m->args.keys = arrays.keys_out;
  return hd_cuda_sort_dense(&job, &arrays, &rows);
}

static heddle_status find_offsets(struct make *m) {
  struct hd_cuda_call *call = m->call;
  struct hd_cuda_groups *g = m->groups;
  struct groups_make_args *a = &m->args;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "groups/offsets.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", m->key_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_offsets", THREADS, 0, &kernel));
  const u64 blocks = (g->groups + THREADS - 1) / THREADS;
  HD_TRY(hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, blocks ? blocks : 1), a,
                        sizeof *a));
  if (g->count < GROUPS_LONG) return HEDDLE_OK;
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_groups_owners", THREADS, 0, &kernel));
  HD_TRY(hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, OWNER_BLOCKS), a,
                        sizeof *a));
  return hd_cuda_check(call, call->cu->copy_out(&g->found, a->found, sizeof g->found, call->stream),
                       "copying a result to the host");
}

static heddle_status make(struct make *m, const void *ids, heddle_groups_details *details) {
  struct hd_cuda_call *call = m->call;
  struct hd_cuda_groups *g = m->groups;
  HD_TRY(hd_cuda_array_in(call, "ids", ids, g->count * m->id_bytes, m->id_bytes, &m->args.ids));
  if (g->count) HD_TRY(look_at_ids(m));
  if (g->found.unsorted) g->order_bytes = g->count > UINT32_MAX ? 8 : 4;
  while (g->count >> g->bits > PIECES_ENOUGH && g->bits < GROUPS_PIECE_MOST) g->bits++;
  m->args.bits = g->bits;
  HD_TRY(place(m));
  if (g->order_bytes) HD_TRY(sort_ids(m));
  HD_TRY(find_offsets(m));
  call->synchronous = true; /* the handle knows what was found, and its arrays are there */
  details->offsets = (const u64 *)(uintptr_t)g->offsets;
  details->index_type = g->order_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32;
  details->order = (const void *)(uintptr_t)g->order;
  return HEDDLE_OK;
}

heddle_status hd_cuda_groups_make(heddle_context *ctx, heddle_type id_type, const void *ids,
                                  size_t count, size_t groups, void **handle,
                                  heddle_groups_details *details) {
  struct hd_cuda_call call;
  struct hd_cuda_groups *g = hd_cuda_state_make(ctx, sizeof *g);
  if (!g) return HEDDLE_OUT_OF_MEMORY;
  g->count = count;
  g->groups = groups;
  g->bits = PIECE_LEAST;
  struct make m = {.call = &call,
                   .groups = g,
                   .args = {.count = count, .groups = groups},
                   .id_bytes = (u32)heddle_type_size(id_type),
                   .is_signed = hd_is_signed(id_type)};
  m.key_bytes = groups > (u64)1 << 32 ? m.id_bytes : 4;
  HD_TRY(hd_cuda_state_enter(&g->own, "heddle_groups_make", &call));
  return hd_cuda_state_leave(&call, make(&m, ids, details), &g->own, handle);
}

void hd_cuda_groups_free(void *handle) { hd_cuda_state_free(handle); }
