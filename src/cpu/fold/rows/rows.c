/* rows.c - one result a row: segments, or an axis of a strided array (rule 11)
 *
 * Method   Rows side by side are columns/columns.c's. Of others threads take groups by a ticket. A
 *          contiguous row is folded in place, a strided one gathered. Long contiguous rows are left to
 *          fold.c, which splits them over the threads.
 * Memory   a thread: what the strategy needs, a counter's slots at least. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gathered.h"
#include "host/status.h"
#include "narrow_runs.h"
#include "places.h"
#include "runs.h"
#include "short_rows.h"
#include "single.h"

enum {
  LONG_ROW_BYTES = 4 << 20, /* folded by all threads together */
  GROUP_ELEMENTS = 1 << 16, /* a ticket's worth of short rows */
  PARALLEL_ELEMENTS = 1 << 17
};

struct row_job {
  const struct hd_fold *fold;
  const struct hd_cpu_fold_kernel *kernel;
  struct hd_cpu_row_walk walk;
  const struct hd_cpu_kernels *kernels;
  hd_cpu_gather_kernel *gather; /* NULL: for elements of no such size */
  const char *x, *y;
  struct hd_fold_out out;
  size_t out_bytes, together, scratch_bytes;
  u64 group; /* rows a ticket */
  unsigned char *scratch;
  struct hd_cancellation *token;
  atomic_ullong ticket;
  atomic_int failed;
};

static struct hd_fold_out out_of_row(const struct row_job *job, u64 r) {
  struct hd_fold_out out = job->out;
  if (out.value) out.value = (char *)out.value + r * job->out_bytes;
  if (out.index) out.index += r;
  if (out.description) out.description += r;
  return out;
}

static bool is_long(const struct row_job *job, const struct hd_cpu_row *row) {
  return row->step == 1 && row->length * job->kernel->element_bytes >= LONG_ROW_BYTES;
}

heddle_status hd_cpu_fold_contiguous(const struct hd_fold *fold,
                                     const struct hd_cpu_fold_kernel *kernel, void *slots,
                                     const void *x, const void *y, u64 length,
                                     struct hd_fold_out out) {
  const heddle_custom *custom = fold->custom;
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  struct hd_counter counter;
  u64 chunks = length / kernel->chunk;
  size_t done = (size_t)chunks * kernel->chunk * kernel->element_bytes;
  heddle_status status;
  if (hd_cpu_fold_is_few(kernel, chunks)) {
    status = hd_cpu_fold_few(kernel, x, y, (size_t)chunks, total, custom);
  } else {
    hd_counter_start(&counter, &kernel->merge, custom, slots);
    status = hd_cpu_fold_chunks(kernel, &counter, x, y, chunks);
    if (!status) status = hd_counter_prefix(&counter, total);
  }
  if (!status && length % kernel->chunk)
    status = kernel->tail((const char *)x + done, y ? (const char *)y + done : NULL,
                          chunks * kernel->chunk, length % kernel->chunk, total, custom);
  if (!status) status = hd_cpu_fold_result(fold, kernel, total, length, true, out);
  return status;
}

static heddle_status fold_contiguous(const struct row_job *job, unsigned char *slots,
                                     const struct hd_cpu_row *row, u64 r) {
  const i64 offset = row->start * (i64)job->kernel->element_bytes;
  return hd_cpu_fold_contiguous(job->fold, job->kernel, slots, job->x + offset,
                                job->y ? job->y + offset : NULL, row->length, out_of_row(job, r));
}

static heddle_status fold_gathered(const struct row_job *job, unsigned char *scratch,
                                   const struct hd_cpu_row *first, u64 r, size_t rows) {
  const i64 offset = first->start * (i64)job->kernel->element_bytes;
  const struct hd_cpu_gathered g = {job->fold,
                                    job->kernel,
                                    job->gather,
                                    job->x + offset,
                                    job->y ? job->y + offset : NULL,
                                    first->step,
                                    job->walk.inner,
                                    first->length,
                                    rows,
                                    scratch,
                                    job->token,
                                    out_of_row(job, r),
                                    job->out_bytes};
  return hd_cpu_fold_gathered(&g);
}

static bool is_contiguous(const struct hd_cpu_row *row) {
  return row->step == 1 || row->length < 2;
}

/* The rows from r on, before `end`, that a strip takes; 0: there is none. */
static size_t strip_at(const struct row_job *job, const struct hd_cpu_row *first, u64 r, u64 end,
                       struct hd_cpu_strip *strip, struct hd_cpu_runs *several) {
  const struct hd_cpu_row_walk *walk = &job->walk;
  const u64 run = walk->inner_run, left = run - r % run;
  const u32 bytes = job->kernel->element_bytes;
  if (!job->kernel->strips) return 0;
  *strip = (struct hd_cpu_strip){.x = job->x + first->start * (i64)bytes,
                                 .step = first->step,
                                 .apart = walk->inner,
                                 .length = first->length};
  if (hd_cpu_fold_strip_gaps(job->kernel, walk, r, end, strip)) return strip->width;
  strip->group = 0;
  const size_t runs = hd_cpu_fold_strip_runs(job->kernel, walk, r, end);
  strip->width = runs ? runs * (size_t)run
                      : hd_cpu_fold_strip_width(job->kernel, first, walk->inner,
                                                end - r < left ? end - r : left);
  if (!runs) return strip->width;
  *several = hd_cpu_runs_at(walk, r, runs, job->x, bytes);
  strip->runs = several;
  return strip->width;
}

static heddle_status fold_strip(const struct row_job *job, unsigned char *scratch,
                                const struct hd_cpu_strip *strip, u64 r) {
  return hd_cpu_fold_strip(job->fold, job->kernel, strip, scratch, job->kernels, job->token,
                           out_of_row(job, r), job->out_bytes);
}

/* Of `rows` neighbours, without gaps in them. */
static void fold_places(const struct row_job *job, const struct hd_cpu_row *first, u64 r,
                        size_t rows) {
  const i64 bytes = job->kernel->element_bytes;
  hd_cpu_fold_places_of(job->fold, job->kernel, job->x + first->start * bytes,
                        job->walk.inner * bytes, rows, (size_t)first->length, out_of_row(job, r));
}

/* Rows [r, end) of one ticket; long rows are left out. */
static heddle_status fold_group(const struct row_job *job, unsigned char *scratch, u64 r, u64 end) {
  heddle_status status = HEDDLE_OK;
  while (r < end && !status) {
    struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
    const u64 run = job->walk.inner_run - r % job->walk.inner_run;
    const u64 most = end - r < run ? end - r : run;
    struct hd_cpu_strip strip;
    struct hd_cpu_runs several;
    size_t rows = is_contiguous(&row) ? hd_cpu_fold_places_rows(job->kernel, row.length, most) : 0;
    const bool places = rows != 0;
    if (!places) rows = strip_at(job, &row, r, end, &strip, &several);
    if (places) {
      fold_places(job, &row, r, rows);
    } else if (rows) {
      status = fold_strip(job, scratch, &strip, r);
    } else if (is_contiguous(&row)) {
      rows = 1;
      if (!is_long(job, &row)) status = fold_contiguous(job, scratch, &row, r);
    } else {
      const bool apart = llabs(row.step) <= llabs(job->walk.inner); /* no line has two rows */
      rows = apart ? 1 : most < job->together ? (size_t)most : job->together;
      status = fold_gathered(job, scratch, &row, r, rows);
    }
    r += rows;
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

static void row_task(void *arg, size_t worker) {
  struct row_job *job = arg;
  unsigned char *scratch = job->scratch + worker * job->scratch_bytes;
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->walk.count || atomic_load(&job->failed)) return;
    u64 end = job->walk.count - r < job->group ? job->walk.count : r + job->group;
    heddle_status status = fold_group(job, scratch, r, end);
    if (!status) continue;
    atomic_store(&job->failed, (int)status);
    return;
  }
}

static heddle_status fold_long_rows(heddle_context *ctx, const struct row_job *job) {
  heddle_status status = HEDDLE_OK;
  if (job->walk.elements * job->kernel->element_bytes < LONG_ROW_BYTES) return status;
  for (u64 r = 0; r < job->walk.count && !status; r++) {
    struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
    if (row.length < 2 || !is_long(job, &row)) {
      if (!job->walk.rows->offsets) return status; /* nor is any other */
      continue;
    }
    i64 offset = row.start * (i64)job->kernel->element_bytes;
    status = hd_cpu_fold_long(ctx, job->fold, job->x + offset, job->y ? job->y + offset : NULL,
                              (size_t)row.length, out_of_row(job, r));
    /* Each row has a token of its own, which asks nobody if the row is done within 50 ms. */
    if (!status && hd_poll(job->token))
      status = hd_cancellation_status(job->token, job->fold->entry);
  }
  return status;
}

/* Columns of the first strip; 0: there is none. */
static size_t strip_width(const struct row_job *job) {
  const struct hd_cpu_row row = hd_cpu_row_at(&job->walk, 0);
  struct hd_cpu_strip strip;
  struct hd_cpu_runs several;
  return strip_at(job, &row, 0, job->walk.count, &strip, &several);
}

static void plan(struct row_job *job, heddle_context *ctx, size_t *workers) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  const struct hd_cpu_kernels *kernels = job->kernels = ctx->kernels;
  u64 mean = job->walk.count ? job->walk.elements / job->walk.count + 1 : 1;
  if (kernel->element_bytes <= 8 && !(kernel->element_bytes & (kernel->element_bytes - 1)))
    job->gather = kernels->gather[hd_top_bit(kernel->element_bytes)];
  job->together = hd_cpu_fold_gathered_rows(kernel);
  job->group = GROUP_ELEMENTS / mean;
  if (job->group < job->together) job->group = job->together;
  const size_t strip = strip_width(job);
  if (strip) job->group = job->group / strip * strip + strip;
  job->scratch_bytes = hd_cpu_fold_gathered_bytes(kernel, job->y != NULL);
  if (job->scratch_bytes < hd_cpu_fold_strip_bytes(kernel))
    job->scratch_bytes = hd_cpu_fold_strip_bytes(kernel);
  job->scratch_bytes = (job->scratch_bytes + 63) & ~(size_t)63;
  u64 groups = job->walk.count / job->group + 1;
  *workers = job->walk.elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  if (*workers > groups) *workers = (size_t)groups;
}

heddle_status hd_cpu_fold_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                       const heddle_rows *rows, heddle_plan *out) {
  struct hd_cpu_fold_kernel storage;
  struct row_job job = {.fold = fold, .kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage)};
  struct hd_cpu_choice choice = {
      .strategy = "rows_gathered", .kernel = job.kernel->name, .file = job.kernel->file};
  hd_cpu_row_walk_start(&job.walk, rows);
  hd_cpu_row_walk_merge(&job.walk);
  if (hd_cpu_fold_is_single(ctx, fold, &job.walk)) {
    choice.strategy = "rows_single", choice.threads = 1;
    return hd_cpu_explain(ctx, &choice, out);
  }
  if (hd_cpu_fold_is_narrow_runs(job.kernel, &job.walk)) {
    choice.strategy = "rows_narrow";
    choice.threads = hd_cpu_fold_narrow_runs_threads(ctx, &job.walk);
    return hd_cpu_explain(ctx, &choice, out);
  }
  if (hd_cpu_fold_is_columns(job.kernel, &job.walk)) {
    choice.strategy = "rows_columns";
    choice.file = "cpu/fold/columns/lines_tmpl.h";
    choice.threads = hd_cpu_fold_columns_plan(ctx, job.kernel, &job.walk).threads;
    return hd_cpu_explain(ctx, &choice, out);
  }
  if (hd_cpu_fold_is_short_rows(job.kernel, &job.walk)) {
    const bool lines = hd_cpu_fold_is_transposed(job.kernel, &job.walk);
    choice.strategy = lines ? "rows_transposed" : "rows_short";
    choice.threads = hd_cpu_fold_short_rows_threads(ctx, job.kernel, &job.walk);
    return hd_cpu_explain(ctx, &choice, out);
  }
  plan(&job, ctx, &choice.threads);
  const struct hd_cpu_row row = hd_cpu_row_at(&job.walk, 0);
  if (is_contiguous(&row)) choice.strategy = "rows_contiguous";
  if (is_contiguous(&row) && hd_cpu_fold_places_rows(job.kernel, row.length, 1))
    choice.strategy = "rows_places";
  else if (strip_width(&job))
    choice.strategy = "rows_strips";
  if (row.length > 1 && is_long(&job, &row)) {
    const size_t together = hd_cpu_fold_choice(ctx, job.kernel, (size_t)row.length).threads;
    choice.strategy = "rows_split";
    if (choice.threads < together) choice.threads = together;
  }
  return hd_cpu_explain(ctx, &choice, out);
}

typedef heddle_status strategy(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                               const struct hd_cpu_fold_kernel *kernel,
                               struct hd_cancellation *token);

static heddle_status fold_by(strategy *of_rows, heddle_context *ctx, const struct row_job *job) {
  const struct hd_cpu_rows_call call = {job->fold, job->walk, job->x,
                                        job->y,    job->out,  job->out_bytes};
  heddle_status status = of_rows(ctx, &call, job->kernel, job->token);
  heddle_status cancelled = hd_cancellation_status(job->token, job->fold->entry);
  return cancelled ? cancelled : status;
}

heddle_status hd_cpu_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                               const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cpu_fold_kernel storage;
  struct hd_cancellation token;
  size_t workers;
  struct row_job job = {.fold = fold, .x = x, .y = y, .out = out, .token = &token};
  job.kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  job.out_bytes =
      fold->verb == HD_ARGREDUCE ? heddle_type_size(fold->type) : hd_cpu_fold_out_bytes(fold);
  hd_cpu_row_walk_start(&job.walk, rows);
  hd_cpu_row_walk_merge(&job.walk);
  if (!job.walk.count) return HEDDLE_OK;
  if (hd_cpu_fold_is_single(ctx, fold, &job.walk)) {
    hd_cpu_fold_single(ctx, fold, &job.walk, x, out.value);
    return HEDDLE_OK;
  }
  hd_cancellation_start(&token, ctx);
  if (hd_cpu_fold_is_narrow_runs(job.kernel, &job.walk))
    return fold_by(hd_cpu_fold_narrow_runs, ctx, &job);
  if (hd_cpu_fold_is_columns(job.kernel, &job.walk)) return fold_by(hd_cpu_fold_columns, ctx, &job);
  if (hd_cpu_fold_is_short_rows(job.kernel, &job.walk))
    return fold_by(hd_cpu_fold_short_rows, ctx, &job);
  plan(&job, ctx, &workers);
  atomic_init(&job.ticket, 0);
  atomic_init(&job.failed, 0);
  job.scratch = hd_allocate(ctx, workers * job.scratch_bytes);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, workers, row_task, &job);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, job.scratch, workers * job.scratch_bytes);
  heddle_status status = hd_cancellation_status(&token, fold->entry);
  if (!status) status = (heddle_status)atomic_load(&job.failed);
  if (!status) status = fold_long_rows(ctx, &job);
  return hd_cpu_callback_failed(fold, status);
}
