/* fold.cu - short groups: each column of each by one thread
 *
 * Result   out of all groups of fewer than GROUPS_LONG rows, with the bits of the plain call on their rows in order
 * Defines  rows.h's; HEDDLE_COLUMNS: threads side by side in a block, a power of two up to GROUPS_THREADS
 * Launch   any number of blocks of 128
 * Method   A thread has VECTOR neighbouring columns of a group, so that a row is loaded once, in whole lines; its rows
 *          are in flight BATCH at a time. Of TOGETHER groups those of up to two rows are in flight at once: where
 *          groups are about as many as rows, a thread would else wait thrice for every row.
 * Order    v1, anchored at the group's first row */
#include "order/device/total.h"
#define COUNTER_LEVELS 6
#include "rows.h"

#define GROUPS_THREADS 128
#define AT_ONCE (GROUPS_THREADS / HEDDLE_COLUMNS)
static_assert(GROUPS_LONG <= 8 << COUNTER_LEVELS, "batches of a group");

#if VECTOR * ELEMENT_BYTES > 8 || VECTOR == 4
#define FOLD_BLOCKS 4
#else
#define FOLD_BLOCKS 6
#endif

#define TOGETHER GROUPS_TOGETHER

/* Groups of a thread, one every AT_ONCE. */
struct few {
  u64 start[TOGETHER];
  u32 length[TOGETHER]; /* GROUPS_LONG: or more, or there is none */
};

HD_DEVICE void thread_find_groups(const struct groups_fold_args *a, u64 g, struct few *few) {
  const u64 *offsets = (const u64 *)a->offsets;
#pragma unroll
  for (u32 k = 0; k < TOGETHER; k++, g += AT_ONCE) {
    u64 length = GROUPS_LONG;
    few->start[k] = 0;
    if (g < a->groups) few->start[k] = offsets[g], length = offsets[g + 1] - few->start[k];
    few->length[k] = length < GROUPS_LONG ? (u32)length : GROUPS_LONG;
  }
}

/* Groups of none, one or two rows. */
HD_DEVICE void thread_fold_short(const struct groups_fold_args *a, const struct group_rows *rows,
                                 const struct few *few, u64 g, u64 column) {
  struct sums x[2 * TOGETHER];
  u64 row[2 * TOGETHER];
#pragma unroll
  for (u32 r = 0; r < 2 * TOGETHER; r++) {
    const u32 length = few->length[r / 2];
    row[r] = length <= 2 && r % 2 < length ? row_at(rows, few->start[r / 2] + r % 2) : 0;
  }
#pragma unroll
  for (u32 r = 0; r < 2 * TOGETHER; r++) {
    const u32 length = few->length[r / 2];
    x[r] = length <= 2 && r % 2 < length ? thread_load(rows, row[r]) : sums_identity();
  }
#pragma unroll
  for (u32 k = 0; k < TOGETHER; k++) {
    const u32 length = few->length[k];
    struct sums t = sums_identity();
    if (length > 2) continue;
    if (length == 2) x[2 * k] = sums_op(x[2 * k], x[2 * k + 1]);
    if (length) t = sums_op(t, x[2 * k]);
    group_finish(a, t, length, g + k * AT_ONCE, column);
  }
}

HD_KERNEL __launch_bounds__(GROUPS_THREADS, FOLD_BLOCKS)
    heddle_groups_fold(const __grid_constant__ struct groups_fold_args a) {
  const u64 vectors = a.width / VECTOR, across = (vectors + HEDDLE_COLUMNS - 1) / HEDDLE_COLUMNS;
  const u64 each = AT_ONCE * TOGETHER, blocks = (a.groups + each - 1) / each * across;
  for (u64 b = blockIdx.x; b < blocks; b += gridDim.x) {
    const u64 some = across == 1 ? b : b / across;
    const u64 g = some * each + threadIdx.x / HEDDLE_COLUMNS;
    const u64 c = (b - some * across) * HEDDLE_COLUMNS + threadIdx.x % HEDDLE_COLUMNS;
    if (c >= vectors) continue;
    const struct group_rows rows = group_rows_of(&a, c * VECTOR);
    struct few few;
    thread_find_groups(&a, g, &few);
    thread_fold_short(&a, &rows, &few, g, c * VECTOR);
#pragma unroll 1
    for (u32 k = 0; k < TOGETHER; k++) {
      const u64 own = g + k * AT_ONCE;
      if (own >= a.groups) break;
      const u64 start = ((const u64 *)a.offsets)[own];
      const u64 length = ((const u64 *)a.offsets)[own + 1] - start;
      if (length <= 2 || length >= GROUPS_LONG) continue;
      const struct sums t =
          thread_fold_rows(sums_identity(), &rows, start, (u32)length, COUNTER_LEVELS);
      group_finish(&a, t, length, own, c * VECTOR);
    }
  }
}
