/* prefix.c - options->prefix: a scan that begins behind what a reduction's state holds */
#include "api/api.h"

static heddle_status other(const char *entry, const char *what) {
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `options->prefix` is a state with another %s than the scan's; reduce what "
                 "lies before by "
                 "heddle_reduce_begin with the scan's operator, type, acc_type and nan",
                 entry, what);
}

heddle_status hd_check_prefix(const char *entry, const struct hd_fold *fold,
                              const heddle_state *prefix) {
  if (!prefix) return HEDDLE_OK;
  HD_TRY(hd_check_state_bytes(entry, "options->prefix", prefix));
  const struct hd_fold *before = &prefix->fold.fold;
  if (prefix->kind != HD_STATE_FOLD || before->verb != HD_REDUCE) return other(entry, "verb");
  if (before->op != fold->op) return other(entry, "operator");
  if (before->type != fold->type) return other(entry, "type");
  if (before->nan != fold->nan) return other(entry, "nan");
  if (before->exact) return other(entry, "order (it is exact)");
  if (hd_fold_kind(before) != hd_fold_kind(fold)) return other(entry, "acc_type");
  if (fold->custom && fold->custom->element_bytes != before->custom->element_bytes)
    return other(entry, "size of an element");
  if (prefix->fold.start && prefix->fold.count && !hd_fold_form_of(before).order_free)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `options->prefix` begins with element %llu of its array; merge it into the state of "
        "what lies before",
        entry, (unsigned long long)prefix->fold.start);
  return HEDDLE_OK;
}

heddle_status hd_state_resume_scan(heddle_state *state, const heddle_state *prefix) {
  struct hd_fold_state *from =
      (struct hd_fold_state *)&prefix->fold; /* is read, and may wait for its device */
  struct hd_piece piece;
  void *memory;
  HD_TRY(hd_fold_state_piece(prefix->ctx, from, &piece, &memory));
  const heddle_status status =
      state->ctx->backend->scan_resume(state->inner, piece.count, piece.totals, piece.tail_x);
  state->count = piece.count;
  hd_fold_state_piece_end(prefix->ctx, from, memory);
  return status;
}

heddle_status hd_scan_behind_prefix(heddle_context *ctx, const struct hd_scan *scan,
                                    const heddle_state *prefix, const void *in, size_t count,
                                    void *out) {
  struct hd_fold_state *from = (struct hd_fold_state *)&prefix->fold; /* as above */
  struct hd_piece piece;
  void *memory;
  HD_TRY(hd_fold_state_piece(prefix->ctx, from, &piece, &memory));
  const heddle_status status =
      ctx->backend->scan_behind(ctx, scan, piece.count, piece.totals, piece.tail_x, in, count, out);
  hd_fold_state_piece_end(prefix->ctx, from, memory);
  return status;
}
