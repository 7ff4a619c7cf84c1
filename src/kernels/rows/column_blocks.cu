/* column_blocks.cu - one result a row where neighbours in memory belong to neighbouring rows, of
 * which there are too few for a thread each: blocks fold parts of a few rows
 *
 * Result   out.value[r], the fold of row r with the bits of the plain call on it
 * Defines  order/device/total.h's, TOTAL_KIND up to HD_TOTAL_BOOL; HEDDLE_SEGMENTS 0,
 *          HEDDLE_STRIDED 1; HEDDLE_WIDTH: the rows of a group, a power of two from 2 to 128, or to 64
 *          where totals have 8 bytes
 * Kernels  heddle_fold_rows_per_group
 * Launch   CB_WARPS * 32 threads. parts == 0: a block a group. Else a block for each group and
 *          piece, pieces outermost: `parts` of them have 2^level chunks, one more has what is left
 *          over, if anything is; the last of a group to finish makes its results
 * Memory   parts > 0: slots: (parts + the bits set in the numbers of chunks and of elements that no
 *          part has) x rows totals; counters: one a group, which is left zero
 * Method   A thread has one row; those of a row share out the lanes of a chunk by their numbers'
 *          lowest bits. So loads of a warp are neighbours, rule 2's first halves meet within a
 *          thread, its next ones between warps, its last ones between lanes. What has no lanes, the
 *          elements behind the last chunk and the totals of parts, is cut into runs of neighbours,
 *          one a thread.
 * Order    v1, anchored at the row's start: parts are aligned blocks of chunks
 * Source   docs/order.md, rules 2 to 5 and 11 */
#define COUNTER_LEVELS 6
#define COUNTER_ALL 1
#include "finish.h"
#include "order/device/thread_counter.h"

#ifdef TOTAL_LANES
#define LANES TOTAL_LANES
#else /* any association gives the same bits */
#define LANES 128
#endif
#define ROW_CHUNK (16 * LANES)
#define WIDTH HEDDLE_WIDTH
#define SIDES (WIDTH > 32 ? WIDTH / 32 : 1) /* warps side by side, with rows of their own */
#define WARP_WIDTH (WIDTH / SIDES)
#define SUBS (32 / WARP_WIDTH) /* of a warp's threads, those that have one row */
#define CB_WARPS (16 * SUBS <= LANES ? 16 : LANES / SUBS)
#define DEPTH (CB_WARPS / SIDES)
#define SHARES (DEPTH * SUBS) /* threads of a row */
#define OWN (LANES / SHARES)  /* lanes of a chunk that a thread has */
#define LOG_OWN (OWN == 32 ? 5 : OWN == 16 ? 4 : OWN == 8 ? 3 : OWN == 4 ? 2 : OWN == 2 ? 1 : 0)
#define CHUNK_LEVELS 32 /* of a block's number of chunks */
#define RUN_LEVELS 10   /* of a run's number of items, at most 2^9, and of SHARES */
#define BLOCK 16        /* items of a run that are loaded at once */
/* Blocks that a multiprocessor has room for: others than sums of f32 take more registers,
 * and so do their quotients. */
#define CB_IS_SMALL \
  (TOTAL_KIND == HD_TOTAL_F32 && HEDDLE_TYPE == HD_F32 && HEDDLE_VERB != HD_DOT && !HEDDLE_QUOTIENT)
#define CB_BLOCKS ((CB_IS_SMALL ? 32 : 16) / CB_WARPS)

/* One a thread each, so that nobody waits for a bank. The first warp that has a row, a head, sees
 * to it. */
struct group_shared {
  total share[2][CB_WARPS][32];
  total chunks[CHUNK_LEVELS][SIDES * 32]; /* the aligned blocks that tile the chunks so far */
  total runs[RUN_LEVELS][SIDES * 32];     /* and so of runs */
  total rest[RUN_LEVELS][SIDES * 32];     /* the blocks that tile the run that the end cuts */
  u32 last;
};

/* What a thread has to do with. */
struct group_job {
  const struct row_source *from;
  struct group_shared *shared;
  i64 start; /* of the thread's row */
  u64 row;
  u32 share; /* the thread's number among those of its row */
  u32 lane, warp;
  u32 slot;  /* the row's place in shared arrays, for its head */
  bool head; /* the warp is one */
  bool mine; /* the row is there, and the thread is the first of all to have it */
};

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Rule 2 down to SHARES lanes, for the chunk from element `index` on. */
HD_DEVICE total thread_chunk_share(const struct group_job *job, u64 index) {
  const struct row_source *from = job->from;
  const i64 pitch = LANES * from->step;
  struct thread_counter lanes;
  total t = total_identity();
  lanes.count = 0;
#pragma unroll 1
  for (u32 i = 0; i < OWN; i++) {
    /* In the order of reversed bits halves are neighbours. */
    const u32 own = LOG_OWN ? __brev(i) >> ((32 - LOG_OWN) & 31) : 0;
    i64 at = job->start + (i64)(index + own * SHARES + job->share) * from->step;
    total x[16];
#pragma unroll
    for (int r = 0; r < 16; r++, at += pitch) x[r] = row_element(from, at, 0);
    t = x[0];
#pragma unroll
    for (int r = 1; r < 16; r++) t = total_op(t, x[r]);
    thread_counter_push(&lanes, t, LOG_OWN + 1);
  }
  return thread_counter_fold(&lanes, total_identity(), LOG_OWN + 1);
}

/* The rest of rule 2, by a head, from what all threads left; every lane holds its row's. */
HD_DEVICE total warp_fold_shares(const struct group_job *job, u32 turn) {
  struct thread_counter halves;
  halves.count = 0;
#pragma unroll 1
  for (u32 i = 0; i < DEPTH; i++) {
    const u32 w = __brev(i) / (0x80000000u / (DEPTH / 2)) * SIDES + job->warp;
    thread_counter_push(&halves, job->shared->share[turn][w][job->lane], COUNTER_LEVELS);
  }
  total t = thread_counter_fold(&halves, total_identity(), COUNTER_LEVELS);
#pragma unroll
  for (int h = 16; h >= WARP_WIDTH; h /= 2) t = warp_ordered(t, warp_xor(t, h), h);
  return t;
}

/* Takes the total of item `item` (rule 3). */
HD_DEVICE void thread_push(total blocks[][SIDES * 32], u32 slot, u64 item, total t) {
  u32 k = 0;
  for (; item >> k & 1u; k++) t = total_op(blocks[k][slot], t);
  blocks[k][slot] = t;
}

/* `count` chunks from element `index` on into shared->chunks, by all threads of the block; for
 * heads it is complete. */
HD_DEVICE void block_push_chunks(const struct group_job *job, u64 index, u64 count) {
#pragma unroll 1
  for (u64 i = 0; i < count; i++, index += ROW_CHUNK) {
    const u32 turn = (u32)i & 1u;
    job->shared->share[turn][job->warp][job->lane] = thread_chunk_share(job, index);
    __syncthreads(); /* all shares are there, and those of the chunk before are read */
    if (job->head) thread_push(job->shared->chunks, job->slot, i, warp_fold_shares(job, turn));
  }
}

/* ---- items without lanes --------------------------------------------------------------------- */

/* Elements from `index` on of the job's row; or the totals of parts, if `totals`. */
struct group_items {
  const total *totals;
  u64 pitch;
  u64 index;
};

HD_DEVICE total group_item(const struct group_job *job, const struct group_items *items, u32 i) {
  if (items->totals) return items->totals[i * items->pitch];
  const struct row_source *from = job->from;
  return row_element(from, job->start + (i64)(items->index + i) * from->step, 0);
}

/* Where the thread's run leaves the block of 2^k items that it has: a whole run has but one. */
HD_DEVICE void thread_leave(const struct group_job *job, bool whole, u32 k, total t) {
  if (whole)
    job->shared->share[0][job->warp][job->lane] = t;
  else
    job->shared->rest[k][job->warp % SIDES * 32 + job->lane % WARP_WIDTH] = t;
}

/* `size` items, 1, 2, 4 or 8, as one block. */
HD_DEVICE total thread_digit(const struct group_job *job, const struct group_items *items,
                             u32 first, u32 size) {
  total x[8];
#pragma unroll
  for (u32 i = 0; i < 8; i++) x[i] = group_item(job, items, first + (i < size ? i : 0));
  const total two = total_op(x[0], x[1]), four = total_op(two, total_op(x[2], x[3]));
  if (size == 8) return total_op(four, total_op(total_op(x[4], x[5]), total_op(x[6], x[7])));
  return size == 4 ? four : size == 2 ? two : x[0];
}

/* Items first .. first + n - 1, n <= 512, as blocks that tile them (rule 5). */
HD_DEVICE void thread_run(const struct group_job *job, const struct group_items *items, u32 first,
                          u32 n, bool whole) {
  struct thread_counter blocks;
  u32 left = n;
  blocks.count = 0;
#pragma unroll 1
  for (; left >= BLOCK; left -= BLOCK, first += BLOCK) {
    total x[BLOCK];
#pragma unroll
    for (u32 i = 0; i < BLOCK; i++) x[i] = group_item(job, items, first + i);
#pragma unroll
    for (u32 h = 1; h < BLOCK; h *= 2)
#pragma unroll
      for (u32 i = 0; i < BLOCK; i += 2 * h) x[i] = total_op(x[i], x[i + h]);
    thread_counter_push(&blocks, x[0], RUN_LEVELS - 4);
  }
#pragma unroll
  for (u32 k = 0; 4 + k < RUN_LEVELS; k++)
    if (n >> k & BLOCK) thread_leave(job, whole, 4 + k, blocks.slot[k]);
#pragma unroll 1
  for (u32 size = BLOCK / 2; size; size /= 2) {
    if (!(left & size)) continue;
    thread_leave(job, whole, 31 - (u32)__clz((i32)size), thread_digit(job, items, first, size));
    first += size;
  }
}

/* Where blocks of items go, biggest first: onto acc, or to be kept. */
struct group_sink {
  total acc;
  total *to;
  u64 pitch;
};

HD_DEVICE void sink_take(struct group_sink *sink, total t) {
  if (sink->to) {
    *sink->to = t;
    sink->to += sink->pitch;
  } else {
    sink->acc = total_op(sink->acc, t);
  }
}

/* n <= 2048 items as blocks that tile them, by all threads of the block, for heads. */
HD_DEVICE void block_sink_items(const struct group_job *job, const struct group_items *items, u32 n,
                                struct group_sink *sink) {
  struct group_shared *shared = job->shared;
  u32 u = 0;
  while ((u32)SHARES << u < n) u++;
  const u32 runs = n >> u, m = n - (runs << u), first = job->share << u;
  __syncthreads(); /* the shares and runs of before are read */
  if (job->share < runs) thread_run(job, items, first, 1u << u, true);
  if (job->share == runs && m) thread_run(job, items, first, m, false);
  __syncthreads(); /* all runs are there */
  if (!job->head) return;
#pragma unroll 1
  for (u32 q = 0; q < runs; q++)
    thread_push(shared->runs, job->slot, q,
                shared->share[0][q / SUBS * SIDES + job->warp]
                             [q % SUBS * WARP_WIDTH + job->lane % WARP_WIDTH]);
#pragma unroll 1
  for (u32 k = RUN_LEVELS; k-- > 0;)
    if (runs >> k & 1u) sink_take(sink, shared->runs[k][job->slot]);
#pragma unroll 1
  for (u32 k = RUN_LEVELS; k-- > 0;)
    if (m >> k & 1u) sink_take(sink, shared->rest[k][job->warp * 32 + job->lane % WARP_WIDTH]);
}

/* The chunks of shared->chunks, by a head. */
HD_DEVICE void warp_sink_chunks(const struct group_job *job, u64 count, struct group_sink *sink) {
#pragma unroll 1
  for (u32 k = CHUNK_LEVELS; k-- > 0;)
    if (count >> k & 1u) sink_take(sink, job->shared->chunks[k][job->slot]);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* What no part has: `left` chunks behind `cut` others, and the elements behind them. */
HD_DEVICE void block_sink_rest(const struct group_job *job, u64 cut, u64 left, u32 tail,
                               struct group_sink *sink) {
  const struct group_items elements = {0, 0, (cut + left) * ROW_CHUNK};
  block_push_chunks(job, cut * ROW_CHUNK, left);
  if (job->head) warp_sink_chunks(job, left, sink);
  if (tail) block_sink_items(job, &elements, tail, sink);
}

/* A part of the group, or what no part has, to its slots; whether this block is the last to do
 * so. */
HD_DEVICE bool block_leave_piece(const struct group_job *job, const struct rows_parts_args *a,
                                 u64 piece, u32 pieces, u32 *counter, u64 left, u32 tail) {
  const u64 rows = a->fold.view.rows, cut = a->parts << a->level;
  if (piece < a->parts) {
    block_push_chunks(job, (piece << a->level) * ROW_CHUNK, 1ull << a->level);
    if (job->mine) a->slots[piece * rows + job->row] = job->shared->chunks[a->level][job->slot];
  } else {
    struct group_sink sink = {total_identity(), 0, rows};
    if (job->mine) sink.to = a->slots + a->parts * rows + job->row;
    block_sink_rest(job, cut, left, tail, &sink);
  }
  __syncthreads(); /* the heads' totals are written before the first thread counts the piece */
  return block_is_last_piece(counter, pieces, &job->shared->last);
}

/* What block_leave_piece kept behind the parts, by heads. */
HD_DEVICE void warp_sink_kept(const struct group_job *job, const struct rows_parts_args *a,
                              u64 left, u32 tail, struct group_sink *sink) {
  const u64 rows = a->fold.view.rows;
  const u32 kept = (u32)__popcll((i64)left) + (u32)__popc((i32)tail);
  if (!job->head) return;
#pragma unroll 1
  for (u32 k = 0; k < kept; k++) sink_take(sink, a->slots[(a->parts + k) * rows + job->row]);
}

HD_KERNEL __launch_bounds__(CB_WARPS * 32, CB_BLOCKS)
    heddle_fold_rows_per_group(const struct rows_parts_args a) {
  __shared__ struct group_shared shared;
  const struct row_source from = a.fold.from; /* a copy: fewer registers */
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 rows = a.fold.view.rows, groups = (rows + WIDTH - 1) / WIDTH;
  const u64 piece = blockIdx.x / groups, group = blockIdx.x - piece * groups;
  const u64 number = group * WIDTH + warp % SIDES * 32 + lane % WARP_WIDTH;
  const u64 row = number < rows ? number : rows - 1;
  const struct row_place place = row_at(&a.fold.view, row);
  const u64 chunks = place.length / ROW_CHUNK, left = chunks - (a.parts << a.level);
  const u32 tail = (u32)(place.length % ROW_CHUNK), share = warp / SIDES * SUBS + lane / WARP_WIDTH;
  const bool head = warp < SIDES, mine = number < rows && head && lane < WARP_WIDTH;
  const struct group_job job = {&from, &shared, place.start,      row,  share,
                                lane,  warp,    warp * 32 + lane, head, mine};
  struct group_sink sink = {total_identity(), 0, rows};
  if (!a.parts) {
    block_sink_rest(&job, 0, chunks, tail, &sink);
  } else {
    const u32 pieces = (u32)a.parts + (left || tail);
    const struct group_items parts = {a.slots + row, rows, 0};
    if (!block_leave_piece(&job, &a, piece, pieces, a.counters + group, left, tail)) return;
    block_sink_items(&job, &parts, (u32)a.parts, &sink);
    warp_sink_kept(&job, &a, left, tail, &sink);
  }
  if (job.mine) row_finish(sink.acc, place.length, row, &a.fold.out, &a.ends);
}
