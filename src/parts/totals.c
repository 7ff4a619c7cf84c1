/* totals.c - totals of the pieces of an array in parts, all at once
 *
 * Bodies are totalled where they lie and seams from the host. A total of an aligned block depends on its
 * elements alone (order/runs.h), so it does not matter who has made it. Elements of seams are copied
 * before: at most a chunk for each place where parts meet. */
#include "totals.h"

#include <string.h>

static size_t totals_bytes(const struct hd_part_totals *w, struct hd_run run) {
  return hd_run_totals(w->form.order_free, w->form.chunk, run) * w->form.bytes;
}

static size_t round_up(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Bytes of a seam's elements at x, or y. */
static size_t seam_bytes(const struct hd_part_totals *w, const struct hd_cut_piece *piece) {
  return piece->seam ? round_up((size_t)piece->run.count * w->form.element_bytes) : 0;
}

static heddle_status allocate(struct hd_part_totals *w, heddle_context *ctx) {
  const size_t pieces = w->cut.pieces;
  const unsigned operands = w->fold->verb == HD_DOT ? 2 : 1;
  w->array_bytes = round_up(4 * pieces * sizeof(void *));
  w->bytes = w->array_bytes;
  for (size_t i = 0; i < pieces; i++)
    w->bytes +=
        operands * seam_bytes(w, &w->cut.piece[i]) + round_up(totals_bytes(w, hd_part_run(w, i)));
  w->memory = hd_allocate(ctx, w->bytes);
  if (!w->memory) return HEDDLE_OUT_OF_MEMORY;
  w->x = (const void **)(void *)w->memory;
  w->y = w->x + pieces;
  w->where = w->y + pieces;
  w->totals = (unsigned char **)(void *)(w->where + pieces);
  return HEDDLE_OK;
}

/* Where the elements of each piece are, those of seams brought together, and where its totals go. */
static heddle_status lay_out(struct hd_part_totals *w) {
  unsigned char *at = w->memory + w->array_bytes;
  for (size_t i = 0; i < w->cut.pieces; i++) {
    const struct hd_cut_piece *piece = &w->cut.piece[i];
    const struct hd_part *part = &w->in->part[piece->part];
    const size_t skip =
        (size_t)(piece->run.first - w->cut.first[piece->part]) * w->form.element_bytes;
    w->totals[i] = at;
    at += round_up(totals_bytes(w, hd_part_run(w, i)));
    w->x[i] = piece->seam ? at : (const unsigned char *)part->x + skip;
    at += seam_bytes(w, piece);
    w->y[i] = NULL;
    w->where[i] = w->x[i];
    if (piece->seam)
      HD_TRY(hd_cut_gather(&w->cut, w->in, false, w->form.element_bytes, piece->run,
                           (void *)(uintptr_t)w->x[i]));
    if (w->fold->verb != HD_DOT) continue;
    w->y[i] = piece->seam ? at : (const unsigned char *)part->y + skip;
    if (!hd_on_device(w->ctx, w->x[i])) w->where[i] = w->y[i];
    at += seam_bytes(w, piece);
    if (piece->seam)
      HD_TRY(hd_cut_gather(&w->cut, w->in, true, w->form.element_bytes, piece->run,
                           (void *)(uintptr_t)w->y[i]));
  }
  return HEDDLE_OK;
}

static heddle_status total_piece(heddle_context *ctx, void *arg, size_t i) {
  const struct hd_part_totals *w = arg;
  return ctx->backend->partial(ctx, w->fold, w->x[i], w->y[i], hd_part_run(w, i), w->totals[i]);
}

heddle_status hd_part_totals_make(heddle_context *ctx, const struct hd_fold *fold,
                                  const struct hd_parts *in, u64 first, struct hd_part_totals *w) {
  *w = (struct hd_part_totals){
      .ctx = ctx, .fold = fold, .in = in, .first = first, .form = hd_fold_form_of(fold)};
  HD_TRY(hd_cut_make(ctx, in, w->form.chunk, &w->cut));
  HD_TRY(allocate(w, ctx));
  HD_TRY(lay_out(w));
  return hd_spread(ctx, w->cut.pieces, w->where, total_piece, w);
}

void hd_part_totals_free(struct hd_part_totals *w) {
  hd_release(w->ctx, w->memory, w->bytes);
  hd_cut_free(&w->cut);
}

heddle_status hd_part_totals_merge(const struct hd_part_totals *w, size_t i, struct hd_run *all,
                                   void *totals) {
  const struct hd_run run = hd_part_run(w, i);
  if (!all->count) {
    *all = run;
    memcpy(totals, w->totals[i], totals_bytes(w, run));
    return HEDDLE_OK;
  }
  HD_TRY(w->ctx->backend->merge(w->ctx, w->fold, *all, totals, run, w->totals[i], totals));
  all->count += run.count;
  return HEDDLE_OK;
}
