/* piece.c - pieces joined, by the back end's own totals, merges and results */
#include "piece.h"

#include <assert.h>
#include <string.h>

#include "host/status.h"

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static size_t totals_bytes(const struct hd_fold_form *form) {
  return rounded((size_t)(form->order_free ? 2 : HD_PIECE_TOTALS) * form->bytes);
}
static size_t raw_bytes(const struct hd_fold_form *form) {
  return form->order_free ? 0 : rounded((size_t)form->chunk * form->element_bytes);
}

size_t hd_piece_bytes(const struct hd_fold *fold) {
  const struct hd_fold_form form = hd_fold_form_of(fold);
  return totals_bytes(&form) + (fold->verb == HD_DOT ? 4 : 2) * raw_bytes(&form);
}

void hd_piece_begin(struct hd_piece *piece, const struct hd_fold *fold, u64 start, void *memory) {
  unsigned char *at = memory;
  *piece = (struct hd_piece){.fold = fold, .start = start, .end = start};
  piece->form = hd_fold_form_of(fold);
  const size_t raw = raw_bytes(&piece->form);
  piece->totals = at;
  at += totals_bytes(&piece->form);
  if (piece->form.order_free) return;
  piece->run.first = hd_piece_first_chunk(&piece->form, start);
  piece->head_x = at, piece->tail_x = at + raw;
  if (fold->verb == HD_DOT) piece->head_y = at + 2 * raw, piece->tail_y = at + 3 * raw;
}

static void copy_elements(const struct hd_piece *piece, void *to, const void *from, u32 count) {
  if (count && to) memcpy(to, from, (size_t)count * piece->form.element_bytes);
}

void hd_piece_copy(struct hd_piece *piece, const struct hd_piece *from) {
  piece->start = from->start, piece->end = from->end, piece->count = from->count;
  piece->run = from->run;
  piece->head = from->head, piece->tail = from->tail;
  memcpy(piece->totals, from->totals, (size_t)hd_piece_totals(from) * from->form.bytes);
  copy_elements(piece, piece->head_x, from->head_x, from->head);
  copy_elements(piece, piece->head_y, from->head_y, from->head);
  copy_elements(piece, piece->tail_x, from->tail_x, from->tail);
  copy_elements(piece, piece->tail_y, from->tail_y, from->tail);
}

/* ---- joining ----------------------------------------------------------------------------------- */

static void grow(struct hd_piece *piece, u64 count) { piece->end += count, piece->count += count; }

/* The tail has become a whole chunk. */
static heddle_status close_tail(heddle_context *ctx, struct hd_piece *piece) {
  _Alignas(64) unsigned char total[4096];
  const struct hd_run run = {piece->run.first + piece->run.count, piece->form.chunk};
  assert(piece->form.bytes <= sizeof total);
  HD_TRY(ctx->backend->partial(ctx, piece->fold, piece->tail_x, piece->tail_y, run, total));
  piece->tail = 0;
  piece->end -= run.count, piece->count -= run.count; /* they come again, as a run */
  return hd_piece_append_run(ctx, piece, run, total);
}

heddle_status hd_piece_append_elements(heddle_context *ctx, struct hd_piece *piece, const void *x,
                                       const void *y, u64 count) {
  const bool open = hd_piece_is_open(piece);
  const size_t bytes = piece->form.element_bytes, n = (size_t)count * bytes;
  const size_t at = (open ? piece->head : piece->tail) * bytes;
  if (!count) return HEDDLE_OK;
  HD_TRY(ctx->backend->copy(ctx, (open ? piece->head_x : piece->tail_x) + at, x, n));
  if (y) HD_TRY(ctx->backend->copy(ctx, (open ? piece->head_y : piece->tail_y) + at, y, n));
  *(open ? &piece->head : &piece->tail) += (u32)count;
  grow(piece, count);
  assert(piece->tail <= piece->form.chunk && piece->start + piece->head <= piece->run.first);
  return !open && piece->tail == piece->form.chunk ? close_tail(ctx, piece) : HEDDLE_OK;
}

heddle_status hd_piece_append_run(heddle_context *ctx, struct hd_piece *piece, struct hd_run run,
                                  const void *totals) {
  struct hd_run own = piece->run;
  if (!run.count) return HEDDLE_OK;
  assert(!piece->tail && !hd_piece_is_open(piece));
  if (piece->form.order_free) run.first = own.first + own.count; /* it may lie anywhere */
  HD_TRY(ctx->backend->merge(ctx, piece->fold, own, piece->totals, run, totals, piece->totals));
  piece->run.count += run.count;
  grow(piece, run.count);
  return HEDDLE_OK;
}

heddle_status hd_piece_append(heddle_context *ctx, struct hd_piece *piece,
                              const struct hd_piece *right) {
  if (!right->count) return HEDDLE_OK;
  if (!piece->form.order_free) {
    assert(piece->end == right->start);
    HD_TRY(hd_piece_append_elements(ctx, piece, right->head_x, right->head_y, right->head));
    HD_TRY(hd_piece_append_run(ctx, piece, right->run, right->totals));
    return hd_piece_append_elements(ctx, piece, right->tail_x, right->tail_y, right->tail);
  }
  const u64 start = !piece->count || right->start < piece->start ? right->start : piece->start;
  const u64 end = !piece->count || right->end > piece->end ? right->end : piece->end;
  HD_TRY(hd_piece_append_run(ctx, piece, right->run, right->totals));
  piece->start = start, piece->end = end;
  return HEDDLE_OK;
}

/* ---- the result -------------------------------------------------------------------------------- */

/* The totals of the tail's elements follow those of the chunks. */
static heddle_status result_with_tail(heddle_context *ctx, const struct hd_piece *piece,
                                      void *memory, struct hd_fold_out out) {
  const struct hd_run all = {0, piece->count}, tail = {piece->run.count, piece->tail};
  const size_t whole = (size_t)hd_piece_totals(piece) * piece->form.bytes;
  unsigned char *totals = memory;
  memcpy(totals, piece->totals, whole);
  if (piece->tail)
    HD_TRY(ctx->backend->partial(ctx, piece->fold, piece->tail_x, piece->tail_y, tail,
                                 totals + whole));
  return ctx->backend->partial_result(ctx, piece->fold, all, totals, out);
}

heddle_status hd_piece_result(heddle_context *ctx, const struct hd_piece *piece,
                              struct hd_fold_out out) {
  const size_t bytes = (size_t)HD_RUN_TOTALS * piece->form.bytes;
  const struct hd_run all = {0, piece->count};
  if (piece->form.order_free)
    return ctx->backend->partial_result(ctx, piece->fold, all, piece->totals, out);
  assert(!piece->start && !piece->head);
  void *memory = hd_allocate(ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  const heddle_status status = result_with_tail(ctx, piece, memory, out);
  hd_release(ctx, memory, bytes);
  return status;
}
