/* fold.c - one result of a whole array, on one thread or several
 *
 * Method   Chunks are folded in aligned blocks of up to 2^7, whose totals the counter of blocks
 *          takes in index order (rules 3 and 4); the rest is a short chunk (rule 5). Several
 *          threads take blocks by a ticket, a wave at a time, and the caller pushes the wave's
 *          totals in order: who folded a block cannot be seen in the result.
 * Memory   a wave's totals; slots of the counter. Nothing grows with the input.
 * Source   Blelloch 1990; the counter is that of pairwise summation in one pass. */
#include "fold.h"

#include <stdatomic.h>
#include <string.h>

#include "host/status.h"

enum {
  FEW = 64,   /* elements that may settle a total, less than a chunk */
  LOOK = 8,   /* chunks at which the caller's thread looks first */
  WAVE = 512, /* blocks: 512 MiB of f32, a tenth of a second at most */
  SLOT_BYTES = HD_COUNTER_SLOTS * HD_TOTAL_BYTES_MOST
};

struct wave {
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  const char *x, *y; /* of the wave's first chunk */
  u64 first;         /* the wave's first chunk, counted from the array's start */
  size_t blocks;
  u64 chunk[WAVE]; /* where each block starts, from `first` */
  unsigned char level[WAVE];
  unsigned char *totals;
  struct hd_cancellation *token;
  atomic_size_t ticket;
  atomic_int failed; /* a heddle_status */
  atomic_bool settled;
};

static void wave_task(void *arg, size_t worker) {
  struct wave *w = arg;
  const struct hd_cpu_fold_kernel *kernel = w->kernel;
  const size_t chunk_bytes = (size_t)kernel->chunk * kernel->element_bytes;
  (void)worker;
  for (;;) {
    if (atomic_load(&w->settled)) return; /* blocks before that one have their threads */
    size_t i = atomic_fetch_add_explicit(&w->ticket, 1, memory_order_relaxed);
    if (i >= w->blocks || hd_poll(w->token)) return;
    size_t offset = w->chunk[i] * chunk_bytes;
    heddle_status status = hd_cpu_fold_block(kernel, w->x + offset, w->y ? w->y + offset : NULL,
                                             w->first + w->chunk[i], w->level[i],
                                             w->totals + i * kernel->merge.bytes, w->fold->custom);
    if (status) {
      atomic_store(&w->failed, (int)status);
      return;
    }
    if (hd_cpu_fold_is_settled(kernel, w->totals + i * kernel->merge.bytes))
      atomic_store(&w->settled, true);
  }
}

/* Cuts the next blocks off `chunks`; returns how many chunks they are. */
static u64 plan_wave(struct wave *w, u64 chunks) {
  u64 at = 0;
  for (w->blocks = 0; w->blocks < WAVE && at < chunks; w->blocks++) {
    const u32 level = hd_cpu_fold_level(w->kernel, w->first + at, chunks - at);
    w->chunk[w->blocks] = at;
    w->level[w->blocks] = (unsigned char)level;
    at += UINT64_C(1) << level;
  }
  return at;
}

static size_t workers_of(const heddle_context *ctx, const struct wave *w) {
  return ctx->threads < w->blocks ? ctx->threads : w->blocks;
}

static heddle_status run_wave(heddle_context *ctx, struct wave *w, struct hd_counter *counter) {
  const size_t workers = atomic_load(&w->settled) ? 0 : workers_of(ctx, w);
  atomic_store(&w->ticket, 0);
  for (size_t i = 0; w->kernel->settled && i < w->blocks; i++)
    w->kernel->merge.identity(w->totals + i * w->kernel->merge.bytes, w->fold->custom);
  if (workers) hd_parallel(ctx, workers, wave_task, w);
  heddle_status status = hd_cancellation_status(w->token, w->fold->entry);
  if (status) return status;
  if (atomic_load(&w->failed)) return (heddle_status)atomic_load(&w->failed);
  for (size_t i = 0; i < w->blocks && !status; i++)
    status = hd_counter_push(counter, w->level[i], w->totals + i * w->kernel->merge.bytes);
  return status;
}

/* Full chunks into the counter, on the context's threads. */
static heddle_status fold_waves(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_cpu_fold_kernel *kernel, struct hd_counter *counter,
                                const void *x, const void *y, u64 chunks) {
  const size_t chunk_bytes = (size_t)kernel->chunk * kernel->element_bytes;
  const size_t bytes = sizeof(struct wave) + 64 + WAVE * (size_t)kernel->merge.bytes;
  struct hd_cancellation token;
  struct wave *w = hd_allocate(ctx, bytes);
  if (!w) return HEDDLE_OUT_OF_MEMORY;
  hd_cancellation_start(&token, ctx);
  w->fold = fold;
  w->kernel = kernel;
  w->x = x, w->y = y;
  w->token = &token;
  w->totals = (unsigned char *)w + ((sizeof *w + 63) & ~(size_t)63);
  atomic_init(&w->ticket, 0);
  atomic_init(&w->failed, 0);
  atomic_init(&w->settled, false);
  heddle_status status = HEDDLE_OK;
  while (chunks && !status) {
    w->first = counter->count;
    u64 taken = plan_wave(w, chunks);
    status = run_wave(ctx, w, counter);
    w->x += taken * chunk_bytes;
    if (w->y) w->y += taken * chunk_bytes;
    chunks -= taken;
    if (chunks && !status && hd_poll(&token)) status = hd_cancellation_status(&token, fold->entry);
  }
  hd_release(ctx, w, bytes);
  return status;
}

size_t hd_cpu_fold_wave_workers(const heddle_context *ctx, const struct hd_cpu_fold_kernel *kernel,
                                u64 chunks) {
  struct wave w = {.kernel = kernel};
  (void)plan_wave(&w, chunks);
  return workers_of(ctx, &w);
}

heddle_status hd_cpu_callback_failed(const struct hd_fold *fold, heddle_status status) {
  if (status != HEDDLE_CALLBACK) return status;
  return hd_fail(status,
                 "%s: the custom operator returned a status other than HEDDLE_OK; the result is "
                 "undefined",
                 fold->entry);
}

/* Whether the first chunks of many settle the total: no thread is woken then. */
static bool settles(const struct hd_cpu_fold_kernel *kernel, const void *x,
                    const heddle_custom *custom) {
  unsigned char total[HD_TOTAL_BYTES_MOST];
  return kernel->settled && !kernel->chunks(x, NULL, 0, LOOK, total, custom) &&
         kernel->settled(total);
}

heddle_status hd_cpu_fold_count(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_cpu_fold_kernel *kernel, struct hd_counter *counter,
                                const void *x, const void *y, u64 chunks) {
  if (hd_cpu_fold_is_one_thread(ctx, kernel, chunks) || settles(kernel, x, counter->custom))
    return hd_cpu_fold_chunks(kernel, counter, x, y, chunks);
  pthread_mutex_lock(&ctx->lock);
  heddle_status status = fold_waves(ctx, fold, kernel, counter, x, y, chunks);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}

/* *total = the prefix of many chunks. The counter's slots are this thread's for built-in totals, the
 * context's for larger ones. */
static __attribute__((noinline)) heddle_status
fold_many(heddle_context *ctx, const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
          const void *x, const void *y, u64 chunks, void *total) {
  _Alignas(64) unsigned char small[SLOT_BYTES];
  const size_t bytes = HD_COUNTER_SLOTS * (size_t)kernel->merge.bytes;
  void *slots = bytes <= sizeof small ? small : hd_allocate(ctx, bytes);
  struct hd_counter counter;
  if (!slots) return HEDDLE_OUT_OF_MEMORY;
  hd_counter_start(&counter, &kernel->merge, fold->custom, slots);
  heddle_status status = hd_cpu_fold_count(ctx, fold, kernel, &counter, x, y, chunks);
  if (!status) status = hd_counter_prefix(&counter, total);
  if (slots != small) hd_release(ctx, slots, bytes);
  return status;
}

/* Whether the first elements settle the total, as they mostly do of bools: a chunk is much more of them. */
static bool few_settle(const struct hd_cpu_fold_kernel *kernel, const void *x, const void *y,
                       void *total, const heddle_custom *custom) {
  if (!kernel->settled || y) return false;
  kernel->merge.identity(total, custom);
  return !kernel->tail(x, NULL, 0, FEW, total, custom) && kernel->settled(total);
}

heddle_status hd_cpu_fold_array(heddle_context *ctx, const struct hd_fold *fold,
                                const struct hd_cpu_fold_kernel *kernel, const void *x,
                                const void *y, size_t count, void *total) {
  const u64 chunks = count / kernel->chunk, done = chunks * kernel->chunk;
  const size_t bytes = (size_t)done * kernel->element_bytes;
  if (few_settle(kernel, x, y, total, fold->custom)) return HEDDLE_OK;
  heddle_status status = hd_cpu_fold_is_few(kernel, chunks)
                             ? hd_cpu_fold_few(kernel, x, y, (size_t)chunks, total, fold->custom)
                             : fold_many(ctx, fold, kernel, x, y, chunks, total);
  if (status || count == done) return status;
  return kernel->tail((const char *)x + bytes, y ? (const char *)y + bytes : NULL, done,
                      count - (size_t)done, total, fold->custom);
}

heddle_status hd_cpu_fold_long(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                               const void *y, size_t count, struct hd_fold_out out) {
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  heddle_status status = hd_cpu_fold_array(ctx, fold, kernel, x, y, count, total);
  return status ? status : hd_cpu_fold_result(fold, kernel, total, count, true, out);
}

heddle_status hd_cpu_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                          const void *y, size_t count, struct hd_fold_out out) {
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  heddle_status status = HEDDLE_OK;
  if (hd_cpu_fold_is_short(kernel, count)) {
    kernel->merge.identity(total, fold->custom);
    if (count) status = kernel->tail(x, y, 0, count, total, fold->custom);
  } else {
    status = hd_cpu_fold_array(ctx, fold, kernel, x, y, count, total);
  }
  if (!status) status = hd_cpu_fold_result(fold, kernel, total, count, false, out);
  return hd_cpu_callback_failed(fold, status);
}
