/* one_wave.cu - one result of a whole array of few chunks in order v1, by one wave of blocks whose
 * warps fold a chunk each; for totals of 4 or 8 bytes
 *
 * Result   heddle_fold_one_wave: the total of `chunks` chunks and of `tail` more elements at `out`,
 *          rounded to out_type, init folded in
 * Defines  as order/device/chunk.h; HEDDLE_WARPS a block, 8; HEDDLE_BLOCKS_PER_SM, for which
 *          registers are held down
 * Launch   HEDDLE_WARPS * 32 threads. A block for each per_block chunks, and one for a tail: two or more
 * Memory   partials, ticket: as kernels/base/block_partials.h has them, chunks + 16 totals
 * Method   A warp folds a chunk (rule 2); of a tail a thread folds a run of neighbours. The
 *          last block has the totals of chunks from the others (kernels/base/block_partials.h). The
 *          aligned blocks that tile a prefix are folded biggest first (rules 4 and 5): warps find
 *          the totals of 32 items each, and one warp folds those, then the items behind the last of
 *          them. A short way: an array of this size takes as long as the steps that wait for each
 *          other.
 * Order    v1: which block is last, and how many there are, cannot be seen
 * Limits   fewer than 4,096 chunks
 * Source   docs/order.md */
#include "items.h"

/* Blocks of 32 totals that a warp has in flight. */
#define WAVE_BATCH (PARTIAL_BATCH < 4 ? PARTIAL_BATCH : 4)

struct __align__(16) wave_shared {
  total block[128]; /* the totals of 32 chunks each */
  total chunk[32];  /* of the chunks behind them */
  struct tail tail; /* elements behind those */
  u32 last;
};

/* The slots of the tail, by one warp, for the last block. */
HD_DEVICE void warp_leave_tail(const struct fold_job *job, struct tail *tail) {
  const u32 lane = warp_lane();
  warp_tail_slots(job->tail, tail);
  if (lane < FOLD_TAIL && job->tail >> lane & 1u)
    partial_put(job->partials, job->to + lane, tail->slot[lane]);
}

/* What the others left, in the last block; complete after the next barrier. */
HD_DEVICE void block_collect(const struct fold_job *job, struct wave_shared *shared) {
  const u32 me = threadIdx.x, lane = warp_lane(), chunks = (u32)job->to;
#pragma unroll 1
  for (u32 b = me >> 5; b * 32 < chunks; b += WAVE_BATCH * FOLD_WARPS) {
    total t[WAVE_BATCH];
#pragma unroll
    for (u32 i = 0; i < WAVE_BATCH; i++) t[i] = job->identity;
    partial_get_batch(job->partials, 32 * b + lane, FOLD_THREADS, WAVE_BATCH, chunks, t);
#pragma unroll
    for (u32 i = 0; i < WAVE_BATCH; i++) {
      const u32 at = b + i * FOLD_WARPS;
      if (at == chunks / 32u) shared->chunk[lane] = t[i];
      t[i] = warp_tree(t[i], 5);
      if (at < chunks / 32u && lane == 0) shared->block[at] = t[i];
    }
  }
  const u32 k = FOLD_THREADS - 1 - me; /* by the last warp, which has least to do */
  if (k < FOLD_TAIL && job->tail >> k & 1u)
    shared->tail.slot[k] = partial_get(job->partials, chunks + k);
}

/* All of it in order, by one warp. */
HD_DEVICE total warp_total(const struct fold_job *job, const struct wave_shared *shared) {
  const u32 lane = warp_lane(), chunks = (u32)job->to, blocks = chunks / 32u;
  const total *rest = shared->block;
  total acc = job->identity;
  if (blocks & 64u) {
    total t = warp_tree(rest[lane], 5);
    acc = total_op(acc, total_op(t, warp_tree(rest[32 + lane], 5)));
    rest += 64;
  }
  if (blocks & 32u) {
    acc = total_op(acc, warp_tree(rest[lane], 5));
    rest += 32;
  }
#pragma unroll 1
  for (u32 part = 0; part < 2; part++) { /* blocks of 32 chunks, then chunks */
    const u32 d = (part ? chunks : blocks) & 31u;
    total t = job->identity;
    if (lane < d) t = part ? shared->chunk[lane] : rest[lane];
    if (d) acc = warp_first(acc, t, d);
  }
  return thread_slots(acc, shared->tail.slot, job->tail);
}

HD_KERNEL __launch_bounds__(FOLD_THREADS, HEDDLE_BLOCKS_PER_SM)
    heddle_fold_one_wave(const struct fold_args a) {
  __shared__ struct wave_shared shared;
  const u32 chunks = (u32)a.to;
  const struct fold_job job = {a.x, a.y,    0,          chunks,          a.tail,
                               0,   chunks, a.partials, total_identity()};
  const u32 warp = threadIdx.x >> 5, turn = block_ticket(a.ticket), low = blockIdx.x * a.per_block;
  const u32 high = low + a.per_block < chunks ? low + a.per_block : chunks;
#pragma unroll 1
  for (u32 c = low + warp; c < high; c += FOLD_WARPS) {
    total t = warp_chunk_total(a.x + (u64)c * TOTAL_CHUNK, a.y + (u64)c * TOTAL_CHUNK);
    if (warp_lane() == 0) partial_put(a.partials, c, t);
  }
  if (a.tail && blockIdx.x == gridDim.x - 1) {
    const u64 whole = (u64)chunks * TOTAL_CHUNK;
    block_tail_runs(a.x + whole, a.y + whole, a.tail, &shared.tail);
    __syncthreads(); /* the runs are complete */
    if (warp == 0) warp_leave_tail(&job, &shared.tail);
  }
  if (!block_is_last(a.ticket, turn, &shared.last)) return;
  block_collect(&job, &shared);
  __syncthreads(); /* the totals of chunks and the tail's slots are complete */
  if (warp) return;
  total acc = warp_total(&job, &shared);
  if (threadIdx.x == 0) thread_store(&job, acc, &a);
}
