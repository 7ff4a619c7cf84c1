/* count.cu - how many elements are selected, or runs there are
 *
 * Result   a.total, with those of a.before
 * Defines  flags.h's
 * Launch   any number of blocks of HEDDLE_THREADS; they take tiles in turn
 * Memory   a.ticket is a struct select_work, left zero
 * Order    none shows: integers */
#include "flags.h"

HD_DEVICE u32 warp_add(u32 x) {
#pragma unroll
  for (u32 d = 16; d; d /= 2) x += __shfl_xor_sync(HD_ALL, x, d);
  return x;
}

/* By one thread of each block: its count; the last one tells. */
HD_DEVICE void count_end(const struct select_args *a, u64 count) {
  struct select_work *work = (struct select_work *)a->ticket;
  atomicAdd(&work->sum, count);
  __threadfence();
  if (atomicAdd(&work->done, 1ull) + 1 < gridDim.x) return;
  __threadfence();
  const u64 before = a->before ? *(const u64 *)a->before : 0;
  *(u64 *)a->total = before + peek64(&work->sum);
  publish64(&work->sum, 0);
  publish64(&work->done, 0);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_select_count(const __grid_constant__ struct select_args a) {
  __shared__ u64 sum;
  u64 count = 0;
  if (threadIdx.x == 0) sum = 0;
  for (u32 t = blockIdx.x; t < a.tiles; t += gridDim.x) {
    const struct select_tile tile = tile_find(&a, t);
    struct key_vectors keys;
    struct tile_flags flags;
    u32 here = 0;
    thread_load_keys(&a, &tile, &keys);
    warp_tile_flags(&a, &tile, &keys, tile_key_before(&a, &tile), &flags);
#pragma unroll
    for (u32 j = 0; j < KEY_ROWS; j++) here += (u32)__popc(flags.row[j]);
    count += here;
  }
  /* by halves: a warp's sums stay below 2^32 */
  const u32 low = warp_add((u32)count & 0xffffu);
  const u32 high = warp_add((u32)(count >> 16));
  __syncthreads(); /* sum is zero */
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, ((u64)high << 16) + low);
  __syncthreads(); /* warps are added */
  if (threadIdx.x == 0) count_end(&a, sum);
}
