/* weigh.cu - up to which element, in order, weights reach shares of their sum: exact sums, level above level
 *
 * Result   heddle_rank_weigh_check  a.state->bad: the first weight that is negative or no number
 *          heddle_rank_weigh_sums   level 0: the sum of each RANK_WEIGHED weights
 *          heddle_rank_weigh_add    sums of a.level as running sums of RANK_NODES each, and the last ones a level above
 *          heddle_rank_weigh_find   a.at[j] of every share: the first position up to which weights reach it
 *          heddle_rank_weigh_rows   the same of every row of at most RANK_ROW elements, a warp each
 * Defines  HEDDLE_TYPE of weights: HD_F32 or HD_F64; HEDDLE_PRODUCTS 0; HEDDLE_NAN 0
 * Launch   any number of blocks; WEIGH_THREADS, of heddle_rank_weigh_find and _rows FIND_THREADS
 * Memory   the limbs of a sum of weights in all for each sum; sums of the last level but one have one above
 * Method   A sum of RANK_WEIGHED is one of windows.h. A warp a share goes down from the sum of all: of RANK_NODES running
 *          sums, which rise, it finds the first that reaches what is missing, and takes those before it off. Among the
 *          last RANK_WEIGHED weights halves are summed anew. Weights of elements that are NaN count as none.
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 0 /* EXACT_BY_BLOCK */
#include "kernels/exact/rows.h"

#include "args.h" /* needs their types */

#define WEIGH_THREADS 256
#define FIND_THREADS 128
#define FIND_WARPS (FIND_THREADS / 32)
#define NOWHERE HD_U64_MAX

HD_DEVICE u32 limbs_of_sum(void) { return exact_span().end - exact_span().first; }

/* Sums of a level. */
HD_DEVICE u64 count_nodes(u64 count, u32 level) {
  const u64 each = (u64)RANK_WEIGHED << 6 * level;
  return count / each + (count % each != 0);
}
static_assert(RANK_NODES == 1 << 6, "as count_nodes has them");

/* ---- what was given -------------------------------------------------------------------------- */

HD_KERNEL __launch_bounds__(WEIGH_THREADS)
    heddle_rank_weigh_check(const __grid_constant__ struct rank_weigh_args a) {
  const element *weights = (const element *)a.weights;
  const u64 step = (u64)gridDim.x * WEIGH_THREADS;
  u64 bad = 0;
  for (u64 i = (u64)blockIdx.x * WEIGH_THREADS + threadIdx.x; i < a.count && !bad; i += step) {
    const f64 w = to_f64(weights[i]);
    if (!(w >= 0 && w - w == 0)) bad = ~i; /* a thread's first one is its least */
  }
  if (bad) atomicMax(&((struct rank_weigh_state *)a.state)->bad, bad);
}

/* ---- sums ------------------------------------------------------------------------------------ */

HD_KERNEL __launch_bounds__(WEIGH_THREADS, 2)
    heddle_rank_weigh_sums(const __grid_constant__ struct rank_weigh_args a) {
  __shared__ struct hd_exact sum;
  const u64 numbers = ((const struct rank_weigh_state *)a.state)->numbers;
  const u64 nodes = count_nodes(a.count, 0);
  const u32 limbs = limbs_of_sum(), warp = threadIdx.x - threadIdx.x % 32;
  for (u64 node = blockIdx.x; node < nodes; node += gridDim.x) {
    const u64 first = node * RANK_WEIGHED, all = first + RANK_WEIGHED;
    const u64 end = all < numbers ? all : numbers;
    struct windows s;
    block_sum_clear(&sum);
    warp_windows_start(&s);
    __syncthreads(); /* the sum is cleared */
#pragma unroll 1
    for (u64 i = first + warp * EXACT_ELEMENTS; i < end; i += WEIGH_THREADS * EXACT_ELEMENTS) {
      u32 wx[4 * EXACT_LOADS], wy[4 * EXACT_LOADS];
      wy[0] = 0;
      row_words(a.weights, 1, i + threadIdx.x % 32, 32, end, wx);
      warp_windows_take(&s, &sum, wx, wy);
    }
    warp_windows_flush(&s, &sum);
    block_sum_carry(&sum);
    if (threadIdx.x < limbs)
      ((i64 *)a.sums[0])[node * limbs + threadIdx.x] = sum.limb[exact_span().first + threadIdx.x];
    __syncthreads(); /* it is stored */
  }
}

/* Limbs of a sum, below 2^40 in magnitude, each as one digit of it. */
HD_DEVICE void thread_carry(i64 *limb, u32 limbs) {
#pragma unroll 4
  for (u32 i = 0; i + 1 < limbs; i++) {
    limb[i + 1] += limb[i] >> 32;
    limb[i] &= (i64)0xffffffff;
  }
}

HD_KERNEL __launch_bounds__(WEIGH_THREADS)
    heddle_rank_weigh_add(const __grid_constant__ struct rank_weigh_args a) {
  const u64 nodes = count_nodes(a.count, a.level), above = count_nodes(a.count, a.level + 1);
  const u32 limbs = limbs_of_sum(), i = threadIdx.x;
  for (u64 node = blockIdx.x; node < above; node += gridDim.x) {
    const u64 first = node * RANK_NODES, left = nodes - first;
    const u32 here = left < RANK_NODES ? (u32)left : RANK_NODES;
    i64 *const sums = (i64 *)a.sums[a.level] + first * limbs;
    i64 running = 0;
    for (u32 k = 0; k < here && i < limbs; k++)
      sums[k * limbs + i] = running += sums[k * limbs + i];
    __syncthreads(); /* sums run, limb by limb */
    if (i < here) thread_carry(sums + i * limbs, limbs);
    __syncthreads(); /* they are carried */
    if (i < limbs) ((i64 *)a.sums[a.level + 1])[node * limbs + i] = sums[(here - 1) * limbs + i];
    __syncthreads(); /* and the last one is above */
  }
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Of a warp: all its lanes arrive at each of the following. */
struct finding {
  struct hd_exact missing; /* of the share; carried */
  struct hd_exact sum;     /* of some weights */
};

HD_DEVICE void warp_clear(struct hd_exact *sum) {
  __syncwarp(); /* all have done with it */
  for (u32 i = threadIdx.x % 32; i < HD_EXACT_LIMBS; i += 32) sum->limb[i] = 0;
  __syncwarp(); /* it is zero */
}

HD_DEVICE void warp_carry(struct hd_exact *sum, struct hd_exact_span span) {
  __syncwarp(); /* everything has been added */
  if (threadIdx.x % 32 == 0) thread_carry(sum->limb + span.first, span.end - span.first);
  __syncwarp(); /* it is carried */
}

HD_DEVICE bool warp_is_zero(const i64 *limb, u32 limbs) {
  bool any = false;
  for (u32 i = threadIdx.x % 32; i < limbs; i += 32) any = any || limb[i] != 0;
  return !__any_sync(HD_ALL, any);
}

/* f->missing = q times the whole, by halves of q's 53 bits. Of no share it is less than any weight, for which the
 * first one above 0 makes up. Whether something of it is below all limbs of sums. */
HD_DEVICE bool warp_share(struct finding *f, const i64 *whole, f64 q) {
  const struct hd_exact_span span = exact_span(), all = {0, HD_EXACT_LIMBS};
  i32 exponent;
  const i64 integer = hd_exact_integer(q, &exponent), low = integer & (((i64)1 << 27) - 1);
  warp_clear(&f->missing);
  if (!integer && threadIdx.x % 32 == 0) f->missing.limb[0] = 1;
#pragma unroll 1
  for (u32 k = threadIdx.x % 32; k < limbs_of_sum() && integer; k += 32) {
    const i32 unit = 32 * ((i32)(span.first + k) - HD_EXACT_BELOW) + exponent;
    if (!whole[k]) continue;
    thread_sum_integer(&f->missing, whole[k] * low, unit);
    thread_sum_integer(&f->missing, whole[k] * (integer >> 27), unit + 27);
  }
  warp_carry(&f->missing, all);
  return !warp_is_zero(f->missing.limb, span.first);
}

/* Whether a sum, of limbs of its own alone, is at least what is missing. */
HD_DEVICE bool warp_reaches(const struct finding *f, bool more, const i64 *sum) {
  const u32 limbs = limbs_of_sum(), lane = threadIdx.x % 32;
  const i64 *const missing = f->missing.limb + exact_span().first;
  for (u32 base = (limbs + 31) / 32 * 32; base; base -= 32) {
    const u32 i = base - 32 + lane;
    const i64 x = i < limbs ? sum[i] : 0, y = i < limbs ? missing[i] : 0;
    const u32 differ = __ballot_sync(HD_ALL, x != y), greater = __ballot_sync(HD_ALL, x > y);
    if (differ) return greater >> (31 - __clz((int)differ)) & 1;
  }
  return !more;
}

HD_DEVICE void warp_take_off(struct finding *f, const i64 *sum) {
  const struct hd_exact_span span = exact_span();
  __syncwarp(); /* all have compared */
  for (u32 i = threadIdx.x % 32; i < limbs_of_sum(); i += 32)
    f->missing.limb[span.first + i] -= sum[i];
  warp_carry(&f->missing, span);
}

/* The sum that reaches what is missing, from the one above all down to RANK_WEIGHED weights. */
HD_DEVICE u64 warp_descend(const struct rank_weigh_args *a, struct finding *f, bool more) {
  const u32 limbs = limbs_of_sum();
  u64 node = 0;
  for (u32 level = a->levels - 1; level--;) {
    const u64 first = node * RANK_NODES, left = count_nodes(a->count, level) - first;
    const i64 *const sums = (const i64 *)a->sums[level] + first * limbs;
    u32 low = 0, high = left < RANK_NODES ? (u32)left - 1 : RANK_NODES - 1; /* the last one does */
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (warp_reaches(f, more, sums + middle * limbs))
        high = middle;
      else
        low = middle + 1;
    }
    if (low) warp_take_off(f, sums + (low - 1) * limbs);
    node = first + low;
  }
  return node;
}

/* f->sum = that of n weights from `at` on, as far as they are below `end`. */
HD_DEVICE void warp_sum(struct finding *f, const element *weights, u64 at, u32 n, u64 end) {
  warp_clear(&f->sum);
#pragma unroll 1
  for (u32 i = threadIdx.x % 32; i < n && at + i < end; i += 32)
    thread_sum_value(&f->sum, to_f64(weights[at + i]));
  warp_carry(&f->sum, exact_span());
}

/* Of `among` weights, a power of two, from `at` on, below `end`, the position of the one. */
HD_DEVICE u64 warp_walk(const element *weights, struct finding *f, bool more, u64 at, u32 among,
                        u64 end) {
  const struct hd_exact_span span = exact_span();
  for (u32 half = among / 2; half; half /= 2) {
    warp_sum(f, weights, at, half, end);
    if (warp_reaches(f, more, f->sum.limb + span.first)) continue;
    warp_take_off(f, f->sum.limb + span.first);
    at += half;
  }
  return at;
}

HD_KERNEL __launch_bounds__(FIND_THREADS)
    heddle_rank_weigh_find(const __grid_constant__ struct rank_weigh_args a) {
  __shared__ struct finding finding[FIND_WARPS];
  const struct rank_weigh_state *state = (const struct rank_weigh_state *)a.state;
  const i64 *whole = (const i64 *)a.sums[a.levels - 1];
  struct finding *f = &finding[threadIdx.x / 32];
  const u32 step = gridDim.x * FIND_WARPS;
  const bool is_nan = state->bad || (state->numbers < a.count && !a.skip);
  const bool is_none = is_nan || warp_is_zero(whole, limbs_of_sum());
  if (is_none && !is_nan && !a.row && blockIdx.x == 0 && threadIdx.x == 0)
    hd_fault((u64 *)a.fault, HD_FAULT_WEIGHTLESS, 0);
  for (u32 j = blockIdx.x * FIND_WARPS + threadIdx.x / 32; j < a.shares; j += step) {
    u64 at = NOWHERE;
    if (!is_none) {
      const bool more = warp_share(f, whole, a.share[j]);
      const u64 node = warp_descend(&a, f, more);
      at = warp_walk((const element *)a.weights, f, more, node * RANK_WEIGHED, RANK_WEIGHED,
                     state->numbers);
    }
    if (threadIdx.x % 32 == 0) ((u64 *)a.at)[j] = at;
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

HD_DEVICE void warp_weigh_row(const struct rank_weigh_rows_args *a, struct finding *f,
                              struct hd_exact *whole, u64 r) {
  const u64 *offsets = (const u64 *)a->offsets;
  const u64 start = offsets ? offsets[r] - a->first : r * a->length;
  const u64 length = offsets ? offsets[r + 1] - offsets[r] : a->length;
  const u64 numbers = ((const u64 *)a->numbers)[r], end = start + numbers;
  const element *weights = (const element *)a->weights;
  const struct hd_exact_span span = exact_span();
  u32 among = 1;
  if (length > RANK_ROW) return;
  while (among < numbers) among *= 2;
  bool is_none = ((const struct rank_weigh_state *)a->state)->bad || (numbers < length && !a->skip);
  if (!is_none) {
    warp_sum(f, weights, start, among, end);
    __syncwarp(); /* the last row's shares have been found */
    for (u32 i = threadIdx.x % 32; i < HD_EXACT_LIMBS; i += 32) whole->limb[i] = f->sum.limb[i];
    __syncwarp(); /* it is there */
    is_none = warp_is_zero(whole->limb + span.first, limbs_of_sum());
  }
  for (u32 j = 0; j < a->shares; j++) {
    u64 at = NOWHERE;
    if (!is_none) {
      const bool more = warp_share(f, whole->limb + span.first, a->share[j]);
      at = warp_walk(weights, f, more, start, among, end);
    }
    if (threadIdx.x % 32 == 0) ((u64 *)a->at)[r * a->shares + j] = at;
  }
}

HD_KERNEL __launch_bounds__(FIND_THREADS)
    heddle_rank_weigh_rows(const __grid_constant__ struct rank_weigh_rows_args a) {
  __shared__ struct finding finding[FIND_WARPS];
  __shared__ struct hd_exact whole[FIND_WARPS];
  const u32 warp = threadIdx.x / 32;
  const u64 step = (u64)gridDim.x * FIND_WARPS;
  for (u64 r = (u64)blockIdx.x * FIND_WARPS + warp; r < a.rows; r += step)
    warp_weigh_row(&a, &finding[warp], &whole[warp], r);
}
