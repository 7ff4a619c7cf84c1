/* exact.c - the exact sum of an array, on one thread or several
 *
 * Method   A kernel makes of a block a few f64 with the block's real sum, which go into the limbs; what it
 *          leaves goes there element by element. Threads take pieces by a ticket, each into limbs of its own:
 *          integers add up the same whoever adds them.
 * Memory   limbs a thread. */
#include "exact.h"

#include <stdatomic.h>
#include <string.h>

#include "host/status.h"
#include "order/convert.h"
#include "order/exact/format.h"

enum { PIECE = 1 << 17 }; /* elements of a ticket */

struct hd_cpu_exact_call hd_cpu_exact_call(const struct hd_cpu_kernels *kernels,
                                           const struct hd_fold *fold) {
  const struct hd_cpu_exact *of = kernels->exact[fold->type];
  const bool skip = fold->nan == HEDDLE_NAN_SKIP;
  const bool products = fold->verb == HD_DOT || fold->op == HEDDLE_SUM_SQUARES;
  struct hd_cpu_exact_call call = {.fold = fold,
                                   .kernel = products ? of->dot[skip] : of->sum[skip]};
  call.result = hd_exact_format_of_type(fold->out_type);
  call.span = hd_exact_span_of(call.kernel->format, products);
  if (fold->init) { /* an element of its own type */
    const struct hd_exact_span wide = hd_exact_span_of(call.result, false);
    if (wide.first < call.span.first) call.span.first = wide.first;
    if (wide.end > call.span.end) call.span.end = wide.end;
  }
  return call;
}

void hd_cpu_exact_take(const struct hd_cpu_exact_call *call, struct hd_exact_guess *guess,
                       struct hd_exact *sum, const void *x, const void *y, size_t n) {
  const struct hd_cpu_exact_kernel *kernel = call->kernel;
  const char *px = x, *py = y ? y : x;
  while (n) {
    const size_t block = n < HD_EXACT_BLOCK ? n : HD_EXACT_BLOCK;
    f64 part[HD_EXACT_PARTS];
    const u32 parts = kernel->block(guess, px, py, block, part);
    for (u32 i = 0; i < parts; i++) hd_exact_add(sum, call->span, part[i]);
    if (!parts) kernel->each(sum, call->span, px, py, block);
    px += block * kernel->element_bytes;
    py += block * kernel->element_bytes;
    n -= block;
  }
}

/* ---- results ----------------------------------------------------------------------------------- */

static void store(const struct hd_cpu_exact_call *call, f64 value, void *out) {
  hd_convert_one(HEDDLE_F64, &value, call->fold->out_type, out);
}

void hd_cpu_exact_result(const struct hd_cpu_exact_call *call, struct hd_exact *sum, void *out) {
  const struct hd_fold *fold = call->fold;
  f64 init, result;
  if (fold->init) {
    hd_convert_one(fold->out_type, fold->init, HEDDLE_F64, &init);
    hd_exact_add(sum, call->span, init);
  }
  if (fold->divisor != fold->divisor)
    result = hd_f64_of_bits(HD_NAN_F64);
  else if (fold->divisor != 0)
    result = hd_exact_round_quotient(sum, call->span, (u64)fold->divisor, call->result);
  else
    result = hd_exact_round(sum, call->span, call->result);
  store(call, result, out);
}

/* The limbs that a few numbers and their sum need, of those that any would: most of the work is a limb's. */
static struct hd_exact_span span_of_parts(struct hd_exact_span all, const f64 *part, u32 parts) {
  struct hd_exact_span span = {all.end, all.first};
  for (u32 i = 0; i < parts; i++) {
    i32 exponent;
    if (part[i] == 0) continue;
    (void)hd_exact_integer(part[i], &exponent);
    const u32 limb = (u32)(exponent + 32 * HD_EXACT_BELOW) / 32;
    if (limb < span.first) span.first = limb;
    if (limb + 4 > span.end) span.end = limb + 4; /* three of the number, and a carry */
  }
  if (span.end > all.end) span.end = all.end;
  return span.first < span.end ? span : all;
}

void hd_cpu_exact_short(const struct hd_cpu_exact_call *call, struct hd_exact_guess *guess,
                        const void *x, const void *y, size_t n, void *out) {
  const struct hd_fold *fold = call->fold;
  f64 part[HD_EXACT_PARTS];
  u32 parts = 0;
  if (n) parts = call->kernel->block(guess, x, y ? y : x, n, part);
  if (parts && parts <= 2 && !fold->init && fold->divisor == 0) {
    const bool odd = fold->out_type != HEDDLE_F64;
    store(call, hd_exact_round_two(part[0], parts > 1 ? part[1] : 0, odd), out);
    return;
  }
  struct hd_cpu_exact_call narrow = *call;
  struct hd_exact sum;
  if (parts && !fold->init) narrow.span = span_of_parts(call->span, part, parts);
  hd_exact_clear(&sum, narrow.span);
  for (u32 i = 0; i < parts; i++) hd_exact_add(&sum, narrow.span, part[i]);
  if (n && !parts) call->kernel->each(&sum, narrow.span, x, y ? y : x, n);
  hd_cpu_exact_result(&narrow, &sum, out);
}

/* ---- several threads --------------------------------------------------------------------------- */

struct pieces {
  const struct hd_cpu_exact_call *call;
  const char *x, *y;
  size_t count;
  struct hd_exact *sums; /* one a worker */
  struct hd_cancellation *token;
  atomic_size_t ticket;
};

static void piece_task(void *arg, size_t worker) {
  struct pieces *p = arg;
  const u32 bytes = p->call->kernel->element_bytes;
  struct hd_exact_guess guess = {0, 0};
  hd_exact_clear(&p->sums[worker], p->call->span);
  for (;;) {
    const size_t at = atomic_fetch_add_explicit(&p->ticket, PIECE, memory_order_relaxed);
    if (at >= p->count || hd_poll(p->token)) return;
    const size_t n = p->count - at < PIECE ? p->count - at : PIECE;
    hd_cpu_exact_take(p->call, &guess, &p->sums[worker], p->x + at * bytes,
                      p->y ? p->y + at * bytes : NULL, n);
  }
}

static size_t workers_of(const heddle_context *ctx, const struct hd_cpu_exact_kernel *kernel,
                         size_t n) {
  const size_t pieces = n / PIECE + 1;
  if (n * kernel->element_bytes < HD_EXACT_PARALLEL_BYTES) return 1;
  return ctx->threads < pieces ? ctx->threads : pieces;
}

static bool is_simple(const heddle_context *ctx, const struct hd_cpu_exact_kernel *kernel,
                      size_t n) {
  return workers_of(ctx, kernel, n) < 2 &&
         (n * kernel->element_bytes < HD_EXACT_PARALLEL_BYTES || (!ctx->poll && !ctx->run));
}

heddle_status hd_cpu_exact_take_long(heddle_context *ctx, const struct hd_cpu_exact_call *call,
                                     struct hd_exact *sum, const void *x, const void *y, size_t n) {
  struct hd_exact_guess guess = {0, 0};
  struct hd_cancellation token;
  if (is_simple(ctx, call->kernel, n)) {
    hd_cpu_exact_take(call, &guess, sum, x, y, n);
    return HEDDLE_OK;
  }
  const size_t workers = workers_of(ctx, call->kernel, n);
  struct pieces p = {.call = call, .x = x, .y = y, .count = n, .token = &token};
  p.sums = hd_allocate(ctx, workers * sizeof *p.sums);
  if (!p.sums) return HEDDLE_OUT_OF_MEMORY;
  atomic_init(&p.ticket, 0);
  pthread_mutex_lock(&ctx->lock);
  hd_cancellation_start(&token, ctx);
  hd_parallel(ctx, workers, piece_task, &p);
  pthread_mutex_unlock(&ctx->lock);
  for (size_t i = 0; i < workers; i++) hd_exact_merge(sum, &p.sums[i], call->span);
  hd_release(ctx, p.sums, workers * sizeof *p.sums);
  return hd_cancellation_status(&token, call->fold->entry);
}

heddle_status hd_cpu_exact(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                           const void *y, size_t count, struct hd_fold_out out) {
  const struct hd_cpu_exact_call call = hd_cpu_exact_call(ctx->kernels, fold);
  struct hd_exact_guess guess = {0, 0};
  struct hd_exact sum;
  if (count <= HD_EXACT_BLOCK) {
    hd_cpu_exact_short(&call, &guess, x, y, count, out.value);
    return HEDDLE_OK;
  }
  hd_exact_clear(&sum, call.span);
  heddle_status status = hd_cpu_exact_take_long(ctx, &call, &sum, x, y, count);
  if (!status) hd_cpu_exact_result(&call, &sum, out.value);
  return status;
}

heddle_status hd_cpu_exact_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                   u32 align, heddle_plan *out) {
  const struct hd_cpu_exact_call call = hd_cpu_exact_call(ctx->kernels, fold);
  const bool simple = is_simple(ctx, call.kernel, count);
  struct hd_cpu_choice choice = {.kernel = call.kernel->name, .file = call.kernel->file};
  (void)align;
  choice.strategy = count <= HD_EXACT_BLOCK ? "exact_block"
                    : simple                ? "exact_blocks"
                                            : "exact_pieces";
  choice.threads = simple ? 1 : workers_of(ctx, call.kernel, count);
  return hd_cpu_explain(ctx, &choice, out);
}

/* ---- in pieces --------------------------------------------------------------------------------- */

struct exact_state {
  heddle_context *ctx;
  struct hd_fold fold;
  struct hd_cpu_exact_call call;
  u64 init; /* a copy of the caller's */
  struct hd_exact sum;
};

heddle_status hd_cpu_exact_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  struct exact_state *s = hd_allocate(ctx, sizeof *s);
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  s->ctx = ctx;
  s->fold = *fold;
  if (fold->init) {
    memcpy(&s->init, fold->init, heddle_type_size(fold->out_type));
    s->fold.init = &s->init;
  }
  s->call = hd_cpu_exact_call(ctx->kernels, &s->fold);
  hd_exact_clear(&s->sum, s->call.span);
  *state = s;
  return HEDDLE_OK;
}

heddle_status hd_cpu_exact_update(void *state, const void *x, const void *y, size_t count) {
  struct exact_state *s = state;
  return hd_cpu_exact_take_long(s->ctx, &s->call, &s->sum, x, y, count);
}

heddle_status hd_cpu_exact_finish(void *state, struct hd_fold_out out) {
  const struct exact_state *s = state;
  struct hd_exact sum = s->sum; /* a state may go on */
  hd_cpu_exact_result(&s->call, &sum, out.value);
  return HEDDLE_OK;
}

void hd_cpu_exact_free(void *state) {
  struct exact_state *s = state;
  hd_release(s->ctx, s, sizeof *s);
}

/* ---- as limbs ---------------------------------------------------------------------------------- */

/* init, which may need more limbs, is not among them. */
static struct hd_exact_span own_span(const struct hd_cpu_exact_call *call) {
  return hd_exact_span_of(call->kernel->format, call->kernel->products);
}

heddle_status hd_cpu_exact_export(void *state, struct hd_exact *sum) {
  const struct exact_state *s = state;
  *sum = s->sum;
  hd_exact_narrow(sum, s->call.span, own_span(&s->call));
  return HEDDLE_OK;
}

heddle_status hd_cpu_exact_add(void *state, const struct hd_exact *sum) {
  struct exact_state *s = state;
  hd_exact_merge(&s->sum, sum, own_span(&s->call));
  return HEDDLE_OK;
}
