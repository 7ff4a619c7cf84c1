/* bytes.cu - how often each value of 8-bit elements occurs, and so how many are in each bin
 *
 * Result   totals[i] += the elements that counter i counts; with a.finish the output itself
 * Defines  HEDDLE_CHANNELS 1 to 4; HEDDLE_THREADS of a block, a multiple of 32; HEDDLE_COPIES 4, 8,
 *          16 or 32: so many counters of a value lie side by side, and a lane takes the one of its
 *          number; HEDDLE_LOADS of 16 bytes that a thread counts while it loads as many
 * Launch   any number of blocks of HEDDLE_THREADS
 * Memory   dynamic shared memory: 1,024 * HEDDLE_CHANNELS * HEDDLE_COPIES bytes
 * Order    none shows: integers
 * Method   Additions in shared memory. With 32 copies each lane has a bank of its own, so that no
 *          distribution of the data makes two lanes wait for each other: one warp a clock. A byte's
 *          counter is a shift and one operation of three inputs away from its word. The 256 counts
 *          of a block are made whatever the bins are; its end adds those of neighbouring values
 *          that share a slot, and then these sums to the totals.
 * Limits   less than 2^31 elements a block: the host launches again before
 * Source   docs/histogram.md */
#include "kernels/base/device.h"

#include "args.h"

#include "finish.h"

#define VALUES (256 * HEDDLE_CHANNELS)
/* A value's counters take 2^COPIES_SHIFT bytes. */
#define COPIES_SHIFT \
  (HEDDLE_COPIES == 32 ? 7 : HEDDLE_COPIES == 16 ? 6 : HEDDLE_COPIES == 8 ? 5 : 4)
#define BYTE_MASK (0xffu << COPIES_SHIFT)

extern __shared__ u32 byte_counters[];

/* What lies between the ends that are not aligned, as pieces of 16 bytes: the first byte of piece k
 * is of channel (phase + 16 k) % HEDDLE_CHANNELS. */
struct byte_pieces {
  const uint4 *at;
  u64 count;
  u32 phase;
};

HD_DEVICE u32 channel_of_piece(const struct byte_pieces *p, u64 piece) {
#if HEDDLE_CHANNELS == 1
  (void)p, (void)piece;
  return 0;
#elif HEDDLE_CHANNELS == 3
  return (u32)((p->phase + piece) % 3); /* 16 = 15 + 1 */
#else
  (void)piece;
  return p->phase;
#endif
}

/* lane: the place of this lane's counter of value 0 and channel 0, in bytes; the piece's first byte
 * is of channel `phase`. */
HD_DEVICE void count_piece(uint4 piece, u32 lane, u32 phase) {
  const u32 word[4] = {piece.x, piece.y, piece.z, piece.w};
  u32 place[HEDDLE_CHANNELS];
#pragma unroll
  for (u32 c = 0; c < HEDDLE_CHANNELS; c++) {
    u32 channel = phase + c < HEDDLE_CHANNELS ? phase + c : phase + c - HEDDLE_CHANNELS;
    place[c] = lane | channel << (8 + COPIES_SHIFT);
  }
#pragma unroll
  for (int i = 0; i < 16; i++) {
    const int up = COPIES_SHIFT - i % 4 * 8; /* from the byte's place to its counter's */
    u32 value = (up >= 0 ? word[i / 4] << up : word[i / 4] >> -up) & BYTE_MASK;
    atomicAdd((u32 *)((u8 *)byte_counters + (value | place[i % HEDDLE_CHANNELS])), 1u);
  }
}

HD_DEVICE void load_pieces(const uint4 *from, uint4 *piece) {
#pragma unroll
  for (int k = 0; k < HEDDLE_LOADS; k++) piece[k] = load16(from + k * HEDDLE_THREADS);
}

HD_DEVICE void count_tile(const struct byte_pieces *p, u64 first, u32 lane, const uint4 *piece) {
#pragma unroll
  for (int k = 0; k < HEDDLE_LOADS; k++)
    count_piece(piece[k], lane, channel_of_piece(p, first + k * HEDDLE_THREADS));
}

/* Tiles of HEDDLE_LOADS pieces a thread, in turn, if there is one for every block; then what is
 * left, a piece at a time. The turns of both loops are the same for all threads of a block, so that
 * the counters' address stays a uniform one. */
HD_DEVICE void count_pieces(const struct byte_pieces *p, u32 lane) {
  const u64 tile = HEDDLE_THREADS * HEDDLE_LOADS;
  const u64 tiles = p->count < tile * gridDim.x ? 0 : p->count / tile;
  uint4 piece[HEDDLE_LOADS], next[HEDDLE_LOADS];
  if (blockIdx.x < tiles) load_pieces(p->at + tile * blockIdx.x + threadIdx.x, next);
  for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
    const u64 first = tile * t + threadIdx.x;
#pragma unroll
    for (int k = 0; k < HEDDLE_LOADS; k++) piece[k] = next[k];
    if (t + gridDim.x < tiles) load_pieces(p->at + first + tile * gridDim.x, next);
    count_tile(p, first, lane, piece);
  }
  const u64 rest = tile * tiles, step = (u64)HEDDLE_THREADS * gridDim.x;
  for (u64 i = rest + (u64)HEDDLE_THREADS * blockIdx.x; i < p->count; i += step)
    if (i + threadIdx.x < p->count)
      count_piece(load16(p->at + i + threadIdx.x), lane, channel_of_piece(p, i + threadIdx.x));
}

/* The bytes before and behind the pieces, by the first warp of all. */
HD_DEVICE void count_ends(const struct hist_args *a, u32 head, u64 pieces, u32 lane) {
  const u64 behind = head + 16 * pieces;
  if (blockIdx.x != 0 || threadIdx.x >= 32) return;
  u64 i = threadIdx.x < 16 ? threadIdx.x : behind + threadIdx.x - 16;
  if (i >= (threadIdx.x < 16 ? head : a->count)) return;
  u32 value = ((const u8 *)a->in)[i], channel = (u32)((a->first_channel + i) % HEDDLE_CHANNELS);
  u32 at = ((256 * channel + value) << COPIES_SHIFT) + lane;
  atomicAdd((u32 *)((u8 *)byte_counters + at), 1u);
}

/* How often value i % 256 of channel i / 256 is in the counters. */
HD_DEVICE u32 counts_of(u32 i) {
  u32 sum = 0;
#pragma unroll
  for (u32 k = 0; k < HEDDLE_COPIES; k++) /* lanes begin at different banks */
    sum += byte_counters[i * HEDDLE_COPIES + ((k + threadIdx.x) & (HEDDLE_COPIES - 1))];
  return sum;
}

/* The first value of the run of equal slots that v lies in; bit v of `heads` is the start of
 * one. */
HD_DEVICE u32 run_of(const u32 *heads, u32 v) {
  u32 at = v / 32, word = heads[at] & (HD_ALL >> (31 - v % 32));
  while (word == 0) word = heads[--at]; /* value 0 starts one */
  return 32 * at + 31 - (u32)__clz((i32)word);
}

/* All threads arrive, each after its last count. */
HD_DEVICE void block_flush_counts(const struct hist_args *a, const u32 *value_slot) {
  __shared__ u32 runs[VALUES], heads[8];
  for (u32 v = threadIdx.x; v < 256; v += HEDDLE_THREADS) { /* whole warps */
    u32 head = __ballot_sync(HD_ALL, v == 0 || __ldg(value_slot + v) != __ldg(value_slot + v - 1));
    if (v % 32 == 0) heads[v / 32] = head;
  }
  for (u32 i = threadIdx.x; i < VALUES; i += HEDDLE_THREADS) runs[i] = 0;
  __syncthreads(); /* all is counted, heads are known, runs are zero */
  for (u32 i = threadIdx.x; i < VALUES; i += HEDDLE_THREADS) {
    u32 count = counts_of(i);
    if (count) atomicAdd(&runs[(i & ~255u) + run_of(heads, i & 255u)], count);
  }
  __syncthreads(); /* runs are complete */
  for (u32 i = threadIdx.x; i < VALUES; i += HEDDLE_THREADS)
    if (runs[i])
      atomicAdd((u64 *)a->totals + i / 256 * a->slots + __ldg(value_slot + i % 256), (u64)runs[i]);
}

/* a.find.buckets: the slot of each of the 256 bit patterns. */
HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_histogram_bytes(const __grid_constant__ struct hist_args a) {
  const u32 lane = 4 * (threadIdx.x & (HEDDLE_COPIES - 1));
  for (u32 i = threadIdx.x; i < VALUES * HEDDLE_COPIES; i += HEDDLE_THREADS) byte_counters[i] = 0;
  u32 head = (u32)(0 - a.in) & 15u;
  if (head > a.count) head = (u32)a.count;
  struct byte_pieces pieces;
  pieces.at = (const uint4 *)(a.in + head);
  pieces.count = (a.count - head) / 16;
  pieces.phase = (a.first_channel + head) % HEDDLE_CHANNELS;
  __syncthreads(); /* all counters are zero */
  count_ends(&a, head, pieces.count, lane);
  count_pieces(&pieces, lane);
  block_flush_counts(&a, (const u32 *)a.find.buckets);
  if (a.finish) block_finish(&a);
}
