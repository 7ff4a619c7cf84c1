/* thin_add.h - weights added to words of one unit, and what these do not hold to global memory
 *
 * Result   weigh_add, warp_weigh_together  as weights.cu has them, whose words these are
 * Source   thin.h */
#ifndef HEDDLE_KERNELS_HISTOGRAM_THIN_ADD_H
#define HEDDLE_KERNELS_HISTOGRAM_THIN_ADD_H

/* Words first, then what some of them leave to do. */
HD_DEVICE void weigh_add(const struct hist_args *a, const struct hist_block *b, const u32 *counter,
                         const struct units *u, int weights, u32 each) {
  u32 wraps[PACK], all = 0, below = 0; /* the former in the leading bit */
  (void)each;
#pragma unroll
  for (int j = 0; j < weights; j++) {
    const u32 add = u[j].word[1];
    wraps[j] = 0;
    if (!is_mine(b, counter[j])) continue;
    const u32 before = atomicAdd(b->words + (counter[j] - b->share.base), add);
    wraps[j] = ((before + add) ^ before) & ((before + add) ^ add);
    all |= wraps[j];
    below |= u[j].word[0];
  }
  if ((i32)all >= 0 && !below) return;
#pragma unroll
  for (int j = 0; j < weights; j++) {
    u64 *to = thin_units(a, counter[j]);
    const u64 sign = (u32)((i32)u[j].word[1] >> 31) | 1u;
    if (!is_mine(b, counter[j])) continue;
    if ((i32)wraps[j] < 0) memory_add64(to, sign << 32);
    if (u[j].word[0]) memory_add64(to + 1, u[j].word[0]);
  }
}

/* All lanes of the warp arrive; they have one counter. */
HD_DEVICE void warp_weigh_together(const struct hist_args *a, const struct hist_block *b,
                                   u32 counter, struct units *u) {
  u64 units = 0, below = 0;
#pragma unroll
  for (int j = 0; j < PACK; j++) units += (u64)(i64)(i32)u[j].word[1], below += u[j].word[0];
#pragma unroll
  for (int d = 16; d; d /= 2) {
    units += __shfl_down_sync(HD_ALL, units, d);
    below += __shfl_down_sync(HD_ALL, below, d);
  }
  if (threadIdx.x % 32 || !is_mine(b, counter)) return;
  u64 *to = thin_units(a, counter);
  if (units) memory_add64(to, units);
  if (below) memory_add64(to + 1, below);
}

#endif
