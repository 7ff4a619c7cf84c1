/* fold.cu - short groups: each column of each by one thread
 *
 * Result   out of all groups of fewer than GROUPS_LONG rows, with the bits of the plain call on their rows in order
 * Defines  rows.h's; HEDDLE_COLUMNS: threads side by side in a block, a power of two up to GROUPS_THREADS
 * Launch   any number of blocks of 128
 * Method   A thread has VECTOR neighbouring columns of a group, so that a row is loaded once, in whole lines; its rows
 *          are in flight BATCH at a time.
 * Order    v1, anchored at the group's first row */
#include "order/device/total.h"
#define COUNTER_LEVELS 6
#include "rows.h"

#define GROUPS_THREADS 128
#define AT_ONCE (GROUPS_THREADS / HEDDLE_COLUMNS)
static_assert(GROUPS_LONG <= 8 << COUNTER_LEVELS, "batches of a group");

#if VECTOR * ELEMENT_BYTES > 8
#define FOLD_BLOCKS 4
#else
#define FOLD_BLOCKS 6
#endif

HD_KERNEL __launch_bounds__(GROUPS_THREADS, FOLD_BLOCKS)
    heddle_groups_fold(const __grid_constant__ struct groups_fold_args a) {
  const u64 vectors = a.width / VECTOR, across = (vectors + HEDDLE_COLUMNS - 1) / HEDDLE_COLUMNS;
  const u64 blocks = (a.groups + AT_ONCE - 1) / AT_ONCE * across;
  const u64 *offsets = (const u64 *)a.offsets;
  for (u64 b = blockIdx.x; b < blocks; b += gridDim.x) {
    const u64 row = across == 1 ? b : b / across;
    const u64 g = row * AT_ONCE + threadIdx.x / HEDDLE_COLUMNS;
    const u64 c = (b - row * across) * HEDDLE_COLUMNS + threadIdx.x % HEDDLE_COLUMNS;
    if (g >= a.groups || c >= vectors) continue;
    const u64 start = offsets[g], length = offsets[g + 1] - start;
    if (length >= GROUPS_LONG) continue;
    const struct group_rows rows = group_rows_of(&a, c * VECTOR);
    const struct sums t =
        thread_fold_rows(sums_identity(), &rows, start, (u32)length, COUNTER_LEVELS);
    group_finish(&a, t, length, g, c * VECTOR);
  }
}
