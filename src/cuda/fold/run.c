/* run.c - the launches of one fold
 *
 * Result   any number of arrays appended to a fold, and its result, in order v1
 * Method   One launch folds whole chunks and, if it is the last, the short chunk behind them. What
 *          came before is known as slots: the totals of the aligned blocks that tile the chunks so
 *          far (kernels/base/carry_slots.h); free folds have one running total. Slots are read from one place
 *          and written to another, since blocks of a launch run in any order. Elements that do not
 *          fill a chunk wait in device memory.
 * Limits   what one launch takes at most follows from the size of a total: more is cut */
#include <assert.h>
#include <string.h>

#include "cuda/core/inside.h"
#include "cuda/core/tune.h"
#include "fold.h"

enum {
  FREE_THREADS = 256,
  VECTOR = 16,
  REST = 64,         /* totals that are left beside the groups' */
  TICKET_AT = 64,    /* bytes into the region of tickets: the first are the rows' */
  PLACE_AT = 256,    /* the same of totals that are tagged */
  FEW_ALONE = 32,    /* more chunks than one block folds alone */
  MOST_TAGGED = 4096 /* groups, or blocks of a free fold, whose totals are tagged */
};

static u64 round_up(u64 n, u64 step) { return (n + step - 1) / step * step; }

void hd_cuda_fold_run_start(struct hd_cuda_fold_run *run, const struct hd_fold *fold) {
  *run = (struct hd_cuda_fold_run){.fold = *fold};
  run->total_bytes = (u32)hd_cuda_fold_total_bytes(fold);
  run->element_bytes = (u32)hd_cuda_fold_element_bytes(fold);
  run->free = hd_cuda_fold_is_order_free(fold);
  run->chunk = run->free ? 1 : hd_cuda_fold_chunk(fold);
}

/* Where things lie in run->memory: two places for slots, then the chunk under way of x and of y. */
static size_t slots_bytes(const struct hd_cuda_fold_run *run) {
  return round_up((run->free ? 1u : (size_t)HD_FOLD_SLOTS) * run->total_bytes, 256);
}
static size_t partial_bytes(const struct hd_cuda_fold_run *run) {
  return run->free ? 0 : round_up((size_t)run->chunk * run->element_bytes, 256);
}
size_t hd_cuda_fold_run_bytes(const struct hd_cuda_fold_run *run) {
  return 2 * slots_bytes(run) + (run->fold.verb == HD_DOT ? 2u : 1u) * partial_bytes(run);
}
static cu_pointer slots_of(const struct hd_cuda_fold_run *run, unsigned which) {
  return run->memory + which * slots_bytes(run);
}
static cu_pointer partial_of(const struct hd_cuda_fold_run *run, unsigned array) {
  return run->memory + 2 * slots_bytes(run) + array * partial_bytes(run);
}

cu_pointer hd_cuda_fold_run_slots(const struct hd_cuda_fold_run *run) {
  return slots_of(run, run->current);
}
cu_pointer hd_cuda_fold_run_partial(const struct hd_cuda_fold_run *run) {
  return partial_of(run, 0);
}

size_t hd_cuda_fold_granule(const struct hd_cuda_fold_run *run) {
  return run->free ? 4096 : 32 * (size_t)run->chunk;
}

/* ---- what one launch may take -------------------------------------------------------------------- */

/* TOTAL_TAGGED of kernels/base/block_partials.h. */
static bool is_tagged(const struct hd_cuda_fold_run *run) {
  return run->fold.op != HEDDLE_OP_CUSTOM && run->fold.verb != HD_DESCRIBE;
}
/* HEDDLE_LEVELS and HEDDLE_GROUPS of kernels/fold/one_pass.cu: what fits shared memory, and what one block
 * folds quickly. */
static unsigned most_levels(const struct hd_cuda_fold_run *run) {
  unsigned levels = 10;
  for (u32 bytes = 8; bytes < run->total_bytes; bytes *= 2) levels--;
  return levels;
}
static unsigned most_groups(const struct hd_cuda_fold_run *run) {
  if (is_tagged(run)) return MOST_TAGGED;
  return run->total_bytes <= 128 ? 1024 : 512;
}
/* Chunks, wherever they begin. */
static u64 most_chunks(const struct hd_cuda_fold_run *run) {
  return (u64)(most_groups(run) - 2) << most_levels(run);
}

bool hd_cuda_fold_at_once(const struct hd_cuda_fold_run *run, size_t count) {
  return run->free || count / run->chunk <= most_chunks(run);
}

/* ---- launches ------------------------------------------------------------------------------------- */

/* What both kernels take. `value` is 0 for a launch that is not the last. */
struct launch {
  cu_pointer x, y;
  u64 first, count; /* elements or chunks before, elements */
  cu_pointer before, after, value, index;
};

static void init_of(const struct hd_cuda_fold_run *run, const struct launch *l, u32 *has,
                    void *total) {
  *has = l->value && run->fold.init && run->fold.verb != HD_ARGREDUCE;
  memset(total, 0, run->total_bytes);
  if (*has) hd_cuda_fold_init_total(&run->fold, total);
}

/* Where `totals` totals are left for the last block, and its ticket: see kernels/base/block_partials.h. */
static heddle_status place_of(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                              size_t totals, cu_pointer *place, cu_pointer *ticket) {
  const size_t words = (run->total_bytes + 3) / 4 * totals;
  const size_t bytes = PLACE_AT + (is_tagged(run) ? words * sizeof(u64) : 0);
  HD_TRY(hd_cuda_region(call, HD_REGION_TICKETS, bytes, ticket));
  *place = *ticket + PLACE_AT;
  *ticket += TICKET_AT;
  return is_tagged(run) ? HEDDLE_OK : hd_cuda_scratch(call, totals * run->total_bytes, place);
}

/* Groups of 2^level chunks that the chunks from .. to - 1 touch. */
static u32 groups_of(u64 from, u64 to, unsigned level) {
  return to > from ? (u32)(((to - 1) >> level) - (from >> level)) + 1 : 0;
}

/* Few chunks are one block's; else groups are as large as fills the device, and then as keeps their
 * number in bounds. */
static unsigned choose_level(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                             u64 from, u64 to) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(call->cuda);
  const struct hd_cuda_tune_fold *tune = &hd_cuda_tune(limits)->fold;
  const u64 chunks = to - from;
  unsigned level = 0, groups = most_groups(run);
  if (tune->groups < groups) groups = tune->groups;
  if (chunks <= tune->alone) return 5;
  if (is_tagged(run) && chunks <= tune->single) return 0;
  while (level < tune->level && chunks >> (level + 1) >= (u64)limits->sms) level++;
  while (level < most_levels(run) && groups_of(from, to, level) > groups) level++;
  assert(groups_of(from, to, level) <= most_groups(run));
  return level;
}

/* Groups of one block: more than one only where every chunk is a group. */
static u32 per_block(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run, u32 groups,
                     unsigned level) {
  const u32 sms = (u32)hd_cuda_limits(call->cuda)->sms, per = (groups + sms - 1) / sms;
  if (level > 0 || !is_tagged(run)) return 1;
  return per < 1 ? 1 : per < 8 ? per : 8;
}

/* Large totals need registers: fewer warps a block, and blocks a multiprocessor; so do the slots of
 * a state beside two rows of f64, and the keys of i64 on sm_100. */
static void define_warps(struct hd_cuda_kernel_key *key, const struct hd_cuda_fold_run *run,
                         bool state, unsigned *warps) {
  const bool large = run->total_bytes > 32, describes = run->fold.verb == HD_DESCRIBE;
  const bool tight =
      describes ? run->fold.type == HEDDLE_F64 : run->fold.verb == HD_DOT && run->total_bytes == 8;
  unsigned blocks = !large ? 2 : describes ? 3 : 1;
  if ((state && tight) || (describes && run->fold.type == HEDDLE_I64)) blocks--;
  *warps = large ? 4 : 8;
  hd_cuda_kernel_define(key, "HEDDLE_WARPS", *warps);
  hd_cuda_kernel_define(key, "HEDDLE_BLOCKS_PER_SM", blocks);
}

static void define_shape(struct hd_cuda_kernel_key *key, const struct hd_cuda_fold_run *run,
                         bool state, unsigned *warps) {
  define_warps(key, run, state, warps);
  hd_cuda_kernel_define(key, "HEDDLE_STATE", state);
  hd_cuda_kernel_define(key, "HEDDLE_LEVELS", most_levels(run));
  hd_cuda_kernel_define(key, "HEDDLE_GROUPS", most_groups(run));
}

/* Lanes of a row are loaded at once: up to 16 bytes each. */
static unsigned lane_bytes(const struct hd_cuda_fold_run *run) {
  unsigned bytes = run->chunk / 16 / 32 * run->element_bytes;
  return run->fold.op == HEDDLE_OP_CUSTOM ? 1 : bytes; /* custom elements go one by one */
}

/* Whole arrays of few chunks, whose totals are small, have a kernel of their own. The chunks of a
 * block, more than there are for one block; 0: too many. */
static u32 few_per_block(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                         const struct launch *l) {
  const struct hd_cuda_tune_fold *tune = &hd_cuda_tune(hd_cuda_limits(call->cuda))->fold;
  const u64 chunks = l->count / run->chunk;
  if (!is_tagged(run) || l->first || l->after) return 0;
  if (chunks <= tune->alone) return FEW_ALONE;
  return chunks <= tune->few ? per_block(call, run, (u32)chunks, 0) : 0;
}

static heddle_status launch_few(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                                const struct launch *l, u32 per) {
  u64 init[HD_FOLD_TOTAL_BYTES / sizeof(u64)];
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer x = l->x, y = l->y, place = 0, ticket = 0, out = l->value;
  u32 chunks = (u32)(l->count / run->chunk), tail = (u32)(l->count % run->chunk), has_init;
  u32 blocks = chunks < per ? 1 : (chunks + per - 1) / per + (tail > 0);
  unsigned warps;
  int out_type = (int)run->fold.out_type;
  init_of(run, l, &has_init, init);
  if (blocks > 1) HD_TRY(place_of(call, run, chunks + REST, &place, &ticket));
  hd_cuda_kernel_file(&key, "fold/one_wave.cu");
  hd_cuda_fold_defines(&key, &run->fold);
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", hd_cuda_alignment(x | y, lane_bytes(run)));
  define_warps(&key, run, false, &warps);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_fold_few", 32 * warps, 0, &kernel));
  void *arguments[] = {&x,        &y,        &chunks, &tail,   &per, init,
                       &has_init, &out_type, &place,  &ticket, &out};
  return hd_cuda_launch(call, &kernel, blocks, arguments);
}

static heddle_status launch_ordered(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                                    const struct launch *l) {
  const u32 few = few_per_block(call, run, l);
  if (few) return launch_few(call, run, l, few);
  _Alignas(16) unsigned char identity[HD_FOLD_TOTAL_BYTES], init[HD_FOLD_TOTAL_BYTES];
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  unsigned warps;
  u64 from = l->first, to = from + l->count / run->chunk;
  u32 tail = (u32)(l->count % run->chunk), has_init, level = choose_level(call, run, from, to);
  u32 groups = groups_of(from, to, level), per = per_block(call, run, groups, level);
  u32 blocks = groups > 1 ? (groups + per - 1) / per + (tail > 0) : 1;
  int out_type = (int)run->fold.out_type;
  cu_pointer x = l->x, y = l->y, before = l->before, after = l->after, place = 0, ticket = 0;
  cu_pointer out = l->value;
  init_of(run, l, &has_init, init);
  memset(identity, 0, run->total_bytes);
  if (run->fold.custom) memcpy(identity, run->fold.custom->identity, run->total_bytes);
  if (blocks > 1) HD_TRY(place_of(call, run, groups + REST, &place, &ticket));
  hd_cuda_kernel_file(&key, "fold/one_pass.cu");
  hd_cuda_fold_defines(&key, &run->fold);
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", hd_cuda_alignment(x | y, lane_bytes(run)));
  define_shape(&key, run, from > 0 || after, &warps);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_fold", 32 * warps, 0, &kernel));
  void *arguments[] = {&x,   &y,        &from,     &to,     &tail,  &level, &per,    identity,
                       init, &has_init, &out_type, &before, &after, &place, &ticket, &out};
  return hd_cuda_launch(call, &kernel, blocks, arguments);
}

static heddle_status launch_free(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                                 const struct launch *l) {
  _Alignas(16) unsigned char init[HD_FOLD_TOTAL_BYTES];
  const struct hd_cuda_tune_fold *tune = &hd_cuda_tune(hd_cuda_limits(call->cuda))->fold;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  cu_pointer x = l->x, y = l->y, before = l->before, after = l->after, place = 0, ticket = 0;
  cu_pointer out = l->value, index = l->index, fault = hd_cuda_fault(call);
  u64 count = l->count, seen = l->first;
  u32 head = (u32)((0 - x) % VECTOR / run->element_bytes), has_init;
  if (head > count) head = (u32)count;
  u64 vectors = (count - head) / (VECTOR / run->element_bytes), span = tune->span;
  if (vectors > span * tune->blocks)
    span = round_up((vectors + tune->blocks - 1) / tune->blocks, tune->span);
  u64 blocks = vectors ? (vectors + span - 1) / span : 1;
  int out_type = (int)run->fold.out_type;
  init_of(run, l, &has_init, init);
  if (blocks > 1) HD_TRY(place_of(call, run, blocks, &place, &ticket));
  hd_cuda_kernel_file(&key, "fold/order_free.cu");
  hd_cuda_fold_defines(&key, &run->fold);
  u64 skew = run->fold.verb == HD_DOT ? y + head * run->element_bytes : 0;
  hd_cuda_kernel_define(&key, "HEDDLE_ALIGN", hd_cuda_alignment(skew, VECTOR));
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_fold_free", FREE_THREADS, 0, &kernel));
  void *arguments[] = {&x,        &y,      &count, &head,  &span,   &seen, init,   &has_init,
                       &out_type, &before, &after, &place, &ticket, &out,  &index, &fault};
  return hd_cuda_launch(call, &kernel, blocks, arguments);
}

/* Whole chunks, or any number of elements of a free fold, into the next slots. */
static heddle_status advance(struct hd_cuda_call *call, struct hd_cuda_fold_run *run, cu_pointer x,
                             cu_pointer y, u64 chunks) {
  struct launch l = {.x = x, .y = y, .first = run->chunks, .count = chunks * run->chunk};
  l.before = run->chunks ? slots_of(run, run->current) : 0;
  l.after = slots_of(run, 1 - run->current);
  HD_TRY(run->free ? launch_free(call, run, &l) : launch_ordered(call, run, &l));
  run->current = 1 - run->current;
  run->chunks += chunks;
  return HEDDLE_OK;
}

static heddle_status hold(struct hd_cuda_call *call, struct hd_cuda_fold_run *run, cu_pointer x,
                          cu_pointer y, u32 count) {
  const cu_pointer from[2] = {x, y};
  const size_t at = (size_t)run->held * run->element_bytes;
  const size_t bytes = (size_t)count * run->element_bytes;
  run->held += count;
  for (unsigned i = 0; i < (run->fold.verb == HD_DOT ? 2u : 1u) && !call->preparing; i++) {
    cu_result result = call->cu->copy_device(partial_of(run, i) + at, from[i], bytes, call->stream);
    HD_TRY(hd_cuda_check(call, result, "copying the chunk under way"));
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_fold_append(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                  cu_pointer x, cu_pointer y, size_t count) {
  const u64 step = run->free ? UINT64_MAX : most_chunks(run);
  if (run->held && count) {
    u32 room = run->chunk - run->held, part = room < count ? room : (u32)count;
    HD_TRY(hold(call, run, x, y, part));
    x += (u64)part * run->element_bytes, y += (u64)part * run->element_bytes;
    count -= part;
    if (run->held == run->chunk) {
      run->held = 0;
      HD_TRY(advance(call, run, partial_of(run, 0), partial_of(run, 1), 1));
    }
  }
  while (count / run->chunk) {
    u64 chunks = count / run->chunk < step ? count / run->chunk : step;
    HD_TRY(advance(call, run, x, y, chunks));
    x += chunks * run->chunk * run->element_bytes, y += chunks * run->chunk * run->element_bytes;
    count -= chunks * run->chunk;
  }
  return count ? hold(call, run, x, y, (u32)count) : HEDDLE_OK;
}

/* ---- results --------------------------------------------------------------------------------------- */

heddle_status hd_cuda_fold_outputs(struct hd_cuda_call *call, const struct hd_fold *fold,
                                   struct hd_fold_out out, struct hd_cuda_fold_results *results) {
  const size_t bytes = hd_cuda_fold_result_bytes(fold);
  void *value = fold->verb == HD_DESCRIBE ? (void *)out.description : out.value;
  const char *what = fold->verb == HD_ARGREDUCE ? "value" : "out";
  HD_TRY(hd_cuda_output(call, what, value, bytes, fold->verb == HD_DESCRIBE ? 8 : bytes,
                        &results->value));
  return hd_cuda_output(call, "index", out.index, sizeof *out.index, sizeof *out.index,
                        &results->index);
}

heddle_status hd_cuda_fold_result_of(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                     cu_pointer x, cu_pointer y, size_t count,
                                     struct hd_cuda_fold_results results) {
  struct launch l = {.first = run->chunks, .count = count};
  if (count) l.x = x, l.y = y; /* else they may be anything */
  l.value = results.value, l.index = results.index;
  l.before = run->chunks ? slots_of(run, run->current) : 0;
  if (!run->free && run->held) {
    assert(count == 0);
    l.x = partial_of(run, 0), l.y = run->fold.verb == HD_DOT ? partial_of(run, 1) : 0;
    l.count = run->held;
  }
  return run->free ? launch_free(call, run, &l) : launch_ordered(call, run, &l);
}
