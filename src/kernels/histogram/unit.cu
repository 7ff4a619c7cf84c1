/* unit.cu - the unit of sums of f32 weights in one word, if there is a good one
 *
 * Result   a.exponent[3] = T + HD_THIN_BIAS, or 0 as it was
 * Defines  HEDDLE_THREADS
 * Launch   one block of HEDDLE_THREADS, behind the range.cu that has sampled the exponent
 * Memory   none but a.exponent
 * Order    none shows: with any T thin.h's sums are exact
 * Method   Of a sample, the leading and the lowest bits are counted by their exponents. For each T that
 *          leaves the largest weights 24 to 38 bits above it, these say how many weights would have bits
 *          below, how often a word would wrap if weights had one sign, and how many are too large
 *          for a word. T is good if these are few.
 * Source   docs/histogram.md */
#include "kernels/base/device.h"

#include "args.h"

#define LOADS 16
#define TRIED 15 /* units */
#define FEWEST 24
#define FEW 5         /* one weight in so many may do more than one addition */
#define WRAP_BITS 158 /* a weight of this exponent is between 2^31 and 2^32 times 2^0 */

/* What is counted: weights by the exponents of their leading bits and of their lowest, as these stand in
 * a float. */
struct sampled {
  u32 leading[256], lowest[256];
};

HD_DEVICE void sample_one(struct sampled *s, u32 bits) {
  const u32 e = bits >> 23 & 255, m = (bits & 0x7fffffu) | (e ? 0x800000u : 0);
  if (!(bits << 1)) return;
  const u32 low = (e ? e : 1) + (u32)__ffs((i32)m) - 1;
  atomicAdd(&s->leading[e], 1u);
  atomicAdd(&s->lowest[low < 255 ? low : 255], 1u);
}

/* Four weights of each of LOADS parts a thread, as range.cu samples them. */
HD_DEVICE void sample_all(const struct range_args *a, struct sampled *s) {
  const u64 head = (0 - a->in) % 16 / 4, loads = a->count > head ? (a->count - head) / 4 : 0;
  const u64 part = loads / (LOADS * HEDDLE_THREADS) + 1;
#pragma unroll 4
  for (u32 k = 0; k < LOADS; k++) {
    const u32 number = k * HEDDLE_THREADS + threadIdx.x;
    const u64 at = number * part + number * 2654435761u % part;
    if (at >= loads) continue;
    const uint4 words = load16((const f32 *)a->in + head + at * 4);
    sample_one(s, words.x);
    sample_one(s, words.y);
    sample_one(s, words.z);
    sample_one(s, words.w);
  }
}

/* How many of the sample's weights would do more than one addition with unit 2^t. */
HD_DEVICE f32 unit_costs(const struct sampled *s, i32 t) {
  f32 cost = 0;
  for (i32 e = 0; e < 256; e++) {
    const i32 above =
        WRAP_BITS + t - e; /* a weight of exponent e is less than 2^32 units / 2^above */
    if (e < t + 150) cost += (f32)s->lowest[e];
    cost +=
        (f32)s->leading[e] * (above < 1 || e == 255 ? 1.0f : 0.75f / (f32)(1ull << min(above, 40)));
  }
  return cost;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_histogram_unit(const __grid_constant__ struct range_args a) {
  __shared__ struct sampled s;
  __shared__ f32 costs[TRIED];
  const u32 me = threadIdx.x;
  const i32 greatest = *(const i32 *)a.exponent;
  for (u32 i = me; i < 256; i += HEDDLE_THREADS) s.leading[i] = 0, s.lowest[i] = 0;
  __syncthreads(); /* s is zero */
  sample_all(&a, &s);
  __syncthreads(); /* the sample is counted */
  if (me < TRIED) costs[me] = unit_costs(&s, greatest - FEWEST - (i32)me);
  __syncthreads(); /* costs are known */
  if (me) return;
  u32 best = 0, seen = 0;
  for (u32 i = 1; i < TRIED; i++) best = costs[i] < costs[best] ? i : best;
  for (u32 i = 0; i < 256; i++) seen += s.leading[i];
  const i32 t = greatest - FEWEST - (i32)best,
            least = t - 32 + 150; /* thin.h's, which is an exponent */
  const bool good = least > 0 && least + 39 < 255 && costs[best] * FEW <= (f32)seen;
  ((u32 *)a.exponent)[3] = good ? (u32)(t + HD_THIN_BIAS) : 0;
}
