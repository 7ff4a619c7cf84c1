/* gather.cu - rows by their positions
 *
 * Result   row i of out = row index[i] of in. A position that in does not have is a fault, and its row is left
 *          alone
 * Defines  HEDDLE_UNIT         bytes of a load, 1 to 16: rows and arrays are multiples of it
 *          HEDDLE_LANES        threads of a row, a power of two up to 32
 *          HEDDLE_INDEX_BYTES  4 or 8; HEDDLE_SIGNED 1: positions may be below zero
 *          HEDDLE_THREADS, HEDDLE_ITEMS: rows of a thread at once
 * Launch   any number of blocks of HEDDLE_THREADS
 * Method   Loads of HEDDLE_ITEMS rows are in flight together. Long rows are cut into parts, which count as rows. */
#include "kernels/base/device.h"

#include "args.h" /* needs their types */

#if HEDDLE_UNIT == 16
typedef uint4 gather_unit;
#elif HEDDLE_UNIT == 8
typedef uint2 gather_unit;
#elif HEDDLE_UNIT == 4
typedef u32 gather_unit;
#elif HEDDLE_UNIT == 2
typedef u16 gather_unit;
#else
typedef u8 gather_unit;
#endif

#if HEDDLE_INDEX_BYTES == 8
typedef u64 gather_index; /* below zero: beyond any array */
#elif HEDDLE_SIGNED
typedef i32 gather_index;
#else
typedef u32 gather_index;
#endif

#define GROUPS (HEDDLE_THREADS / HEDDLE_LANES)

/* A thread's rows: where they come from, where they go, and the units of their part. */
struct thread_rows {
  const gather_unit *from[HEDDLE_ITEMS];
  gather_unit *to[HEDDLE_ITEMS];
  u32 units[HEDDLE_ITEMS]; /* 0: there is no such row */
};

HD_DEVICE void thread_find(const struct gather_args *a, u64 first, struct thread_rows *rows) {
  const u64 all = a->count * a->parts;
#pragma unroll
  for (u32 j = 0; j < HEDDLE_ITEMS; j++) {
    u64 row = first + j * GROUPS + threadIdx.x / HEDDLE_LANES, part = 0;
    rows->units[j] = 0;
    if (row >= all) continue;
    if (a->parts > 1) {
      const u64 of = row / a->parts;
      part = row - of * a->parts;
      row = of;
    }
    const u64 position = (u64)(i64)((const gather_index *)a->index)[row];
    if (position >= a->in_count) {
      hd_fault((u64 *)a->fault, HD_FAULT_POSITION, a->first + row);
      continue;
    }
    const u64 begin = part * a->part_units, left = a->units - begin;
    rows->from[j] = (const gather_unit *)a->in + (position * a->units + begin);
    rows->to[j] = (gather_unit *)a->out + (row * a->units + begin);
    rows->units[j] = (u32)(left < a->part_units ? left : a->part_units);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_gather(const __grid_constant__ struct gather_args a) {
  const u64 all = a.count * a.parts, step = GROUPS * HEDDLE_ITEMS;
  for (u64 first = blockIdx.x * step; first < all; first += gridDim.x * step) {
    struct thread_rows rows;
    thread_find(&a, first, &rows);
    for (u32 u = threadIdx.x % HEDDLE_LANES; u < a.part_units; u += HEDDLE_LANES) {
      gather_unit unit[HEDDLE_ITEMS];
#pragma unroll
      for (u32 j = 0; j < HEDDLE_ITEMS; j++)
        if (u < rows.units[j]) unit[j] = rows.from[j][u];
#pragma unroll
      for (u32 j = 0; j < HEDDLE_ITEMS; j++)
        if (u < rows.units[j]) rows.to[j][u] = unit[j];
    }
  }
}
