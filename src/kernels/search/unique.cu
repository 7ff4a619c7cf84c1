/* unique.cu - from sorted elements to values, each once
 *
 * Result   heddle_unique_specials  the first zero and the first NaN of the array
 *          heddle_unique_heads     where values begin, and how often in each tile
 *          heddle_unique_starts    values before each tile; how many there are
 *          heddle_unique_write     values, how often each is there, its first position, the value of each element
 * Defines  kernels/sort/key.h's, HEDDLE_ORDER 0 or 2; HEDDLE_POSITION_BYTES 0, 4 or 8; HEDDLE_INDEX_BYTES 0, 4 or 8,
 *          of inverse
 * Launch   blocks of UNIQUE_THREADS: any number, a tile each, one, a tile each
 * Method   Elements are read once; then a bit each says whether a value begins there. Sorted with their positions,
 *          stable, a value's first element is the first of all. Without, elements alike are the same bits,
 *          but for zeros and NaN, whose first ones are looked for in the array itself. */
#include "kernels/sort/key.h"

#include "args.h"

#define TILE_WORDS (UNIQUE_TILE / 32)
#if HEDDLE_POSITION_BYTES == 8
typedef u64 unique_position;
#else
typedef u32 unique_position;
#endif
#if HEDDLE_INDEX_BYTES == 8
typedef u64 unique_index;
#else
typedef u32 unique_index;
#endif

/* ---- zeros and NaN --------------------------------------------------------------------------- */

/* UNIQUE_ZERO, UNIQUE_NAN, or UNIQUE_SPECIALS: neither. */
HD_DEVICE u32 special_of(const struct sort_map *map, key_bits bits) {
  const sort_key magnitude = (sort_key)bits & ~KEY_SIGN;
  return !magnitude                            ? UNIQUE_ZERO
         : magnitude > (sort_key)map->infinity ? UNIQUE_NAN
                                               : UNIQUE_SPECIALS;
}

HD_KERNEL __launch_bounds__(UNIQUE_THREADS)
    heddle_unique_specials(const __grid_constant__ struct unique_args a) {
  const key_bits *in = (const key_bits *)a.in;
  const u64 step = (u64)gridDim.x * UNIQUE_THREADS;
  u64 first[UNIQUE_SPECIALS] = {0, 0};
  for (u64 i = (u64)blockIdx.x * UNIQUE_THREADS + threadIdx.x; i < a.count; i += step) {
    const u32 special = special_of(&a.map, in[i]);
    if (special == UNIQUE_ZERO && !first[UNIQUE_ZERO]) first[UNIQUE_ZERO] = ~i;
    if (special == UNIQUE_NAN && !first[UNIQUE_NAN]) first[UNIQUE_NAN] = ~i;
  }
#pragma unroll
  for (u32 s = 0; s < UNIQUE_SPECIALS; s++) {
    for (u32 d = 16; d; d /= 2) {
      const u64 other = __shfl_xor_sync(HD_ALL, first[s], d);
      if (other > first[s]) first[s] = other;
    }
    if (threadIdx.x % 32 == 0 && first[s]) atomicMax((u64 *)a.specials + s, first[s]);
  }
}

/* ---- heads ----------------------------------------------------------------------------------- */

HD_KERNEL __launch_bounds__(UNIQUE_THREADS)
    heddle_unique_heads(const __grid_constant__ struct unique_args a) {
  __shared__ u32 warps[UNIQUE_THREADS / 32];
  const key_bits *keys = (const key_bits *)a.keys;
  const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const u64 word = (u64)blockIdx.x * TILE_WORDS + warp * UNIQUE_ITEMS;
  key_bits bits[UNIQUE_ITEMS];
  u32 heads = 0;
#pragma unroll
  for (u32 j = 0; j < UNIQUE_ITEMS; j++) {
    const u64 i = (word + j) * 32 + lane;
    bits[j] = i < a.count ? keys[i] : (key_bits)0;
  }
#pragma unroll
  for (u32 j = 0; j < UNIQUE_ITEMS; j++) {
    const u64 i = (word + j) * 32 + lane;
    const sort_key key = key_of(&a.map, bits[j]);
    sort_key before = __shfl_up_sync(HD_ALL, key, 1);
    if (lane == 0 && i && i < a.count) before = key_of(&a.map, keys[i - 1]);
    const u32 mask = __ballot_sync(HD_ALL, i < a.count && (!i || key != before));
    if (lane == j) ((u32 *)a.masks)[word + j] = mask;
    heads += (u32)__popc((i32)mask);
  }
  if (lane == 0) warps[warp] = heads;
  __syncthreads(); /* all warps have counted */
  if (threadIdx.x) return;
  for (u32 w = 1; w < UNIQUE_THREADS / 32; w++) heads += warps[w];
  ((u32 *)a.heads)[blockIdx.x] = heads;
}

/* The sum of the values of threads up to this one, which all arrive; warps: one word each, free behind a
 * barrier. */
HD_DEVICE u64 block_sum_upto(u64 value, u64 *warps, u64 *all) {
  const u32 lane = threadIdx.x % 32;
  for (u32 d = 1; d < 32; d *= 2) {
    const u64 other = __shfl_up_sync(HD_ALL, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) warps[threadIdx.x / 32] = value;
  __syncthreads(); /* the sums of warps are there */
  u64 before = 0, total = 0;
  for (u32 w = 0; w < UNIQUE_THREADS / 32; w++) {
    if (w == threadIdx.x / 32) before = total;
    total += warps[w];
  }
  *all = total;
  return before + value;
}

HD_KERNEL __launch_bounds__(UNIQUE_THREADS)
    heddle_unique_starts(const __grid_constant__ struct unique_args a) {
  __shared__ u64 warps[UNIQUE_THREADS / 32];
  enum { EACH = 8 };
  const u64 tiles = (a.count + UNIQUE_TILE - 1) / UNIQUE_TILE;
  u64 *starts = (u64 *)a.starts, before = 0;
  for (u64 first = 0; first < tiles; first += EACH * UNIQUE_THREADS) {
    const u64 own = first + threadIdx.x * EACH;
    u32 heads[EACH];
    u64 sum = 0, all;
#pragma unroll
    for (u32 j = 0; j < EACH; j++) {
      heads[j] = own + j < tiles ? ((const u32 *)a.heads)[own + j] : 0;
      sum += heads[j];
    }
    u64 at = before + block_sum_upto(sum, warps, &all) - sum;
#pragma unroll
    for (u32 j = 0; j < EACH; j++) {
      if (own + j < tiles) starts[own + j] = at;
      at += heads[j];
    }
    before += all;
    __syncthreads(); /* sums of warps have been read */
  }
  if (threadIdx.x) return;
  starts[tiles] = before;
  *(u64 *)a.found = before;
}

/* ---- results --------------------------------------------------------------------------------- */

struct unique_tile {
  u32 masks[TILE_WORDS];
  u32 before[TILE_WORDS]; /* values that begin in earlier words */
  u64 next;               /* the first element of the value behind the tile's last one */
  u64 warps[UNIQUE_THREADS / 32];
};

/* Where the first value begins that does so behind tile t; by one thread. */
HD_DEVICE u64 thread_next(const struct unique_args *a, u64 t) {
  const u64 *starts = (const u64 *)a->starts;
  const u64 tiles = (a->count + UNIQUE_TILE - 1) / UNIQUE_TILE, upto = starts[t + 1];
  u64 low = t + 1, high = tiles;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (starts[middle + 1] > upto)
      high = middle;
    else
      low = middle + 1;
  }
  if (low == tiles) return a->count;
  const u32 *masks = (const u32 *)a->masks + low * TILE_WORDS;
  u32 w = 0;
  while (!masks[w]) w++;
  return low * UNIQUE_TILE + w * 32 + (u32)__ffs((i32)masks[w]) - 1;
}

/* Where the value ends that begins with bit `lane` of word w. */
HD_DEVICE u64 tile_end(const struct unique_tile *tile, u64 first, u32 w, u32 lane) {
  const u32 rest = lane < 31 ? tile->masks[w] >> (lane + 1) : 0;
  if (rest) return first + w * 32 + lane + (u32)__ffs((i32)rest);
  for (w++; w < TILE_WORDS; w++)
    if (tile->masks[w]) return first + w * 32 + (u32)__ffs((i32)tile->masks[w]) - 1;
  return tile->next;
}

HD_DEVICE void thread_put_value(const struct unique_args *a, u64 u, u64 i) {
  key_bits bits = ((const key_bits *)a->keys)[i];
#if HEDDLE_ORDER == 2 && !HEDDLE_POSITION_BYTES
  const u32 special = special_of(&a->map, bits);
  if (special < UNIQUE_SPECIALS)
    bits = ((const key_bits *)a->in)[~((const u64 *)a->specials)[special]];
#endif
  ((key_bits *)a->values)[u] = bits;
}

HD_KERNEL __launch_bounds__(UNIQUE_THREADS)
    heddle_unique_write(const __grid_constant__ struct unique_args a) {
  __shared__ struct unique_tile tile;
  const u64 t = blockIdx.x, first = t * UNIQUE_TILE, start = ((const u64 *)a.starts)[t];
  u64 all, upto;
  u32 mask = 0;
  if (threadIdx.x < TILE_WORDS) mask = ((const u32 *)a.masks)[t * TILE_WORDS + threadIdx.x];
  upto = block_sum_upto((u64)(u32)__popc((i32)mask), tile.warps, &all);
  if (threadIdx.x < TILE_WORDS) {
    tile.masks[threadIdx.x] = mask;
    tile.before[threadIdx.x] = (u32)upto - (u32)__popc((i32)mask);
  }
  if (a.counts && threadIdx.x == 0) tile.next = thread_next(&a, t);
  __syncthreads(); /* the tile is known */
  const u32 lane = threadIdx.x % 32;
#pragma unroll 4
  for (u32 j = 0; j < UNIQUE_ITEMS; j++) {
    const u32 w = threadIdx.x / 32 + j * (UNIQUE_THREADS / 32);
    const u64 i = first + w * 32 + lane;
    if (i >= a.count) continue;
    const u64 u =
        start + tile.before[w] + (u32)__popc((i32)(tile.masks[w] & (2u << lane) - 1u)) - 1;
    const bool head = (tile.masks[w] >> lane & 1u) != 0;
    if (head) thread_put_value(&a, u, i);
    if (head && a.counts) ((u64 *)a.counts)[u] = tile_end(&tile, first, w, lane) - i;
#if HEDDLE_POSITION_BYTES
    const u64 position = ((const unique_position *)a.position)[i];
    if (head && a.first) ((u64 *)a.first)[u] = position;
    if (HEDDLE_INDEX_BYTES) ((unique_index *)a.inverse)[position] = (unique_index)u;
#endif
  }
}
static_assert(TILE_WORDS <= UNIQUE_THREADS, "a thread a word");
