/* one_pass.cu - one result of many elements in order v1: float sums, products and dots, moments,
 * and custom operators
 *
 * Result   heddle_fold_one_pass: the total of chunks `from` .. `to` - 1 and of `tail` more
 *          elements, after the chunks before `from`, whose slots are in slots_in. If slots_out is
 *          not NULL the slots of `to` chunks are written there and behind them, from CARRY_SLOTS
 *          on, those of the tail (an update of a state, or totals of a run: order/runs.h), else the
 *          result at `out`, rounded to out_type, init folded in. The arguments: args.h.
 * Defines  as order/device/chunk.h; HEDDLE_STATE: 0 for whole arrays, where `from` is 0 and
 *          slots_out NULL;
 *          HEDDLE_LEVELS: the most that `level` may be, 5 or more; HEDDLE_GROUPS: the most groups,
 *          a power of two, 32 or more; HEDDLE_WARPS a block, 4 or 8; HEDDLE_BLOCKS_PER_SM, for
 *          which registers are held down
 * Launch   HEDDLE_WARPS * 32 threads. Groups are the aligned groups of 2^level chunks that the
 *          range touches. One group: one block. More: a block for each, or for each per_block of
 *          them if level is 0 and totals are small; and one for a tail
 * Memory   x is at chunk `from`; the tail lies behind the chunks. partials, ticket: as
 *          kernels/base/block_partials.h has them, groups + 64 totals
 * Method   A warp folds a chunk (rule 2), a block a group of chunks as a tree (rule 3); one more
 *          block takes the short chunk (rule 5). The last block folds what the others left
 *          (kernels/base/block_partials.h): the place of each total gives the order.
 * Order    v1, rules 2 to 5: which block is last, and how many there are, cannot be seen
 * Source   docs/order.md */
#include "items.h"
#include "kernels/base/carry_slots.h"

#define FOLD_SMALL TOTAL_TAGGED
#if FOLD_SMALL
#define FOLD_RUN_LEVELS TAIL_RUN_LEVELS
#else
#define FOLD_RUN_LEVELS 0
#endif
#define FOLD_LOW 16 /* slots below a group's level */
#define FOLD_MORE(a, b) ((a) > (b) ? (a) : (b))

#if FOLD_SMALL      /* all groups in shared memory, and a tail by threads */
#define FOLD_ROW 33 /* 32 items, so that threads that go along rows use different banks */
#define FOLD_LEFT (HEDDLE_GROUPS / 32 * FOLD_ROW + 2 * FOLD_ROW)
#else
#define FOLD_LEFT (HEDDLE_GROUPS / 32)
#endif
/* Chunks of a group, elements of a tail by 32, or groups, at any place in 32. */
#define FOLD_ITEMS (FOLD_MORE(FOLD_MORE(1 << HEDDLE_LEVELS, FOLD_LEFT), TOTAL_CHUNK / 32) + 33)
#define FOLD_SPARE (FOLD_MORE(FOLD_MORE(1 << HEDDLE_LEVELS, HEDDLE_GROUPS), TOTAL_CHUNK) / 32 + 33)

struct __align__(16) fold_shared {
  total item[FOLD_ITEMS];
  total spare[FOLD_SPARE];
  total slot[CARRY_SLOTS]; /* of chunks */
  total tail[FOLD_TAIL];   /* of elements */
  total end;               /* of the first 32 groups */
  u32 last;
};

/* ---- items, whatever they are ---------------------------------------------------------------- */

enum fold_stage {
  FOLD_CHUNKS,   /* of this block's group, in shared memory */
  FOLD_ELEMENTS, /* of the short chunk: by 2^FOLD_RUN_LEVELS */
  FOLD_GROUPS,   /* what the blocks left */
  FOLD_BLOCKS,   /* 32 groups in one */
  FOLD_SHARED    /* made by the round before */
};

#if FOLD_SMALL

/* 32 neighbours by one thread. */
HD_DEVICE total thread_row(const total *row) {
  total t[32];
#pragma unroll
  for (int i = 0; i < 32; i++) t[i] = row[i];
#pragma unroll
  for (int h = 1; h < 32; h <<= 1)
#pragma unroll
    for (int i = 0; i < 32; i += 2 * h) t[i] = total_op(t[i], t[i + h]);
  return t[0];
}

#endif

/* Item `index` of a level whose first item is `first`. */
HD_DEVICE total fold_item(const struct fold_job *job, enum fold_stage source,
                          struct fold_shared *shared, const total *items, u64 first, u64 index) {
  const u32 at = (u32)(index - (first & ~31ull));
  const u64 start = (job->to - job->from) * TOTAL_CHUNK;
#if FOLD_SMALL
  if (source == FOLD_ELEMENTS)
    return thread_run(job->x + start, job->y + start, job->tail, (u32)index, shared->tail);
  if (source == FOLD_GROUPS) return items[at / 32 * FOLD_ROW + at % 32];
  if (source == FOLD_BLOCKS) /* the first may be a part of a block, and was made beforehand */
    return index == first ? shared->end : thread_row(items + (index - first) * FOLD_ROW);
#else
  (void)shared;
  if (source == FOLD_ELEMENTS) return element_total(job->x, job->y, start + index);
  if (source == FOLD_GROUPS) return partial_get(job->partials, at);
#endif
  return items[at];
}

/* Slots of all levels from `level` on, by the whole block; items lie in shared->item, complete by a
 * barrier, but for elements. Slots are complete after the next one. `ends`: only the blocks of 32
 * at the two ends, and no level above. */
HD_DEVICE void block_carry_slots(const struct fold_job *job, const struct carry_slots *s, int level,
                                 enum fold_stage source, bool ends, struct fold_shared *shared) {
  const u32 lane = warp_lane(), warp = threadIdx.x >> 5;
  const u64 partial = FOLD_SMALL ? 1 : 0; /* the run that ends within is looked at, too */
  total *items = shared->item, *spare = shared->spare;
#pragma unroll 1
  for (; s->to >> level || source == FOLD_ELEMENTS; level += 5) {
    const u64 first = s->from >> level, end = s->to >> level, next = first >> 5;
    const u32 blocks = (u32)((end >> 5) - next) + 1, step = ends && blocks > 2 ? blocks - 1 : 1;
    if (blocks == 1 && warp) return;
#pragma unroll 1
    for (u32 b = warp * step; b < blocks; b += FOLD_WARPS * step) {
      const u64 base = (first & ~31ull) + 32ull * b, index = base + lane;
      total t = job->identity;
      if (index >= first && index < end + (source == FOLD_ELEMENTS ? partial : 0))
        t = fold_item(job, source, shared, items, first, index);
      t = warp_carry_slots(s, t, base, level);
      if (lane == 0) *(ends ? b ? spare : &shared->end : spare + (next & 31u) + b) = t;
    }
    if (ends) return;
    if (blocks == 1)
      __syncwarp(); /* the one item of the next level can be seen by the warp */
    else
      __syncthreads(); /* the next level's items are complete, and nobody reads this one's */
    total *swap = items;
    items = spare, spare = swap;
    source = FOLD_SHARED;
  }
}

/* ---- the stages ---------------------------------------------------------------------------- */

/* Rule 2 for chunks low .. high - 1: `leave`: each is a group, whose total a warp leaves at once;
 * else items of one group, complete after the barrier that follows. */
HD_DEVICE void block_chunks(const struct fold_job *job, u64 low, u64 high, u64 first, bool leave,
                            struct fold_shared *shared) {
#pragma unroll 1
  for (u64 c = low + (threadIdx.x >> 5); c < high; c += FOLD_WARPS) {
    const u64 at = (c - job->from) * TOTAL_CHUNK;
    total t = warp_chunk_total(job->x + at, job->y + at);
    if (warp_lane()) continue;
    if (leave)
      partial_put(job->partials, c - first, t);
    else
      shared->item[c - first] = t;
  }
}

/* What a block leaves for the last one; whether this is it, which then has all of it. Every thread
 * of the block arrives, its slots being complete. */
HD_DEVICE bool block_hand_in(const struct fold_job *job, u64 group, bool is_tail, u32 *ticket,
                             u32 turn, struct fold_shared *shared) {
  const u32 me = threadIdx.x, level = job->level;
  const u64 first = job->from >> level, rest = job->groups + 31;
  if (is_tail) {
    if (me < FOLD_TAIL && job->tail >> me & 1u)
      partial_put(job->partials, rest + FOLD_LOW + me, shared->tail[me]);
  } else if (FOLD_SMALL && level == 0) {  /* all is left already */
  } else if (group == job->to >> level) { /* a group that ends within */
    if (me < level && job->to >> me & 1u) partial_put(job->partials, rest + me, shared->slot[me]);
  } else if (me == 0) {
    partial_put(job->partials, group - (first & ~31ull), shared->slot[level]);
  }
  if (!block_is_last(ticket, turn, &shared->last)) return false;
  if (me < level && job->to >> me & 1u) shared->slot[me] = partial_get(job->partials, rest + me);
  if (me < FOLD_TAIL && job->tail >> me & 1u)
    shared->tail[me] = partial_get(job->partials, rest + FOLD_LOW + me);
#if FOLD_SMALL
  const u32 low = (u32)(first & 31u), high = low + (u32)((job->to >> level) - first);
  for (u32 i = low + me; i < high; i += FOLD_THREADS * PARTIAL_BATCH) {
    total t[PARTIAL_BATCH];
    partial_get_batch(job->partials, i, FOLD_THREADS, PARTIAL_BATCH, high, t);
#pragma unroll
    for (u32 b = 0; b < PARTIAL_BATCH; b++) {
      const u32 at = i + b * FOLD_THREADS;
      if (at < high) shared->item[at / 32 * FOLD_ROW + at % 32] = t[b];
    }
  }
#endif
  return true;
}

/* The result, by one thread: init op (prefix of the chunks, then the short chunk). */
HD_DEVICE void thread_finish(const struct fold_job *job, const struct fold_shared *shared,
                             const struct fold_args *a) {
  total acc = job->identity;
#pragma unroll 1
  for (int part = 0; part < 2; part++)
    acc = thread_slots(acc, part ? shared->tail : shared->slot, part ? job->tail : job->to);
  thread_store(job, acc, a);
}

HD_KERNEL __launch_bounds__(FOLD_THREADS, HEDDLE_BLOCKS_PER_SM)
    heddle_fold_one_pass(const struct fold_args a) {
  __shared__ struct fold_shared shared;
  const u64 from = HEDDLE_STATE ? a.from : 0, to = a.to;
  const u32 me = threadIdx.x, turn = block_ticket(a.ticket), tail = a.tail, level = a.level;
  const u32 groups = to > from ? (u32)(((to - 1) >> level) - (from >> level)) + 1 : 0;
  const struct fold_job job = {
      a.x, a.y, from, to, tail, level, groups, a.partials, FOLD_IDENTITY(a.ends.identity)};
  const u64 group = (from >> level) + (u64)blockIdx.x * a.per_block;
  const bool single_block = gridDim.x == 1, many = FOLD_SMALL && groups > 64 * FOLD_WARPS;
  const bool leave = FOLD_SMALL && !single_block && level == 0;
  const bool is_tail = tail && blockIdx.x == gridDim.x - 1;
  if (HEDDLE_STATE && !groups) {
    if (me < CARRY_SLOTS && to >> me & 1u) shared.slot[me] = a.slots_in[me];
    __syncthreads(); /* the slots are those of before */
  }
#pragma unroll 1
  for (int stage = FOLD_CHUNKS; stage <= FOLD_BLOCKS; stage++) {
    struct carry_slots slots = {from, to, a.slots_in, shared.slot};
    int up = (int)level;
    if (stage == FOLD_CHUNKS) { /* of its own range if there is one block, else of its groups */
      if (!groups || (is_tail && !single_block)) continue;
      const u64 base = group << level, end = (group + a.per_block) << level,
                origin = single_block ? 0 : base;
      const u64 low = base > from ? base : from, high = end < to ? end : to;
      slots.from = HEDDLE_STATE ? low - origin : 0, slots.to = high - origin;
      up = 0;
      block_chunks(&job, low, high, leave ? from & ~31ull : origin + (slots.from & ~31ull), leave,
                   &shared);
      if (leave) continue;
    } else if (stage == FOLD_ELEMENTS) {
      if (!is_tail) continue;
      slots.from = 0, slots.to = tail, slots.slot_out = shared.tail;
      up = FOLD_RUN_LEVELS;
    } else if (stage == FOLD_GROUPS) {
      if (single_block) break;
      if (!block_hand_in(&job, group, is_tail, a.ticket, turn, &shared)) return;
    } else {
      if (!many) break;
      up = (int)level + 5;
    }
    __syncthreads(); /* items are complete */
    block_carry_slots(&job, &slots, up, (enum fold_stage)stage, many && stage == FOLD_GROUPS,
                      &shared);
    __syncthreads(); /* this stage's slots are complete, and its items free */
  }
  if (HEDDLE_STATE && a.slots_out) {
    if (me < CARRY_SLOTS && to >> me & 1u) a.slots_out[me] = shared.slot[me];
    if (me < FOLD_TAIL && tail >> me & 1u) a.slots_out[CARRY_SLOTS + me] = shared.tail[me];
  } else if (me == 0) {
    thread_finish(&job, &shared, &a);
  }
}
