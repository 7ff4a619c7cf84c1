/* sample.cu - whether the highest digits of keys tell most of them apart
 *
 * Result   the steps of a.all.plan anew, if they do: by these digits alone, for finish.cu
 * Defines  key.h's; HEDDLE_THREADS
 * Launch   a thread for each of a.samples keys
 * Order    none shows: a sorted row is the same by whatever steps
 * Method   Samples are counted by their prefix, of three digits and of four, in tables that have a slot for several
 *          prefixes. A slot of more than HEAVY is what a prefix of many elements makes, more than finish.cu
 *          has room for. The last block to end decides. */
#include "plan.h"

enum { HEAVY = 11, CANDIDATES = SORT_TOPS - SORT_TOPS_LEAST + 1 };

HD_DEVICE u32 slot_of(u64 prefix) {
  prefix *= 0x9e3779b97f4a7c15ull;
  return (u32)(prefix >> 32 ^ prefix >> 48);
}

/* A key of the sample's part `i` of the row, anywhere in it. */
HD_DEVICE sort_key sample_key(const struct sort_finish_args *a, u32 i) {
  const u64 each = a->count / a->samples;
  const u64 at = i * each + slot_of(i + 1) % each;
  return key_of(&a->all.map, ((const key_bits *)a->all.keys[SORT_IN])[at]);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_sample(const __grid_constant__ struct sort_finish_args a) {
  __shared__ u32 heavy[CANDIDATES];
  struct sort_plan *plan = (struct sort_plan *)a.all.plan;
  const struct plan_digits digits = plan_find_digits(&a.all, plan->ones & plan->zeros);
  const u32 i = blockIdx.x * HEDDLE_THREADS + threadIdx.x;
  if (threadIdx.x < CANDIDATES) heavy[threadIdx.x] = 0;
  __syncthreads(); /* nothing is heavy */
  if (i < a.samples) {
    const sort_key x = sample_key(&a, i);
    for (u32 c = 0; c < CANDIDATES; c++) {
      const u32 tops = SORT_TOPS_LEAST + c;
      if (!plan_takes(&a.all, &digits, tops)) continue;
      const u64 prefix = (u64)(x >> (a.all.bit_begin + 8 * digits.by[digits.count - tops]));
      u32 *slot = (u32 *)a.table + (u64)c * a.slots + (slot_of(prefix) & (a.slots - 1));
      atomicMax(&heavy[c], atomicAdd(slot, 1u) + 1);
    }
  }
  __syncthreads(); /* the block's are counted */
  if (threadIdx.x) return;
  for (u32 c = 0; c < CANDIDATES; c++) atomicMax(&plan->heavy[c], heavy[c]);
  __threadfence();
  if (atomicAdd(&plan->sampled, 1u) + 1 < gridDim.x) return;
  __threadfence();
  for (u32 c = 0; c < CANDIDATES; c++) {
    if (!plan_takes(&a.all, &digits, SORT_TOPS_LEAST + c)) continue;
    if (peek32(&plan->heavy[c]) > HEAVY) continue;
    plan_tops(&a.all, &digits, SORT_TOPS_LEAST + c);
    return;
  }
}
