/* types.h - the X-lists that the library is generated from: element types, operators, statuses
 *
 * A new type, operator or status is a line here; every table that is indexed by one is filled
 * from these lists. */
#ifndef HEDDLE_ORDER_TYPES_H
#define HEDDLE_ORDER_TYPES_H

#include <stdbool.h>

#include "heddle.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint16_t f16;  /* storage only */
typedef uint16_t bf16; /* storage only */
typedef float f32;
typedef double f64;

/* clang-format off */
/* X(ENUM, name, kind): kind is u, i or f */
#define HD_TYPES(X)                                                                                \
  X(U8, u8, u) X(U16, u16, u) X(U32, u32, u) X(U64, u64, u)                                        \
  X(I8, i8, i) X(I16, i16, i) X(I32, i32, i) X(I64, i64, i)                                        \
  X(F16, f16, f) X(BF16, bf16, f) X(F32, f32, f) X(F64, f64, f)

/* X(ENUM, name) */
#define HD_OPS(X)                                                                                  \
  X(SUM, sum) X(PROD, prod) X(MIN, min) X(MAX, max) X(AND, and) X(OR, or) X(XOR, xor)              \
  X(ANY, any) X(ALL, all)

#define HD_STATUSES(X)                                                                             \
  X(OK) X(BAD_ARGUMENT) X(EMPTY) X(OUT_OF_MEMORY) X(UNSUPPORTED) X(NO_DEVICE)                      \
  X(DEVICE_ERROR) X(CANCELLED) X(BAD_DATA) X(CALLBACK)
/* clang-format on */

enum { HD_TYPE_COUNT = HEDDLE_CUSTOM + 1, HD_OP_COUNT = HEDDLE_OP_CUSTOM + 1 };

static inline bool hd_is_type(heddle_type t) { return t >= HEDDLE_U8 && t <= HEDDLE_F64; }
static inline bool hd_is_float(heddle_type t) { return t >= HEDDLE_F16 && t <= HEDDLE_F64; }
static inline bool hd_is_signed(heddle_type t) { return t >= HEDDLE_I8 && t <= HEDDLE_I64; }
static inline bool hd_is_integer(heddle_type t) { return t >= HEDDLE_U8 && t <= HEDDLE_I64; }

const char *hd_op_name(heddle_op op); /* "sum"; "unknown operator" for any other number */

#endif
