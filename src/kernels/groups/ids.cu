/* ids.cu - whether ids have groups and are in order
 *
 * Result   a.found: the first id without a group; whether some id is below the one before it. a.narrow: ids as u32
 * Defines  HEDDLE_ID_BYTES 4 or 8; HEDDLE_SIGNED 1: ids may be below zero; HEDDLE_THREADS
 * Launch   any number of blocks of HEDDLE_THREADS, which divides GROUPS_TILE */
#include "kernels/base/device.h"

#include "args.h" /* needs their types */

#if HEDDLE_ID_BYTES == 8
typedef u64 group_id; /* below zero: beyond all groups */
#elif HEDDLE_SIGNED
typedef i32 group_id;
#else
typedef u32 group_id;
#endif

#define EACH (GROUPS_TILE / HEDDLE_THREADS)

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_groups_ids(const __grid_constant__ struct groups_make_args a) {
  const group_id *ids = (const group_id *)a.ids;
  struct groups_found *found = (struct groups_found *)a.found;
  u64 bad = 0;
  bool unsorted = false;
  for (u64 first = (u64)blockIdx.x * GROUPS_TILE; first < a.count;
       first += (u64)gridDim.x * GROUPS_TILE) {
    u64 id[EACH], before[EACH];
#pragma unroll
    for (u32 j = 0; j < EACH; j++) {
      const u64 i = first + threadIdx.x + j * HEDDLE_THREADS;
      id[j] = i < a.count ? (u64)(i64)ids[i] : 0;
      before[j] = i && i < a.count ? (u64)(i64)ids[i - 1] : 0; /* a neighbour has it in the cache */
    }
#pragma unroll
    for (u32 j = 0; j < EACH; j++) {
      const u64 i = first + threadIdx.x + j * HEDDLE_THREADS;
      if (i >= a.count) continue;
      if (id[j] >= a.groups && !bad) bad = ~i;
      unsorted = unsorted || bad ||
                 id[j] < before[j]; /* ids beyond are in order when sorted by some bits */
      if (a.narrow) ((u32 *)a.narrow)[i] = (u32)id[j];
    }
  }
  if (bad) atomicMax(&found->bad, bad);
  if (__any_sync(HD_ALL, unsorted) && threadIdx.x % 32 == 0 && !peek64(&found->unsorted))
    publish64(&found->unsorted, 1);
}
