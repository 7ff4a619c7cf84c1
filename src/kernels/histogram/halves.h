/* halves.h - two counters of 16 bits in a word of shared memory
 *
 * Result   counters_one, counters_sum  as in counters.h, whose words these are
 *          warp_count_pack             one more in each of a few counters
 *          block_halves_barrier        to be passed by all threads of a block after each 2^14 elements
 *                                      that it counts; behind the last time 2^15 may follow
 * Method   The addition returns what the word held. The one that takes a counter from 2^14 on sees that, and
 *          its thread takes 2^14 off again and adds them to the total in global memory.
 *          No counter reaches 2^16, and none is above 2^14 when a barrier is passed, as follows by
 *          induction: from at most 2^14 it gets to at most 2^15 before the next barrier. If it gets
 *          above 2^14, then by one addition, whose thread has taken 2^14 off when it arrives there.
 *          Since a counter near 2^14 is rare, one bit of all answers tells that none is.
 *          Lanes that add to one word wait for each other, unlike with additions of a constant 1 whose
 *          answer nobody wants: where many elements of a warp have one counter, one lane adds for all
 *          of them, and the same once more for another.
 * Limits   HD_WHERE_SHARED; no copies of counters */
#ifndef HEDDLE_KERNELS_HISTOGRAM_HALVES_H
#define HEDDLE_KERNELS_HISTOGRAM_HALVES_H

#define HALF 0x4000u

HD_DEVICE void block_halves_barrier(void) { __syncthreads(); /* no counter is above 2^14 */ }

/* `count` more in a counter; what its word held before. */
HD_DEVICE u32 halves_add(u32 *words, u32 place, u32 count) {
  return atomicAdd(words + place / 2, count << (place * 16 & 31));
}

/* What there is to do after halves_add, which has told `before`. */
HD_DEVICE void halves_carry(const struct hist_args *a, const struct hist_share *s, u32 *words,
                            u32 place, u32 count, u32 before) {
  const u32 shift = place * 16 & 31, from = before >> shift & 0xffffu;
  if (HALF - from >= count) return; /* which wraps where it was above */
  atomicSub(words + place / 2, HALF << shift);
  totals_add(a, total_of(a, s->base + place), HALF);
}

HD_DEVICE void counters_one(const struct hist_args *a, const struct hist_share *s, u32 *counters,
                            u32 counter) {
  halves_carry(a, s, counters, counter, 1, halves_add(counters, counter, 1));
}

#define OFTEN 8 /* lanes of one counter that are worth adding together */
#define TAKEN 0xffffffffu

/* All lanes of the warp arrive. Counts those of `count` elements each whose counter is at `often`,
 * and marks them; returns how many they are. */
HD_DEVICE u32 warp_count_often(const struct hist_args *a, const struct hist_share *s, u32 *counters,
                               u32 *place, int count, u32 often) {
  u32 all = 0;
#pragma unroll
  for (int j = 0; j < count; j++) {
    all += (u32)__popc(__ballot_sync(HD_ALL, place[j] == often));
    place[j] = place[j] == often ? TAKEN : place[j];
  }
  if (threadIdx.x % 32 == 0)
    halves_carry(a, s, counters, often, all, halves_add(counters, often, all));
  return all;
}

/* All lanes of the warp arrive. Looks at one element of each lane for counters that many have; returns
 * how many elements were counted and marked. */
HD_DEVICE u32 warp_count_crowds(const struct hist_args *a, const struct hist_share *s,
                                u32 *counters, u32 *place, int count) {
  const u32 first = __shfl_sync(HD_ALL, place[0], 16);
  const u32 others = __ballot_sync(HD_ALL, place[0] != first);
  if (32 - __popc(others) < OFTEN) return 0;
  const u32 second = __shfl_sync(HD_ALL, place[0], others ? 31 - __clz((i32)others) : 0);
  u32 all = warp_count_often(a, s, counters, place, count, first);
  if (__popc(__ballot_sync(HD_ALL, place[0] == second)) >= OFTEN)
    all += warp_count_often(a, s, counters, place, count, second);
  return all;
}

/* One more in each of `count` counters, a constant, at most 16. whole: all lanes of the warp arrive. */
HD_DEVICE void warp_count_pack(const struct hist_args *a, const struct hist_share *s, u32 *counters,
                               const u32 *counter, int count, bool whole) {
  u32 place[16], before[16], any = 0;
#pragma unroll
  for (int j = 0; j < count; j++) place[j] = counter[j];
  const u32 taken = whole ? warp_count_crowds(a, s, counters, place, count) : 0;
  if (taken == 32u * (u32)count) return;
  if (taken) {
#pragma unroll
    for (int j = 0; j < count; j++)
      before[j] = place[j] == TAKEN ? 0 : halves_add(counters, place[j], 1);
  } else { /* the same without branches */
#pragma unroll
    for (int j = 0; j < count; j++) before[j] = halves_add(counters, place[j], 1);
  }
#pragma unroll
  for (int j = 0; j < count; j++) any |= before[j];
  if (!(any & (HALF | HALF << 16))) return;
#pragma unroll
  for (int j = 0; j < count; j++)
    if (place[j] != TAKEN) halves_carry(a, s, counters, place[j], 1, before[j]);
}

HD_DEVICE u32 counters_sum(const u32 *counters, u32 counter) {
  return counters[counter / 2] >> (counter % 2 * 16) & 0xffffu;
}

#endif
