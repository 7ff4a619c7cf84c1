/* offsets.cu - where groups begin among ids in order, and which groups are long
 *
 * Result   heddle_groups_offsets  offsets[g] = how many ids are below g, of all groups and one more; long groups, if
 *                                 there is a list for them; the fault: an id without a group, if nobody waited
 *          heddle_groups_owners   the long group of each piece
 * Defines  HEDDLE_KEY_BYTES 4 or 8; HEDDLE_THREADS
 * Launch   any number of blocks of HEDDLE_THREADS; owners: behind the other
 * Method   A block has neighbouring groups: two of its threads find where those begin and end, the others look between,
 *          which is as much as these groups have. So time depends on neither the longest group nor the longest
 *          row of empty ones. */
#include "kernels/base/device.h"

#include "args.h" /* needs their types */

#if HEDDLE_KEY_BYTES == 8
typedef u64 group_key;
#else
typedef u32 group_key;
#endif

/* The first of ids low .. high - 1 that is not below g, or high. Ids without a group are in order only by the bits
 * they were sorted by. */
HD_DEVICE u64 thread_find(const group_key *keys, u64 mask, u64 low, u64 high, u64 g) {
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if ((keys[middle] & mask) < g)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

HD_DEVICE u32 pieces_of(u64 length, u32 bits) {
  const u64 rest = (length & ((1ull << bits) - 1)) >> GROUPS_PIECE_LEAST;
  return (u32)(length >> bits) + (u32)__popcll((i64)rest);
}

HD_DEVICE void thread_list(const struct groups_make_args *a, u64 g, u64 start, u64 length) {
  struct groups_found *found = (struct groups_found *)a->found;
  const u32 pieces = pieces_of(length, a->bits);
  const u64 at = atomicAdd(&found->listed, 1ull << 32 | pieces);
  const struct groups_long entry = {g, start, length, (u32)at, pieces};
  ((struct groups_long *)a->longs)[at >> 32] = entry;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_groups_offsets(const __grid_constant__ struct groups_make_args a) {
  __shared__ u64 ends[2], starts[HEDDLE_THREADS + 1];
  const group_key *keys = (const group_key *)a.keys;
  u64 *offsets = (u64 *)a.offsets;
  const u32 t = threadIdx.x;
  for (u64 first = (u64)blockIdx.x * HEDDLE_THREADS; first < a.groups;
       first += (u64)gridDim.x * HEDDLE_THREADS) {
    const u64 left = a.groups - first;
    const u32 own = left < HEDDLE_THREADS ? (u32)left : HEDDLE_THREADS;
    if (t % 32 == 0 && t < 64)
      ends[t / 32] = thread_find(keys, a.mask, 0, a.count, t ? first + own : first);
    __syncthreads(); /* the ends are there */
    if (t < own) starts[t] = t ? thread_find(keys, a.mask, ends[0], ends[1], first + t) : ends[0];
    if (t == 0) starts[own] = ends[1];
    __syncthreads(); /* starts are there */
    if (t < own) {
      const u64 start = starts[t], length = starts[t + 1] - start;
      offsets[first + t] = start;
      if (a.longs && length >= GROUPS_LONG) thread_list(&a, first + t, start, length);
    }
    __syncthreads(); /* they have been read */
  }
  if (blockIdx.x || t) return;
  offsets[a.groups] = a.count;
  const u64 bad = a.fault ? ((const struct groups_found *)a.found)->bad : 0;
  if (bad) hd_fault((u64 *)a.fault, HD_FAULT_ID, ~bad);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_groups_owners(const __grid_constant__ struct groups_make_args a) {
  const struct groups_found *found = (const struct groups_found *)a.found;
  const struct groups_long *longs = (const struct groups_long *)a.longs;
  const u32 all = (u32)(found->listed >> 32), step = gridDim.x * (HEDDLE_THREADS / 32);
  for (u32 e = (blockIdx.x * HEDDLE_THREADS + threadIdx.x) / 32; e < all; e += step)
    for (u32 p = threadIdx.x % 32; p < longs[e].pieces; p += 32)
      ((u32 *)a.owners)[longs[e].first + p] = e;
}
