/* rows.c - running totals along rows: segments, or an axis of a strided array (rule 11)
 *
 * Method   Threads take groups of rows by a ticket. A row of contiguous input and output is scanned
 *          where it lies, others are gathered a chunk at a time. Rows side by side are gathered
 *          together: every cache line is read and written once. Long contiguous rows are left to
 *          scan.c, which splits them over the threads.
 * Memory   a thread: for each row gathered at once one chunk of input and of output, and its place.
 * Limits   In place only where the input has the output's layout, C order without gaps. */
#include <stdatomic.h>
#include <string.h>

#include "cpu/rows.h"
#include "scan.h"

enum {
  TOGETHER = 16,            /* rows gathered at once: a cache line of f32 */
  LONG_ROW_BYTES = 4 << 20, /* of lanes: scanned by all threads together */
  GROUP_ELEMENTS = 1 << 16, /* a ticket's worth of short rows */
  PARALLEL_ELEMENTS = 1 << 17
};

struct row_job {
  const struct hd_cpu_scan_plan *plan;
  struct hd_cpu_row_walk from, to;
  const char *in;
  char *out;
  size_t together;
  u64 group;                         /* rows a ticket */
  size_t in_chunk, out_chunk, slots; /* bytes */
  size_t worker_bytes;
  unsigned char *memory;
  struct hd_cancellation *token;
  atomic_ullong ticket;
  atomic_int failed;
};

/* Where a thread's memory is: places, their slots, gathered input and output, scratch. */
struct row_memory {
  struct hd_cpu_scan_cursor *place;
  unsigned char *slots;
  char *in, *out;
  unsigned char *scratch;
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static size_t place_bytes(const struct row_job *job) {
  return rounded(job->together * sizeof(struct hd_cpu_scan_cursor));
}

static struct row_memory memory_of(const struct row_job *job, size_t worker) {
  unsigned char *at = job->memory + worker * job->worker_bytes;
  struct row_memory m;
  m.place = (struct hd_cpu_scan_cursor *)(void *)at;
  m.slots = at + place_bytes(job);
  m.in = (char *)m.slots + job->together * job->slots;
  m.out = m.in + job->together * job->in_chunk;
  m.scratch = (unsigned char *)m.out + job->together * job->out_chunk;
  return m;
}

/* ---- contiguous rows ------------------------------------------------------------------------- */

static bool is_contiguous(const struct hd_cpu_row *from, const struct hd_cpu_row *to) {
  return from->length < 2 || (from->step == 1 && to->step == 1);
}

static bool is_long(const struct row_job *job, const struct hd_cpu_row *from,
                    const struct hd_cpu_row *to) {
  return job->plan->kernel && is_contiguous(from, to) &&
         from->length / job->plan->chunk >= LONG_ROW_BYTES / HD_CHUNK_BYTES;
}

static heddle_status scan_contiguous(const struct row_job *job, const struct row_memory *m,
                                     const struct hd_cpu_row *from, const struct hd_cpu_row *to) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  const char *in = job->in + from->start * (i64)plan->in_bytes;
  char *out = job->out + to->start * (i64)plan->out_bytes, *first = out;
  heddle_status status = HEDDLE_OK;
  hd_cpu_scan_cursor_start(m->place, plan, m->slots);
  for (u64 left = from->length; left && !status;) {
    size_t n = left < plan->chunk ? (size_t)left : plan->chunk;
    status = hd_cpu_scan_step(plan, m->place, in, n, out, m->scratch);
    in += n * plan->in_bytes;
    out += n * plan->out_bytes;
    left -= n;
  }
  if (plan->kernel && from->length) hd_cpu_scan_first(plan, first);
  return status;
}

/* ---- strided rows ------------------------------------------------------------------------------ */

/* Element e of row g lies at array[e * step + g * apart], and in `tight` g * pitch bytes on. The
 * element's size is a constant in each caller. */
static inline void move_sized(char *tight, char *array, i64 step, i64 apart, size_t n, size_t rows,
                              size_t pitch, size_t size, bool gather) {
  for (size_t e = 0; e < n; e++) {
    char *line = array + (i64)e * step * (i64)size;
    for (size_t g = 0; g < rows; g++) {
      char *a = line + (i64)g * apart * (i64)size, *t = tight + g * pitch + e * size;
      memcpy(gather ? t : a, gather ? a : t, size);
    }
  }
}

static void move(char *tight, char *array, i64 step, i64 apart, size_t n, size_t rows, size_t pitch,
                 size_t size, bool gather) {
  switch (size) {
  case 1: move_sized(tight, array, step, apart, n, rows, pitch, 1, gather); break;
  case 2: move_sized(tight, array, step, apart, n, rows, pitch, 2, gather); break;
  case 4: move_sized(tight, array, step, apart, n, rows, pitch, 4, gather); break;
  case 8: move_sized(tight, array, step, apart, n, rows, pitch, 8, gather); break;
  default: move_sized(tight, array, step, apart, n, rows, pitch, size, gather);
  }
}

/* `rows` neighbours, all `length` long. */
static heddle_status scan_gathered(const struct row_job *job, const struct row_memory *m,
                                   const struct hd_cpu_row *from, const struct hd_cpu_row *to,
                                   size_t rows) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  const u32 chunk = plan->chunk;
  heddle_status status = HEDDLE_OK;
  for (size_t g = 0; g < rows; g++)
    hd_cpu_scan_cursor_start(&m->place[g], plan, m->slots + g * job->slots);
  for (u64 at = 0; at < from->length && !status; at += chunk) {
    size_t n = from->length - at < chunk ? (size_t)(from->length - at) : chunk;
    /* gathered from only */
    char *in =
        (char *)(uintptr_t)job->in + (from->start + (i64)at * from->step) * (i64)plan->in_bytes;
    char *out = job->out + (to->start + (i64)at * to->step) * (i64)plan->out_bytes;
    move(m->in, in, from->step, job->from.inner, n, rows, job->in_chunk, plan->in_bytes, true);
    for (size_t g = 0; g < rows && !status; g++) {
      char *result = m->out + g * job->out_chunk;
      status =
          hd_cpu_scan_step(plan, &m->place[g], m->in + g * job->in_chunk, n, result, m->scratch);
      if (!at && plan->kernel) hd_cpu_scan_first(plan, result);
    }
    if (!status)
      move(m->out, out, to->step, job->to.inner, n, rows, job->out_chunk, plan->out_bytes, false);
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

/* ---- all rows ------------------------------------------------------------------------------------ */

/* Rows [r, end) of one ticket; long rows are left out. */
static heddle_status scan_group(const struct row_job *job, const struct row_memory *m, u64 r,
                                u64 end) {
  heddle_status status = HEDDLE_OK;
  while (r < end && !status) {
    struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
    size_t rows = 1;
    if (is_contiguous(&from, &to)) {
      if (!is_long(job, &from, &to)) status = scan_contiguous(job, m, &from, &to);
    } else {
      u64 run = job->from.inner_run - r % job->from.inner_run;
      u64 most = end - r < run ? end - r : run;
      rows = most < job->together ? (size_t)most : job->together;
      status = scan_gathered(job, m, &from, &to, rows);
    }
    r += rows;
    if (hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return status;
}

static void row_task(void *arg, size_t worker) {
  struct row_job *job = arg;
  const struct row_memory m = memory_of(job, worker);
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->from.count || atomic_load(&job->failed)) return;
    u64 end = job->from.count - r < job->group ? job->from.count : r + job->group;
    heddle_status status = scan_group(job, &m, r, end);
    if (!status) continue;
    atomic_store(&job->failed, (int)status);
    return;
  }
}

static heddle_status scan_long_rows(heddle_context *ctx, const struct row_job *job) {
  heddle_status status = HEDDLE_OK;
  if (job->from.elements / job->plan->chunk < LONG_ROW_BYTES / HD_CHUNK_BYTES) return status;
  for (u64 r = 0; r < job->from.count && !status; r++) {
    struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
    if (!is_long(job, &from, &to)) continue;
    status =
        hd_cpu_scan_array(ctx, job->plan, job->in + from.start * (i64)job->plan->in_bytes,
                          (size_t)from.length, job->out + to.start * (i64)job->plan->out_bytes);
    /* As in cpu/fold/rows.c: a row's own token asks nobody if the row is done within 50 ms. */
    if (!status && hd_poll(job->token))
      status = hd_cancellation_status(job->token, job->plan->scan->fold.entry);
  }
  return status;
}

static size_t plan_rows(struct row_job *job, const heddle_context *ctx) {
  const struct hd_cpu_scan_plan *plan = job->plan;
  const u64 mean = job->from.elements / job->from.count + 1;
  size_t workers = job->from.elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  job->together = plan->kernel ? TOGETHER : 1;
  job->group = GROUP_ELEMENTS / mean;
  if (job->group < job->together) job->group = job->together;
  u64 share = (job->from.count + workers - 1) / workers;
  if (job->group > share) job->group = share;
  u64 groups = (job->from.count + job->group - 1) / job->group;
  if (workers > groups) workers = (size_t)groups;
  /* A line more than a power of two, so that the rows do not share a set of the L1 cache. */
  job->in_chunk = rounded((size_t)plan->chunk * plan->in_bytes) + HD_SCAN_LINE;
  job->out_chunk = rounded((size_t)plan->chunk * plan->out_bytes) + HD_SCAN_LINE;
  job->slots = hd_cpu_scan_slots_bytes(plan);
  job->worker_bytes =
      rounded(place_bytes(job) + job->together * (job->slots + job->in_chunk + job->out_chunk) +
              hd_cpu_scan_scratch_bytes(plan));
  return workers;
}

heddle_status hd_cpu_scan_rows_explain(heddle_context *ctx, const struct hd_scan *scan,
                                       const heddle_rows *rows, heddle_plan *out) {
  struct hd_cpu_scan_plan plan;
  struct row_job job = {.plan = &plan};
  heddle_rows tight = *rows;
  tight.strides = NULL;
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  hd_cpu_row_walk_start(&job.from, rows);
  hd_cpu_row_walk_start(&job.to, &tight);
  struct hd_cpu_choice choice = hd_cpu_scan_choice(ctx, &plan, 1); /* its kernel */
  choice.threads = plan_rows(&job, ctx);
  const struct hd_cpu_row from = hd_cpu_row_at(&job.from, 0), to = hd_cpu_row_at(&job.to, 0);
  choice.strategy = is_contiguous(&from, &to) ? "rows_contiguous" : "rows_gathered";
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
  heddle_rows tight = *rows;
  tight.strides = NULL;
  hd_cpu_scan_make_plan(&plan, ctx->kernels, scan);
  hd_cpu_row_walk_start(&job.from, rows);
  hd_cpu_row_walk_start(&job.to, &tight);
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
