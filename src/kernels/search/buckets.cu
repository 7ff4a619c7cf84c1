/* buckets.cu - where values would be put into a short sorted array
 *
 * Result   as search.cu
 * Defines  as values.h; HEDDLE_KEY_BYTES 4 or 8
 * Launch   any number of blocks of HEDDLE_THREADS, a multiple of 32
 * Memory   dynamic shared memory: SEARCH_HEAD bytes, the table, and a word for each of a.buckets, a power of
 *          two and a multiple of the warps of a block
 * Method   A function that never falls gives each element a bucket, whose word says how many elements of the table
 *          lie in lower buckets and how many in it: below a value are the former, and of the latter those that
 *          one comparison tells, or a halving finds. Two functions of floats are tried, even in the numbers and
 *          even in their bits, and the one is taken that keeps more neighbours of the table apart. What they
 *          have as ends are the table's first and last finite elements. Floats are compared as they are; NaN,
 *          which are above all numbers, by themselves. Every block makes its own table.
 * Limits   fewer than 2^16 elements in the table
 * Source   as kernels/histogram/find.h's buckets */
#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if !HEDDLE_ORDER
typedef sort_key search_value;
HD_DEVICE search_value value_of(const struct search_args *a, key_bits bits) {
  return key_of(&a->map, bits);
}
#elif HEDDLE_KEY_BYTES == 8
typedef f64 search_value;
HD_DEVICE search_value value_of(const struct search_args *a, key_bits bits) {
  return (void)a, __longlong_as_double((i64)bits);
}
HD_DEVICE key_bits bits_of_value(search_value x) { return (u64)__double_as_longlong(x); }
#define MOST_SCALE 1e300
#else
typedef f32 search_value;
HD_DEVICE search_value value_of(const struct search_args *a, key_bits bits) {
  return (void)a, __uint_as_float(bits);
}
HD_DEVICE key_bits bits_of_value(search_value x) { return __float_as_uint(x); }
#define MOST_SCALE 1e30f
#endif

#include "values.h"

#define WARPS (HEDDLE_THREADS / 32)

extern __shared__ uint4 search_room[];

/* From values to buckets. */
struct cut {
  sort_key low, high; /* keys of the ends */
  search_value first, last, scale;
  u32 shift, by_number;
  u32 numbers; /* elements of the table that are no NaN */
};

struct cut_shared {
  struct cut cut;
  u32 alike[2]; /* neighbours of the table that share a bucket: by bits, by numbers */
  u32 warp[WARPS];
};
static_assert(sizeof(struct cut_shared) <= SEARCH_HEAD, "the table is behind it");

HD_DEVICE struct cut_shared *cut_shared_of(void) { return (struct cut_shared *)search_room; }
HD_DEVICE search_value *table_of(void) { return (search_value *)((u8 *)search_room + SEARCH_HEAD); }

HD_DEVICE bool is_below(search_value element, search_value x) {
  return HEDDLE_RIGHT ? element <= x : element < x;
}

HD_DEVICE sort_key key_of_value(const struct search_args *a, search_value x) {
#if HEDDLE_ORDER
  return key_of(&a->map, bits_of_value(x));
#else
  return (void)a, x;
#endif
}

HD_DEVICE u32 bucket_by_bits(const struct search_args *a, const struct cut *c, search_value x) {
  sort_key k = key_of_value(a, x);
  k = k < c->high ? k : c->high;
  k = k > c->low ? k : c->low;
  return (u32)((k - c->low) >> c->shift);
}

#if HEDDLE_ORDER
/* Of NaN the last one's. */
HD_DEVICE u32 bucket_by_number(const struct search_args *a, const struct cut *c, search_value x) {
  x = x < c->last ? x : c->last;
  x = x > c->first ? x : c->first;
  const u32 place = (u32)((x - c->first) * c->scale);
  return place < a->buckets ? place : a->buckets - 1;
}
#endif

HD_DEVICE u32 bucket_of(const struct search_args *a, const struct cut *c, search_value x) {
#if HEDDLE_ORDER
  if (c->by_number) return bucket_by_number(a, c, x);
#endif
  return bucket_by_bits(a, c, x);
}

/* ---- the table -------------------------------------------------------------------------------- */

HD_DEVICE bool is_finite(search_value x) {
#if HEDDLE_ORDER
  return x - x == 0;
#else
  return (void)x, true;
#endif
}

HD_DEVICE bool is_number(search_value x) { return x == x; }

/* The table, and its ends. */
HD_DEVICE void block_take_table(const struct search_args *a, search_value *table, u32 *words,
                                struct cut_shared *s) {
  const u32 n = (u32)a->sorted_count;
  for (u32 i = threadIdx.x; i < n; i += HEDDLE_THREADS)
    table[i] = value_of(a, ((const key_bits *)a->sorted)[i]);
  for (u32 i = threadIdx.x; i < a->buckets; i += HEDDLE_THREADS) words[i] = 0;
  if (threadIdx.x == 0) {
    s->cut.first = s->cut.last = 0; /* if none is finite */
    s->cut.numbers = s->alike[0] = s->alike[1] = 0;
  }
  __syncthreads(); /* the table is there, words are zero */
  for (u32 i = threadIdx.x; i < n; i += HEDDLE_THREADS) {
    const search_value x = table[i];
    if (is_number(x) && (i + 1 == n || !is_number(table[i + 1]))) s->cut.numbers = i + 1;
    if (!is_finite(x)) continue;
    if (i == 0 || !is_finite(table[i - 1])) s->cut.first = x;
    if (i + 1 == n || !is_finite(table[i + 1])) s->cut.last = x;
  }
  __syncthreads(); /* the ends are there */
}

/* By one thread: both functions. A table that is not sorted has any ends. */
HD_DEVICE void cut_between(const struct search_args *a, struct cut *c) {
  if (c->last < c->first) c->last = c->first;
  c->low = key_of_value(a, c->first);
  c->high = key_of_value(a, c->last);
  c->shift = c->by_number = 0;
  while ((c->high - c->low) >> c->shift >= a->buckets) c->shift++;
#if HEDDLE_ORDER
  c->scale = (search_value)(a->buckets - 1) / (c->last - c->first);
  if (!(c->scale < MOST_SCALE)) c->scale = 0; /* of ends that are one, or nearly */
#endif
}

/* Which function is taken. */
HD_DEVICE void block_choose(const struct search_args *a, const search_value *table,
                            struct cut_shared *s) {
#if HEDDLE_ORDER
  const struct cut *c = &s->cut;
  u32 bits = 0, numbers = 0;
  for (u32 i = threadIdx.x + 1; i < (u32)a->sorted_count; i += HEDDLE_THREADS) {
    bits += bucket_by_bits(a, c, table[i - 1]) == bucket_by_bits(a, c, table[i]);
    numbers += bucket_by_number(a, c, table[i - 1]) == bucket_by_number(a, c, table[i]);
  }
  if (bits) atomicAdd(&s->alike[0], bits);
  if (numbers) atomicAdd(&s->alike[1], numbers);
  __syncthreads(); /* both sums are there */
  if (threadIdx.x == 0) s->cut.by_number = s->alike[1] <= s->alike[0];
  __syncthreads(); /* the choice is */
#else
  (void)a, (void)table, (void)s;
#endif
}

/* The sum of the lanes up to one's own. */
HD_DEVICE u32 warp_sum_to(u32 x) {
#pragma unroll
  for (u32 h = 1; h < 32; h *= 2) {
    const u32 lower = __shfl_up_sync(HD_ALL, x, h);
    if (threadIdx.x % 32 >= h) x += lower;
  }
  return x;
}

/* From numbers of elements to words: a warp takes neighbouring buckets. */
HD_DEVICE void block_make_words(const struct search_args *a, u32 *words, struct cut_shared *s) {
  const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, each = a->buckets / WARPS;
  u32 *const mine = words + warp * each;
  u32 sum = 0, before = 0;
  for (u32 i = lane; i < each; i += 32) sum += mine[i];
  sum = warp_sum_to(sum);
  if (lane == 31) s->warp[warp] = sum;
  __syncthreads(); /* the sum of every warp is there */
  for (u32 w = 0; w < warp; w++) before += s->warp[w];
  for (u32 i = 0; i < each; i += 32) {
    const u32 count = i + lane < each ? mine[i + lane] : 0, to = warp_sum_to(count);
    if (i + lane < each) mine[i + lane] = (before + to - count) | count << 16;
    before += __shfl_sync(HD_ALL, to, 31);
  }
  __syncthreads(); /* the words are there */
}

HD_DEVICE void block_make_table(const struct search_args *a) {
  struct cut_shared *const s = cut_shared_of();
  search_value *const table = table_of();
  u32 *const words = (u32 *)(table + a->sorted_count);
  block_take_table(a, table, words, s);
  if (threadIdx.x == 0) cut_between(a, &s->cut);
  __syncthreads(); /* the functions are there */
  block_choose(a, table, s);
  for (u32 i = threadIdx.x; i < (u32)a->sorted_count; i += HEDDLE_THREADS)
    atomicAdd(words + bucket_of(a, &s->cut, table[i]), 1u);
  __syncthreads(); /* all elements are counted */
  block_make_words(a, words, s);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* Of buckets of several elements, some of those that ITEMS values are in. */
HD_DEVICE void thread_halve(const search_value *table, const search_value *x, u32 *low, u32 *left) {
  u32 any = 1;
#pragma unroll 1
  while (any) {
    any = 0;
#pragma unroll
    for (u32 j = 0; j < ITEMS; j++) {
      const u32 half = left[j] / 2, at = low[j] + half;
      if (!left[j]) continue;
      if (is_below(table[at], x[j])) {
        low[j] = at + 1;
        left[j] -= half + 1;
      } else {
        left[j] = half;
      }
      any |= left[j];
    }
  }
}

HD_DEVICE void thread_search(const struct search_args *a, const search_value *x,
                             search_index *found) {
  const search_value *const table = table_of();
  const u32 *const words = (const u32 *)(table + a->sorted_count);
  const struct cut c = cut_shared_of()->cut;
  u32 low[ITEMS], left[ITEMS], most = 0;
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    const u32 word = words[bucket_of(a, &c, x[j])];
    low[j] = word & 0xffffu;
    left[j] = word >> 16;
    most |= word;
  }
  if (most < 2u << 16) { /* one comparison: of no element what is behind the table is looked at */
#pragma unroll
    for (u32 j = 0; j < ITEMS; j++) low[j] += left[j] & (u32)is_below(table[low[j]], x[j]);
  } else {
    thread_halve(table, x, low, left);
  }
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++)
    found[j] = is_number(x[j]) ? low[j] : HEDDLE_RIGHT ? (u32)a->sorted_count : c.numbers;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 2)
    heddle_search_buckets(const __grid_constant__ struct search_args a) {
  block_make_table(&a);
  block_search_values(&a);
}
