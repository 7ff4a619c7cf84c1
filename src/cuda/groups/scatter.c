/* scatter.c - rows folded by ids that are used once, without a wait
 *
 * Method   Rows of one element go along with their ids when these are sorted, and are segments then: of a random
 *          read for each element, as by positions, nothing is left. Longer rows are read where they are. What a
 *          handle's host waits for, the device keeps to itself: ids in order end the sort's steps, the numbers of
 *          long groups end blocks that have none. An id without a group is a fault; such are sorted by their low
 *          bits, so that offsets rise whatever they are.
 * Memory   ids and, of rows of one element, these twice; else positions twice; 8 bytes a group; totals for as many
 *          pieces of long groups as there can be */
#include "groups.h"

static u64 row_bytes_of(const struct hd_cuda_groups_fold *f) { return f->width * f->element_bytes; }

static heddle_status place(struct hd_cuda_groups *g, struct hd_cuda_groups_ids *ids, bool lists) {
  struct groups_make_args *a = &ids->args;
  HD_TRY(hd_cuda_scratch(ids->call, (size_t)(g->groups + 1) * sizeof(u64), &a->offsets));
  g->offsets = a->offsets;
  if (!lists) return HEDDLE_OK;
  a->bits = g->bits = hd_cuda_groups_piece_bits(g->count);
  HD_TRY(hd_cuda_scratch(ids->call,
                         (size_t)hd_cuda_groups_most_long(g->count) * sizeof(struct groups_long),
                         &a->longs));
  HD_TRY(hd_cuda_scratch(ids->call, (size_t)hd_cuda_groups_most_pieces(g->count) * sizeof(u32),
                         &a->owners));
  g->longs = a->longs;
  g->owners = a->owners;
  return HEDDLE_OK;
}

/* Rows of one element. */
static heddle_status by_values(const struct hd_cuda_groups_fold *f, struct hd_cuda_groups *g,
                               struct hd_cuda_groups_ids *ids) {
  cu_pointer values = f->in;
  if (g->count) {
    HD_TRY(hd_cuda_scratch(f->call, (size_t)(g->count * f->element_bytes), &values));
    HD_TRY(hd_cuda_groups_sort_ids(ids, f->in, f->element_bytes, values));
  }
  HD_TRY(place(g, ids, false));
  HD_TRY(hd_cuda_groups_find_offsets(ids));
  return hd_cuda_groups_segments(f, values, g->offsets, g->groups, f->out);
}

static heddle_status by_positions(const struct hd_cuda_groups_fold *f, struct hd_cuda_groups *g,
                                  struct hd_cuda_groups_ids *ids) {
  const bool exact = f->fold->exact;
  g->order_bytes = g->count > UINT32_MAX ? 8 : 4;
  if (g->count) {
    HD_TRY(hd_cuda_scratch(f->call, (size_t)(g->count * g->order_bytes), &g->order));
    HD_TRY(hd_cuda_groups_sort_ids(ids, 0, g->order_bytes, g->order));
  }
  HD_TRY(place(g, ids, !exact));
  HD_TRY(hd_cuda_groups_find_offsets(ids));
  if (exact) return hd_cuda_groups_columns(f);
  g->found_there = ids->args.found;
  return hd_cuda_groups_fold_rows(f);
}

static heddle_status scatter(struct hd_cuda_groups_fold *f, struct hd_cuda_groups *g,
                             struct hd_cuda_groups_ids *ids, const struct hd_scatter *job,
                             const void *in, void *out) {
  const u64 results = g->groups * f->width * f->out_bytes;
  struct hd_cuda_array to;
  HD_TRY(hd_cuda_array_out(f->call, "out", out, results, f->out_bytes, &to));
  HD_TRY(hd_cuda_array_in(f->call, "in", in, g->count * row_bytes_of(f), f->element_bytes, &f->in));
  HD_TRY(hd_cuda_array_in(f->call, "ids", job->ids, g->count * ids->id_bytes, ids->id_bytes,
                          &ids->args.ids));
  f->out = to.device;
  if (g->count) {
    ids->args.fault = hd_cuda_fault(f->call);
    HD_TRY(hd_cuda_groups_see_ids(ids));
  }
  if (!results) { /* every id is a fault */
    HD_TRY(place(g, ids, false));
    return hd_cuda_groups_find_offsets(ids);
  }
  HD_TRY(f->width == 1 ? by_values(f, g, ids) : by_positions(f, g, ids));
  return hd_cuda_array_send(f->call, &to, results);
}

heddle_status hd_cuda_scatter_reduce(heddle_context *ctx, const struct hd_scatter *job,
                                     const void *in, void *out) {
  struct hd_cuda_call call;
  struct hd_cuda_groups groups = {.count = job->count, .groups = job->groups};
  struct hd_cuda_groups_ids ids =
      hd_cuda_groups_ids_of(&call, job->id_type, job->count, job->groups);
  struct hd_cuda_groups_fold f = {.call = &call,
                                  .groups = &groups,
                                  .fold = job->fold,
                                  .width = job->width,
                                  .element_bytes = (u32)heddle_type_size(job->fold->type),
                                  .out_bytes = (u32)heddle_type_size(job->fold->out_type)};
  HD_TRY(hd_cuda_enter(ctx, job->fold->entry, &call));
  return hd_cuda_leave(&call, scatter(&f, &groups, &ids, job, in, out));
}
