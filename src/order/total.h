/* total.h - what a block of elements folds to: its kind, its size, how two become one
 *
 * A total has one form in memory, on CPU and GPU, and as bytes between them: its wire form.
 * Little-endian, without padding:
 *
 *   kind     bytes  what they are
 *   U64      8      a sum or product of integers, modulo 2^64
 *   F32      4      a sum or product as it is
 *   F64      8      the same in f64
 *   KEY32    4      an extreme of f16, bf16 or f32: the i32 key of order/float_bits.h; of no value the
 *                   key that every other beats, of NaN the one that beats every other
 *   KEY64    8      the same of f64
 *   INPUT    4, 8   an extreme, and, or, xor of integers: the element, made 4 bytes, with its sign, if
 *                   it has fewer
 *   BOOL     4      any, all: 0 or 1
 *   ARG      24     struct hd_arg_total
 *   MOMENTS  72     struct hd_moments
 *   CUSTOM   any    an element, as the operator's owner lays it out
 *   VARIANCE 24     struct hd_variance; of a device's one figure, and nowhere else
 *
 * NaN has any payload while a fold is under way, and leaves a back end canonical (rule 12).
 *
 * Kinds and what follows from them are macros, so that the preprocessor can ask, too; C and CUDA C++
 * both read this. */
#ifndef HEDDLE_ORDER_TOTAL_H
#define HEDDLE_ORDER_TOTAL_H

#include "float_bits.h"
#include "numbers.h"

#define HD_TOTAL_U64 0
#define HD_TOTAL_F32 1
#define HD_TOTAL_F64 2
#define HD_TOTAL_KEY32 3
#define HD_TOTAL_KEY64 4
#define HD_TOTAL_INPUT 5
#define HD_TOTAL_BOOL 6
#define HD_TOTAL_ARG 7
#define HD_TOTAL_MOMENTS 8
#define HD_TOTAL_CUSTOM 9
#define HD_TOTAL_VARIANCE 10

/* Which of them a fold has. wide: sums and products of floats run in f64; extremes: elements are f64.
 * logical: any, all; arithmetic: sum, prod, dot; else min, max, and, or, xor. */
#define HD_TOTAL_KIND(arg, moments, figure, custom, of_numbers) \
  ((arg) ? HD_TOTAL_ARG : HD_TOTAL_OF_RULE_9(moments, figure, HD_TOTAL_OF_OPS(custom, of_numbers)))
#define HD_TOTAL_OF_RULE_9(moments, figure, of_ops) \
  ((moments) ? HD_TOTAL_MOMENTS : (figure) ? HD_TOTAL_VARIANCE : (of_ops))
#define HD_TOTAL_OF_OPS(custom, of_numbers) ((custom) ? HD_TOTAL_CUSTOM : (of_numbers))
#define HD_TOTAL_OF_NUMBERS(logical, arithmetic, is_float, wide) \
  ((logical) ? HD_TOTAL_BOOL : HD_TOTAL_OF_VALUES(arithmetic, is_float, wide))
#define HD_TOTAL_OF_VALUES(arithmetic, is_float, wide) \
  ((arithmetic) ? HD_TOTAL_OF_SUM(is_float, wide) : HD_TOTAL_OF_SELECT(is_float, wide))
#define HD_TOTAL_OF_SUM(is_float, wide) \
  (!(is_float) ? HD_TOTAL_U64 : (wide) ? HD_TOTAL_F64 : HD_TOTAL_F32)
#define HD_TOTAL_OF_SELECT(is_float, wide) \
  (!(is_float) ? HD_TOTAL_INPUT : (wide) ? HD_TOTAL_KEY64 : HD_TOTAL_KEY32)

/* Of elements of so many bytes; of a custom operator's they are the total. */
#define HD_TOTAL_BYTES(kind, element_bytes) \
  (HD_TOTAL_IS_SMALL(kind, element_bytes) ? 4 : HD_TOTAL_LARGE_BYTES(kind, element_bytes))
#define HD_TOTAL_IS_SMALL(kind, element_bytes)                                      \
  ((kind) == HD_TOTAL_F32 || (kind) == HD_TOTAL_KEY32 || (kind) == HD_TOTAL_BOOL || \
   ((kind) == HD_TOTAL_INPUT && (element_bytes) < 8))
#define HD_TOTAL_LARGE_BYTES(kind, element_bytes) \
  ((kind) == HD_TOTAL_CUSTOM ? (element_bytes) : HD_TOTAL_FIXED_BYTES(kind))
#define HD_TOTAL_FIXED_BYTES(kind) \
  ((kind) == HD_TOTAL_MOMENTS ? 72 : HD_TOTAL_IS_TRIPLE(kind) ? 24 : 8)
#define HD_TOTAL_IS_TRIPLE(kind) ((kind) == HD_TOTAL_ARG || (kind) == HD_TOTAL_VARIANCE)

/* Whether any order of elements and any association gives the same bits: integers, extremes, any and
 * all. */
#define HD_TOTAL_IS_ORDER_FREE(kind)                                                 \
  ((kind) == HD_TOTAL_U64 || (kind) == HD_TOTAL_KEY32 || (kind) == HD_TOTAL_KEY64 || \
   (kind) == HD_TOTAL_INPUT || (kind) == HD_TOTAL_BOOL || (kind) == HD_TOTAL_ARG)
/* Whether a op b and b op a have the same bits. */
#define HD_TOTAL_COMMUTES(kind) \
  ((kind) != HD_TOTAL_MOMENTS && (kind) != HD_TOTAL_VARIANCE && (kind) != HD_TOTAL_CUSTOM)

/* ---- rule 10: the place of an extreme ------------------------------------------------------ */

/* The least key wins. It is the element itself, less 2^31 of u32 and 2^63 of u64, so that it fits
 * its sign, or that of a float in order/float_bits.h, where -0.0 is +0.0; of argmax its complement.
 * A NaN that propagates has the least key. */
struct hd_arg_total {
  i64 key;
  u64 index; /* HD_U64_MAX: no element */
  u64 bits;  /* of the element, as it stood */
};

HD_FUNCTION void hd_arg_empty(struct hd_arg_total *out) {
  out->key = 0, out->index = HD_U64_MAX, out->bits = 0;
}

/* Whether b is the one of the two, whichever comes first: of equal keys the lowest index wins, which
 * none is above. */
HD_FUNCTION bool hd_arg_takes(const struct hd_arg_total *a, const struct hd_arg_total *b) {
  const bool lower = b->index < a->index;
  if (a->index == HD_U64_MAX || b->index == HD_U64_MAX) return lower;
  return b->key < a->key || (b->key == a->key && lower);
}

HD_FUNCTION void hd_arg_merge(struct hd_arg_total *a, const struct hd_arg_total *b) {
  if (hd_arg_takes(a, b)) *a = *b;
}

/* ---- extremes of floats: keys, and the values that they end as ------------------------------- */

#define HD_KEY32_EMPTY(is_min) ((is_min) ? HD_I32_MAX : HD_I32_MIN)
#define HD_KEY32_NAN(is_min) ((is_min) ? HD_I32_MIN : HD_I32_MAX)
#define HD_KEY64_EMPTY(is_min) ((is_min) ? HD_I64_MAX : HD_I64_MIN)
#define HD_KEY64_NAN(is_min) ((is_min) ? HD_I64_MIN : HD_I64_MAX)

/* Of no value: the infinity that is an empty row's result, and *none. */
HD_FUNCTION f32 hd_key32_value(i32 key, bool is_min, bool *none) {
  *none = key == HD_KEY32_EMPTY(is_min);
  if (*none) return hd_f32_of_bits(is_min ? 0x7f800000u : 0xff800000u);
  if (key == HD_KEY32_NAN(is_min)) return hd_f32_of_bits(HD_NAN_F32);
  return hd_canonical_f32(hd_f32_of_key(key));
}
HD_FUNCTION f64 hd_key64_value(i64 key, bool is_min, bool *none) {
  *none = key == HD_KEY64_EMPTY(is_min);
  if (*none) return hd_f64_of_bits((u64)(is_min ? 0x7ffu : 0xfffu) << 52);
  if (key == HD_KEY64_NAN(is_min)) return hd_f64_of_bits(HD_NAN_F64);
  return hd_canonical_f64(hd_f64_of_key(key));
}

#endif
