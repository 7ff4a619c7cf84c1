/* save.c - heddle_state_save: a state as bytes
 *
 * Method   The same text counts the bytes and writes them. What the back end holds comes as its export
 *          (api/backend.h), which is the same from every back end. */
#include "firsts.h"
#include "order/moments.h"
#include "rounds.h"
#include "saved.h"
#include "weighed.h"

/* ---- what stands before ------------------------------------------------------------------------ */

struct extent {
  u64 start, end, count;
};

static struct extent extent_of(const heddle_state *state) {
  if (state->kind == HD_STATE_SCAN) return (struct extent){0, state->count, state->count};
  return (struct extent){state->fold.start, state->fold.end, state->fold.count};
}

static void put_fold(struct hd_writer *w, const heddle_state *state) {
  const struct hd_fold *fold = &state->fold.fold;
  const struct extent extent = extent_of(state);
  const u32 init = fold->init ? (u32)hd_fold_result_bytes(fold) : 0;
  const bool scan = state->kind == HD_STATE_SCAN;
  hd_put_u32(w, scan ? HEDDLE_SCAN : hd_saved_verb(fold->verb));
  hd_put_u32(w, fold->op);
  hd_put_u32(w, fold->type);
  hd_put_u32(w, fold->acc_type);
  hd_put_u32(w, fold->out_type);
  hd_put_u32(w, fold->nan);
  hd_put_u32(w, fold->figures);
  hd_put_u32(w, scan ? state->scan : 0);
  hd_put_f64(w, fold->divisor);
  hd_put_u64(w, extent.start);
  hd_put_u64(w, extent.end);
  hd_put_u64(w, extent.count);
  hd_put_u32(w, fold->custom ? (u32)fold->custom->element_bytes : 0);
  hd_put_u32(w, fold->custom ? fold->custom->commutative != 0 : 0);
  hd_put_u32(w, init);
  hd_put_u32(w, 0);
  hd_put(w, fold->init, init);
}

static void put_bins(struct hd_writer *w, const heddle_state *state) {
  const struct hd_histogram *job = &state->histogram;
  hd_put_u32(w, job->type);
  hd_put_u32(w, (u32)job->channels);
  hd_put_u32(w, job->weights_type);
  hd_put_u32(w, job->bins.kind);
  hd_put_u32(w, job->exact ? 0 : (u32)job->weight_exponent);
  hd_put_u32(w, job->exact);
  hd_put_u64(w, job->bins.count);
  hd_put_f64(w, job->bins.lo);
  hd_put_f64(w, job->bins.hi);
  hd_put_u64(w, (u64)job->bins.first);
  hd_put_u64(w, state->count);
  if (state->edges) hd_put(w, state->edges, (job->bins.count + 1) * sizeof *state->edges);
}

static void put_head(struct hd_writer *w, const heddle_state *state) {
  const enum hd_saved_kind kind = hd_saved_kind_of(state);
  hd_put(w, HD_SAVED_MAGIC, HD_SAVED_MAGIC_BYTES);
  hd_put_u32(w, HD_SAVED_VERSION);
  hd_put_u32(w, HEDDLE_ORDER);
  hd_put_u32(w, kind);
  hd_put_u32(w, 0);
  if (kind == HD_SAVED_QUANTILES)
    hd_rounds_put_head(w, state->rounds);
  else if (kind == HD_SAVED_FIRSTS)
    hd_firsts_put_head(w, state->firsts);
  else if (kind == HD_SAVED_WEIGHED)
    hd_weighed_put_head(w, state->weighed);
  else if (kind == HD_SAVED_HISTOGRAM)
    put_bins(w, state);
  else
    put_fold(w, state);
}

/* ---- how long it is ---------------------------------------------------------------------------- */

static size_t fold_bytes(const heddle_state *state) {
  const struct hd_fold *fold = &state->fold.fold;
  const struct hd_fold_form form = hd_fold_form_of(fold);
  const struct extent extent = extent_of(state);
  if (form.order_free) return extent.count ? form.bytes : 0;
  const u64 first = hd_piece_first_chunk(&form, extent.start);
  const u64 whole = extent.end > first ? (extent.end - first) / form.chunk * form.chunk : 0;
  const u32 totals = hd_run_totals(false, form.chunk, (struct hd_run){first, whole});
  const size_t elements = (size_t)(extent.count - whole) * (fold->verb == HD_DOT ? 2 : 1);
  return (size_t)totals * form.bytes + elements * form.element_bytes;
}

static size_t content_bytes(const heddle_state *state) {
  if (state->rounds) return hd_rounds_table_bytes(state->rounds);
  if (state->firsts) return hd_firsts_list_bytes(state->firsts);
  if (state->weighed) return hd_weighed_table_bytes(state->weighed);
  const struct hd_exact_span span = hd_saved_span(&state->fold.fold);
  const u64 counters = hd_saved_counters(&state->histogram);
  switch (hd_saved_kind_of(state)) {
  case HD_SAVED_EXACT: return 3 * sizeof(u64) + (span.end - span.first + 1) * sizeof(u32);
  case HD_SAVED_HISTOGRAM:
    return (size_t)counters * (sizeof(u64) + hd_histogram_sum_bytes(&state->histogram));
  default: return fold_bytes(state);
  }
}

/* ---- content ----------------------------------------------------------------------------------- */

static void put_elements(struct hd_writer *w, const struct hd_piece *piece, const void *x,
                         const void *y, u32 count) {
  const size_t bytes = (size_t)count * piece->form.element_bytes;
  hd_put(w, x, bytes);
  if (y) hd_put(w, y, bytes);
}

/* Figures that were not asked for are there or not, as the back end likes: nothing of them is saved. */
static void leave_figures_out(const struct hd_fold *fold, const struct hd_piece *piece) {
  const u32 n = hd_piece_totals(piece);
  if (fold->verb != HD_DESCRIBE || fold->figures == HEDDLE_FIGURES_ALL) return;
  for (u32 i = 0; i < n; i++) {
    struct hd_moments m;
    memcpy(&m, piece->totals + i * sizeof m, sizeof m);
    m.sum = m.m3 = 0, m.min_key = m.max_key = 0;
    if (fold->figures == HEDDLE_FIGURES_MEAN) m.m2 = 0;
    memcpy(piece->totals + i * sizeof m, &m, sizeof m);
  }
}

static heddle_status put_piece(struct hd_writer *w, heddle_state *state) {
  struct hd_piece piece;
  void *memory;
  HD_TRY(hd_fold_state_piece(state->ctx, &state->fold, &piece, &memory));
  leave_figures_out(&state->fold.fold, &piece);
  hd_put(w, piece.totals, (size_t)hd_piece_totals(&piece) * piece.form.bytes);
  put_elements(w, &piece, piece.head_x, piece.head_y, piece.head);
  put_elements(w, &piece, piece.tail_x, piece.tail_y, piece.tail);
  hd_fold_state_piece_end(state->ctx, &state->fold, memory);
  return HEDDLE_OK;
}

static heddle_status put_limbs(struct hd_writer *w, heddle_state *state) {
  const struct hd_exact_span span = hd_saved_span(&state->fold.fold);
  struct hd_exact sum;
  HD_TRY(state->ctx->backend->exact_export(state->fold.inner, &sum));
  hd_put_u64(w, sum.nan);
  hd_put_u64(w, sum.plus);
  hd_put_u64(w, sum.minus);
  for (u32 i = span.first; i + 1 < span.end; i++) hd_put_u32(w, (u32)sum.limb[i]);
  hd_put_u64(w, (u64)sum.limb[span.end - 1]);
  return HEDDLE_OK;
}

static heddle_status put_scan(struct hd_writer *w, heddle_state *state) {
  const struct hd_fold *fold = &state->fold.fold;
  const size_t bytes = hd_piece_bytes(fold);
  struct hd_piece piece;
  void *memory = hd_allocate(state->ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  hd_piece_begin(&piece, fold, 0, memory);
  heddle_status status =
      state->ctx->backend->scan_export(state->inner, &piece.count, piece.totals, piece.tail_x);
  piece.tail = piece.form.order_free ? 0 : (u32)(piece.count % piece.form.chunk);
  piece.run.count = piece.count - piece.tail;
  if (piece.run.count) hd_saved_narrow(fold, piece.form.total.kind, piece.totals);
  hd_put(w, piece.totals, (size_t)hd_piece_totals(&piece) * piece.form.bytes);
  put_elements(w, &piece, piece.tail_x, NULL, piece.tail);
  hd_release(state->ctx, memory, bytes);
  return status;
}

static heddle_status put_tables(struct hd_writer *w, heddle_state *state) {
  const struct hd_histogram *job = &state->histogram;
  const size_t counters = (size_t)hd_saved_counters(job), sum = hd_histogram_sum_bytes(job);
  const size_t bytes = counters * (sizeof(u64) + sum), outside = job->bins.count * job->channels;
  u64 seen, *counts = hd_allocate(state->ctx, bytes);
  unsigned char *sums = (unsigned char *)(counts + counters);
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  const heddle_status status =
      state->ctx->backend->histogram_export(state->inner, &seen, counts, sum ? sums : NULL);
  /* Nobody asks for the weights of what fell outside of the bins: a back end need not have them. */
  memset(sums + outside * sum, 0, (counters - outside) * sum);
  hd_put(w, counts, bytes);
  hd_release(state->ctx, counts, bytes);
  return status;
}

static heddle_status put_content(struct hd_writer *w, heddle_state *state) {
  switch (hd_saved_kind_of(state)) {
  case HD_SAVED_EXACT: return put_limbs(w, state);
  case HD_SAVED_SCAN: return put_scan(w, state);
  case HD_SAVED_HISTOGRAM: return put_tables(w, state);
  case HD_SAVED_QUANTILES: hd_rounds_put_table(w, state->rounds); return HEDDLE_OK;
  case HD_SAVED_FIRSTS: hd_firsts_put_list(w, state->firsts); return HEDDLE_OK;
  case HD_SAVED_WEIGHED: hd_weighed_put_table(w, state->weighed); return HEDDLE_OK;
  default: return put_piece(w, state);
  }
}

/* ---- the entry --------------------------------------------------------------------------------- */

heddle_status heddle_state_save(heddle_state *state, void *to, size_t *bytes) {
  const char *entry = "heddle_state_save";
  struct hd_writer head = {NULL, 0}, w = {to, 0};
  HD_TRY(hd_check_state_bytes(entry, "state", state));
  if (!bytes) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `bytes` is NULL", entry);
  put_head(&head, state);
  const size_t room = *bytes, needed = head.bytes + content_bytes(state) + HD_SAVED_TAIL_BYTES;
  *bytes = needed;
  if (!to) return HEDDLE_OK;
  if (room < needed)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `to` has room for %zu bytes, and the state takes %zu; ask for them with "
                   "`to` NULL",
                   entry, room, needed);
  unsigned long saved = hd_float_enter();
  put_head(&w, state);
  heddle_status status = put_content(&w, state);
  hd_float_leave(saved);
  if (!status) hd_put_u64(&w, hd_checksum(to, w.bytes));
  return status;
}
