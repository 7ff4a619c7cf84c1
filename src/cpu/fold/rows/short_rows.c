/* short_rows.c - many rows shorter than a chunk
 *
 * Method   Neighbouring rows are taken a group at a time, strided ones gathered first. The
 *          shortest are made lines, by the instruction set's transpose, and their columns folded
 *          as cpu/fold/columns does: then no work is a row's own. Longer ones go through
 *          the kernel's tail one by one, without a counter. Results are converted a group at a
 *          time.
 * Memory   a thread: a group's lines and accumulators, at most some 100 KiB. */
#include "short_rows.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/fold/columns/strip.h"
#include "host/status.h"

enum {
  TRANSPOSED_MOST = 64, /* elements of a row that is made part of lines */
  TRANSPOSED_WIDE = 32, /* the same of integers of 8 bytes, whose sums are few instructions */
  LINES_BYTES = 1 << 14,
  GATHERED_BYTES =
      1
      << 12, /* of rows that are gathered and folded each alone: with what is read, in the first cache */
  TRANSPOSED_RUN = 16, /* rows, of which fewer are folded each alone */
  LINE_LEAST = 256,    /* bytes; with the longest rows a group is LINES_BYTES then */
  GROUP_MOST = 512,
  FEW = 8,    /* elements that may settle a row, before more of it is read */
  PIECE = 64, /* and the next ones, of rows of more than */
  PIECES = 256,
  AHEAD = 8192,                /* bytes from a row to one that is fetched meanwhile, at least */
  ALONE = 64,                  /* rows of a group that are folded each alone */
  TICKET_ELEMENTS = 1 << 15,   /* a ticket's worth of groups */
  PARALLEL_ELEMENTS = 1 << 17, /* below this a thread costs more than it brings */
  ACCUMULATOR_MOST = 8,        /* bytes */
  SMALL = 24 << 10             /* bytes of scratch that are not worth a call of malloc */
};

struct short_job {
  const struct hd_cpu_rows_call *call;
  const struct hd_cpu_fold_kernel *kernel;
  hd_cpu_transpose_kernel *transpose; /* NULL: each alone */
  size_t n;                           /* elements of a row */
  i64 pitch;                          /* bytes between neighbouring rows, gathered if they are */
  hd_cpu_gather_kernel *gather;       /* NULL: elements are neighbours */
  i64 step, apart;                    /* elements between theirs; bytes between rows before that */
  size_t group;                       /* rows */
  u64 groups, a_run;                  /* groups, of all rows and of a run of neighbours */
  u64 a_ticket;
  unsigned char *scratch;
  size_t lines_bytes, gathered_bytes, scratch_bytes;
  size_t
      cleared_bytes; /* of a thread's scratch, its first: lines, or accumulators of rows each alone */
  unsigned char identity[ACCUMULATOR_MOST];
  struct hd_cancellation *token;
  atomic_ullong ticket;
  atomic_int failed;
};

bool hd_cpu_fold_is_short_rows(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row_walk *walk) {
  if (!kernel->columns || walk->rows->offsets) return false;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  if (!row.length || row.length >= kernel->chunk) return false;
  return row.step == 1 || row.length == 1 || llabs(row.step) <= llabs(walk->inner);
}

bool hd_cpu_fold_is_transposed(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row_walk *walk) {
  const bool wide = kernel->kind == HD_TOTAL_U64 && kernel->element_bytes == sizeof(u64);
  const u64 most = wide ? TRANSPOSED_WIDE : TRANSPOSED_MOST;
  return hd_cpu_row_at(walk, 0).length <= most && walk->inner_run >= TRANSPOSED_RUN;
}

/* Whether rows that are folded each alone are begun with an element or two. */
static bool settles_early(const struct short_job *job) {
  return job->kernel->settled && !job->call->y && !job->transpose;
}

/* ---- a group --------------------------------------------------------------------------------------- */

/* The accumulators of `count` neighbouring rows. */
static const void *fold_lines(const struct short_job *job, unsigned char *scratch, const char *x,
                              const char *y, size_t count) {
  const size_t bytes = job->kernel->element_bytes, width = job->group;
  unsigned char *lx = scratch, *ly = lx + job->lines_bytes;
  job->transpose(x, job->pitch, count, job->n, lx, width);
  if (y) job->transpose(y, job->pitch, count, job->n, ly, width);
  const size_t taken = count < job->kernel->columns->least ? job->kernel->columns->least : count;
  return hd_cpu_strip_of_lines(job->kernel, lx, y ? ly : lx, (i64)(width * bytes), job->n, taken,
                               scratch + job->cleared_bytes);
}

/* *total = that of the row at x, which may lie in one piece or be gathered in `room`. A few elements settle most
 * rows that are settled at all, and are not gathered then: one, of bytes some, since every second bool is 0. Operators
 * that settle may fold an element twice: what lies in one piece is folded from its begin after that, by whole vectors. */
static heddle_status fold_settling(const struct short_job *job, const char *x, void *room,
                                   unsigned char *total) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  const size_t bytes = kernel->element_bytes, first = bytes == 1 ? FEW : 1;
  for (size_t at = 0, n; at < job->n; at += n) {
    const size_t left = job->n - at, most = !at                              ? first
                                            : at == first && job->n > PIECES ? PIECE
                                                                             : left;
    n = left < most ? left : most;
    const size_t again = at == first && !job->gather ? first : 0;
    const char *from = x + (i64)(at - again) * job->step * (i64)bytes;
    const bool gathered = job->gather && n > 1;
    if (gathered && n <= FEW && bytes == 1)
      for (size_t i = 0; i < n; i++) ((char *)room)[i] = from[(i64)i * job->step];
    else if (gathered)
      job->gather(from, job->step, n, room);
    const heddle_status status = kernel->tail(gathered ? room : from, NULL, at - again, n + again,
                                              total, job->call->fold->custom);
    if (status || kernel->settled(total)) return status;
  }
  return HEDDLE_OK;
}

/* A row some way behind the one at x: processors fetch ahead of one run, and rows with gaps between them are
 * none. Always inline: a function that only fetches has no effect for a compiler. */
static inline __attribute__((always_inline)) void fetch_row(const char *x, i64 pitch,
                                                            size_t bytes) {
  const i64 rows = pitch ? AHEAD / (pitch < 0 ? -pitch : pitch) + 1 : 1;
  for (size_t b = 0; b < bytes; b += 64) __builtin_prefetch(x + rows * pitch + b);
}

/* The same, each alone; `room` has one that is gathered. */
static heddle_status fold_each(const struct short_job *job, unsigned char *to, const char *x,
                               const char *y, size_t count, void *room) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  const size_t bytes = kernel->columns->bytes;
  const bool settles = settles_early(job);
  const size_t row_bytes = job->n * kernel->element_bytes;
  const bool far = !settles && !job->gather && job->pitch != (i64)row_bytes;
  for (size_t r = 0; r < count; r++) {
    if (far) fetch_row(x + (i64)r * job->pitch, job->pitch, row_bytes);
    const i64 at = (i64)r * (settles && job->gather ? job->apart : job->pitch);
    unsigned char total[ACCUMULATOR_MOST];
    memcpy(total, job->identity, sizeof total);
    const heddle_status status = settles ? fold_settling(job, x + at, room, total)
                                         : kernel->tail(x + at, y ? y + at : NULL, 0, job->n, total,
                                                        job->call->fold->custom);
    if (status) return status;
    memcpy(to + r * bytes, total, bytes); /* a total of fewer bytes is the accumulator's first */
  }
  if (kernel->columns->of_totals) kernel->columns->of_totals(to, ALONE);
  return HEDDLE_OK;
}

/* `count` strided rows one behind the other in `to`. */
static const char *gather_rows(const struct short_job *job, unsigned char *to, const char *from,
                               size_t count) {
  for (size_t r = 0; r < count; r++)
    job->gather(from + (i64)r * job->apart, job->step, job->n, to + (i64)r * job->pitch);
  return (const char *)to;
}

static heddle_status fold_group(const struct short_job *job, unsigned char *scratch, u64 unit) {
  const struct hd_cpu_rows_call *call = job->call;
  const u64 first = unit % job->a_run * job->group;
  const u64 row = unit / job->a_run * call->walk.inner_run + first;
  const u64 left = call->walk.inner_run - first;
  const size_t count = left < job->group ? (size_t)left : job->group;
  const i64 at = hd_cpu_row_at(&call->walk, row).start * (i64)job->kernel->element_bytes;
  const char *x = call->x + at, *y = call->y ? call->y + at : NULL;
  const void *accumulators = scratch;
  unsigned char *to = scratch + job->scratch_bytes - 2 * job->gathered_bytes;
  if (job->gather && !settles_early(job)) {
    x = gather_rows(job, to, x, count);
    if (y) y = gather_rows(job, to + job->gathered_bytes, y, count);
  }
  if (job->transpose) {
    accumulators = fold_lines(job, scratch, x, y, count);
  } else {
    heddle_status status = fold_each(job, scratch, x, y, count, to);
    if (status) return status;
  }
  return hd_cpu_fold_results(call->fold, job->kernel, accumulators, count, job->n,
                             (char *)call->out.value + row * call->out_bytes);
}

static void short_task(void *arg, size_t worker) {
  struct short_job *job = arg;
  unsigned char *scratch = job->scratch + worker * job->scratch_bytes;
  for (;;) {
    u64 at = atomic_fetch_add_explicit(&job->ticket, job->a_ticket, memory_order_relaxed);
    if (at >= job->groups || atomic_load(&job->failed)) return;
    const u64 end = job->groups - at < job->a_ticket ? job->groups : at + job->a_ticket;
    heddle_status status = hd_poll(job->token) ? HEDDLE_CANCELLED : HEDDLE_OK;
    for (; at < end && !status; at++) status = fold_group(job, scratch, at);
    if (!status) continue;
    atomic_store(&job->failed, (int)status);
    return;
  }
}

/* ---- the call -------------------------------------------------------------------------------------- */

static size_t log2_of(u32 bytes) { return (size_t)hd_top_bit(bytes); }

/* Strided rows go through scratch of a group's size. */
static void plan_gather(struct short_job *job, const struct hd_cpu_kernels *kernels) {
  const size_t row_bytes = job->n * job->kernel->element_bytes;
  job->step = hd_cpu_row_at(&job->call->walk, 0).step;
  if (job->step == 1 || job->n == 1) return;
  job->gather = kernels->gather[log2_of(job->kernel->element_bytes)];
  job->apart = job->pitch;
  job->pitch = (i64)row_bytes;
  if (!job->transpose && job->group * row_bytes > GATHERED_BYTES)
    job->group = GATHERED_BYTES / row_bytes + 1;
  job->gathered_bytes = (job->group * row_bytes + 63) & ~(size_t)63;
}

static void plan(struct short_job *job, const struct hd_cpu_kernels *kernels) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  const struct hd_cpu_row_walk *walk = &job->call->walk;
  const size_t bytes = kernel->element_bytes;
  job->n = (size_t)hd_cpu_row_at(walk, 0).length;
  job->pitch = walk->inner * (i64)bytes;
  job->group = ALONE;
  if (hd_cpu_fold_is_transposed(kernel, walk)) {
    job->transpose = kernels->transpose[log2_of(kernel->element_bytes)];
    const size_t least = LINE_LEAST / bytes;
    job->group = LINES_BYTES / (job->n * bytes) / least * least;
    if (job->group < least) job->group = least;
    if (job->group > GROUP_MOST) job->group = GROUP_MOST;
    if (job->group > walk->inner_run) /* a whole number of vectors of a run */
      job->group = ((size_t)walk->inner_run + least - 1) / least * least;
    job->lines_bytes = job->n * job->group * bytes;
  }
  plan_gather(job, kernels);
  job->a_run = (walk->inner_run + job->group - 1) / job->group;
  job->groups = walk->count / walk->inner_run * job->a_run;
  job->a_ticket = TICKET_ELEMENTS / (job->group * job->n) + 1;
  job->cleared_bytes = ALONE * (size_t)ACCUMULATOR_MOST;
  if (job->transpose) job->cleared_bytes = (job->call->y ? 2 : 1) * job->lines_bytes;
  const size_t accumulators = job->transpose ? hd_cpu_strip_scratch(kernel, job->group) : 0;
  job->scratch_bytes = (job->cleared_bytes + accumulators + 63) & ~(size_t)63;
  job->scratch_bytes += 2 * job->gathered_bytes;
  kernel->merge.identity(job->identity, job->call->fold->custom);
}

size_t hd_cpu_fold_short_rows_threads(const heddle_context *ctx,
                                      const struct hd_cpu_fold_kernel *kernel,
                                      const struct hd_cpu_row_walk *walk) {
  (void)kernel;
  const u64 tickets = walk->elements / TICKET_ELEMENTS + 1;
  const size_t threads = walk->elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  return tickets < threads ? (size_t)tickets : threads;
}

heddle_status hd_cpu_fold_short_rows(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                     const struct hd_cpu_fold_kernel *kernel,
                                     struct hd_cancellation *token) {
  struct short_job job = {.call = call, .kernel = kernel, .token = token};
  plan(&job, ctx->kernels);
  const size_t threads = hd_cpu_fold_short_rows_threads(ctx, kernel, &call->walk);
  const size_t bytes = threads * job.scratch_bytes;
  _Alignas(64) unsigned char small[SMALL];
  atomic_init(&job.ticket, 0);
  atomic_init(&job.failed, 0);
  job.scratch = bytes <= SMALL ? small : hd_allocate(ctx, bytes);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  for (size_t w = 0; w < threads; w++) /* vectors go beyond the last rows of a group */
    memset(job.scratch + w * job.scratch_bytes, 0, job.cleared_bytes);
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, threads, short_task, &job);
  pthread_mutex_unlock(&ctx->lock);
  if (job.scratch != small) hd_release(ctx, job.scratch, bytes);
  return (heddle_status)atomic_load(&job.failed);
}
