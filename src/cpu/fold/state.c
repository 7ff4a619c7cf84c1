/* state.c - reduce, argreduce, dot and describe in pieces, and what a state holds as totals
 *
 * Method   Full chunks go into the counter; the elements of a partial chunk are kept until it is full.
 * Memory   one chunk of input, the counter's totals, copies of what the caller owns */
#include <string.h>

#include "fold.h"
#include "order/result.h"

struct fold_state {
  heddle_context *ctx;
  struct hd_fold fold;
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel;
  heddle_custom custom;
  struct hd_counter counter;
  size_t bytes;                           /* of this allocation */
  size_t held;                            /* elements in the partial chunk */
  unsigned char *x, *y, *init, *identity; /* partial chunk; copies of what the caller owns */
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

heddle_status hd_cpu_fold_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  size_t partial = rounded((size_t)kernel->chunk * kernel->element_bytes);
  size_t slots = rounded(HD_COUNTER_SLOTS * (size_t)kernel->merge.bytes);
  size_t bytes =
      rounded(sizeof(struct fold_state)) + 2 * partial + slots + 2 * rounded(HD_MAX_CUSTOM_BYTES);
  struct fold_state *s = hd_allocate(ctx, bytes);
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  unsigned char *at = (unsigned char *)s + rounded(sizeof *s);
  *s = (struct fold_state){.ctx = ctx, .fold = *fold, .storage = storage, .bytes = bytes};
  s->x = at, s->y = at + partial;
  s->init = s->y + partial;
  s->identity = s->init + rounded(HD_MAX_CUSTOM_BYTES);
  s->kernel = kernel == &storage ? &s->storage : kernel;
  if (fold->custom) {
    s->custom = *fold->custom;
    memcpy(s->identity, fold->custom->identity, fold->custom->element_bytes);
    s->custom.identity = s->identity;
    s->fold.custom = &s->custom;
  }
  if (fold->init) {
    memcpy(s->init, fold->init, hd_cpu_fold_out_bytes(fold));
    s->fold.init = s->init;
  }
  hd_counter_start(&s->counter, &s->kernel->merge, s->fold.custom,
                   s->identity + rounded(HD_MAX_CUSTOM_BYTES));
  *state = s;
  return HEDDLE_OK;
}

/* Moves up to `want` elements into the partial chunk and folds it once it is full. */
static heddle_status fill_partial(struct fold_state *s, const char *x, const char *y, size_t want) {
  const struct hd_cpu_fold_kernel *kernel = s->kernel;
  size_t at = s->held * kernel->element_bytes, bytes = want * kernel->element_bytes;
  memcpy(s->x + at, x, bytes);
  if (y) memcpy(s->y + at, y, bytes);
  s->held += want;
  if (s->held < kernel->chunk) return HEDDLE_OK;
  s->held = 0;
  return hd_cpu_fold_chunks(kernel, &s->counter, s->x, y ? s->y : NULL, 1);
}

heddle_status hd_cpu_fold_update(void *state, const void *x, const void *y, size_t count) {
  struct fold_state *s = state;
  const struct hd_cpu_fold_kernel *kernel = s->kernel;
  const char *px = x, *py = y;
  heddle_status status = HEDDLE_OK;
  if (s->held && count) {
    size_t room = kernel->chunk - s->held, part = room < count ? room : count;
    status = fill_partial(s, px, py, part);
    px += part * kernel->element_bytes;
    if (py) py += part * kernel->element_bytes;
    count -= part;
  }
  u64 chunks = count / kernel->chunk;
  size_t bytes = (size_t)chunks * kernel->chunk * kernel->element_bytes;
  if (!status && chunks)
    status = hd_cpu_fold_count(s->ctx, &s->fold, kernel, &s->counter, px, py, chunks);
  if (!status && count % kernel->chunk)
    status = fill_partial(s, px + bytes, py ? py + bytes : NULL, count % kernel->chunk);
  return hd_cpu_callback_failed(&s->fold, status);
}

heddle_status hd_cpu_fold_finish(void *state, struct hd_fold_out out) {
  struct fold_state *s = state;
  const struct hd_cpu_fold_kernel *kernel = s->kernel;
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  u64 before = s->counter.count * kernel->chunk;
  heddle_status status = hd_counter_prefix(&s->counter, total);
  if (!status && s->held)
    status = kernel->tail(s->x, s->fold.verb == HD_DOT ? s->y : NULL, before, s->held, total,
                          s->fold.custom);
  if (!status) status = hd_cpu_fold_result(&s->fold, kernel, total, before + s->held, false, out);
  return hd_cpu_callback_failed(&s->fold, status);
}

void hd_cpu_fold_free(void *state) {
  struct fold_state *s = state;
  hd_release(s->ctx, s, s->bytes);
}

/* ---- as totals ----------------------------------------------------------------------------- */

/* An order-free total of everything, whatever chunks this back end cuts. */
static heddle_status export_one(struct fold_state *s, u64 count, void *totals) {
  const struct hd_cpu_fold_kernel *kernel = s->kernel;
  unsigned char total[HD_TOTAL_BYTES_MOST];
  heddle_status status = hd_counter_prefix(&s->counter, total);
  if (!status && s->held)
    status = kernel->tail(s->x, s->fold.verb == HD_DOT ? s->y : NULL, count - s->held, s->held,
                          total, s->fold.custom);
  if (!status && count) memcpy(totals, total, kernel->merge.bytes);
  return status;
}

heddle_status hd_cpu_fold_export(void *state, u64 *count, void *totals, void *x, void *y) {
  struct fold_state *s = state;
  const struct hd_cpu_fold_kernel *kernel = s->kernel;
  const u32 bytes = kernel->merge.bytes;
  unsigned char *to = totals;
  *count = s->counter.count * kernel->chunk + s->held;
  if (kernel->merge.order_free) return export_one(s, *count, totals);
  for (u64 left = s->counter.count; left; to += bytes) {
    const u32 level = hd_top_bit(left);
    memcpy(to, s->counter.slot + (size_t)level * bytes, bytes);
    hd_totals_canonical(kernel->kind, to, 1);
    left ^= (u64)1 << level;
  }
  if (s->held) memcpy(x, s->x, s->held * kernel->element_bytes);
  if (s->held && y) memcpy(y, s->y, s->held * kernel->element_bytes);
  return HEDDLE_OK;
}
