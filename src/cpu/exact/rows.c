/* rows.c - one exact sum a row: segments, or an axis of a strided array
 *
 * Method   Rows without gaps are read where they lie, blocks of strided ones are gathered, and those of rows
 *          side by side are transposed, many rows at once. Threads take groups of rows by a ticket; long
 *          rows are left to all threads together.
 * Memory   a thread: two blocks of elements of every row that is read at once, and its limbs. */
#include <stdatomic.h>
#include <stdlib.h>

#include "cpu/rows.h"
#include "exact.h"
#include "host/status.h"

enum {
  LONG_ROW_BYTES = 4 << 20,    /* summed by all threads together */
  GROUP_ELEMENTS = 1 << 16,    /* a ticket's worth of short rows */
  PARALLEL_ELEMENTS = 1 << 17, /* below this a thread costs more than it brings */
  SIDE = 32,                   /* rows side by side that are transposed at once */
  SIDE_LINES = 512             /* elements of each, at a time */
};

struct scratch {
  struct hd_exact sums[SIDE];
  _Alignas(64) unsigned char x[SIDE * SIDE_LINES * 8], y[SIDE * SIDE_LINES * 8];
};
_Static_assert((int)SIDE *SIDE_LINES >= HD_EXACT_BLOCK, "a gathered block fits");

struct row_job {
  struct hd_cpu_exact_call call;
  struct hd_cpu_row_walk walk;
  const struct hd_cpu_kernels *kernels;
  const char *x, *y;
  char *out;
  size_t out_bytes;
  u64 group; /* rows a ticket */
  struct scratch *scratch;
  struct hd_cancellation *token;
  atomic_ullong ticket;
};

static bool is_contiguous(const struct hd_cpu_row *row) {
  return row->step == 1 || row->length < 2;
}
static bool is_long(const struct row_job *job, const struct hd_cpu_row *row) {
  return is_contiguous(row) && row->length * job->call.kernel->element_bytes >= LONG_ROW_BYTES;
}
static const char *at(const struct row_job *job, const char *x, i64 element) {
  return x ? x + element * (i64)job->call.kernel->element_bytes : NULL;
}
static u32 size_index(const struct row_job *job) {
  return hd_top_bit(job->call.kernel->element_bytes);
}

static void sum_gathered(const struct row_job *job, struct scratch *scratch,
                         const struct hd_cpu_row *row, struct hd_exact_guess *guess, void *out) {
  hd_cpu_gather_kernel *gather = job->kernels->gather[size_index(job)];
  struct hd_exact *sum = &scratch->sums[0];
  hd_exact_clear(sum, job->call.span);
  for (u64 done = 0; done < row->length;) {
    const u64 left = row->length - done, n = left < HD_EXACT_BLOCK ? left : HD_EXACT_BLOCK;
    const i64 first = row->start + (i64)done * row->step;
    gather(at(job, job->x, first), row->step, (size_t)n, scratch->x);
    if (job->y) gather(at(job, job->y, first), row->step, (size_t)n, scratch->y);
    const void *x = scratch->x, *y = job->y ? scratch->y : NULL;
    if (n == row->length) {
      hd_cpu_exact_short(&job->call, guess, x, y, (size_t)n, out);
      return;
    }
    hd_cpu_exact_take(&job->call, guess, sum, x, y, (size_t)n);
    done += n;
  }
  hd_cpu_exact_result(&job->call, sum, out);
}

static void sum_contiguous(const struct row_job *job, struct scratch *scratch,
                           const struct hd_cpu_row *row, struct hd_exact_guess *guess, void *out) {
  const void *x = at(job, job->x, row->start), *y = at(job, job->y, row->start);
  if (row->length <= HD_EXACT_BLOCK) {
    hd_cpu_exact_short(&job->call, guess, x, y, (size_t)row->length, out);
    return;
  }
  hd_exact_clear(&scratch->sums[0], job->call.span);
  hd_cpu_exact_take(&job->call, guess, &scratch->sums[0], x, y, (size_t)row->length);
  hd_cpu_exact_result(&job->call, &scratch->sums[0], out);
}

/* `rows` neighbours an element apart, from the first one on. */
static void sum_side_by_side(const struct row_job *job, struct scratch *scratch,
                             const struct hd_cpu_row *first, size_t rows,
                             struct hd_exact_guess *guess, char *out) {
  hd_cpu_transpose_kernel *transpose = job->kernels->transpose[size_index(job)];
  const i64 bytes = job->call.kernel->element_bytes, pitch = first->step * bytes;
  const bool whole = first->length <= SIDE_LINES;
  for (size_t r = 0; r < rows && !whole; r++) hd_exact_clear(&scratch->sums[r], job->call.span);
  for (u64 done = 0; done < first->length && !hd_poll(job->token);) {
    const u64 left = first->length - done, n = left < SIDE_LINES ? left : SIDE_LINES;
    const i64 from = first->start + (i64)done * first->step;
    transpose(at(job, job->x, from), pitch, (size_t)n, rows, scratch->x, SIDE_LINES);
    if (job->y) transpose(at(job, job->y, from), pitch, (size_t)n, rows, scratch->y, SIDE_LINES);
    for (size_t r = 0; r < rows; r++) {
      const void *x = scratch->x + (i64)r * SIDE_LINES * bytes;
      const void *y = job->y ? scratch->y + (i64)r * SIDE_LINES * bytes : NULL;
      if (whole)
        hd_cpu_exact_short(&job->call, guess, x, y, (size_t)n, out + r * job->out_bytes);
      else
        hd_cpu_exact_take(&job->call, guess, &scratch->sums[r], x, y, (size_t)n);
    }
    done += n;
  }
  for (size_t r = 0; r < rows && !whole; r++)
    hd_cpu_exact_result(&job->call, &scratch->sums[r], out + r * job->out_bytes);
}

/* Rows from r on that are side by side, at most SIDE; 0: none, or too few to be worth it. */
static size_t side_by_side(const struct row_job *job, const struct hd_cpu_row *row, u64 r,
                           u64 end) {
  const struct hd_cpu_row_walk *walk = &job->walk;
  const u64 left = walk->inner_run - r % walk->inner_run;
  u64 rows = end - r < left ? end - r : left;
  if (walk->inner != 1 || row->length < 2 || llabs(row->step) < 2) return 0;
  if (rows > SIDE) rows = SIDE;
  return rows < 4 ? 0 : (size_t)rows;
}

static void sum_group(const struct row_job *job, struct scratch *scratch, u64 r, u64 end) {
  struct hd_exact_guess guess = {0, 0};
  while (r < end && !hd_poll(job->token)) {
    const struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
    char *out = job->out + r * job->out_bytes;
    const size_t rows = side_by_side(job, &row, r, end);
    if (rows)
      sum_side_by_side(job, scratch, &row, rows, &guess, out);
    else if (!is_contiguous(&row))
      sum_gathered(job, scratch, &row, &guess, out);
    else if (!is_long(job, &row))
      sum_contiguous(job, scratch, &row, &guess, out);
    r += rows ? rows : 1;
  }
}

static void row_task(void *arg, size_t worker) {
  struct row_job *job = arg;
  for (;;) {
    const u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->walk.count || hd_poll(job->token)) return;
    sum_group(job, &job->scratch[worker], r,
              job->walk.count - r < job->group ? job->walk.count : r + job->group);
  }
}

static heddle_status sum_long_rows(heddle_context *ctx, const struct row_job *job) {
  heddle_status status = HEDDLE_OK;
  if (job->walk.elements * job->call.kernel->element_bytes < LONG_ROW_BYTES) return status;
  for (u64 r = 0; r < job->walk.count && !status; r++) {
    const struct hd_cpu_row row = hd_cpu_row_at(&job->walk, r);
    struct hd_exact sum;
    if (!is_long(job, &row)) {
      if (!job->walk.rows->offsets) return status; /* nor is any other */
      continue;
    }
    hd_exact_clear(&sum, job->call.span);
    status = hd_cpu_exact_take_long(ctx, &job->call, &sum, at(job, job->x, row.start),
                                    at(job, job->y, row.start), (size_t)row.length);
    if (!status) hd_cpu_exact_result(&job->call, &sum, job->out + r * job->out_bytes);
  }
  return status;
}

static size_t plan(struct row_job *job, const heddle_context *ctx) {
  const u64 mean = job->walk.count ? job->walk.elements / job->walk.count + 1 : 1;
  job->group = GROUP_ELEMENTS / mean / SIDE * SIDE + SIDE;
  const u64 groups = job->walk.count / job->group + 1;
  if (job->walk.elements < PARALLEL_ELEMENTS) return 1;
  return ctx->threads < groups ? ctx->threads : (size_t)groups;
}

heddle_status hd_cpu_exact_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct hd_cancellation token;
  struct row_job job = {.call = hd_cpu_exact_call(ctx->kernels, fold),
                        .kernels = ctx->kernels,
                        .x = x,
                        .y = y,
                        .out = out.value,
                        .out_bytes = heddle_type_size(fold->out_type),
                        .token = &token};
  hd_cpu_row_walk_start(&job.walk, rows);
  hd_cpu_row_walk_merge(&job.walk);
  if (!job.walk.count) return HEDDLE_OK;
  const size_t workers = plan(&job, ctx);
  hd_cancellation_start(&token, ctx);
  atomic_init(&job.ticket, 0);
  job.scratch = hd_allocate(ctx, workers * sizeof *job.scratch);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, workers, row_task, &job);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, job.scratch, workers * sizeof *job.scratch);
  HD_TRY(hd_cancellation_status(&token, fold->entry));
  return sum_long_rows(ctx, &job);
}

heddle_status hd_cpu_exact_rows_explain(heddle_context *ctx, const struct hd_fold *fold,
                                        const heddle_rows *rows, heddle_plan *out) {
  struct row_job job = {.call = hd_cpu_exact_call(ctx->kernels, fold)};
  struct hd_cpu_choice choice = {.strategy = "exact_rows_gathered",
                                 .kernel = job.call.kernel->name,
                                 .file = job.call.kernel->file};
  hd_cpu_row_walk_start(&job.walk, rows);
  hd_cpu_row_walk_merge(&job.walk);
  choice.threads = plan(&job, ctx);
  if (job.walk.count) {
    const struct hd_cpu_row row = hd_cpu_row_at(&job.walk, 0);
    if (is_contiguous(&row))
      choice.strategy = "exact_rows_contiguous";
    else if (side_by_side(&job, &row, 0, job.walk.count))
      choice.strategy = "exact_rows_transposed";
  }
  return hd_cpu_explain(ctx, &choice, out);
}
