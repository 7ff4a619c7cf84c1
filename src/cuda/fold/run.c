/* run.c - the launches of one fold
 *
 * Result   any number of arrays appended to a fold, and its result, in order v1
 * Method   One launch folds whole chunks and, if it is the last, the short chunk behind them. What
 *          came before is known as slots: the totals of the aligned blocks that tile the chunks so
 *          far (kernels/base/carry_slots.h); free folds have one running total. Slots are read from
 *          one place and written to another, since blocks of a launch run in any order. Elements
 *          that do not fill a chunk wait in device memory.
 * Limits   what one launch takes at most follows from the size of a total: more is cut */
#include <assert.h>
#include <string.h>

#include "choose.h"
#include "cuda/core/inside.h"

#include "kernels/fold/args.h" /* needs their types */

enum {
  VECTOR = 16,
  TICKET_AT = 64,   /* bytes into the region of tickets: the first are the rows' */
  PARTIALS_AT = 256 /* the same of totals that are tagged */
};

static u64 round_up(u64 n, u64 step) { return (n + step - 1) / step * step; }

void hd_cuda_fold_run_start(struct hd_cuda_fold_run *run, const struct hd_fold *fold) {
  *run = (struct hd_cuda_fold_run){.fold = *fold};
  run->total_bytes = (u32)hd_cuda_fold_total_bytes(fold);
  run->element_bytes = (u32)hd_cuda_fold_element_bytes(fold);
  run->order_free = hd_cuda_fold_is_order_free(fold);
  run->chunk = run->order_free ? 1 : hd_cuda_fold_chunk(fold);
}

/* Where things lie in run->memory: two places for slots, then the chunk under way of x and of y. */
static size_t slots_bytes(const struct hd_cuda_fold_run *run) {
  return round_up((run->order_free ? 1u : (size_t)HD_FOLD_SLOTS) * run->total_bytes, 256);
}
static size_t partial_bytes(const struct hd_cuda_fold_run *run) {
  return run->order_free ? 0 : round_up((size_t)run->chunk * run->element_bytes, 256);
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
cu_pointer hd_cuda_fold_run_partial(const struct hd_cuda_fold_run *run, unsigned array) {
  return partial_of(run, array);
}

size_t hd_cuda_fold_granule(const struct hd_cuda_fold_run *run) {
  return run->order_free ? 4096 : 32 * (size_t)run->chunk;
}

/* ---- launches -------------------------------------------------------------------------------- */

bool hd_cuda_fold_at_once(const struct hd_cuda_fold_run *run, size_t count) {
  return run->order_free || count / run->chunk <= hd_cuda_fold_most_chunks(run);
}

/* What a kernel takes. `value` is 0 for a launch that is not the last. */
struct launch {
  cu_pointer x, y;
  u64 first, count;                       /* elements or chunks before, elements */
  cu_pointer before, after, value, index; /* slots, or a result */
};

static bool has_init(const struct hd_cuda_fold_run *run, const struct launch *l) {
  return l->value && run->fold.init && run->fold.verb != HD_ARGREDUCE;
}

/* Where blocks leave totals for the last one, and its ticket: see kernels/base/block_partials.h. */
static heddle_status partials_of(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                                 u64 totals, u64 *partials, u64 *ticket) {
  const bool tagged = hd_cuda_fold_is_tagged(run);
  const size_t words = (run->total_bytes + 3) / 4 * (size_t)totals;
  const size_t bytes = PARTIALS_AT + (tagged ? words * sizeof(u64) : 0);
  if (!totals) return HEDDLE_OK;
  HD_TRY(hd_cuda_region(call, HD_REGION_TICKETS, bytes, ticket));
  *partials = *ticket + PARTIALS_AT;
  *ticket += TICKET_AT;
  return tagged ? HEDDLE_OK : hd_cuda_scratch(call, (size_t)totals * run->total_bytes, partials);
}

/* Lanes of a row are loaded at once: up to 16 bytes each. */
static unsigned lane_bytes(const struct hd_cuda_fold_run *run) {
  unsigned bytes = run->chunk / 16 / 32 * run->element_bytes;
  return run->fold.op == HEDDLE_OP_CUSTOM ? 1 : bytes; /* custom elements go one by one */
}

static void key_of(const struct hd_cuda_fold_run *run, const struct hd_cuda_fold_choice *choice,
                   u64 addresses, u32 most_align, struct hd_cuda_kernel_key *key) {
  hd_cuda_kernel_file(key, choice->launch.file);
  hd_cuda_fold_defines(key, &run->fold);
  hd_cuda_kernel_define(key, "HEDDLE_ALIGN", hd_cuda_alignment(addresses, most_align));
}

static void ordered_key(const struct hd_cuda_fold_run *run,
                        const struct hd_cuda_fold_choice *choice, const struct launch *l,
                        struct hd_cuda_kernel_key *key) {
  key_of(run, choice, l->x | l->y, lane_bytes(run), key);
  hd_cuda_kernel_define(key, "HEDDLE_WARPS", choice->launch.threads / 32);
  hd_cuda_kernel_define(key, "HEDDLE_BLOCKS_PER_SM", choice->blocks_per_sm);
  if (!choice->whole) {
    hd_cuda_kernel_define(key, "HEDDLE_STATE", l->first > 0 || l->after);
    hd_cuda_kernel_define(key, "HEDDLE_LEVELS", hd_cuda_fold_most_levels(run));
    hd_cuda_kernel_define(key, "HEDDLE_GROUPS", hd_cuda_fold_most_groups(run));
  }
}

static heddle_status launch_ordered(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                                    const struct launch *l,
                                    const struct hd_cuda_fold_choice *choice) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  struct fold_args args = {.x = l->x,
                           .y = l->y,
                           .from = l->first,
                           .to = l->first + l->count / run->chunk,
                           .slots_in = l->before,
                           .slots_out = l->after,
                           .out = l->value,
                           .divisor = run->fold.divisor,
                           .figure = (u16)run->fold.figures,
                           .tail = (u32)(l->count % run->chunk),
                           .level = (u16)choice->level,
                           .per_block = (u16)choice->per_block,
                           .has_init = has_init(run, l),
                           .out_type = (i32)run->fold.out_type};
  hd_cuda_fold_ends(&run->fold, args.has_init, &args.ends);
  HD_TRY(partials_of(call, run, choice->partials, &args.partials, &args.ticket));
  ordered_key(run, choice, l, &key);
  HD_TRY(hd_cuda_kernel(call, &key, choice->launch.kernel, choice->launch.threads, 0, &kernel));
  return hd_cuda_launch(call, &kernel, choice->launch.blocks, &args, sizeof args);
}

static heddle_status launch_order_free(struct hd_cuda_call *call,
                                       const struct hd_cuda_fold_run *run, const struct launch *l,
                                       u32 head, const struct hd_cuda_fold_choice *choice) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  struct fold_order_free_args args = {.x = l->x,
                                      .y = l->y,
                                      .count = l->count,
                                      .span = choice->span,
                                      .seen = l->first,
                                      .before = l->before,
                                      .after = l->after,
                                      .out = l->value,
                                      .index = l->index,
                                      .fault = hd_cuda_fault(call),
                                      .divisor = run->fold.divisor,
                                      .head = (u16)head,
                                      .has_init = has_init(run, l),
                                      .out_type = (i32)run->fold.out_type};
  const u64 skew = run->fold.verb == HD_DOT ? l->y + head * run->element_bytes : 0;
  hd_cuda_fold_ends(&run->fold, args.has_init, &args.ends);
  HD_TRY(partials_of(call, run, choice->partials, &args.partials, &args.ticket));
  key_of(run, choice, skew, VECTOR, &key);
  HD_TRY(hd_cuda_kernel(call, &key, choice->launch.kernel, choice->launch.threads, 0, &kernel));
  return hd_cuda_launch(call, &kernel, choice->launch.blocks, &args, sizeof args);
}

/* Returns the piece's head. */
static u32 choose(const struct hd_cuda_limits *limits, const struct hd_cuda_fold_run *run,
                  const struct launch *l, struct hd_cuda_fold_choice *choice) {
  struct hd_cuda_fold_piece piece = {.first = l->first, .count = l->count, .state = l->after != 0};
  if (run->order_free) piece.head = (u32)((0 - l->x) % VECTOR / run->element_bytes);
  if (piece.head > l->count) piece.head = (u32)l->count;
  hd_cuda_fold_choose(limits, run, &piece, choice);
  return piece.head;
}

static heddle_status launch(struct hd_cuda_call *call, const struct hd_cuda_fold_run *run,
                            const struct launch *l) {
  struct hd_cuda_fold_choice choice;
  const u32 head = choose(hd_cuda_limits(call->cuda), run, l, &choice);
  if (run->order_free) return launch_order_free(call, run, l, head, &choice);
  return launch_ordered(call, run, l, &choice);
}

/* Where one launch does not do, the first of those that hd_cuda_fold_append makes. */
heddle_status hd_cuda_fold_explain(heddle_context *ctx, const struct hd_fold *fold, size_t count,
                                   u32 align, heddle_plan *out) {
  struct hd_cuda_fold_run run;
  struct hd_cuda_fold_choice choice;
  struct launch l = {.x = align, .count = count};
  hd_cuda_fold_run_start(&run, fold);
  if (!hd_cuda_fold_at_once(&run, count)) {
    l.count = hd_cuda_fold_most_chunks(&run) * run.chunk;
    l.after = HD_FAKE_ADDRESS;
  }
  (void)choose(hd_cuda_limits(ctx->data), &run, &l, &choice);
  return hd_cuda_explain(ctx, &choice.launch, NULL, out);
}

/* Whole chunks, or any number of elements of a free fold, into the next slots. */
static heddle_status advance(struct hd_cuda_call *call, struct hd_cuda_fold_run *run, cu_pointer x,
                             cu_pointer y, u64 chunks) {
  struct launch l = {.x = x, .y = y, .first = run->chunks, .count = chunks * run->chunk};
  l.before = run->chunks ? slots_of(run, run->current) : 0;
  l.after = slots_of(run, 1 - run->current);
  HD_TRY(launch(call, run, &l));
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
  const u64 step = run->order_free ? UINT64_MAX : hd_cuda_fold_most_chunks(run);
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

/* ---- results --------------------------------------------------------------------------------- */

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
  l.value = results.value, l.index = results.index, l.after = results.slots;
  l.before = run->chunks ? slots_of(run, run->current) : 0;
  if (!run->order_free && run->held) {
    assert(count == 0);
    l.x = partial_of(run, 0), l.y = run->fold.verb == HD_DOT ? partial_of(run, 1) : 0;
    l.count = run->held;
  }
  return launch(call, run, &l);
}
