/* types.h - element types, operators and statuses for C: storage types, counts, predicates
 *
 * The tables are types.def and ops.def; every predicate is read from them, and nothing compares the
 * numbers of heddle.h's enumerations. */
#ifndef HEDDLE_ORDER_TYPES_H
#define HEDDLE_ORDER_TYPES_H

#include "basic.h"
#include "heddle.h"
#include "ops.def"
#include "types.def"

/* clang-format off */
#define HD_STATUSES(X)                                                                             \
  X(OK) X(BAD_ARGUMENT) X(EMPTY) X(OUT_OF_MEMORY) X(UNSUPPORTED) X(NO_DEVICE)                      \
  X(DEVICE_ERROR) X(CANCELLED) X(BAD_DATA) X(CALLBACK)
/* clang-format on */

/* Sizes of tables that are indexed by a type or an operator, custom ones among them. */
#define HD_COUNT_ONE(...) +1
enum { HD_TYPE_COUNT = 2 HD_TYPES(HD_COUNT_ONE), HD_OP_COUNT = 2 HD_OPS(HD_COUNT_ONE) };
#undef HD_COUNT_ONE
_Static_assert((int)HEDDLE_CUSTOM < HD_TYPE_COUNT && (int)HEDDLE_OP_CUSTOM < HD_OP_COUNT,
               "numbers of types and operators have no gaps");
#define HD_TYPE_FITS(enum, ...) \
  _Static_assert((int)HEDDLE_##enum < HD_TYPE_COUNT, "HEDDLE_" #enum " is beyond the tables");
#define HD_OP_FITS(enum, ...) \
  _Static_assert((int)HEDDLE_##enum < HD_OP_COUNT, "HEDDLE_" #enum " is beyond the tables");
HD_TYPES(HD_TYPE_FITS)
HD_OPS(HD_OP_FITS)
#undef HD_TYPE_FITS
#undef HD_OP_FITS

/* ---- predicates: false for any number that is none, as for custom types and operators ---------- */

#define HD_CASE(enum, ...) case HEDDLE_##enum:
static inline bool hd_is_type(heddle_type t) {
  switch (t) {
    HD_TYPES(HD_CASE) return true;
  default: return false;
  }
}
static inline bool hd_is_float(heddle_type t) {
  switch (t) {
    HD_FLOAT_TYPES(HD_CASE) return true;
  default: return false;
  }
}
static inline bool hd_is_signed(heddle_type t) { /* integer */
  switch (t) {
    HD_SIGNED_TYPES(HD_CASE) return true;
  default: return false;
  }
}
static inline bool hd_is_integer(heddle_type t) {
  switch (t) {
    HD_INTEGER_TYPES(HD_CASE) return true;
  default: return false;
  }
}
#undef HD_CASE

/* An E with |x| < 2^E for every x of the type, where all of them are multiples of 2^(E - 86), too: of integers and
 * f16; else 0. */
static inline int hd_whole_exponent(heddle_type t) {
  if (t == HEDDLE_F16) return 16;
  return hd_is_integer(t) ? (int)heddle_type_size(t) * 8 : 0;
}

/* The type of a sum or product of t that nobody asked to be another. */
static inline heddle_type hd_sum_type(heddle_type t) {
  switch (t) {
#define HD_CASE(enum, n, f, b, sum, ...) \
  case HEDDLE_##enum: return HEDDLE_##sum;
    HD_TYPES(HD_CASE)
#undef HD_CASE
  default: return HEDDLE_TYPE_DEFAULT;
  }
}

enum hd_op_class { HD_OP_NONE, HD_OP_ARITHMETIC, HD_OP_MINMAX, HD_OP_BITWISE, HD_OP_LOGICAL };
static inline enum hd_op_class hd_op_class(heddle_op op) {
  switch (op) {
#define HD_CASE(enum, name, class, ...) \
  case HEDDLE_##enum: return HD_OP_##class;
    HD_OPS(HD_CASE)
#undef HD_CASE
  default: return HD_OP_NONE;
  }
}
static inline bool hd_is_op(heddle_op op) { return hd_op_class(op) != HD_OP_NONE; }
static inline bool hd_is_arithmetic(heddle_op op) { return hd_op_class(op) == HD_OP_ARITHMETIC; }
static inline bool hd_is_bitwise(heddle_op op) { return hd_op_class(op) == HD_OP_BITWISE; }
static inline bool hd_is_logical(heddle_op op) { return hd_op_class(op) == HD_OP_LOGICAL; }

/* The operator that totals are combined by; a custom one's own. */
static inline heddle_op hd_op_combine(heddle_op op) {
  switch (op) {
#define HD_CASE(enum, name, class, combine, ...) \
  case HEDDLE_##enum: return HEDDLE_##combine;
    HD_OPS(HD_CASE)
#undef HD_CASE
  default: return op;
  }
}
/* Sums: the total of nothing is +0.0 (rule 7). */
static inline bool hd_is_sum(heddle_op op) { return hd_op_combine(op) == HEDDLE_SUM; }

/* What an element counts as. */
static inline unsigned hd_op_map(heddle_op op) {
  switch (op) {
#define HD_CASE(enum, name, class, combine, map) \
  case HEDDLE_##enum: return HD_MAP_##map;
    HD_OPS(HD_CASE)
#undef HD_CASE
  default: return HD_MAP_VALUE;
  }
}

const char *hd_op_name(heddle_op op); /* "sum"; "unknown operator" for any other number */

#endif
