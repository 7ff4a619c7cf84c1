/* columns.c - one result a row where neighbouring rows lie one element apart: an axis that is not the
 * innermost
 *
 * Method   A strip of neighbouring columns goes down the lines together (strip.c), by the kernel's
 *          vertical form. Threads take strips; where there are too few, they take aligned blocks of chunks
 *          first, whose totals the strips then begin with. Columns fewer than a vector, whose lines lie one
 *          behind the other, are read by vectors all the same: what else a vector holds is left.
 *          Columns a few elements apart are folded with what lies between them, which is left out at the end;
 *          so are short runs of columns with the gaps behind them.
 * Memory   a thread: a strip for each lane and for each slot of the counter, at most some 700 KiB. */
#include "columns.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "host/status.h"
#include "strip.h"

enum {
  ALIGNED = 64,                /* bytes of a cache line, and columns that strips are multiples of */
  NARROWEST = 256,             /* columns of a strip that is one of several */
  A_SET = 4096,                /* bytes between what is of the same set of a first-level cache */
  GATHERED_LEAST = 2,          /* columns of a run whose lines are gathered */
  GATHERED_MOST = 512,         /* columns of a strip of those, whose lines stay in L1 */
  GATHERED_ANY_ORDER = 2048,   /* the same where lines are read once, and the longer the better */
  GROUP_ELEMENTS = 1 << 16,    /* a ticket's worth of strips */
  TOGETHER_WIDEST = 256,       /* rows of a run that is folded with others */
  TOGETHER_MOST = 8,           /* elements that are folded for one of such a run */
  PARALLEL_ELEMENTS = 1 << 17, /* below this a thread costs more than it brings */
  SMALL = 24 << 10             /* bytes of scratch that are not worth a call of malloc */
};

struct columns_job {
  const struct hd_cpu_rows_call *call;
  const struct hd_cpu_fold_kernel *kernel;
  struct hd_cpu_columns_plan plan;
  i64 pitch;                                     /* bytes between lines */
  hd_cpu_gather_kernel *gather, *gather_results; /* lines; accumulators of columns that are apart */
  u64 shift;                                     /* of every strip but a run's first */
  unsigned char *partials, *scratch;
  size_t scratch_bytes;
  struct hd_cancellation *token;
  atomic_ullong ticket;
  u64 tickets, group;
  atomic_int failed;
};

/* ---- strips ---------------------------------------------------------------------------------------- */

/* The first column of strip i of a run: they are as wide as each other, but for their alignment in memory
 * and that of their results, or as groups are whole. */
static u64 cut(const struct columns_job *job, u64 i) {
  const u64 run = job->plan.run, strips = job->plan.strips, groups = run / job->plan.group;
  if (groups > 1) return (groups / strips * i + groups % strips * i / strips) * job->plan.group;
  if (!i || i == strips) return i ? run : 0;
  return ((run / strips * i + run % strips * i / strips) & ~(u64)(ALIGNED - 1)) + job->shift;
}

/* Columns before the first that begins with a cache line. */
static u64 shift_of(const void *x, size_t bytes) {
  const size_t past = (size_t)((uintptr_t)x % ALIGNED);
  return past % bytes ? 0 : (ALIGNED - past) % ALIGNED / bytes;
}

/* Elements from the first of so many columns to the last, whose first group begins with the first. */
static size_t span_of(const struct hd_cpu_columns_plan *plan, u64 columns) {
  const u64 before = (columns - 1) / plan->group, group = (columns - 1) % plan->group;
  return (size_t)(before * (u64)plan->pitch + group * plan->apart + 1);
}

static struct hd_cpu_column_strip strip_at(const struct columns_job *job, unsigned char *scratch,
                                           u64 unit) {
  const struct hd_cpu_rows_call *call = job->call;
  const size_t size = job->kernel->element_bytes, least = job->kernel->columns->least;
  const u64 i = unit % job->plan.strips, first = cut(job, i), length = job->plan.length;
  const u64 row = unit / job->plan.strips * job->plan.run + first;
  const i64 at = hd_cpu_row_at(&call->walk, row).start * (i64)size;
  const size_t results = (size_t)(cut(job, i + 1) - first), columns = span_of(&job->plan, results),
               width = columns < least ? least : columns;
  const size_t bytes = width * job->kernel->columns->bytes, beyond = (width - 1) / results;
  const bool all = job->gather || job->gather_results;
  const u64 whole = all ? HD_U64_MAX : length > beyond ? length - beyond : 0;
  unsigned char *slots = scratch + 2 * bytes, *lanes = slots + job->plan.slots * bytes;
  char *copy = (char *)lanes + job->plan.lanes * bytes;
  return (struct hd_cpu_column_strip){.kernel = job->kernel,
                                      .x = call->x + at,
                                      .y = (call->y ? call->y : call->x) + at,
                                      .pitch = job->pitch,
                                      .row = row,
                                      .results = results,
                                      .width = width,
                                      .bytes = bytes,
                                      .whole = whole,
                                      .copy = {copy, copy + job->plan.copy_bytes},
                                      .gather = job->gather,
                                      .step = call->walk.inner,
                                      .acc = scratch,
                                      .spare = scratch + bytes,
                                      .slots = slots,
                                      .lanes = lanes,
                                      .token = job->token};
}

/* The total of one aligned block of chunks of one strip, to its place among the partials. */
static heddle_status fold_block(struct columns_job *job, unsigned char *scratch, u64 ticket) {
  const u64 blocks = job->plan.blocks, block = ticket % blocks;
  const u64 lines = (u64)job->kernel->chunk << job->plan.level;
  const struct hd_cpu_strip_blocks none = {0};
  struct hd_cpu_column_strip s = strip_at(job, scratch, ticket / blocks);
  hd_cpu_strip_advance(&s, block * lines);
  if (!hd_cpu_strip_fold(&s, lines, &none)) return HEDDLE_CANCELLED;
  memcpy(job->partials + ticket * job->plan.strip_bytes, s.acc, s.bytes);
  return HEDDLE_OK;
}

/* Groups of `bytes`, `pitch` bytes apart, one behind the other. Each caller's bytes are a constant. */
static inline void copy_groups(const unsigned char *from, i64 pitch, size_t bytes, size_t groups,
                               unsigned char *to) {
  for (size_t g = 0; g < groups; g++) memcpy(to + g * bytes, from + (i64)g * pitch, bytes);
}

/* The same of groups of neighbours that are a few words. False: they are not. */
static bool copy_small(const unsigned char *from, i64 pitch, size_t bytes, size_t groups,
                       unsigned char *to) {
  switch (bytes) {
  case 3: copy_groups(from, pitch, 3, groups, to); return true;
  case 4: copy_groups(from, pitch, 4, groups, to); return true;
  case 8: copy_groups(from, pitch, 8, groups, to); return true;
  case 12: copy_groups(from, pitch, 12, groups, to); return true;
  case 16: copy_groups(from, pitch, 16, groups, to); return true;
  case 24: copy_groups(from, pitch, 24, groups, to); return true;
  case 32: copy_groups(from, pitch, 32, groups, to); return true;
  default: return false;
  }
}

/* A strip's accumulators without what lies between its columns, and behind its groups of them. */
static void gather_results(const struct columns_job *job, struct hd_cpu_column_strip *s) {
  const struct hd_cpu_columns_plan *plan = &job->plan;
  const size_t bytes = job->kernel->columns->bytes;
  const size_t group = s->results < plan->group ? s->results : (size_t)plan->group;
  const size_t groups = s->results / group;
  const i64 pitch = plan->pitch * (i64)bytes;
  if (plan->apart > 1 || !copy_small(s->acc, pitch, group * bytes, groups, s->spare))
    for (size_t g = 0; g < groups; g++)
      job->gather_results(s->acc + (i64)g * pitch, (i64)plan->apart, group,
                          s->spare + g * group * bytes);
  s->acc = s->spare;
}

/* A strip's results, behind what the blocks were. */
static heddle_status fold_strip(struct columns_job *job, unsigned char *scratch, u64 unit) {
  const struct hd_cpu_columns_plan *plan = &job->plan;
  const u64 done = plan->blocks * ((u64)job->kernel->chunk << plan->level);
  const size_t before = (size_t)(unit * plan->blocks) * plan->strip_bytes;
  const struct hd_cpu_strip_blocks above = {plan->blocks, plan->level, plan->strip_bytes,
                                            job->partials + before};
  struct hd_cpu_column_strip s = strip_at(job, scratch, unit);
  hd_cpu_strip_advance(&s, done);
  if (!hd_cpu_strip_fold(&s, plan->length - done, &above)) return HEDDLE_CANCELLED;
  if (job->gather_results) gather_results(job, &s);
  return hd_cpu_fold_results(job->call->fold, job->kernel, s.acc, s.results, plan->length,
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

/* Neighbours that fill a vector, or lie line behind line. */
static bool is_side_by_side(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk, const struct hd_cpu_row *row) {
  if (walk->inner != 1) return false;
  if (walk->inner_run < kernel->columns->least)
    return row->length > 1 && row->step > 1 && (u64)row->step == walk->inner_run;
  return row->length == 1 || row->step != 1;
}

/* Others whose lines are read by fewer cache lines than their columns. */
static bool is_gathered(const struct hd_cpu_row_walk *walk, const struct hd_cpu_row *row) {
  return row->length > 1 && walk->inner && walk->inner_run >= GATHERED_LEAST &&
         llabs(row->step) > llabs(walk->inner);
}

/* How many runs are folded together with the gaps between them, which are of the rows' span: short ones, whose
 * strips would cost more than their columns and the gaps do, unless it is the rows that lie in the gaps. 0: none
 * are. */
static u64 together_of(const struct hd_cpu_fold_kernel *kernel, const struct hd_cpu_row_walk *walk,
                       const struct hd_cpu_row *row) {
  const struct hd_cpu_even_runs even = hd_cpu_row_walk_even(walk);
  const i64 run = (i64)walk->inner_run * walk->inner;
  if (even.runs < 2 || walk->inner < 1 || walk->inner > HD_APART_MOST || row->length < 2) return 0;
  if (walk->inner_run > TOGETHER_WIDEST || even.apart < run) return 0;
  if (even.apart > TOGETHER_MOST * (i64)walk->inner_run || even.apart > llabs(row->step)) return 0;
  const u64 span = (even.runs - 1) * (u64)even.apart + (u64)run;
  return span >= kernel->columns->least ? even.runs : 0;
}

bool hd_cpu_fold_is_together(const struct hd_cpu_fold_kernel *kernel,
                             const struct hd_cpu_row_walk *walk) {
  if (!kernel->columns || !walk->inner) return false;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  return together_of(kernel, walk, &row) != 0;
}

bool hd_cpu_fold_is_columns(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk) {
  if (!kernel->columns || !walk->inner) return false;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  if (!row.length) return false;
  return is_side_by_side(kernel, walk, &row) || is_gathered(walk, &row) ||
         together_of(kernel, walk, &row);
}

/* How many elements apart columns are that are folded with what lies between them, which is of the rows' span:
 * few, a vector's worth at least, and nothing that folds to more bytes than it has, or twice as many of two. Lines that are read
 * together, and are of one set of a cache, would drive each other out before all of one is read. */
static size_t apart_of(const struct hd_cpu_fold_kernel *kernel,
                       const struct hd_cpu_row_walk *walk) {
  const struct hd_cpu_fold_columns *columns = kernel->columns;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  const bool lanes = !kernel->merge.order_free && row.length >= kernel->chunk;
  const i64 pitch = row.step * (i64)kernel->element_bytes;
  const i64 between = lanes ? pitch * (i64)(kernel->chunk / HD_CHUNK_ROWS) : pitch;
  if (row.length >= HD_STRIP_LINES && between % A_SET == 0) return 1;
  if (walk->inner < 2 || walk->inner > HD_APART_MOST || walk->inner_run < columns->least) return 1;
  const u32 most = (walk->inner > 2 ? 1 : 2) * kernel->element_bytes;
  if (kernel->element_bytes < sizeof(u32) || columns->bytes > most) return 1;
  return (size_t)walk->inner;
}

/* Columns of a strip: the wider, the longer the runs of memory. What is read again soon stays in L1, a
 * chunk's lanes in L2. */
static u64 widest(const struct hd_cpu_fold_kernel *kernel, u64 length) {
  const u64 bytes = kernel->columns->bytes;
  if (length == 1) return 16384 / bytes;
  if (length < 2 * HD_STRIP_LINES) return 8192 / bytes;
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

/* Strips of `width` rows or as many groups as those are, but no fewer than leave each a vector wide; the result
 * is the columns of the widest one. */
static u64 plan_strips(struct hd_cpu_columns_plan *plan, u64 width, u64 least) {
  const u64 groups = plan->run / plan->group;
  if (groups == 1) {
    const u64 spare = width + 2 * ALIGNED, run = plan->run > least ? plan->run : least;
    plan->strips = (plan->run + width - 1) / width;
    return (run < spare ? run : spare) * plan->apart;
  }
  const u64 vector = 2 * (least / (u64)plan->pitch + 2), wanted = width / plan->group;
  const u64 most = wanted > vector ? wanted : vector;
  plan->strips = (groups + most - 1) / most;
  return (groups < most ? groups : most) * (u64)plan->pitch;
}

/* What is folded with what lies between. */
static void plan_gaps(struct hd_cpu_columns_plan *plan, const struct hd_cpu_fold_kernel *kernel,
                      const struct hd_cpu_row_walk *walk, const struct hd_cpu_row *row) {
  const u64 together = together_of(kernel, walk, row);
  plan->run = plan->group = walk->inner_run;
  plan->apart = 1;
  if (together) {
    plan->run *= together;
    plan->pitch = hd_cpu_row_walk_even(walk).apart;
    plan->apart = (size_t)walk->inner;
  } else if (!is_side_by_side(kernel, walk, row)) {
    plan->apart = apart_of(kernel, walk);
    plan->gathered = plan->apart == 1;
  }
}

struct hd_cpu_columns_plan hd_cpu_fold_columns_plan(const heddle_context *ctx,
                                                    const struct hd_cpu_fold_kernel *kernel,
                                                    const struct hd_cpu_row_walk *walk) {
  const struct hd_cpu_row row = hd_cpu_row_at(walk, 0);
  struct hd_cpu_columns_plan plan = {.length = row.length};
  plan_gaps(&plan, kernel, walk, &row);
  const u64 runs = walk->count / plan.run, chunks = plan.length / kernel->chunk;
  const size_t threads = walk->elements < PARALLEL_ELEMENTS ? 1 : ctx->threads;
  u64 width = widest(kernel, plan.length) / plan.apart, columns;
  if (plan.run > plan.group) width = widest(kernel, plan.length) / (u64)plan.pitch * plan.group;
  const u64 gathered = kernel->merge.order_free ? GATHERED_ANY_ORDER : GATHERED_MOST;
  if (plan.gathered && width > gathered) width = gathered;
  for (;; width /= 2) {
    columns = plan_strips(&plan, width, kernel->columns->least);
    plan.units = runs * plan.strips;
    if (threads < 2 || plan.units >= 4 * threads || width <= NARROWEST) break;
  }
  plan_blocks(&plan, chunks, threads);
  plan.strip_bytes = ((size_t)columns * kernel->columns->bytes + 63) & ~(size_t)63;
  if (plan.gathered) {
    plan.copy_bytes = HD_STRIP_LINES * (size_t)columns * kernel->element_bytes;
  } else if (plan.run == plan.group && plan.run < kernel->columns->least) {
    const u64 least = kernel->columns->least;
    const u64 lines = least + (kernel->merge.order_free ? HD_STRIP_LINES : kernel->chunk);
    plan.copy_bytes = (size_t)((plan.length < lines ? plan.length : lines) * plan.run + least) *
                      kernel->element_bytes;
  }
  if (!kernel->merge.order_free) {
    const u32 leaves = hd_top_bit(kernel->chunk / HD_STRIP_LINES) + 1;
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
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  job.pitch = hd_cpu_row_at(&call->walk, 0).step * (i64)kernel->element_bytes;
  if (plan->gathered)
    job.gather = kernels->gather[hd_top_bit(kernel->element_bytes)];
  else if (plan->apart > 1 || plan->run > plan->group)
    job.gather_results = kernels->gather[hd_top_bit(kernel->columns->bytes)];
  else
    job.shift = shift_of(call->x, kernel->element_bytes);
  job.scratch_bytes = (2 + plan->slots + plan->lanes) * plan->strip_bytes + 2 * plan->copy_bytes;
  job.scratch_bytes = (job.scratch_bytes + 63) & ~(size_t)63;
  const size_t partial_bytes = (size_t)(plan->units * plan->blocks) * plan->strip_bytes;
  const size_t bytes = plan->threads * job.scratch_bytes + partial_bytes;
  const u64 group = GROUP_ELEMENTS / (call->walk.elements / plan->units + 1) + 1;
  _Alignas(64) unsigned char small[SMALL];
  atomic_init(&job.failed, 0);
  job.scratch = bytes <= SMALL ? small : hd_allocate(ctx, bytes);
  if (!job.scratch) return HEDDLE_OUT_OF_MEMORY;
  job.partials = job.scratch + plan->threads * job.scratch_bytes;
  if (plan->gathered) memset(job.scratch, 0, bytes); /* a vector of few columns has others */
  pthread_mutex_lock(&ctx->lock);
  if (plan->blocks) run(ctx, &job, plan->units * plan->blocks, 1);
  if (!atomic_load(&job.failed)) run(ctx, &job, plan->units, group);
  pthread_mutex_unlock(&ctx->lock);
  if (job.scratch != small) hd_release(ctx, job.scratch, bytes);
  return (heddle_status)atomic_load(&job.failed);
}
