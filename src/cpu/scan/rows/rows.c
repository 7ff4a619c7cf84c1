/* rows.c - running totals along rows: segments, or an axis of a strided array (rule 11)
 *
 * Method   Threads take groups of rows by a ticket. A row of contiguous output is scanned into it, a
 *          chunk at a time, from where it lies or from a buffer that it is gathered in. Rows whose
 *          results lie side by side, and short ones, are columns (columns.c). Long contiguous rows
 *          are left to scan.c, which splits them over the threads.
 * Memory   a thread: a chunk of input and one of output, and its place; or what columns.c needs.
 * Limits   In place only where the input has the output's layout, C order without gaps. */
#include <stdatomic.h>
#include <string.h>

#include "cpu/rows.h"
#include "cpu/scan/columns.h"
#include "move.h"
#include "segments.h"

enum {
  SHORT_ROW = 32,           /* rows of fewer elements are columns */
  SHORT_INDEPENDENT = 10,   /* the same where no order binds */
  FEW_ELEMENTS = 12,        /* in the mean of segments that are scanned many at once */
  LONG_ROW_BYTES = 4 << 20, /* of lanes: scanned by all threads together */
  GROUP_ELEMENTS = 1 << 16, /* a ticket's worth of short rows */
  PARALLEL_ELEMENTS = 1 << 17
};

/* How the rows of an axis are scanned; those of segments are scanned one by one. */
enum strategy { ONE_BY_ONE, COLUMNS };

struct row_job {
  const struct hd_cpu_scan_plan *plan;
  struct hd_cpu_row_walk from, to;
  heddle_rows in_rows, out_rows; /* of merged axes */
  size_t shape[HEDDLE_MAX_DIMS];
  ptrdiff_t strides[HEDDLE_MAX_DIMS];
  const char *in;
  char *out;
  enum strategy strategy;
  struct hd_cpu_scan_columns columns;  /* of COLUMNS, but for memory */
  u64 group;                           /* rows a ticket */
  size_t in_chunk, out_chunk, slots;   /* bytes */
  size_t worker_bytes, segments_bytes; /* segments_bytes: of it, for short segments; 0: none */
  unsigned char *memory;
  struct hd_cancellation *token;
  atomic_ullong ticket;
  atomic_int failed;
};

/* Where a thread's memory is, of ONE_BY_ONE: a cursor and its slots, gathered input and output,
 * scratch. */
struct row_memory {
  struct hd_cpu_scan_cursor *place;
  unsigned char *slots;
  char *in, *out;
  unsigned char *scratch;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static struct row_memory memory_of(const struct row_job *job, size_t worker) {
  unsigned char *at = job->memory + worker * job->worker_bytes;
  struct row_memory m;
  m.place = (struct hd_cpu_scan_cursor *)(void *)at;
  m.slots = at + rounded(sizeof *m.place);
  m.in = (char *)m.slots + rounded(job->slots);
  m.out = m.in + job->in_chunk;
  m.scratch = (unsigned char *)m.out + job->out_chunk;
  return m;
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* Neighbouring axes that one stride can walk become one: the fewer, the longer the runs. */
static void merge_axes(struct row_job *job, const heddle_rows *rows) {
  job->in_rows = *rows;
  if (!rows->offsets) {
    size_t dims = 0, axis = SIZE_MAX;
    for (size_t d = 0; d < rows->dims; d++) {
      const bool is_axis = d == rows->axis;
      const ptrdiff_t stride = (ptrdiff_t)hd_rows_stride(rows, d);
      if (is_axis) {
        axis = dims;
      } else if (rows->shape[d] == 1) {
        continue;
      } else if (dims && axis != dims - 1 &&
                 job->strides[dims - 1] == stride * (ptrdiff_t)rows->shape[d]) {
        dims--;
        job->shape[dims] *= rows->shape[d];
        job->strides[dims++] = stride;
        continue;
      }
      job->shape[dims] = rows->shape[d];
      job->strides[dims++] = stride;
    }
    job->in_rows.dims = dims;
    job->in_rows.axis = axis;
    job->in_rows.shape = job->shape;
    job->in_rows.strides = job->strides;
  }
  job->out_rows = job->in_rows;
  job->out_rows.strides = NULL;
  hd_cpu_row_walk_start(&job->from, &job->in_rows);
  hd_cpu_row_walk_start(&job->to, &job->out_rows);
}

/* ---- one row --------------------------------------------------------------------------------- */

static bool is_contiguous(const struct hd_cpu_row *from, const struct hd_cpu_row *to) {
  return from->length < 2 || (from->step == 1 && to->step == 1);
}

static bool is_long(const struct row_job *job, const struct hd_cpu_row *from,
                    const struct hd_cpu_row *to) {
  return job->plan->kernel && is_contiguous(from, to) &&
         from->length / job->plan->chunk >= LONG_ROW_BYTES / HD_CHUNK_BYTES;
}

/* Lanes are read where they lie and are results. */
static heddle_status scan_strided(const struct row_job *job, const struct hd_cpu_row *from,
                                  const char *in, char *out) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  const i64 step = from->step * (i64)plan->in_bytes;
  u64 carry = plan->start;
  for (u64 at = 0; at < from->length; at += plan->chunk) {
    const size_t n = from->length - at < plan->chunk ? (size_t)(from->length - at) : plan->chunk;
    plan->kernel->strided(in + (i64)at * step, (ptrdiff_t)step, out + at * plan->out_bytes, n,
                          &carry, plan->exclusive);
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return HEDDLE_OK;
}

/* A row chunk by chunk; what does not lie in one piece goes through the thread's memory. */
static heddle_status scan_row(const struct row_job *job, const struct row_memory *m,
                              const struct hd_cpu_row *from, const struct hd_cpu_row *to) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  const bool in_place = from->length < 2 || from->step == 1;
  const bool out_place = from->length < 2 || to->step == 1;
  /* gathered from only */
  char *in = (char *)(uintptr_t)job->in + from->start * (i64)plan->in_bytes;
  char *out = job->out + to->start * (i64)plan->out_bytes;
  heddle_status status = HEDDLE_OK;
  if (!in_place && out_place && plan->kernel && plan->kernel->strided && !plan->load &&
      hd_cpu_scan_is_direct(plan))
    return scan_strided(job, from, in, out);
  hd_cpu_scan_cursor_start(m->place, plan, m->slots);
  for (u64 at = 0; at < from->length && !status; at += plan->chunk) {
    const size_t n = from->length - at < plan->chunk ? (size_t)(from->length - at) : plan->chunk;
    char *x = in + (i64)at * from->step * (i64)plan->in_bytes;
    char *y = out + (i64)at * to->step * (i64)plan->out_bytes;
    char *result = out_place ? y : m->out;
    if (!in_place) hd_cpu_scan_move(m->in, x, from->step, n, plan->in_bytes, true);
    status = hd_cpu_scan_step(plan, m->place, in_place ? x : m->in, n, result, m->scratch);
    if (!at && plan->kernel) hd_cpu_scan_first(plan, result);
    if (!out_place && !status) hd_cpu_scan_move(m->out, y, to->step, n, plan->out_bytes, false);
    if (!in_place && hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

/* ---- all rows -------------------------------------------------------------------------------- */

/* Segments [r, end) of one ticket; long ones are left out. */
static heddle_status scan_segments(const struct row_job *job, size_t worker,
                                   const struct row_memory *m, u64 r, u64 end) {
  struct hd_cpu_scan_segments segments = {.plan = job->plan,
                                          .offsets = job->in_rows.offsets,
                                          .in = job->in,
                                          .out = job->out,
                                          .token = job->token,
                                          .memory = job->memory + (worker + 1) * job->worker_bytes -
                                                    job->segments_bytes};
  heddle_status status = HEDDLE_OK;
  for (size_t n; r < end && !status; r += n) {
    n = end - r < HD_SCAN_SEGMENTS ? (size_t)(end - r) : HD_SCAN_SEGMENTS;
    status = hd_cpu_scan_segments(&segments, r, n);
    for (size_t i = 0; i < segments.longer_count && !status; i++) {
      const struct hd_cpu_row row = hd_cpu_row_at(&job->from, r + segments.longer[i]);
      if (!is_long(job, &row, &row)) status = scan_row(job, m, &row, &row);
    }
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

/* Rows [r, end) of one ticket; long rows are left out. */
static heddle_status scan_one_by_one(const struct row_job *job, const struct row_memory *m, u64 r,
                                     u64 end) {
  heddle_status status = HEDDLE_OK;
  while (r < end && !status) {
    struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
    u64 run = job->from.inner_run - r % job->from.inner_run;
    if (run > end - r) run = end - r;
    const bool is_left = is_long(job, &from, &to);
    for (u64 i = 0; i < run && !status && !is_left; i++) {
      status = scan_row(job, m, &from, &to);
      from.start += job->from.inner;
      to.start += job->to.inner;
    }
    r += run;
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

/* The next run of rows, of at most `most` and of those that are left; the cursor moves behind it. Two strips are of
 * one width, rather than the second narrow. */
static struct hd_cpu_scan_run next_run(const struct row_job *job, struct hd_cpu_row_cursor *cursor,
                                       u64 left, size_t most) {
  u64 rows = job->from.inner_run - cursor->in_run;
  if (rows > left) rows = left;
  if (rows > most) rows = rows < 2 * (u64)most ? rounded((size_t)rows / 2) : most;
  if (rows > most) rows = most;
  const struct hd_cpu_scan_run run = {job->in + cursor->from_start * (i64)job->plan->in_bytes,
                                      job->out + cursor->to_start * (i64)job->plan->out_bytes,
                                      (size_t)rows};
  hd_cpu_row_cursor_advance(cursor, rows);
  return run;
}

static heddle_status scan_columns(const struct row_job *job, size_t worker, u64 r, u64 end) {
  struct hd_cpu_scan_columns columns = job->columns;
  struct hd_cpu_scan_run run[HD_SCAN_RUNS];
  const bool in_lines = columns.in_apart == 1 || columns.out_apart == 1;
  const bool tight =
      columns.in_step == columns.out_step && columns.in_step == (i64)job->from.inner_run;
  const bool alone = in_lines && (tight || job->from.inner_run * job->plan->kernel->lane_bytes >=
                                               job->plan->kernel->vector_bytes);
  heddle_status status = HEDDLE_OK;
  struct hd_cpu_row_cursor cursor;
  columns.memory = job->memory + worker * job->worker_bytes;
  if (r < end) hd_cpu_row_cursor_start(&cursor, &job->from, &job->to, r);
  while (r < end && !status) {
    size_t runs = 0;
    for (size_t left = columns.most; left && r < end && runs < (alone ? 1 : HD_SCAN_RUNS); runs++) {
      run[runs] = next_run(job, &cursor, end - r, left);
      left -= run[runs].rows;
      r += run[runs].rows;
    }
    status = hd_cpu_scan_columns(&columns, run, runs);
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

static void row_task(void *arg, size_t worker) {
  struct row_job *job = arg;
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->from.count || atomic_load(&job->failed)) return;
    u64 end = job->from.count - r < job->group ? job->from.count : r + job->group;
    const struct row_memory m = memory_of(job, worker);
    heddle_status status = job->strategy == COLUMNS ? scan_columns(job, worker, r, end)
                           : job->segments_bytes    ? scan_segments(job, worker, &m, r, end)
                                                    : scan_one_by_one(job, &m, r, end);
    if (!status) continue;
    atomic_store(&job->failed, (int)status);
    return;
  }
}

static heddle_status scan_long_rows(heddle_context *ctx, const struct row_job *job) {
  heddle_status status = HEDDLE_OK;
  if (job->from.elements / job->plan->chunk < LONG_ROW_BYTES / HD_CHUNK_BYTES) return status;
  if (job->strategy == COLUMNS) return status;
  for (u64 r = 0; r < job->from.count && !status; r++) {
    struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
    if (!is_long(job, &from, &to)) {
      if (!job->in_rows.offsets) return status; /* nor is any other */
      continue;
    }
    status =
        hd_cpu_scan_array(ctx, job->plan, job->in + from.start * (i64)job->plan->in_bytes,
                          (size_t)from.length, job->out + to.start * (i64)job->plan->out_bytes);
    /* As in cpu/fold/rows/rows.c: a row's own token asks nobody if the row is done within 50 ms. */
    if (!status && hd_poll(job->token))
      status = hd_cancellation_status(job->token, job->plan->scan->fold.entry);
  }
  return status;
}

/* Rows are columns where results lie side by side, or input does and not along the row, and where
 * they are too short to fill vectors. */
static enum strategy strategy_of(const struct row_job *job) {
  const struct hd_cpu_row from = hd_cpu_row_at(&job->from, 0), to = hd_cpu_row_at(&job->to, 0);
  if (!job->plan->kernel || job->in_rows.offsets) return ONE_BY_ONE;
  if (from.length > 1 && to.step != 1) return COLUMNS;
  const u64 least = job->plan->kernel->independent ? SHORT_INDEPENDENT : SHORT_ROW;
  if (job->from.count >= SHORT_ROW && from.length < least) return COLUMNS;
  const bool transposed = job->from.inner == 1 && from.step != 1 && from.length > 1;
  return transposed && job->from.inner_run >= SHORT_ROW ? COLUMNS : ONE_BY_ONE;
}

static void plan_columns(struct row_job *job) {
  const struct hd_cpu_row from = hd_cpu_row_at(&job->from, 0), to = hd_cpu_row_at(&job->to, 0);
  job->columns = (struct hd_cpu_scan_columns){.plan = job->plan,
                                              .length = from.length,
                                              .in_step = from.step,
                                              .out_step = to.step,
                                              .in_apart = job->from.inner,
                                              .out_apart = job->to.inner,
                                              .token = job->token};
  job->worker_bytes = rounded(hd_cpu_scan_columns_start(&job->columns));
}

static void plan_one_by_one(struct row_job *job) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  job->in_chunk = rounded((size_t)plan->chunk * plan->in_bytes);
  job->out_chunk = rounded((size_t)plan->chunk * plan->out_bytes);
  job->slots = hd_cpu_scan_slots_bytes(plan);
  job->worker_bytes = rounded(rounded(sizeof(struct hd_cpu_scan_cursor)) + rounded(job->slots) +
                              job->in_chunk + job->out_chunk + hd_cpu_scan_scratch_bytes(plan));
  const bool few = job->in_rows.offsets && job->from.elements / job->from.count < FEW_ELEMENTS;
  job->segments_bytes = few ? hd_cpu_scan_segments_bytes(plan) : 0;
  job->worker_bytes += job->segments_bytes;
}

/* Chooses a strategy and gives the threads that it is worth. */
static size_t plan_rows(struct row_job *job, const heddle_context *ctx) {
  const u64 mean = job->from.elements / job->from.count + 1;
  size_t workers = job->from.elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  job->strategy = strategy_of(job);
  if (job->strategy == COLUMNS)
    plan_columns(job);
  else
    plan_one_by_one(job);
  const u64 least = job->strategy == COLUMNS ? job->columns.most : 1;
  job->group = GROUP_ELEMENTS / mean / least * least;
  if (job->group < least) job->group = least;
  u64 share = (job->from.count + workers - 1) / workers;
  if (job->strategy == COLUMNS) share = rounded((size_t)share);
  if (job->group > share) job->group = share;
  u64 groups = (job->from.count + job->group - 1) / job->group;
  if (workers > groups) workers = (size_t)groups;
  return workers;
}

heddle_status hd_cpu_scan_rows_explain(heddle_context *ctx, const struct hd_scan *scan,
                                       const heddle_rows *rows, heddle_plan *out) {
  struct hd_cpu_scan_plan plan;
  struct row_job job = {.plan = &plan};
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  merge_axes(&job, rows);
  struct hd_cpu_choice choice = hd_cpu_scan_choice(ctx, &plan, 1); /* its kernel */
  choice.threads = plan_rows(&job, ctx);
  const struct hd_cpu_row from = hd_cpu_row_at(&job.from, 0), to = hd_cpu_row_at(&job.to, 0);
  choice.strategy = job.strategy == COLUMNS     ? "rows_columns"
                    : is_contiguous(&from, &to) ? "rows_contiguous"
                                                : "rows_gathered";
  if (is_long(&job, &from, &to)) {
    const size_t together = hd_cpu_scan_choice(ctx, &plan, (size_t)from.length).threads;
    choice.strategy = "rows_split";
    if (choice.threads < together) choice.threads = together;
  }
  return hd_cpu_explain(ctx, &choice, out);
}

heddle_status hd_cpu_scan_rows(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                               const heddle_rows *rows, void *out) {
  struct hd_cpu_scan_plan plan;
  struct hd_cancellation token;
  struct row_job job = {.plan = &plan, .in = in, .out = out, .token = &token};
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  merge_axes(&job, rows);
  if (!job.from.count || !job.from.elements) return HEDDLE_OK;
  const size_t workers = plan_rows(&job, ctx);
  atomic_init(&job.ticket, 0);
  atomic_init(&job.failed, 0);
  job.memory = hd_allocate(ctx, workers * job.worker_bytes);
  if (!job.memory) return HEDDLE_OUT_OF_MEMORY;
  hd_cancellation_start(&token, ctx);
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, workers, row_task, &job);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, job.memory, workers * job.worker_bytes);
  heddle_status status = hd_cancellation_status(&token, scan->fold.entry);
  if (!status) status = (heddle_status)atomic_load(&job.failed);
  if (!status) status = scan_long_rows(ctx, &job);
  return hd_cpu_callback_failed(&scan->fold, status);
}
