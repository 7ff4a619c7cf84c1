/* sum.h - a block's exact sum in shared memory, and what is made of it
 *
 * Result   block_sum_clear(sum)          nothing summed yet
 *          thread_sum_integer(sum, i, e) adds i * 2^e, i below 2^62 in magnitude
 *          thread_sum_value(sum, x)      adds a value, whatever it is; thread_sum_product: x y
 *          block_sum_carry(sum)          leaves every limb below 2^33 in magnitude
 *          thread_sum_store(sum, r, out) the result; warp_sum_store: the same by a warp
 * Defines  HEDDLE_TYPE    the number of an element's type
 *          HEDDLE_PRODUCTS  HD_EXACT_OF_VALUES and so on
 *          HEDDLE_NAN     1: what is NaN is left out
 * Method   integers are added by atomics on limbs: of two threads both are there, in any order. A carry goes up with
 *          the part that is the next limb's.
 * Limits   a block adds fewer than 2^28 values between block_sum_clear and block_sum_carry
 * Source   docs/order.md, rule 15 */
#ifndef HEDDLE_KERNELS_EXACT_SUM_H
#define HEDDLE_KERNELS_EXACT_SUM_H

#include "kernels/base/device.h"
#include "order/device/element.h"
#include "order/exact/sum.h"

#include "args.h" /* needs their types */

#define EXACT_IS_PRODUCT (HEDDLE_PRODUCTS != HD_EXACT_OF_VALUES)
/* A product of two f64 is two numbers; of others one. */
#define EXACT_SPLITS (EXACT_IS_PRODUCT && HEDDLE_TYPE == HD_F64)

/* What is summed, and the limbs of its sums, as compilers see through them. */
HD_DEVICE struct hd_exact_format exact_element(void) {
#if HEDDLE_TYPE == HD_F16
  return hd_exact_format_of(HD_EXACT_F16);
#elif HEDDLE_TYPE == HD_BF16
  return hd_exact_format_of(HD_EXACT_BF16);
#elif HEDDLE_TYPE == HD_F32
  return hd_exact_format_of(HD_EXACT_F32);
#else
  return hd_exact_format_of(HD_EXACT_F64);
#endif
}
HD_DEVICE struct hd_exact_span exact_span(void) {
  return hd_exact_span_of(exact_element(), EXACT_IS_PRODUCT);
}

HD_DEVICE struct hd_exact_format exact_format(i32 type) {
  switch (type) {
  case HD_F16: return hd_exact_format_of(HD_EXACT_F16);
  case HD_BF16: return hd_exact_format_of(HD_EXACT_BF16);
  case HD_F32: return hd_exact_format_of(HD_EXACT_F32);
  default: return hd_exact_format_of(HD_EXACT_F64);
  }
}

/* By all threads of a block; the caller waits for them. */
HD_DEVICE void block_sum_clear(struct hd_exact *sum) {
  for (u32 i = threadIdx.x; i < HD_EXACT_LIMBS; i += blockDim.x) sum->limb[i] = 0;
  if (threadIdx.x == 0) sum->nan = sum->plus = sum->minus = sum->added = 0;
}

/* Adds to the lower half of a limb in shared memory, which has an atomic of its own; what is beyond it, for the limb
 * above: of the threads that add each sees its own carry. */
HD_DEVICE i64 thread_limb_add(i64 *limb, i64 part) {
  const u32 low = (u32)part, before = atomicAdd((u32 *)limb, low);
  return (part >> 32) + (before + low < before);
}

/* Adds to three limbs, of which the last one keeps in its upper half what is beyond it. */
HD_DEVICE void thread_parts_add(struct hd_exact *sum, const struct hd_exact_parts *parts) {
  i64 *const limb = &sum->limb[parts->limb];
  i64 rest = thread_limb_add(limb, parts->part[0]);
  rest = thread_limb_add(limb + 1, parts->part[1] + rest) + parts->part[2];
  if (!rest) return;
  rest = thread_limb_add(limb + 2, rest);
  if (rest) atomicAdd((u32 *)(limb + 2) + 1, (u32)rest);
}

HD_DEVICE void thread_sum_integer(struct hd_exact *sum, i64 integer, i32 exponent) {
  const struct hd_exact_parts parts = hd_exact_split(integer, exponent);
  thread_parts_add(sum, &parts);
}

HD_DEVICE void thread_sum_special(struct hd_exact *sum, f64 x) {
  u64 *count = x != x ? &sum->nan : x > 0 ? &sum->plus : &sum->minus;
  atomicAdd(count, (u64)1);
}

static __device__ __noinline__ void thread_sum_value(struct hd_exact *sum, f64 x) {
  i32 exponent;
  if (x == 0) return;
  if (!(x - x == 0)) {
    thread_sum_special(sum, x);
    return;
  }
  const i64 integer = hd_exact_integer(x, &exponent);
  thread_sum_integer(sum, integer, exponent);
}

#if EXACT_SPLITS
static __device__ __noinline__ void thread_sum_product(struct hd_exact *sum, f64 x, f64 y) {
  struct hd_exact_parts parts[3];
  if (!(x - x == 0) || !(y - y == 0)) {
    thread_sum_special(sum, x * y);
    return;
  }
  hd_exact_split_product(x, y, parts);
  for (u32 p = 0; p < 3; p++) thread_parts_add(sum, &parts[p]);
}
#endif

/* Element i of an array, or its square, or the product with that of the other. */
HD_DEVICE void thread_sum_element(struct hd_exact *sum, u64 x, u64 y, i64 i) {
  const f64 a = to_f64(((const element *)x)[i]);
#if EXACT_IS_PRODUCT
  const f64 b = HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS ? to_f64(((const element *)y)[i]) : a;
  if (HEDDLE_NAN && a * b != a * b) return;
#if EXACT_SPLITS
  thread_sum_product(sum, a, b);
#else
  thread_sum_value(sum, a * b);
#endif
#else
  (void)y;
  if (!HEDDLE_NAN || a == a) thread_sum_value(sum, a);
#endif
}

/* What a limb has beyond 32 bits goes to the next one, from every limb at once: by all threads of a block, at
 * least HD_EXACT_LIMBS of them. */
HD_DEVICE void block_sum_carry(struct hd_exact *sum) {
  const u32 i = threadIdx.x;
  i64 own = 0, below = 0;
  __syncthreads(); /* everything has been added */
  if (i < HD_EXACT_LIMBS) own = i + 1 < HD_EXACT_LIMBS ? sum->limb[i] & 0xffffffff : sum->limb[i];
  if (i > 0 && i < HD_EXACT_LIMBS) below = sum->limb[i - 1] >> 32;
  __syncthreads(); /* every limb has been read */
  if (i < HD_EXACT_LIMBS) sum->limb[i] = own + below;
  __syncthreads(); /* every limb is carried */
}

/* The block's sum added to one in global memory, by all threads. */
HD_DEVICE void block_sum_publish(const struct hd_exact *shared, struct hd_exact *sum) {
  const u32 i = threadIdx.x;
  if (i < HD_EXACT_LIMBS && shared->limb[i])
    memory_add64((u64 *)&sum->limb[i], (u64)shared->limb[i]);
  if (i == 0 && shared->nan) memory_add64(&sum->nan, shared->nan);
  if (i == 1 && shared->plus) memory_add64(&sum->plus, shared->plus);
  if (i == 2 && shared->minus) memory_add64(&sum->minus, shared->minus);
}

/* A sum in global memory to shared memory, and zero behind it unless it is kept; by all threads, after a
 * fence behind what others added. */
HD_DEVICE void block_sum_fetch(struct hd_exact *shared, struct hd_exact *sum, bool keeps) {
  u64 *const from = &sum->nan, *const to = &shared->nan;
  for (u32 i = threadIdx.x; i < sizeof *sum / 8; i += blockDim.x) {
    to[i] = peek64(from + i);
    if (!keeps && to[i]) publish64(from + i, 0);
  }
  __syncthreads(); /* the sum is here */
}

/* Whether this block is the last of `blocks` to come here, by all threads: what the others added can be seen
 * then. `last` is shared memory. */
HD_DEVICE bool block_is_last(u32 *ticket, u32 blocks, u32 *last) {
  __threadfence();
  __syncthreads(); /* what this block adds can be seen by all */
  if (threadIdx.x == 0) *last = atomicInc(ticket, blocks - 1) == blocks - 1;
  __syncthreads(); /* *last is known */
  if (*last) __threadfence();
  return *last != 0;
}

HD_DEVICE void thread_store(f64 value, i32 type, u64 out) {
  void *to = (void *)out;
  switch (type) {
  case HD_F16: *(u16 *)to = hd_f16_from_f64(value); break;
  case HD_BF16: *(u16 *)to = hd_bf16_from_f64(value); break;
  case HD_F32: *(f32 *)to = hd_canonical_f32((f32)value); break;
  default: *(f64 *)to = hd_canonical_f64(value); break;
  }
}

/* Of a sum that lies within a span, to which init has been added; it is used up. */
HD_DEVICE void thread_span_store(struct hd_exact *sum, struct hd_exact_span span,
                                 const struct exact_result *r, u64 out) {
  const struct hd_exact_format format = exact_format(r->out_type);
  f64 value;
  if (r->divisor == HD_EXACT_NO_DIVISOR)
    value = hd_f64_of_bits(HD_NAN_F64);
  else if (r->divisor)
    value = hd_exact_round_quotient(sum, span, r->divisor, format);
  else
    value = hd_exact_round(sum, span, format);
  thread_store(value, r->out_type, out);
}

HD_DEVICE void thread_sum_store(struct hd_exact *sum, const struct exact_result *r, u64 out) {
  struct hd_exact_span span;
  span.first = r->first, span.end = r->end;
  if (r->has_init) hd_exact_add(sum, span, r->init);
  thread_span_store(sum, span, r, out);
}

/* The same by a warp, whose lanes find the limbs that are not zero: those are few, and one thread goes
 * over them again and again. */
HD_DEVICE void warp_sum_store(struct hd_exact *sum, const struct exact_result *r, u64 out) {
  struct hd_exact_span span, all;
  const u32 lane = threadIdx.x % 32;
  all.first = r->first, all.end = r->end;
  if (r->has_init && lane == 0) hd_exact_add(sum, all, r->init);
  __syncwarp(); /* init has been added */
  span.first = all.end, span.end = all.first;
  for (u32 i = all.first / 32 * 32; i < all.end; i += 32) {
    const u32 at = i + lane;
    const u32 set = __ballot_sync(HD_ALL, at >= all.first && at < all.end && sum->limb[at] != 0);
    if (!set) continue;
    if (span.first == all.end) span.first = i + (u32)__ffs((int)set) - 1;
    span.end = i + 32 - (u32)__clz((int)set);
  }
  if (span.first == all.end) span.first = all.first, span.end = all.first; /* zero */
  span.end = span.end + 2 < all.end ? span.end + 2 : all.end; /* for carries and the sign */
  __syncwarp();                                               /* every lane has looked */
  if (lane == 0) thread_span_store(sum, span, r, out);
}

#endif
