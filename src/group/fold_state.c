/* fold_state.c - a fold in pieces on a group: every update is shared by all members
 *
 * Result   the state holds totals of the whole chunks so far, and the elements of the chunk under way, both on
 *          the host
 * Method   an update first completes the chunk under way; its whole chunks are totalled like an array, by all
 *          members if they are many, by the owner if they are device memory; the rest is kept.
 * Limits   an update waits for its totals, also where all memory is a device's */
#include <string.h>

#include "group.h"

struct state {
  heddle_context *ctx;
  struct hd_fold fold; /* init and the operator are the state's own */
  struct hd_fold_form form;
  struct hd_run run; /* whole chunks; order-free: all */
  u32 tail;          /* elements behind them */
  size_t bytes;      /* of all of it */
  unsigned char *totals, *fresh, *x, *y;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Copies what the caller owns to `at`; NULL: says only how much that is. */
static size_t own(struct hd_fold *fold, unsigned char *at) {
  const heddle_custom *custom = fold->custom;
  const size_t init = fold->init ? rounded(hd_fold_result_bytes(fold)) : 0;
  const size_t identity = custom ? rounded(custom->element_bytes) : 0;
  const size_t text = custom && custom->cuda_source ? strlen(custom->cuda_source) + 1 : 0;
  if (at && init) fold->init = memcpy(at, fold->init, hd_fold_result_bytes(fold));
  if (at && custom) {
    fold->custom_copy = *custom;
    fold->custom_copy.identity = memcpy(at + init, custom->identity, custom->element_bytes);
    if (text)
      fold->custom_copy.cuda_source = memcpy(at + init + identity, custom->cuda_source, text);
    fold->custom = &fold->custom_copy;
  }
  return init + identity + rounded(text);
}

heddle_status hd_group_fold_begin(heddle_context *ctx, const struct hd_fold *fold, void **out) {
  const struct hd_fold_form form = hd_fold_form_of(fold);
  struct hd_fold copy = *fold;
  const size_t head = rounded(sizeof(struct state)), owned = own(&copy, NULL);
  const size_t totals = rounded((size_t)2 * HD_RUN_TOTALS * form.bytes);
  const size_t array = form.order_free ? 0 : rounded((size_t)form.chunk * form.element_bytes);
  const size_t bytes = head + owned + 2 * totals + 2 * array;
  unsigned char *at = hd_allocate(ctx, bytes);
  struct state *s = (struct state *)(void *)at;
  *out = s;
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  *s = (struct state){.ctx = ctx, .fold = *fold, .form = form, .bytes = bytes};
  (void)own(&s->fold, at + head);
  s->totals = at + head + owned;
  s->fresh = s->totals + totals;
  s->x = s->fresh + totals;
  s->y = s->x + array;
  return HEDDLE_OK;
}

void hd_group_fold_free(void *state) {
  struct state *s = state;
  hd_release(s->ctx, s, s->bytes);
}

/* ---- updates --------------------------------------------------------------------------------- */

/* s->totals gain those at s->fresh, of `count` elements. */
static heddle_status append(struct state *s, u64 count) {
  const struct hd_run next = {s->run.count, count};
  if (!s->run.count) {
    const u32 n = hd_run_totals(s->form.order_free, s->form.chunk, next);
    memcpy(s->totals, s->fresh, (size_t)n * s->form.bytes);
  } else {
    HD_TRY(hd_group_merge(s->ctx, &s->fold, s->run, s->totals, next, s->fresh, s->totals));
  }
  s->run.count += count;
  return HEDDLE_OK;
}

/* Whole chunks, or order-free elements. */
static heddle_status take_chunks(struct state *s, const void *x, const void *y, size_t count) {
  const struct hd_group_array array = {.x = x,
                                       .y = y,
                                       .x_bytes = s->form.element_bytes,
                                       .y_bytes = s->form.element_bytes,
                                       .count = count};
  struct hd_part part[HD_GROUP_MOST];
  const struct hd_parts in = hd_group_share(s->ctx, &array, 0, NULL, part);
  HD_TRY(hd_parts_totals(s->ctx, &s->fold, &in, s->run.count, s->fresh));
  return append(s, count);
}

/* Elements behind the chunk under way, which they complete at most. */
static heddle_status take_rest(struct state *s, const void *x, const void *y, size_t count) {
  const size_t at = s->tail * (size_t)s->form.element_bytes;
  const size_t bytes = count * s->form.element_bytes;
  HD_TRY(hd_group_copy(s->ctx, s->x + at, x, bytes));
  if (y) HD_TRY(hd_group_copy(s->ctx, s->y + at, y, bytes));
  s->tail += (u32)count;
  if (s->tail < s->form.chunk) return HEDDLE_OK;
  s->tail = 0;
  return take_chunks(s, s->x, y ? s->y : NULL, s->form.chunk);
}

heddle_status hd_group_fold_update(void *state, const void *x, const void *y, size_t count) {
  struct state *s = state;
  const size_t chunk = s->form.chunk;
  while (count) {
    const bool whole = !s->tail && count >= chunk;
    const size_t room = chunk - s->tail;
    const size_t n = whole ? count - count % chunk : count < room ? count : room;
    HD_TRY(whole ? take_chunks(s, x, y, n) : take_rest(s, x, y, n));
    x = (const char *)x + n * s->form.element_bytes;
    if (y) y = (const char *)y + n * s->form.element_bytes;
    count -= n;
  }
  return HEDDLE_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

heddle_status hd_group_fold_export(void *state, u64 *count, void *totals, void *x, void *y) {
  const struct state *s = state;
  const u32 n = hd_run_totals(s->form.order_free, s->form.chunk, s->run);
  const size_t bytes = s->tail * (size_t)s->form.element_bytes;
  *count = s->run.count + s->tail;
  memcpy(totals, s->totals, (size_t)n * s->form.bytes);
  if (bytes) memcpy(x, s->x, bytes);
  if (bytes && s->fold.verb == HD_DOT) memcpy(y, s->y, bytes);
  return HEDDLE_OK;
}

/* The chunk under way joins a copy of the totals: the state goes on. */
heddle_status hd_group_fold_finish(void *state, struct hd_fold_out out) {
  struct state *s = state;
  const struct hd_run tail = {s->run.count, s->tail}, all = {0, s->run.count + s->tail};
  const size_t room = (size_t)2 * HD_RUN_TOTALS * s->form.bytes;
  const bool dot = s->fold.verb == HD_DOT;
  if (!all.count) return hd_group_fold(s->ctx, &s->fold, NULL, NULL, 0, out);
  unsigned char *totals = hd_allocate(s->ctx, room);
  if (!totals) return HEDDLE_OUT_OF_MEMORY;
  memcpy(totals, s->totals, room);
  heddle_status status = HEDDLE_OK;
  if (s->tail)
    status = hd_group_partial(s->ctx, &s->fold, s->x, dot ? s->y : NULL, tail,
                              s->run.count ? s->fresh : totals);
  if (!status && s->tail && s->run.count)
    status = hd_group_merge(s->ctx, &s->fold, s->run, totals, tail, s->fresh, totals);
  if (!status) status = hd_group_partial_result(s->ctx, &s->fold, all, totals, out);
  hd_release(s->ctx, totals, room);
  return status;
}
