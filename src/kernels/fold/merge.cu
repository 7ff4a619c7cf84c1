/* merge.cu - some totals of a custom operator as fewer, in an order that the host laid down
 *
 * Result   heddle_fold_merge: total j at `out` is item output[j]. The inputs are items 0 .. inputs - 1;
 *          item inputs + i is item step[i].left op item step[i].right. The arguments: args.h.
 * Defines  as order/device/chunk.h
 * Launch   one block of 32 threads
 * Method   Each step may need the one before it, so one thread takes them all: a merge of two runs has
 *          about one a level of the tree. All threads write what comes out.
 * Order    order/runs.h's, by the host */
#include "items.h"

#define MERGE_THREADS 32

HD_KERNEL __launch_bounds__(MERGE_THREADS) heddle_fold_merge(const struct fold_merge_args a) {
  const u32 me = threadIdx.x;
#pragma unroll 1
  for (u32 i = 0; me == 0 && i < a.steps; i++)
    a.item[a.inputs + i] = total_op(a.item[a.step[i].left], a.item[a.step[i].right]);
  __syncwarp(); /* the items are complete */
#pragma unroll 1
  for (u32 j = me; j < a.outputs; j += MERGE_THREADS)
    custom_store((u8 *)a.out + (u64)j * sizeof(total), a.item[a.output[j]]);
}
