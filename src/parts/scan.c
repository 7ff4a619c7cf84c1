/* scan.c - running totals of an array in parts
 *
 * Method   A first pass totals all pieces. A part's scan then is one behind what lies before the part: the totals of the whole chunks there, and the elements of the chunk under way,
 *          which are copied before anything is written, as the scan may write over them.
 * Cost     two reads and a write an element; on several devices both passes run on all at once */
#include <string.h>

#include "totals.h"

/* What lies before each part that has elements. */
struct before {
  u64 count;
  unsigned char *totals;
  unsigned char *tail; /* elements of the chunk under way */
};

struct scan_work {
  heddle_context *ctx;
  const struct hd_scan *scan;
  const struct hd_parts *in;
  struct hd_part_totals totals;
  struct before *before;
  unsigned char *memory;
  size_t bytes;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* The whole chunks before element `at`. */
static struct hd_run chunks_before(const struct scan_work *w, u64 at) {
  return (struct hd_run){0, at / w->totals.form.chunk * w->totals.form.chunk};
}

static size_t totals_bytes(const struct scan_work *w, struct hd_run run) {
  const struct hd_fold_form *form = &w->totals.form;
  return rounded((size_t)hd_run_totals(form->order_free, form->chunk, run) * form->bytes);
}

/* Memory for all of it, and behind it room for a merge. */
static heddle_status allocate(struct scan_work *w) {
  const struct hd_fold_form *form = &w->totals.form;
  const size_t head = rounded((w->in->parts + 1) * sizeof *w->before);
  const size_t tail = rounded((size_t)form->chunk * form->element_bytes);
  w->bytes = head + (size_t)2 * HD_RUN_TOTALS * form->bytes;
  for (size_t p = 0; p < w->in->parts; p++)
    w->bytes += totals_bytes(w, chunks_before(w, w->totals.cut.first[p])) + tail;
  w->memory = hd_allocate(w->ctx, w->bytes);
  if (!w->memory) return HEDDLE_OUT_OF_MEMORY;
  w->before = (struct before *)(void *)w->memory;
  unsigned char *at = w->memory + head;
  for (size_t p = 0; p < w->in->parts; p++) {
    w->before[p] = (struct before){w->totals.cut.first[p], at, NULL};
    at += totals_bytes(w, chunks_before(w, w->before[p].count));
    w->before[p].tail = at;
    at += tail;
  }
  return HEDDLE_OK;
}

static heddle_status note_tail(const struct scan_work *w, size_t p) {
  const struct before *b = &w->before[p];
  const struct hd_run whole = chunks_before(w, b->count);
  const struct hd_run tail = {whole.count, b->count - whole.count};
  if (!tail.count) return HEDDLE_OK;
  return hd_cut_gather(&w->totals.cut, w->in, false, w->totals.form.element_bytes, tail, b->tail);
}

/* Pieces are merged from the left; where whole chunks before a part end, so does a piece. */
static heddle_status note_all(struct scan_work *w) {
  unsigned char *totals = w->memory + w->bytes - (size_t)2 * HD_RUN_TOTALS * w->totals.form.bytes;
  struct hd_run all = {0, 0};
  size_t i = 0;
  for (size_t p = 0; p < w->in->parts; p++) {
    const struct hd_run wanted = chunks_before(w, w->before[p].count);
    if (!w->in->part[p].count) continue;
    for (; all.count < wanted.count; i++) HD_TRY(hd_part_totals_merge(&w->totals, i, &all, totals));
    const struct hd_fold_form *form = &w->totals.form;
    memcpy(w->before[p].totals, totals,
           (size_t)hd_run_totals(form->order_free, form->chunk, wanted) * form->bytes);
    HD_TRY(note_tail(w, p));
  }
  return HEDDLE_OK;
}

static heddle_status scan_part(heddle_context *ctx, void *arg, size_t p) {
  const struct scan_work *w = arg;
  const struct hd_part *part = &w->in->part[p];
  const struct before *b = &w->before[p];
  const struct hd_backend *backend = ctx->backend;
  if (!part->count) return HEDDLE_OK;
  if (!b->count) return backend->scan(ctx, w->scan, part->x, part->count, part->out);
  return backend->scan_behind(ctx, w->scan, b->count, b->totals, b->tail, part->x, part->count,
                              part->out);
}

static heddle_status scan_all(struct scan_work *w) {
  const void **where;
  HD_TRY(hd_part_totals_make(w->ctx, &w->scan->fold, w->in, 0, &w->totals));
  HD_TRY(allocate(w));
  HD_TRY(note_all(w));
  HD_TRY(hd_parts_places(w->ctx, w->in, &where));
  const heddle_status status = hd_spread(w->ctx, w->in->parts, where, scan_part, w);
  hd_parts_places_free(w->ctx, w->in, where);
  return status;
}

heddle_status hd_parts_scan(heddle_context *ctx, const struct hd_scan *scan,
                            const struct hd_parts *in) {
  struct scan_work w = {.ctx = ctx, .scan = scan, .in = in};
  if (!in->count) return HEDDLE_OK;
  const heddle_status status = scan_all(&w);
  hd_release(ctx, w.memory, w.bytes);
  hd_part_totals_free(&w.totals);
  return status;
}
