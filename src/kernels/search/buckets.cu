/* buckets.cu - where values would be put into a short sorted array
 *
 * Result   as search.cu
 * Defines  as values.h; HEDDLE_KEY_BYTES 4 or 8
 * Launch   any number of blocks of HEDDLE_THREADS, a multiple of 32
 * Memory   dynamic shared memory: SEARCH_HEAD bytes, the table's keys, and a word for each of a.buckets, a power of two and a
 *          multiple of the warps of a block
 * Method   A function that never falls gives each key a bucket, whose word says how many elements lie in lower
 *          buckets and how many in it: below a value are the former, and of the latter those that a halving
 *          finds. Two functions are tried, even in the numbers and even in their bits, and the one is taken that
 *          keeps more neighbours of the table apart. What they have as ends are the table's first and last
 *          finite elements. Every block makes its own table.
 * Limits   fewer than 2^16 elements in the table
 * Source   as kernels/histogram/find.h's buckets */
#include "values.h"

#define WARPS (HEDDLE_THREADS / 32)
#if HEDDLE_KEY_BYTES == 8
typedef f64 number;
#else
typedef f32 number;
#endif

extern __shared__ uint4 search_room[];

/* From keys to buckets. */
struct cut {
  sort_key low, high; /* keys of the ends */
  number first, last, scale;
  u32 shift, by_number;
};

struct cut_shared {
  struct cut cut;
  u32 alike[2]; /* neighbours of the table that share a bucket: by bits, by numbers */
  u32 warp[WARPS];
};

static_assert(sizeof(struct cut_shared) <= SEARCH_HEAD, "keys are behind it");

HD_DEVICE number number_of(const struct search_args *a, sort_key x) {
#if HEDDLE_KEY_BYTES == 8
  return __longlong_as_double((i64)bits_of(&a->map, x));
#else
  return __uint_as_float(bits_of(&a->map, x));
#endif
}

/* NaN is above all numbers. */
HD_DEVICE u32 bucket_by_number(const struct search_args *a, const struct cut *c, sort_key x) {
  number v = number_of(a, x);
  v = v < c->last ? v : c->last;
  v = v > c->first ? v : c->first;
  const u32 place = (u32)((v - c->first) * c->scale);
  return place < a->buckets ? place : a->buckets - 1;
}

HD_DEVICE u32 bucket_by_bits(const struct cut *c, sort_key x) {
  x = x < c->high ? x : c->high;
  x = x > c->low ? x : c->low;
  return (u32)((x - c->low) >> c->shift);
}

HD_DEVICE u32 bucket_of(const struct search_args *a, const struct cut *c, sort_key x) {
#if HEDDLE_ORDER
  if (c->by_number) return bucket_by_number(a, c, x);
#endif
  return bucket_by_bits(c, x);
}

/* ---- the table -------------------------------------------------------------------------------- */

HD_DEVICE bool is_finite(const struct search_args *a, sort_key x) {
#if HEDDLE_ORDER
  const key_bits infinity = (key_bits)a->map.infinity;
  return x > key_of(&a->map, (key_bits)(infinity | KEY_SIGN)) && x < key_of(&a->map, infinity);
#else
  return (void)a, (void)x, true;
#endif
}

/* Keys to `keys`, and the ends. */
HD_DEVICE void block_take_keys(const struct search_args *a, sort_key *keys, u32 *words,
                               struct cut_shared *s) {
  const u32 n = (u32)a->sorted_count;
  for (u32 i = threadIdx.x; i < n; i += HEDDLE_THREADS) keys[i] = table_key(a, i);
  for (u32 i = threadIdx.x; i < a->buckets; i += HEDDLE_THREADS) words[i] = 0;
  if (threadIdx.x == 0) {
    s->cut.low = s->cut.high = 0;
    s->alike[0] = s->alike[1] = 0;
  }
  __syncthreads(); /* keys are there, words are zero */
  for (u32 i = threadIdx.x; i < n; i += HEDDLE_THREADS) {
    if (!is_finite(a, keys[i])) continue;
    if (i == 0 || !is_finite(a, keys[i - 1])) s->cut.low = keys[i];
    if (i + 1 == n || !is_finite(a, keys[i + 1])) s->cut.high = keys[i];
  }
  __syncthreads(); /* the ends are there */
}

/* By one thread: both functions. A table that is not sorted has any ends. */
HD_DEVICE void cut_between(const struct search_args *a, struct cut *c) {
  if (!is_finite(a, c->low)) c->low = c->high = key_of(&a->map, 0); /* there is none */
  if (c->high < c->low) c->high = c->low;
  c->shift = 0;
  while ((c->high - c->low) >> c->shift >= a->buckets) c->shift++;
  c->by_number = 0;
#if HEDDLE_ORDER
  const number most = HEDDLE_KEY_BYTES == 8 ? (number)1e300 : (number)1e30;
  c->first = number_of(a, c->low);
  c->last = number_of(a, c->high);
  c->scale = (number)(a->buckets - 1) / (c->last - c->first);
  if (!(c->scale < most)) c->scale = 0; /* of ends that are one, or nearly */
#endif
}

/* Which function is taken. */
HD_DEVICE void block_choose(const struct search_args *a, const sort_key *keys,
                            struct cut_shared *s) {
#if HEDDLE_ORDER
  u32 alike[2] = {0, 0};
  for (u32 i = threadIdx.x + 1; i < (u32)a->sorted_count; i += HEDDLE_THREADS) {
    alike[0] += bucket_by_bits(&s->cut, keys[i - 1]) == bucket_by_bits(&s->cut, keys[i]);
    alike[1] += bucket_by_number(a, &s->cut, keys[i - 1]) == bucket_by_number(a, &s->cut, keys[i]);
  }
  if (alike[0]) atomicAdd(&s->alike[0], alike[0]);
  if (alike[1]) atomicAdd(&s->alike[1], alike[1]);
  __syncthreads(); /* both numbers are there */
  if (threadIdx.x == 0) s->cut.by_number = s->alike[1] <= s->alike[0];
  __syncthreads(); /* the choice is */
#else
  (void)a, (void)keys, (void)s;
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
  u32 sum = 0;
  for (u32 i = lane; i < each; i += 32) sum += mine[i];
  sum = warp_sum_to(sum);
  if (lane == 31) s->warp[warp] = sum;
  __syncthreads(); /* the sum of every warp is there */
  u32 before = 0;
  for (u32 w = 0; w < warp; w++) before += s->warp[w];
  for (u32 i = 0; i < each; i += 32) {
    const u32 count = i + lane < each ? mine[i + lane] : 0, to = warp_sum_to(count);
    if (i + lane < each) mine[i + lane] = (before + to - count) | count << 16;
    before += __shfl_sync(HD_ALL, to, 31);
  }
  __syncthreads(); /* the words are there */
}

HD_DEVICE void block_make_table(const struct search_args *a, sort_key *keys, u32 *words,
                                struct cut_shared *s) {
  block_take_keys(a, keys, words, s);
  if (threadIdx.x == 0) cut_between(a, &s->cut);
  __syncthreads(); /* the functions are there */
  block_choose(a, keys, s);
  for (u32 i = threadIdx.x; i < (u32)a->sorted_count; i += HEDDLE_THREADS)
    atomicAdd(words + bucket_of(a, &s->cut, keys[i]), 1u);
  __syncthreads(); /* all elements are counted */
  block_make_words(a, words, s);
}

/* ---- values ----------------------------------------------------------------------------------- */

HD_DEVICE void thread_search(const struct search_args *a, const sort_key *room, const sort_key *x,
                             search_index *found) {
  const u32 *const words = (const u32 *)(room + a->sorted_count);
  const struct cut c = ((const struct cut_shared *)search_room)->cut;
  u32 low[ITEMS], left[ITEMS], any = 0;
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) {
    const u32 word = words[bucket_of(a, &c, x[j])];
    low[j] = word & 0xffffu;
    any |= left[j] = word >> 16;
  }
#pragma unroll 1
  while (any) {
    any = 0;
#pragma unroll
    for (u32 j = 0; j < ITEMS; j++) {
      const u32 half = left[j] / 2, at = low[j] + half;
      if (!left[j]) continue;
      if (is_below(room[at], x[j])) {
        low[j] = at + 1;
        left[j] -= half + 1;
      } else {
        left[j] = half;
      }
      any |= left[j];
    }
  }
#pragma unroll
  for (u32 j = 0; j < ITEMS; j++) found[j] = low[j];
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 2)
    heddle_search_buckets(const __grid_constant__ struct search_args a) {
  struct cut_shared *const shared = (struct cut_shared *)search_room;
  sort_key *const room = (sort_key *)((u8 *)search_room + SEARCH_HEAD);
  block_make_table(&a, room, (u32 *)(room + a.sorted_count), shared);
  block_search_values(&a, room);
}
