/* rows.c - sort, sort_pairs and argsort of every row: segments, or an axis of a strided array
 *
 * Method   Threads take groups of rows by a ticket. A row is packed from where it lies into a thread's
 *          memory, sorted there, and unpacked to where its result lies; steps cost no pass of their
 *          own. A row that is larger than the cache is sorted by all threads together.
 * Limits   In place only where the input has the output's layout, C order without gaps. */
#include <stdatomic.h>

#include "cpu/cpu.h"
#include "cpu/rows.h"
#include "host/status.h"
#include "sort.h"

enum { GROUP_ELEMENTS = 1 << 14 }; /* a ticket's worth of short rows */

struct row_job {
  const struct hd_cpu_sort_call *plain,
      *special; /* of rows without special floats, and with them */
  struct hd_cpu_row_walk from, to;
  const struct hd_sort_arrays *arrays;
  char *memory; /* of each worker: two times the items of a row */
  size_t row_bytes;
  bool dense;         /* rows lie one behind the other and need no look for special floats */
  size_t at_once;     /* of them, rows that are sorted together */
  u64 group, longest; /* rows a ticket; elements of the longest row that is sorted in a cache */
  atomic_uint_fast64_t ticket;
  struct hd_cancellation *token;
};

static const char *forward(const void *array, i64 start, i64 bytes) {
  return array ? (const char *)array + start * bytes : NULL;
}

/* Where a row lies and goes. */
static void point(const struct row_job *job, struct hd_cpu_sort_io *io,
                  const struct hd_cpu_row *from, const struct hd_cpu_row *to) {
  const struct hd_sort_arrays *arrays = job->arrays;
  const i64 size = (i64)io->map.bits / 8, values = io->value_bytes;
  io->keys = forward(arrays->keys, from->start, size);
  io->values = forward(arrays->values, from->start, values);
  io->keys_out = (char *)(uintptr_t)forward(arrays->keys_out, to->start, size);
  io->values_out = (char *)(uintptr_t)forward(arrays->values_out, to->start, values);
  io->keys_step = from->step * size;
  io->values_step = from->step * values;
  io->keys_out_step = to->step * size;
  io->values_out_step = to->step * values;
}

static bool is_special(const struct hd_cpu_sort_call *call, const struct hd_cpu_sort_io *io,
                       size_t n) {
  for (size_t i = 0, m; i < n; i += m) {
    m = n - i < HD_SORT_BLOCK ? n - i : HD_SORT_BLOCK;
    if (call->kernels->special(io, i, m)) return true;
  }
  return false;
}

/* The call that a row is sorted by, and its io. */
static const struct hd_cpu_sort_call *call_of(const struct row_job *job, struct hd_cpu_sort_io *io,
                                              const struct hd_cpu_row *from,
                                              const struct hd_cpu_row *to) {
  *io = job->plain->io;
  point(job, io, from, to);
  if (job->special == job->plain || !is_special(job->plain, io, (size_t)from->length))
    return job->plain;
  *io = job->special->io;
  point(job, io, from, to);
  return job->special;
}

/* Rows r .. end that lie one behind the other, in and out: no row's place has to be found, and short ones are
 * sorted many at a time. */
static void sort_dense_rows(const struct row_job *job, u64 r, u64 end, char *a, char *b) {
  const struct hd_cpu_sort_call *call = job->plain;
  const struct hd_cpu_sort_kernels *kernels = call->kernels;
  const struct hd_cpu_row first = {0, 1, job->longest};
  const size_t n = (size_t)job->longest;
  struct hd_cpu_sort_io io = call->io;
  point(job, &io, &first, &first);
  if (job->at_once > 1) {
    kernels->short_rows(&io, (size_t)r * n, (size_t)(end - r), n, a, b);
    return;
  }
  for (; r < end; r++) {
    const struct hd_cpu_row row = {(i64)r * (i64)n, 1, n};
    char *items = a;
    point(job, &io, &row, &row);
    kernels->pack(&io, 0, n, a);
    if (call->engine->sort(a, b, n, call->mask, call->exponent)) items = b;
    kernels->unpack(&io, 0, n, items);
  }
}

static void row_task(void *arg, size_t worker) {
  struct row_job *job = arg;
  char *a = job->memory + worker * 2 * job->row_bytes, *b = a + job->row_bytes;
  for (;;) {
    u64 r = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (r >= job->from.count || hd_poll(job->token)) return;
    const u64 end = job->from.count - r < job->group ? job->from.count : r + job->group;
    if (job->dense) {
      sort_dense_rows(job, r, end, a, b);
      continue;
    }
    for (; r < end; r++) {
      const struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
      if (!from.length || from.length > job->longest) continue;
      struct hd_cpu_sort_io io;
      const struct hd_cpu_sort_call *call = call_of(job, &io, &from, &to);
      hd_cpu_sort_near(call, &io, (size_t)from.length, a, b);
    }
  }
}

/* Rows that are left out by row_task, one after the other. */
static heddle_status sort_long_rows(struct row_job *job) {
  for (u64 r = 0; r < job->from.count; r++) {
    const struct hd_cpu_row from = hd_cpu_row_at(&job->from, r), to = hd_cpu_row_at(&job->to, r);
    if (from.length <= job->longest) {
      if (!job->from.rows->offsets) return HEDDLE_OK; /* nor is any other longer */
      continue;
    }
    struct hd_cpu_sort_io io;
    struct hd_cpu_sort_call call = *call_of(job, &io, &from, &to);
    call.io = io;
    call.token = *job->token;
    const heddle_status status = hd_cpu_sort_array(&call, (size_t)from.length);
    hd_cpu_sort_call_end(&call);
    if (status) return status;
    if (hd_poll(job->token)) return hd_cancellation_status(job->token, call.sort->entry);
  }
  return HEDDLE_OK;
}

static u64 longest_row(const heddle_rows *rows) {
  u64 longest = 0;
  if (!rows->offsets) return rows->shape[rows->axis];
  for (size_t r = 0; r < rows->segments; r++) {
    const u64 n = rows->offsets[r + 1] - rows->offsets[r];
    if (n > longest) longest = n;
  }
  return longest;
}

/* Rows that lie one behind the other, and how many of them are sorted together. */
static void choose_dense(struct row_job *job, u64 longest) {
  const struct hd_cpu_sort_call *call = job->plain;
  struct hd_cpu_row_walk walk = job->from;
  hd_cpu_row_walk_merge(&walk);
  job->at_once = 1;
  job->dense = !walk.rows->offsets && job->longest == longest && job->special == job->plain &&
               walk.rows->axis + 1 == walk.rows->dims && hd_cpu_row_at(&walk, 0).step == 1 &&
               walk.inner_run == walk.count && (walk.count == 1 || walk.inner == (i64)longest);
  if (!job->dense || longest > call->kernels->short_most[call->io.words > 0]) return;
  const bool known =
      call->io.layout == HD_SORT_KEY || (call->io.layout == HD_SORT_NARROW && call->io.positions);
  if (known && call->whole && job->from.count >= HD_SORT_ROWS) job->at_once = HD_SORT_ROWS;
}

/* Rows that a thread takes at a time. */
static u64 group_of(const struct hd_cpu_row_walk *walk) {
  return GROUP_ELEMENTS / (walk->elements / walk->count + 1) + 1;
}
static size_t workers_of(const heddle_context *ctx, const struct hd_cpu_row_walk *walk) {
  const size_t workers = hd_cpu_sort_workers(ctx, (size_t)walk->elements);
  const u64 group = group_of(walk), groups = (walk->count + group - 1) / group;
  return workers < groups ? workers : (size_t)groups;
}

void hd_cpu_sort_rows_choose(heddle_context *ctx, const struct hd_sort *sort,
                             const heddle_rows *rows, struct hd_cpu_choice *choice) {
  struct hd_cpu_sort_call call;
  struct hd_cpu_row_walk walk;
  const u64 longest = longest_row(rows);
  hd_cpu_sort_call_make(&call, ctx, sort, longest, false);
  hd_cpu_row_walk_start(&walk, rows);
  hd_cpu_sort_choose(&call, (size_t)longest, choice);
  if (!walk.elements) return;
  const size_t workers = workers_of(ctx, &walk);
  if (longest <= call.near_items) {
    choice->strategy = "rows";
    choice->file = "cpu/sort/rows.c";
    choice->threads = workers;
  } else if (workers > choice->threads) {
    choice->threads = workers;
  }
}

static heddle_status sort_rows(struct row_job *job, struct hd_cpu_sort_call *memory) {
  const u64 longest = longest_row(job->from.rows);
  const size_t near = job->special->near_items, bytes = job->special->engine->bytes;
  job->longest = longest < near ? longest : near;
  choose_dense(job, longest);
  job->row_bytes = ((size_t)job->longest * job->at_once * bytes + 63) & ~(size_t)63;
  job->group = group_of(&job->from);
  const size_t workers = workers_of(memory->ctx, &job->from);
  job->memory = hd_cpu_sort_take(memory, workers * 2 * job->row_bytes);
  if (!job->memory) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_sort_run(memory->ctx, workers, row_task, job);
  const heddle_status status = hd_cancellation_status(job->token, memory->sort->entry);
  return status || longest <= job->longest ? status : sort_long_rows(job);
}

heddle_status hd_cpu_sort_rows(heddle_context *ctx, const struct hd_sort *sort,
                               const struct hd_sort_arrays *arrays, const heddle_rows *rows) {
  struct hd_cpu_sort_call plain, special, memory;
  struct hd_sort own = *sort;
  heddle_rows out = *rows;
  own.scratch = NULL; /* it holds one row's at best */
  const bool differ = sort->what == HD_SORT_PAIRS && hd_is_float(sort->type);
  hd_cpu_sort_call_make(&plain, ctx, &own, longest_row(rows), false);
  hd_cpu_sort_call_make(&special, ctx, &own, longest_row(rows), differ);
  memory = plain;
  struct hd_cancellation token;
  struct row_job job = {
      .plain = &plain, .special = differ ? &special : &plain, .arrays = arrays, .token = &token};
  out.strides = NULL;
  hd_cpu_row_walk_start(&job.from, rows);
  hd_cpu_row_walk_start(&job.to, &out);
  if (!job.from.count || !job.from.elements) return HEDDLE_OK;
  atomic_init(&job.ticket, 0);
  hd_cancellation_start(&token, ctx);
  plain.token = special.token = memory.token = token;
  pthread_mutex_lock(&ctx->lock);
  const heddle_status status = sort_rows(&job, &memory);
  pthread_mutex_unlock(&ctx->lock);
  hd_cpu_sort_call_end(&memory);
  return status;
}
