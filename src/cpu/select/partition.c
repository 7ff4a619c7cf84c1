/* partition.c - marked elements, then the others, both in order
 *
 * Method   Where the others begin is known when all have been counted: a pass counts each chunk's, a second moves
 *          them.
 * Memory   8 bytes a chunk */
#include "partition.h"

#include <stdatomic.h>

struct run {
  const struct hd_cpu_packed *job;
  u64 *
      before; /* marked elements before each chunk; while they are counted, of it; one more: of all */
  struct hd_cancellation *token;
  atomic_ullong ticket;
};

static bool take(struct run *run, u64 *chunk) {
  *chunk = atomic_fetch_add_explicit(&run->ticket, 1, memory_order_relaxed);
  return *chunk < hd_cpu_marks_chunks(&run->job->marks) && !hd_poll(run->token);
}

static void count_task(void *arg, size_t worker) {
  struct run *run = arg;
  u64 masks[HD_SELECT_MASKS];
  (void)worker;
  for (u64 chunk; take(run, &chunk);)
    run->before[chunk] = hd_cpu_marks_of(&run->job->marks, chunk, masks);
}

static void move_task(void *arg, size_t worker) {
  struct run *run = arg;
  const struct hd_cpu_packed *job = run->job;
  const size_t bytes = job->element_bytes;
  hd_cpu_pack_kernel *pack = job->marks.kernels->pack[hd_top_bit(bytes)];
  const u64 marked = run->before[hd_cpu_marks_chunks(&job->marks)];
  u64 masks[HD_SELECT_MASKS];
  (void)worker;
  for (u64 chunk; take(run, &chunk);) {
    const size_t first = (size_t)chunk * HD_SELECT_CHUNK;
    const size_t n = hd_cpu_marks_length(&job->marks, chunk);
    const size_t found = hd_cpu_marks_of(&job->marks, chunk, masks);
    const u64 before = run->before[chunk], others = marked + (first - before);
    if (found != run->before[chunk + 1] - before) { /* room was made for another answer */
      if (job->marks.failed) atomic_store_explicit(job->marks.failed, true, memory_order_relaxed);
      return;
    }
    pack(job->in + first * bytes, n, masks, found, job->out + before * bytes);
    for (size_t i = 0; i < (n + 63) / 64; i++) masks[i] = ~masks[i];
    if (n % 64) masks[n / 64] &= ((u64)1 << n % 64) - 1;
    pack(job->in + first * bytes, n, masks, n - found, job->out + others * bytes);
  }
}

heddle_status hd_cpu_partition(heddle_context *ctx, const struct hd_cpu_packed *job, u64 *found) {
  struct hd_cancellation token;
  struct run run = {.job = job, .token = &token};
  const size_t chunks = (size_t)hd_cpu_marks_chunks(&job->marks);
  const size_t threads = hd_cpu_marks_threads(ctx, &job->marks);
  const size_t bytes = (chunks + 1) * sizeof *run.before;
  run.before = hd_allocate(ctx, bytes);
  if (!run.before) return HEDDLE_OUT_OF_MEMORY;
  hd_cancellation_start(&token, ctx);
  pthread_mutex_lock(&ctx->lock);
  atomic_init(&run.ticket, 0);
  hd_parallel(ctx, threads, count_task, &run);
  heddle_status status = hd_cancellation_status(&token, job->entry);
  u64 sum = 0;
  for (size_t c = 0; c < chunks && !status; c++) {
    const u64 here = run.before[c];
    run.before[c] = sum;
    sum += here;
  }
  run.before[chunks] = *found = sum;
  atomic_init(&run.ticket, 0);
  if (!status) hd_parallel(ctx, threads, move_task, &run);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, run.before, bytes);
  return status ? status : hd_cancellation_status(&token, job->entry);
}
