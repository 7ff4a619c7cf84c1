/* columns.c - one result a row where neighbouring rows lie one element apart: an axis that is not the
 * innermost
 *
 * Method   A strip of neighbouring columns goes down the lines together, by the kernel's vertical form:
 *          order v1 with a strip where rows.c has a number. A full chunk's lanes are strips in scratch,
 *          eight lines on each at a time, then halves on halves; above chunks, and of the 8 lines that a
 *          short chunk is folded by, the counter of order/blocks_tmpl.h holds strips. Where no order
 *          binds, eight lines at a time are folded on one strip. Threads take strips; where there are too few, they
 *          take aligned blocks of chunks first, whose totals the strips then begin with.
 * Memory   a thread: a strip for each lane and for each slot of the counter, at most some 300 KiB. */
#include "columns.h"

#include <stdatomic.h>
#include <string.h>

#include "host/status.h"

enum {
  ALIGNED = 64,               /* bytes of a cache line, and columns that strips are multiples of */
  NARROWEST = 256,            /* columns of a strip that is one of several */
  LINES_BLOCK = 8,            /* folded at once: a leaf of a short chunk's tree, half of a lane */
  LINES_POLL = 1024,          /* between two polls where no order binds */
  GROUP_ELEMENTS = 1 << 16,   /* a ticket's worth of strips */
  PARALLEL_ELEMENTS = 1 << 17 /* below this a thread costs more than it brings */
};

struct columns_job {
  const struct hd_cpu_rows_call *call;
  const struct hd_cpu_fold_kernel *kernel;
  struct hd_cpu_columns_plan plan;
  i64 pitch; /* bytes between lines */
  u64 shift; /* of every strip but a run's first */
  unsigned char *partials, *scratch;
  size_t scratch_bytes;
  struct hd_cancellation *token;
  atomic_ullong ticket;
  u64 tickets, group;
  atomic_int failed;
};

/* Neighbouring columns on their way down: `any` once acc holds the total of what lies above. */
struct strip {
  const struct hd_cpu_fold_kernel *kernel;
  const char *x, *y;
  i64 pitch;
  size_t width, bytes; /* columns; bytes of their accumulators */
  u64 row;             /* of the first column */
  bool any;
  unsigned char *acc, *spare, *slots, *lanes;
};

/* ---- blocks of strips ---------------------------------------------------------------------------- */

static inline unsigned char *slot_of(const struct strip *s, u32 level) {
  return s->slots + level * s->bytes;
}
static inline unsigned char *folded(const struct strip *s, unsigned char *left,
                                    const unsigned char *right) {
  s->kernel->columns->each(left, right, s->width);
  return left;
}
static inline void keep(const struct strip *s, u32 level, const unsigned char *total) {
  if (total != slot_of(s, level)) memcpy(slot_of(s, level), total, s->bytes);
}

#define BLOCKS_NAME strip
#define BLOCKS_COUNTER const struct strip
#define BLOCKS_T unsigned char *
#define BLOCKS_OP(k, a, b) folded(k, a, b)
#define BLOCKS_SLOT(k, i) slot_of(k, i)
#define BLOCKS_KEEP(k, i, t) keep(k, i, t)
#include "order/blocks_tmpl.h"

/* Where the next block may be built: in acc while that is empty. */
static inline unsigned char *free_strip(const struct strip *s) {
  return s->any ? s->spare : s->acc;
}

/* acc = acc op block */
static void append(struct strip *s, const unsigned char *block) {
  if (s->any)
    folded(s, s->acc, block);
  else if (block != s->acc)
    memcpy(s->acc, block, s->bytes);
  s->any = true;
}

/* acc = acc op the blocks that the bits of n name, biggest first. */
static void append_blocks(struct strip *s, u64 n) {
  if (!n) return;
  const u32 top = hd_top_bit(n);
  append(s, slot_of(s, top));
  strip_onto(s, n ^ (u64)1 << top, s->acc);
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static inline void advance(struct strip *s, size_t lines) {
  s->x += (i64)lines * s->pitch;
  s->y += (i64)lines * s->pitch;
}

/* to = the next n lines, one after the other. */
static void take(struct strip *s, size_t n, unsigned char *to) {
  s->kernel->columns->lines(s->x, s->y, s->pitch, n, s->width, to, false);
  advance(s, n);
}

/* How many of n lines a kernel folds with one call. */
static inline size_t at_once(u64 n) {
  return n >= LINES_BLOCK ? LINES_BLOCK : (size_t)1 << hd_top_bit(n);
}

/* acc = acc op the next n lines, one after the other. */
static void take_onto(struct strip *s, size_t n) {
  s->kernel->columns->lines(s->x, s->y, s->pitch, n, s->width, s->acc, s->any);
  s->any = true;
  advance(s, n);
}

/* Rule 2: the first strip of lanes is the total of the next chunk. */
static unsigned char *take_chunk(struct strip *s) {
  const struct hd_cpu_fold_columns *columns = s->kernel->columns;
  const size_t lanes = s->kernel->chunk / HD_CHUNK_ROWS;
  for (size_t row = 0; row < HD_CHUNK_ROWS; row += LINES_BLOCK) {
    for (size_t j = 0; j < lanes; j++) {
      const i64 at = (i64)(row * lanes + j) * s->pitch;
      columns->lines(s->x + at, s->y + at, (i64)lanes * s->pitch, LINES_BLOCK, s->width,
                     s->lanes + j * s->bytes, row > 0);
    }
  }
  for (size_t h = lanes / 2; h; h /= 2)
    columns->each(s->lanes, s->lanes + h * s->bytes, h * s->width);
  advance(s, s->kernel->chunk);
  return s->lanes;
}

/* Rule 5: the n lines of a short chunk. */
static void take_tail(struct strip *s, size_t n) {
  const size_t leaves = n / LINES_BLOCK;
  for (size_t k = 0; k < leaves; k++) {
    unsigned char *leaf = k & 1 ? s->spare : slot_of(s, 0);
    s->kernel->columns->eight(s->x, s->y, s->pitch, s->width, leaf);
    advance(s, LINES_BLOCK);
    strip_push(s, k, 0, leaf);
  }
  append_blocks(s, leaves);
  if (n & 4) {
    unsigned char *four = free_strip(s);
    take(s, 2, four);
    take(s, 2, slot_of(s, 0));
    append(s, folded(s, four, slot_of(s, 0)));
  }
  if (n & 2) {
    unsigned char *two = free_strip(s);
    take(s, 2, two);
    append(s, two);
  }
  if (n & 1) take_onto(s, 1);
}

size_t hd_cpu_fold_lines_scratch(const struct hd_cpu_fold_kernel *kernel, size_t width) {
  const size_t leaves = hd_top_bit(kernel->chunk / LINES_BLOCK) + 1;
  return (2 + (kernel->merge.order_free ? 0 : leaves)) * width * kernel->columns->bytes;
}

const void *hd_cpu_fold_lines(const struct hd_cpu_fold_kernel *kernel, const void *x, const void *y,
                              i64 pitch, size_t n, size_t width, void *scratch) {
  const size_t bytes = width * kernel->columns->bytes;
  unsigned char *at = scratch;
  struct strip s = {.kernel = kernel,
                    .x = x,
                    .y = y,
                    .pitch = pitch,
                    .width = width,
                    .bytes = bytes,
                    .acc = at,
                    .spare = at + bytes,
                    .slots = at + 2 * bytes};
  if (!kernel->merge.order_free) {
    take_tail(&s, n);
    return s.acc;
  }
  while (n) {
    const size_t lines = at_once(n);
    take_onto(&s, lines);
    n -= lines;
  }
  return s.acc;
}

/* The next n lines, behind `before` blocks of 2^level chunks whose totals lie at `totals`, where any
 * order gives the same. False: cancelled. */
static bool fold_free(const struct columns_job *job, struct strip *s, u64 n, u64 before,
                      const unsigned char *totals) {
  for (u64 k = 0; k < before; k++) append(s, totals + k * job->plan.strip_bytes);
  for (u64 at = 0; at < n;) {
    const size_t lines = at_once(n - at);
    if (at % LINES_POLL == 0 && hd_poll(job->token)) return false;
    take_onto(s, lines);
    at += lines;
  }
  return true;
}

/* The same in order v1. */
static bool fold_in_order(const struct columns_job *job, struct strip *s, u64 n, u64 before,
                          unsigned char *totals) {
  const u32 level = job->plan.level;
  u64 count = 0;
  for (; count < before; count++)
    strip_push(s, count << level, level, totals + count * job->plan.strip_bytes);
  count <<= level;
  for (u64 k = n / s->kernel->chunk; k; k--, count++) {
    if (hd_poll(job->token)) return false;
    strip_push(s, count, 0, take_chunk(s));
  }
  if (hd_poll(job->token)) return false;
  append_blocks(s, count);
  take_tail(s, (size_t)(n % s->kernel->chunk));
  return true;
}

static bool fold_lines(const struct columns_job *job, struct strip *s, u64 n, u64 before,
                       unsigned char *totals) {
  return s->kernel->merge.order_free ? fold_free(job, s, n, before, totals)
                                     : fold_in_order(job, s, n, before, totals);
}

/* ---- strips ---------------------------------------------------------------------------------------- */

/* The first column of strip i of a run: they are as wide as each other, but for their alignment in memory
 * and that of their results. */
static u64 cut(const struct columns_job *job, u64 i) {
  const u64 run = job->call->walk.inner_run, strips = job->plan.strips;
  if (!i || i == strips) return i ? run : 0;
  return ((run / strips * i + run % strips * i / strips) & ~(u64)(ALIGNED - 1)) + job->shift;
}

/* Columns before the first that begins with a cache line. */
static u64 shift_of(const void *x, size_t bytes) {
  const size_t past = (size_t)((uintptr_t)x % ALIGNED);
  return past % bytes ? 0 : (ALIGNED - past) % ALIGNED / bytes;
}

static struct strip strip_at(const struct columns_job *job, unsigned char *scratch, u64 unit) {
  const struct hd_cpu_rows_call *call = job->call;
  const u64 i = unit % job->plan.strips, first = cut(job, i);
  const u64 row = unit / job->plan.strips * call->walk.inner_run + first;
  const i64 at = hd_cpu_row_at(&call->walk, row).start * (i64)job->kernel->element_bytes;
  const size_t width = (size_t)(cut(job, i + 1) - first), bytes = job->plan.strip_bytes;
  return (struct strip){.kernel = job->kernel,
                        .x = call->x + at,
                        .y = (call->y ? call->y : call->x) + at,
                        .pitch = job->pitch,
                        .width = width,
                        .bytes = width * job->kernel->columns->bytes,
                        .row = row,
                        .acc = scratch,
                        .spare = scratch + bytes,
                        .slots = scratch + 2 * bytes,
                        .lanes = scratch + (2 + job->plan.slots) * bytes};
}

/* The total of one aligned block of chunks of one strip, to its place among the partials. */
static heddle_status fold_block(struct columns_job *job, unsigned char *scratch, u64 ticket) {
  const u64 blocks = job->plan.blocks, block = ticket % blocks;
  const u64 lines = (u64)job->kernel->chunk << job->plan.level;
  struct strip s = strip_at(job, scratch, ticket / blocks);
  advance(&s, (size_t)(block * lines));
  if (!fold_lines(job, &s, lines, 0, NULL)) return HEDDLE_CANCELLED;
  memcpy(job->partials + ticket * job->plan.strip_bytes, s.acc, s.bytes);
  return HEDDLE_OK;
}

/* A strip's results, behind what the blocks were. */
static heddle_status fold_strip(struct columns_job *job, unsigned char *scratch, u64 unit) {
  const u64 blocks = job->plan.blocks, length = job->plan.length;
  const u64 done = blocks * ((u64)job->kernel->chunk << job->plan.level);
  struct strip s = strip_at(job, scratch, unit);
  unsigned char *totals = blocks ? job->partials + unit * blocks * job->plan.strip_bytes : NULL;
  advance(&s, (size_t)done);
  if (!fold_lines(job, &s, length - done, blocks, totals)) return HEDDLE_CANCELLED;
  return hd_cpu_fold_results(job->call->fold, job->kernel, s.acc, s.width, length,
                             (char *)job->call->out.value + s.row * job->call->out_bytes);
}

static void columns_task(void *arg, size_t worker) {
  struct columns_job *job = arg;
  unsigned char *scratch = job->scratch + worker * job->scratch_bytes;
  const bool in_blocks = job->tickets > job->plan.units;
  for (;;) {
    u64 at = atomic_fetch_add_explicit(&job->ticket, job->group, memory_order_relaxed);
    if (at >= job->tickets || atomic_load(&job->failed)) return;
    const u64 end = job->tickets - at < job->group ? job->tickets : at + job->group;
    for (; at < end; at++) {
      heddle_status status =
          in_blocks ? fold_block(job, scratch, at) : fold_strip(job, scratch, at);
      if (!status) continue;
      atomic_store(&job->failed, (int)status);
      return;
    }
  }
}

/* ---- the plan -------------------------------------------------------------------------------------- */

bool hd_cpu_fold_is_columns(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk) {
  if (!kernel->columns || walk->inner != 1 || walk->inner_run < kernel->columns->least)
    return false;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  return row.length == 1 || (row.length && row.step != 1);
}

/* Columns of a strip: the wider, the longer the runs of memory. What is read again soon stays in L1, a
 * chunk's lanes in L2. */
static u64 widest(const struct hd_cpu_fold_kernel *kernel, u64 length) {
  const u64 bytes = kernel->columns->bytes;
  if (length < 2 * LINES_BLOCK) return 8192 / bytes;
  if (kernel->merge.order_free) return bytes < 2 ? 16384 : 32768 / bytes;
  return length < kernel->chunk ? 8192 / bytes : 1024;
}

/* Blocks for the threads to take where there are few strips: 16 a thread. */
static void plan_blocks(struct hd_cpu_columns_plan *plan, u64 chunks, size_t threads) {
  const u64 wanted = 16 * threads / plan->units;
  plan->level = 0, plan->blocks = 0;
  if (plan->units >= 4 * threads || threads < 2 || chunks < 2) return;
  plan->level = chunks > wanted ? hd_top_bit(chunks / wanted) : 0;
  plan->blocks = chunks >> plan->level;
}

struct hd_cpu_columns_plan hd_cpu_fold_columns_plan(const heddle_context *ctx,
                                                    const struct hd_cpu_fold_kernel *kernel,
                                                    const struct hd_cpu_row_walk *walk) {
  struct hd_cpu_columns_plan plan = {.length = hd_cpu_row_at(walk, 0).length};
  const u64 runs = walk->count / walk->inner_run, chunks = plan.length / kernel->chunk;
  const size_t threads = walk->elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  u64 width = widest(kernel, plan.length);
  for (;; width /= 2) {
    plan.strips = (walk->inner_run + width - 1) / width;
    plan.units = runs * plan.strips;
    if (threads < 2 || plan.units >= 4 * threads || width <= NARROWEST) break;
  }
  plan_blocks(&plan, chunks, threads);
  const u64 spare = width + 2 * ALIGNED, most = walk->inner_run < spare ? walk->inner_run : spare;
  plan.strip_bytes = ((size_t)most * kernel->columns->bytes + 63) & ~(size_t)63;
  if (!kernel->merge.order_free) {
    const u32 leaves = hd_top_bit(kernel->chunk / LINES_BLOCK) + 1;
    plan.slots = chunks ? hd_top_bit(chunks) + 1 : 1;
    if (plan.slots < leaves) plan.slots = leaves;
    if (chunks) plan.lanes = kernel->chunk / HD_CHUNK_ROWS;
  }
  const u64 tickets = plan.units * (plan.blocks ? plan.blocks : 1);
  plan.threads = tickets < threads ? (size_t)tickets : threads;
  return plan;
}

static void run(heddle_context *ctx, struct columns_job *job, u64 tickets, u64 group) {
  job->tickets = tickets, job->group = group;
  atomic_init(&job->ticket, 0);
  hd_parallel(ctx, job->plan.threads, columns_task, job);
}

heddle_status hd_cpu_fold_columns(heddle_context *ctx, const struct hd_cpu_rows_call *call,
                                  const struct hd_cpu_fold_kernel *kernel,
                                  struct hd_cancellation *token) {
  struct columns_job job = {.call = call, .kernel = kernel, .token = token};
  job.plan = hd_cpu_fold_columns_plan(ctx, kernel, &call->walk);
  const struct hd_cpu_columns_plan *plan = &job.plan;
  job.pitch = hd_cpu_row_at(&call->walk, 0).step * (i64)kernel->element_bytes;
  job.shift = shift_of(call->x, kernel->element_bytes);
  job.scratch_bytes = (2 + plan->slots + plan->lanes) * plan->strip_bytes;
  const size_t partial_bytes = (size_t)(plan->units * plan->blocks) * plan->strip_bytes;
  const size_t bytes = plan->threads * job.scratch_bytes + partial_bytes;
  const u64 group = GROUP_ELEMENTS / (call->walk.elements / plan->units + 1) + 1;
  atomic_init(&job.failed, 0);
  job.scratch = hd_allocate(ctx, bytes);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  job.partials = job.scratch + plan->threads * job.scratch_bytes;
  pthread_mutex_lock(&ctx->lock);
  if (plan->blocks) run(ctx, &job, plan->units * plan->blocks, 1);
  if (!atomic_load(&job.failed)) run(ctx, &job, plan->units, group);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, job.scratch, bytes);
  return (heddle_status)atomic_load(&job.failed);
}
