/* fill.cu - sorted keys of one or two bytes, of which it is known how often each bit pattern occurs
 *
 * Result   heddle_sort_starts  starts[k]: elements whose keys are below k, of all keys and one more
 *          heddle_sort_fill    out
 * Defines  key.h's, HEDDLE_ORDER 0 or 1: elements alike are the same bits; HEDDLE_THREADS; HEDDLE_ITEMS: vectors
 *          of 16 bytes a thread and tile
 * Launch   heddle_sort_starts: one block of HEDDLE_THREADS; heddle_sort_fill: any number of them
 * Order    none shows
 * Method   A thread finds the key of its vector's first element by halving, among the keys of the block's tile. A
 *          vector of one key, as most are, is stored at once.
 * Source   Knuth, TAOCP 3, 5.2 (distribution counting) */
#include "key.h"

#define KEYS (1u << 8 * HEDDLE_KEY_BYTES)
#define FILL_WARPS (HEDDLE_THREADS / 32)
#define WARP_KEYS (KEYS / FILL_WARPS)
#define VECTOR (16 / HEDDLE_KEY_BYTES) /* elements */
#define TILE (HEDDLE_THREADS * HEDDLE_ITEMS)
static_assert(WARP_KEYS % 32 == 0, "lines of a warp");

/* ---- starts ---------------------------------------------------------------------------------- */

HD_DEVICE u64 count_of(const struct sort_fill_args *a, u32 key) {
  return ((const u64 *)a->counts)[bits_of(&a->map, key)];
}

/* The sum over the lanes, to all. */
HD_DEVICE u64 warp_add(u64 x) {
  for (u32 d = 16; d; d /= 2) x += __shfl_xor_sync(HD_ALL, x, d);
  return x;
}

/* A warp has keys that follow each other: adds them up, and lists their starts when those of the warps before
 * are known. */
HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_starts(const __grid_constant__ struct sort_fill_args a) {
  __shared__ u64 sums[FILL_WARPS];
  const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = warp * WARP_KEYS + lane;
  u64 *starts = (u64 *)a.starts;
  u64 sum = 0;
#pragma unroll 4
  for (u32 i = 0; i < WARP_KEYS; i += 32) sum += count_of(&a, first + i);
  sum = warp_add(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads(); /* sums of warps are there */
  u64 before = 0;
  for (u32 w = 0; w < warp; w++) before += sums[w];
#pragma unroll 4
  for (u32 i = 0; i < WARP_KEYS; i += 32) {
    const u64 count = count_of(&a, first + i);
    u64 upto = count;
    for (u32 d = 1; d < 32; d *= 2) {
      const u64 other = __shfl_up_sync(HD_ALL, upto, d);
      if (lane >= d) upto += other;
    }
    starts[first + i] = before + upto - count;
    before += __shfl_sync(HD_ALL, upto, 31);
  }
  if (threadIdx.x == HEDDLE_THREADS - 1) starts[KEYS] = before;
}

/* ---- fill ------------------------------------------------------------------------------------ */

/* The key of element `at`, which is one of keys low to high: the last one that starts there or before. */
HD_DEVICE u32 key_at(const u64 *starts, u64 at, u32 low, u32 high) {
  while (low < high) {
    const u32 middle = (low + high + 1) / 2;
    if (starts[middle] <= at)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

HD_DEVICE u32 word_of(key_bits bits) {
#if HEDDLE_KEY_BYTES == 1
  return bits * 0x01010101u;
#else
  return bits * 0x00010001u;
#endif
}

/* Elements at .. at + VECTOR - 1, of which those from 0 to count - 1 are there, at `out`; keys low to high. */
HD_DEVICE void thread_fill(const struct sort_fill_args *a, i64 at, u32 low, u32 high) {
  const u64 *starts = (const u64 *)a->starts;
  const i64 from = at < 0 ? 0 : at, count = (i64)a->count;
  const i64 end = at + VECTOR < count ? at + VECTOR : count;
  u32 key = key_at(starts, (u64)from, low, high);
  key_bits *out = (key_bits *)a->out;
  if (end - from == VECTOR && (i64)starts[key + 1] >= end) {
    const u32 word = word_of(bits_of(&a->map, key));
    const uint4 same = {word, word, word, word};
    store16_stream(out + at, same);
    return;
  }
  for (i64 i = from; i < end; i++) {
    if ((i64)starts[key + 1] <= i) key = key_at(starts, (u64)i, key + 1, high);
    out[i] = bits_of(&a->map, key);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_fill(const __grid_constant__ struct sort_fill_args a) {
  __shared__ u32 ends[2];
  const i64 skew = (i64)(a.out % 16 / HEDDLE_KEY_BYTES), count = (i64)a.count;
  const u64 tiles = ((u64)(count + skew) + TILE * VECTOR - 1) / (TILE * VECTOR);
  for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
    const i64 first = (i64)(t * TILE * VECTOR) - skew, behind = first + TILE * VECTOR;
    if (threadIdx.x < 2) {
      i64 at = threadIdx.x ? (behind < count ? behind : count) - 1 : first;
      if (at < 0) at = 0;
      ends[threadIdx.x] = key_at((const u64 *)a.starts, (u64)at, 0, KEYS - 1);
    }
    __syncthreads(); /* the tile's keys are known */
    const u32 low = ends[0], high = ends[1];
#pragma unroll
    for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
      const i64 at = first + (i64)(threadIdx.x + i * HEDDLE_THREADS) * VECTOR;
      if (at + VECTOR > 0 && at < count) thread_fill(&a, at, low, high);
    }
    __syncthreads(); /* all have read them */
  }
}
