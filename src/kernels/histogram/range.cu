/* range.cu - the least and the greatest finite value of an array
 *
 * Result   a.words += what was seen; the last block of a launch with a.finish writes a.range =
 *          {least, greatest, 1} as f64, or {0, 0, 0} if there is none, and, if a.exponent is not 0,
 *          there the least E with |x| < 2^E for both ends (0 if both are 0)
 * Defines  HEDDLE_TYPE, HEDDLE_THREADS, HEDDLE_POSITIVE 1: only what is above 0 counts; 2: only the
 *          magnitude does, which is taken for both ends; HEDDLE_APART 1: elements are a.apart from each other
 * Launch   any number of blocks of HEDDLE_THREADS; one with a.sample
 * Memory   a.words: {greatest key, greatest complement of a key, whether there was any}: zero
 *          before the first launch and after the last
 * Order    none shows
 * Method   keys are integers that order as the elements do */
#include "order/device/element.h"

#include "args.h"
#include "guess.h"

#define PER (16 / ELEMENT_BYTES)
#define LOADS 4
#define STEP (HEDDLE_THREADS * PER)

#if ELEMENT_BYTES == 8
typedef u64 order;
#else
typedef u32 order;
#endif
#define TOP ((order)1 << (sizeof(order) * 8 - 1))

struct seen {
  order most, least; /* the latter complemented */
  u32 any;
};

#if HEDDLE_POSITIVE == 2

/* Floats: twice the bits, which has no sign, and so much more that infinities and NaN wrap to less
 * than that. */
#if HEDDLE_TYPE == HD_F64
#define ABOVE ((u64)1 << 53)
#else
#define ABOVE ((u32)1 << 24)
#endif

HD_DEVICE void see(struct seen *s, element x) {
#if HEDDLE_TYPE == HD_F64
  order k = hd_bits_f64(x) * 2 + ABOVE;
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  order k = hd_bits_f32(to_f32(x)) * 2 + ABOVE;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  order k = x < 0 ? (order)0 - (order)x : (order)x;
#else
  order k = (order)x;
#endif
  s->most = k > s->most ? k : s->most;
}

HD_DEVICE f64 value_of(order k) {
#if HEDDLE_TYPE == HD_F64
  return k < ABOVE ? 0 : hd_f64_of_bits((k - ABOVE) >> 1);
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  return k < ABOVE ? 0 : (f64)hd_f32_of_bits((k - ABOVE) >> 1);
#else
  return (f64)k;
#endif
}

#else

/* -0.0 has the key of +0.0: which of them came must not show. */
HD_DEVICE order order_of(element x) {
#if HEDDLE_TYPE == HD_F64
  return (u64)hd_key_of_f64(x + 0.0) ^ TOP;
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  return (u32)hd_key_of_f32(to_f32(x) + 0.0f) ^ TOP;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  return (order)x ^ TOP;
#else
  return (order)x;
#endif
}

HD_DEVICE f64 value_of(order k) {
#if HEDDLE_TYPE == HD_F64
  return hd_f64_of_key((i64)(k ^ TOP));
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  return (f64)hd_f32_of_key((i32)(k ^ TOP));
#elif ELEMENT_BYTES == 8 && HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  return (f64)(i64)(k ^ TOP);
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  return (f64)(i32)(k ^ TOP);
#else
  return (f64)k;
#endif
}

HD_DEVICE void see(struct seen *s, element x) {
#if HEDDLE_TYPE == HD_F64
  const bool finite = (hd_bits_f64(x) & HD_I64_MAX) < 0x7ffull << 52;
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  const bool finite = (hd_bits_f32(to_f32(x)) & HD_I32_MAX) < 0x7f800000u;
#else
  const bool finite = true;
#endif
  order k = order_of(x);
  if (!finite || (HEDDLE_POSITIVE && k <= order_of((element)0))) return;
  s->most = k > s->most ? k : s->most;
  s->least = (order)~k > s->least ? (order)~k : s->least;
  s->any = 1;
}

#endif

HD_DEVICE void see_loads(const struct range_args *a, u64 first, int loads, struct seen *s) {
  u32 words[LOADS][4];
#pragma unroll
  for (int k = 0; k < loads; k++)
    load_words((const element *)a->in + first + (u64)k * STEP, 16, 16, words[k]);
#pragma unroll
  for (int k = 0; k < loads; k++)
#pragma unroll
    for (int j = 0; j < PER; j++) see(s, word_element(words[k], j));
}

HD_DEVICE void see_all(const struct range_args *a, struct seen *s) {
#if HEDDLE_APART
  const u64 step = gridDim.x * (u64)HEDDLE_THREADS;
  for (u64 i = blockIdx.x * (u64)HEDDLE_THREADS + threadIdx.x; i < a->count; i += step)
    see(s, ((const element *)a->in)[(i64)i * a->apart]);
#else
  u64 head = (0 - a->in) % 16 / ELEMENT_BYTES;
  if (head > a->count) head = a->count;
  const u64 tile = (u64)STEP * LOADS, tiles = (a->count - head) / tile;
  const u64 ends = head + (a->count - head) / PER * PER;
  for (u64 t = blockIdx.x; t < tiles; t += gridDim.x)
    see_loads(a, head + t * tile + threadIdx.x * PER, LOADS, s);
  for (u64 i = head + tiles * tile + (blockIdx.x * HEDDLE_THREADS + threadIdx.x) * (u64)PER;
       i < ends; i += (u64)gridDim.x * STEP)
    see_loads(a, i, 1, s);
  if (blockIdx.x) return;
  if (threadIdx.x < head) see(s, ((const element *)a->in)[threadIdx.x]);
  if (threadIdx.x < a->count - ends) see(s, ((const element *)a->in)[ends + threadIdx.x]);
#endif
}

/* LOADS * LOADS loads a thread, each from its own part of the array, at a place within that goes by
 * no period. */
HD_DEVICE void see_sample(const struct range_args *a, struct seen *s) {
  const u64 head = (0 - a->in) % 16 / ELEMENT_BYTES;
  const u64 loads = a->count > head ? (a->count - head) / PER : 0;
  const u32 parts = LOADS * LOADS * HEDDLE_THREADS;
  const u64 part = loads / parts + 1;
#pragma unroll 1
  for (u32 k = 0; k < LOADS; k++)
#pragma unroll
    for (u32 j = 0; j < LOADS; j++) {
      const u32 number = (k * LOADS + j) * HEDDLE_THREADS + threadIdx.x;
      const u64 at = number * part + number * 2654435761u % part;
      if (at < loads) see_loads(a, head + at * PER, 1, s);
    }
}

/* All lanes of the warp arrive; lane 0 holds the warp's. */
HD_DEVICE void warp_see(struct seen *s) {
#pragma unroll
  for (int d = 16; d; d /= 2) {
    order most = __shfl_down_sync(HD_ALL, s->most, d),
          least = __shfl_down_sync(HD_ALL, s->least, d);
    s->most = most > s->most ? most : s->most;
    s->least = least > s->least ? least : s->least;
  }
  s->any = __any_sync(HD_ALL, (int)s->any) != 0;
}

HD_DEVICE void range_finish(const struct range_args *a) {
  u64 *words = (u64 *)a->words;
  u64 most = __ldcg(words), least = __ldcg(words + 1), any = __ldcg(words + 2);
  f64 high = any ? value_of((order)most) : 0;
  f64 low = HEDDLE_POSITIVE == 2 ? high : any ? value_of((order) ~(order)least) : 0;
  if (a->range) {
    f64 *range = (f64 *)a->range;
    range[0] = low, range[1] = high, range[2] = any ? 1 : 0;
  }
  for (int i = 1; a->sample && i < 4; i++) ((u32 *)a->exponent)[i] = 0;
  if (a->exponent) {
    low = low < 0 ? -low : low, high = high < 0 ? -high : high;
    *(i32 *)a->exponent = exponent_of(low > high ? low : high);
  }
  words[0] = 0, words[1] = 0, words[2] = 0, words[3] = 0;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_histogram_range(const __grid_constant__ struct range_args a) {
  __shared__ u64 block[3];
  __shared__ u32 last;
  struct seen s;
  s.most = 0, s.least = 0, s.any = HEDDLE_POSITIVE == 2;
  if (threadIdx.x < 3) block[threadIdx.x] = 0;
  __syncthreads(); /* block is zero */
  if (a.sample)
    see_sample(&a, &s);
  else
    see_all(&a, &s);
  warp_see(&s);
  if (threadIdx.x % 32 == 0 && s.any) {
    atomicMax(&block[0], (u64)s.most);
    atomicMax(&block[1], (u64)s.least);
    atomicMax(&block[2], 1ull);
  }
  __syncthreads(); /* block has what its warps saw */
  if (threadIdx.x < 3 && block[threadIdx.x])
    atomicMax((u64 *)a.words + threadIdx.x, block[threadIdx.x]);
  if (!a.finish) return;
  __threadfence();
  __syncthreads(); /* the block's words are out before its ticket */
  if (threadIdx.x == 0) last = atomicAdd((u32 *)a.words + 6, 1u) == gridDim.x - 1;
  __syncthreads(); /* `last` is known */
  if (!last || threadIdx.x) return;
  __threadfence();
  range_finish(&a);
}
