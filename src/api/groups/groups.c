/* groups.c - the order of groups, made once; rows gathered and folded by it, or by ids that are used once */
#include "api/api.h"
#include "api/overlap.h"
#include "host/status.h"
#include "positions.h"

/* What a handle is: the back end's own, and what it says of itself. */
struct heddle_groups {
  heddle_context *ctx;
  void *inner;
  heddle_groups_details details;
};

/* ---- checks ----------------------------------------------------------------------------------- */

static heddle_status check_groups(const char *entry, const heddle_groups *groups) {
  if (groups) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `groups` is NULL; make it by heddle_groups_make", entry);
}

/* A handle holds data, which a call that is prepared does not have. */
static heddle_status check_not_preparing(const char *entry, const heddle_context *ctx) {
  if (!ctx->preparing) return HEDDLE_OK;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: `ctx` is being prepared, but groups are made of data; call it before "
                 "heddle_prepare_begin or after heddle_prepare_end",
                 entry);
}

static heddle_status check_group_count(const char *entry, size_t groups) {
  if (groups <= PTRDIFF_MAX / sizeof(u64) - 1) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `groups` is %zu; so many offsets are more than memory can hold", entry,
                 groups);
}

/* ---- the handle ------------------------------------------------------------------------------- */

heddle_status heddle_groups_make(heddle_context *ctx, heddle_type id_type, const void *ids,
                                 size_t count, size_t groups, heddle_groups **out) {
  const char *entry = "heddle_groups_make";
  HD_TRY(hd_check_context(entry, ctx));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  *out = NULL;
  HD_TRY(check_not_preparing(entry, ctx));
  HD_TRY(hd_check_id_type(entry, "id_type", id_type));
  HD_TRY(hd_check_array(entry, "ids", ids, count, heddle_type_size(id_type)));
  HD_TRY(check_group_count(entry, groups));
  heddle_groups *made = hd_allocate(ctx, sizeof *made);
  if (!made) return HEDDLE_OUT_OF_MEMORY;
  *made = (heddle_groups){.ctx = ctx, .details = HEDDLE_GROUPS_DETAILS_INIT};
  made->details.count = count;
  made->details.groups = groups;
  heddle_status status =
      ctx->backend->groups_make(ctx, id_type, ids, count, groups, &made->inner, &made->details);
  if (status)
    hd_release(ctx, made, sizeof *made);
  else
    *out = made;
  return status;
}

void heddle_groups_free(heddle_groups *groups) {
  if (!groups) return;
  groups->ctx->backend->groups_free(groups->inner);
  hd_release(groups->ctx, groups, sizeof *groups);
}

heddle_status heddle_groups_info(const heddle_groups *groups, heddle_groups_details *out) {
  const char *entry = "heddle_groups_info";
  HD_TRY(check_groups(entry, groups));
  HD_TRY(hd_check_size(entry, "out", out, sizeof *out));
  hd_return_sized(out, &groups->details, sizeof *out);
  return HEDDLE_OK;
}

/* ---- what is done by it ----------------------------------------------------------------------- */

heddle_status heddle_groups_gather(heddle_groups *groups, size_t row_bytes, const void *in,
                                   void *out) {
  const char *entry = "heddle_groups_gather";
  HD_TRY(check_groups(entry, groups));
  const size_t count = groups->details.count;
  HD_TRY(check_not_preparing(entry, groups->ctx));
  HD_TRY(hd_check_row_bytes(entry, "row_bytes", row_bytes));
  HD_TRY(hd_check_array(entry, "in", in, count, row_bytes));
  HD_TRY(hd_check_array(entry, "out", out, count, row_bytes));
  const struct hd_span read = {"in", in, count * row_bytes};
  const struct hd_span written = {"out", out, count * row_bytes};
  HD_TRY(hd_check_apart(entry, &written, 1, &read, 1));
  if (!count) return HEDDLE_OK;
  return groups->ctx->backend->groups_gather(groups->inner, row_bytes, in, out);
}

static heddle_status check_width(const char *entry, size_t width, size_t rows, size_t *elements) {
  if (!width) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `width` is 0; rows have elements", entry);
  if (hd_product(rows, width, elements)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: %zu rows of `width` %zu are more elements than memory can hold", entry, rows,
                 width);
}

/* What is folded, and into how many elements. */
struct folded {
  const char *entry, *remedy; /* of a custom operator */
  size_t width, count, groups;
  const void *in;
  void *out;
  const struct hd_span *ids; /* or NULL */
};

static heddle_status check_folded(const struct folded *f, heddle_context *ctx, heddle_op op,
                                  heddle_type type, const heddle_options *options,
                                  struct hd_fold *fold, size_t *out_count) {
  size_t in_count = 0;
  if (op == HEDDLE_OP_CUSTOM)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `op` is HEDDLE_OP_CUSTOM; gather the rows by %s and fold "
                   "them by heddle_reduce_rows",
                   f->entry, f->remedy);
  HD_TRY(hd_fold_job(f->entry, ctx, HEDDLE_REDUCE, op, type, options, fold));
  HD_TRY(check_width(f->entry, f->width, f->count, &in_count));
  HD_TRY(check_width(f->entry, f->width, f->groups, out_count));
  const size_t size = heddle_type_size(fold->type), out_size = heddle_type_size(fold->out_type);
  HD_TRY(hd_check_array(f->entry, "in", f->in, in_count, size));
  HD_TRY(hd_check_array(f->entry, "out", f->out, *out_count, out_size));
  const struct hd_span ins[] = {{"in", f->in, in_count * size},
                                {"options->init", fold->init, out_size},
                                f->ids ? *f->ids : (struct hd_span){"ids", NULL, 0}};
  const struct hd_span written = {"out", f->out, *out_count * out_size};
  return hd_check_apart(f->entry, &written, 1, ins, 3);
}

heddle_status heddle_groups_reduce(heddle_groups *groups, heddle_op op, heddle_type type,
                                   const void *in, size_t width, void *out,
                                   const heddle_options *options) {
  const char *entry = "heddle_groups_reduce";
  struct hd_fold fold;
  size_t out_count = 0;
  HD_TRY(check_groups(entry, groups));
  heddle_context *ctx = groups->ctx;
  HD_TRY(check_not_preparing(entry, ctx));
  const struct folded f = {.entry = entry,
                           .remedy = "heddle_groups_gather",
                           .width = width,
                           .count = groups->details.count,
                           .groups = groups->details.groups,
                           .in = in,
                           .out = out};
  HD_TRY(check_folded(&f, ctx, op, type, options, &fold, &out_count));
  if (!out_count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->groups_reduce(groups->inner, &fold, in, width, out);
  hd_float_leave(saved);
  return status;
}

heddle_status heddle_scatter_reduce(heddle_context *ctx, heddle_op op, heddle_type type,
                                    const void *in, size_t width, heddle_type id_type,
                                    const void *ids, size_t count, void *out, size_t groups,
                                    const heddle_options *options) {
  const char *entry = "heddle_scatter_reduce";
  struct hd_fold fold;
  size_t out_count = 0;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_check_id_type(entry, "id_type", id_type));
  const size_t id_bytes = heddle_type_size(id_type);
  HD_TRY(hd_check_array(entry, "ids", ids, count, id_bytes));
  HD_TRY(check_group_count(entry, groups));
  const struct hd_span span = {"ids", ids, count * id_bytes};
  const struct folded f = {.entry = entry,
                           .remedy = "heddle_groups_make and heddle_groups_gather",
                           .width = width,
                           .count = count,
                           .groups = groups,
                           .in = in,
                           .out = out,
                           .ids = &span};
  HD_TRY(check_folded(&f, ctx, op, type, options, &fold, &out_count));
  if (!out_count && !count) return HEDDLE_OK;
  const struct hd_scatter job = {.fold = &fold,
                                 .width = width,
                                 .id_type = id_type,
                                 .ids = ids,
                                 .count = count,
                                 .groups = groups};
  unsigned long saved = hd_float_enter();
  heddle_status status = ctx->backend->scatter_reduce(ctx, &job, in, out);
  hd_float_leave(saved);
  return status;
}
