/* fold.c - the result of an array in parts: totals of pieces, merged from the left */
#include "totals.h"

static heddle_status merge_all(const struct hd_part_totals *w, void *totals) {
  struct hd_run all = {0, 0};
  for (size_t i = 0; i < w->cut.pieces; i++) HD_TRY(hd_part_totals_merge(w, i, &all, totals));
  return HEDDLE_OK;
}

heddle_status hd_parts_totals(heddle_context *ctx, const struct hd_fold *fold,
                              const struct hd_parts *in, u64 first, void *totals) {
  struct hd_part_totals w;
  if (!in->count) return HEDDLE_OK;
  heddle_status status = hd_part_totals_make(ctx, fold, in, first, &w);
  if (!status) status = merge_all(&w, totals);
  hd_part_totals_free(&w);
  return status;
}

heddle_status hd_parts_fold(heddle_context *ctx, const struct hd_fold *fold,
                            const struct hd_parts *in, struct hd_fold_out out) {
  const size_t room = (size_t)2 * HD_RUN_TOTALS * hd_fold_form_of(fold).bytes;
  const struct hd_run all = {0, in->count};
  if (fold->exact) return hd_parts_exact(ctx, fold, in, out);
  if (!in->count) return ctx->backend->fold(ctx, fold, NULL, NULL, 0, out);
  void *totals = hd_allocate(ctx, room);
  if (!totals) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = hd_parts_totals(ctx, fold, in, 0, totals);
  if (!status) status = ctx->backend->partial_result(ctx, fold, all, totals, out);
  hd_release(ctx, totals, room);
  return status;
}
