/* make.c - the order of groups as a handle
 *
 * Method   The call waits for what the ids show; if they are not in order, their positions are sorted by as many bits as
 *          groups have, ids of 64 bits as 32 where groups allow it.
 * Memory   of the handle: a position a row, unless ids are in order; 8 bytes a group; about a third of a byte a row
 *          for the list of long groups. For a while: order.c's */
#include "groups.h"

struct make {
  struct hd_cuda_groups *groups;
  struct hd_cuda_groups_ids ids;
};

static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

/* ---- the ids --------------------------------------------------------------------------------- */

static heddle_status bad_id(const struct hd_cuda_groups_ids *m, u64 at) {
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
  struct hd_cuda_call *call = m->ids.call;
  struct groups_found *found = &m->groups->found;
  HD_TRY(hd_cuda_no_capture(call, "looking at ids"));
  HD_TRY(hd_cuda_groups_see_ids(&m->ids));
  HD_TRY(hd_cuda_check(call,
                       call->cu->copy_out(found, m->ids.args.found, sizeof *found, call->stream),
                       "copying a result to the host"));
  HD_TRY(hd_cuda_wait(call, call->stream));
  return found->bad ? bad_id(&m->ids, ~found->bad) : HEDDLE_OK;
}

/* ---- the handle's memory ---------------------------------------------------------------------- */

static heddle_status place(struct make *m) {
  struct hd_cuda_groups *g = m->groups;
  struct groups_make_args *a = &m->ids.args;
  const u64 order = padded(g->count * g->order_bytes);
  const u64 offsets = padded((g->groups + 1) * sizeof(u64));
  const u64 longs = padded(hd_cuda_groups_most_long(g->count) * sizeof(struct groups_long));
  const u64 owners = padded(hd_cuda_groups_most_pieces(g->count) * sizeof(u32));
  HD_TRY(hd_cuda_memory(m->ids.call, (size_t)(order + offsets + longs + owners), &g->own.memory));
  if (g->order_bytes) g->order = g->own.memory;
  a->offsets = g->offsets = g->own.memory + order;
  a->longs = g->longs = g->offsets + offsets;
  a->owners = g->owners = g->longs + longs;
  return HEDDLE_OK;
}

static heddle_status fetch_listed(const struct make *m) {
  struct hd_cuda_call *call = m->ids.call;
  struct groups_found *found = &m->groups->found;
  if (m->groups->count < GROUPS_LONG) return HEDDLE_OK;
  return hd_cuda_check(call,
                       call->cu->copy_out(found, m->ids.args.found, sizeof *found, call->stream),
                       "copying a result to the host");
}

static heddle_status make(struct make *m, const void *ids, heddle_groups_details *details) {
  struct hd_cuda_call *call = m->ids.call;
  struct hd_cuda_groups *g = m->groups;
  const size_t size = m->ids.id_bytes;
  HD_TRY(hd_cuda_array_in(call, "ids", ids, g->count * size, size, &m->ids.args.ids));
  if (g->count) HD_TRY(look_at_ids(m));
  if (g->found.unsorted) g->order_bytes = g->count > UINT32_MAX ? 8 : 4;
  m->ids.args.bits = g->bits = hd_cuda_groups_piece_bits(g->count);
  HD_TRY(place(m));
  if (g->order_bytes) HD_TRY(hd_cuda_groups_sort_ids(&m->ids, 0, g->order_bytes, g->order));
  HD_TRY(hd_cuda_groups_find_offsets(&m->ids));
  HD_TRY(fetch_listed(m));
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
  struct make m = {.groups = g, .ids = hd_cuda_groups_ids_of(&call, id_type, count, groups)};
  HD_TRY(hd_cuda_state_enter(&g->own, "heddle_groups_make", &call));
  return hd_cuda_state_leave(&call, make(&m, ids, details), &g->own, handle);
}

void hd_cuda_groups_free(void *handle) { hd_cuda_state_free(handle); }
