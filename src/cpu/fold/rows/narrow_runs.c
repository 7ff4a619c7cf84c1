/* narrow_runs.c - many runs of a few neighbouring rows of a few elements, with gaps between them
 *
 * Method   An axis in the middle leaves them where what is behind it does not lie in one piece. Several
 *          become lines side by side, whose columns are folded as cpu/fold/columns does: then little work is
 *          a run's own.
 * Memory   a thread: the lines of x and y, and accumulators; at most some 200 KiB. */
#include "narrow_runs.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu/fold/columns/strip.h"
#include "host/status.h"
#include "runs.h"

enum {
  WIDEST = 512,                /* columns of a unit */
  TRANSPOSED_LEAST = 16,       /* rows without gaps of a run that short_rows.c transposes better */
  TICKET_ELEMENTS = 1 << 15,   /* a ticket's worth of units */
  PARALLEL_ELEMENTS = 1 << 17, /* below this a thread costs more than it brings */
  SMALL = 24 << 10             /* bytes of scratch that are not worth a call of malloc */
};

struct narrow_job {
  const struct hd_cpu_rows_call *call;
  const struct hd_cpu_fold_kernel *kernel;
  size_t n, together; /* elements of a row; runs of a unit */
  u64 runs, units, a_ticket;
  size_t pitch; /* bytes of a line */
  unsigned char *scratch;
  size_t lines_bytes, cleared_bytes,
      scratch_bytes; /* cleared: the lines of x, and of y if there is one */
  struct hd_cancellation *token;
  atomic_ullong ticket;
  atomic_int failed;
};

bool hd_cpu_fold_is_narrow_runs(const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_row_walk *walk) {
  if (!kernel->columns || !walk->inner) return false;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  if (row.step == 1 && walk->inner_run >= TRANSPOSED_LEAST) return false;
  if (hd_cpu_fold_is_together(kernel, walk)) return false;
  return hd_cpu_runs_are_narrow(walk, &row);
}

static const void *lines_of(const struct narrow_job *job, const char *x, u64 row, size_t runs,
                            unsigned char *lines) {
  const u32 bytes = job->kernel->element_bytes;
  const struct hd_cpu_runs at = hd_cpu_runs_at(&job->call->walk, row, runs, x, bytes);
  hd_cpu_runs_to_lines(&at, bytes, lines, job->pitch);
  return lines;
}

static heddle_status fold_unit(const struct narrow_job *job, unsigned char *scratch, u64 unit) {
  const struct hd_cpu_rows_call *call = job->call;
  const u64 first = unit * job->together, left = job->runs - first;
  const size_t runs = left < job->together ? (size_t)left : job->together;
  const u64 row = first * call->walk.inner_run;
  const size_t count = runs * (size_t)call->walk.inner_run, least = job->kernel->columns->least;
  const void *x = lines_of(job, call->x, row, runs, scratch), *y = x;
  if (call->y) y = lines_of(job, call->y, row, runs, scratch + job->lines_bytes);
  const void *accumulators =
      hd_cpu_strip_of_lines(job->kernel, x, y, (i64)job->pitch, job->n,
                            count < least ? least : count, scratch + job->cleared_bytes);
  return hd_cpu_fold_results(call->fold, job->kernel, accumulators, count, job->n,
                             (char *)call->out.value + row * call->out_bytes);
}

static void narrow_task(void *arg, size_t worker) {
  struct narrow_job *job = arg;
  unsigned char *scratch = job->scratch + worker * job->scratch_bytes;
  for (;;) {
    u64 at = atomic_fetch_add_explicit(&job->ticket, job->a_ticket, memory_order_relaxed);
    if (at >= job->units || atomic_load(&job->failed)) return;
    const u64 end = job->units - at < job->a_ticket ? job->units : at + job->a_ticket;
    heddle_status status = hd_poll(job->token) ? HEDDLE_CANCELLED : HEDDLE_OK;
    for (; at < end && !status; at++) status = fold_unit(job, scratch, at);
    if (!status) continue;
    atomic_store(&job->failed, (int)status);
    return;
  }
}

static void plan(struct narrow_job *job) {
  const struct hd_cpu_row_walk *walk = &job->call->walk;
  const size_t run = (size_t)walk->inner_run, least = job->kernel->columns->least;
  job->n = (size_t)hd_cpu_row_at(walk, 0).length;
  job->runs = walk->count / run;
  job->together = WIDEST / run < HD_RUNS_TOGETHER ? WIDEST / run : HD_RUNS_TOGETHER;
  if (job->together > job->runs) job->together = (size_t)job->runs;
  job->units = (job->runs + job->together - 1) / job->together;
  job->a_ticket = TICKET_ELEMENTS / (job->together * run * job->n) + 1;
  const size_t width = job->together * run < least ? least : job->together * run;
  job->pitch = width * job->kernel->element_bytes;
  job->lines_bytes = (job->n * job->pitch + 63) & ~(size_t)63;
  job->cleared_bytes = (job->call->y ? 2 : 1) * job->lines_bytes;
  job->scratch_bytes =
      (job->cleared_bytes + hd_cpu_strip_scratch(job->kernel, width) + 63) & ~(size_t)63;
}

size_t hd_cpu_fold_narrow_runs_threads(const heddle_context *ctx,
                                       const struct hd_cpu_row_walk *walk) {
  const u64 tickets = walk->elements / TICKET_ELEMENTS + 1;
  const size_t threads = walk->elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  return tickets < threads ? (size_t)tickets : threads;
}

heddle_status hd_cpu_fold_narrow_runs(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                      const struct hd_cpu_fold_kernel *kernel,
                                      struct hd_cancellation *token) {
  struct narrow_job job = {.call = call, .kernel = kernel, .token = token};
  plan(&job);
  const size_t threads = hd_cpu_fold_narrow_runs_threads(ctx, &call->walk);
  const size_t bytes = threads * job.scratch_bytes;
  _Alignas(64) unsigned char small[SMALL];
  atomic_init(&job.ticket, 0);
  atomic_init(&job.failed, 0);
  job.scratch = bytes <= SMALL ? small : hd_allocate(ctx, bytes);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  for (size_t w = 0; w < threads; w++) /* vectors go beyond the last rows */
    memset(job.scratch + w * job.scratch_bytes, 0, job.cleared_bytes);
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, threads, narrow_task, &job);
  pthread_mutex_unlock(&ctx->lock);
  if (job.scratch != small) hd_release(ctx, job.scratch, bytes);
  return (heddle_status)atomic_load(&job.failed);
}
