/* reference_value.c - element types and the built-in operators, one value at a time
 *
 * Result    ref_load, ref_store, ref_apply, ref_identity; families of types and classes of operators,
 *           which are tables of the reference alone
 * Method    a float is a whole number times a power of two; a value is rounded once, as such a
 *           number, by shifts: no conversion of the processor's but of whole numbers to f64
 * Limits    the processor's f64 and f32 add and multiply as IEEE 754 has it
 * Source    IEEE 754-2019 */
#include "data.h"
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ref_is_float(heddle_type type) {
  switch (type) {
  case HEDDLE_F16:
  case HEDDLE_BF16:
  case HEDDLE_F32:
  case HEDDLE_F64: return 1;
  default: return 0;
  }
}

int ref_is_signed(heddle_type type) {
  switch (type) {
  case HEDDLE_I8:
  case HEDDLE_I16:
  case HEDDLE_I32:
  case HEDDLE_I64: return 1;
  default: return 0;
  }
}

/* This switch and the two below have no default, so that the compiler names an operator of heddle.h
 * without a meaning here. */
ref_class ref_class_of(heddle_op op) {
  switch (op) {
  case HEDDLE_SUM:
  case HEDDLE_SUM_SQUARES:
  case HEDDLE_PROD: return REF_ARITHMETIC;
  case HEDDLE_MIN:
  case HEDDLE_MAX: return REF_MINMAX;
  case HEDDLE_AND:
  case HEDDLE_OR:
  case HEDDLE_XOR: return REF_BITWISE;
  case HEDDLE_ANY:
  case HEDDLE_ALL: return REF_LOGICAL;
  case HEDDLE_OP_CUSTOM: break;
  }
  return REF_NONE;
}

int ref_is_numeric(heddle_op op) {
  const ref_class class = ref_class_of(op);
  return class == REF_ARITHMETIC || class == REF_MINMAX;
}

int ref_reduces(heddle_op op, heddle_type type) {
  return ref_is_numeric(op) || ref_class_of(op) == REF_LOGICAL ||
         (ref_class_of(op) == REF_BITWISE && !ref_is_float(type));
}

int ref_scans(heddle_op op, heddle_type type) {
  return ref_class_of(op) != REF_LOGICAL && ref_reduces(op, type);
}

static ref_value unknown(heddle_op op) {
  fprintf(stderr, "reference_value.c: operator %d has no meaning here; give it one\n", (int)op);
  abort();
}

typedef struct binary {
  int bits, fraction, least; /* least: the exponent of the least normal number */
} binary;

static binary binary_of(heddle_type type) {
  switch (type) {
  case HEDDLE_F16: return (binary){16, 10, -14};
  case HEDDLE_BF16: return (binary){16, 7, -126};
  case HEDDLE_F32: return (binary){32, 23, -126};
  default: return (binary){64, 52, -1022};
  }
}

/* 2^n of a normal f64. */
static double power_of_two(int n) {
  const uint64_t bits = (uint64_t)(n + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double float_value(heddle_type type, uint64_t bits) {
  const binary b = binary_of(type);
  const uint64_t fraction = bits & ((UINT64_C(1) << b.fraction) - 1);
  const int top = (1 << (b.bits - 1 - b.fraction)) - 1;
  const int power = (int)(bits >> b.fraction) & top;
  double magnitude;
  if (power == top) {
    magnitude = fraction ? (double)NAN : (double)INFINITY;
  } else if (type == HEDDLE_F64) {
    const uint64_t without_sign = bits & ~UINT64_C(0) >> 1;
    memcpy(&magnitude, &without_sign, sizeof magnitude);
  } else {
    const uint64_t whole = power ? fraction | UINT64_C(1) << b.fraction : fraction;
    magnitude = (double)whole * power_of_two(b.least - b.fraction + (power ? power - 1 : 0));
  }
  return bits >> (b.bits - 1) & 1 ? -magnitude : magnitude;
}

/* whole 2^exponent in the format, to nearest, ties to even; overflow is infinity. */
static uint64_t rounded(binary b, uint64_t whole, int exponent) {
  if (!whole) return 0;
  for (; !(whole >> 63); exponent--) whole <<= 1;
  const int power = exponent + 63 < b.least ? b.least : exponent + 63;
  const int drop = power - b.fraction - exponent; /* bits below one unit: 11 at least */
  uint64_t units = 0;
  if (drop <= 64) {
    const uint64_t half = UINT64_C(1) << (drop - 1);
    units = whole >> 1 >> (drop - 1);
    units += (whole & half) && ((whole & (half - 1)) || (units & 1));
  }
  /* Adding lets a carry out of the fraction step the exponent, up to infinity. */
  const uint64_t bits = ((uint64_t)(power - b.least) << b.fraction) + units;
  const uint64_t infinity = ((UINT64_C(1) << (b.bits - 1 - b.fraction)) - 1) << b.fraction;
  return bits >= infinity ? infinity : bits;
}

static uint64_t float_bits(heddle_type type, double value) {
  const binary b = binary_of(type), f64 = binary_of(HEDDLE_F64);
  const uint64_t top = (UINT64_C(1) << (b.bits - 1 - b.fraction)) - 1;
  if (isnan(value)) return (top << b.fraction) | UINT64_C(1) << (b.fraction - 1);
  const uint64_t sign = (uint64_t)(signbit(value) != 0) << (b.bits - 1);
  if (isinf(value)) return sign | top << b.fraction;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (type == HEDDLE_F64) return bits;
  const uint64_t fraction = bits & ((UINT64_C(1) << f64.fraction) - 1);
  const int power = (int)(bits >> f64.fraction) & 0x7FF;
  const uint64_t whole = power ? fraction | UINT64_C(1) << f64.fraction : fraction;
  return sign | rounded(b, whole, f64.least - f64.fraction + (power ? power - 1 : 0));
}

static uint64_t bits_of_integer(heddle_type from, uint64_t u, heddle_type to) {
  const binary b = binary_of(to);
  const int negative = ref_is_signed(from) && (int64_t)u < 0;
  return (uint64_t)negative << (b.bits - 1) | rounded(b, negative ? 0 - u : u, 0);
}

ref_value ref_load(heddle_type type, const void *array, size_t index) {
  const uint64_t bits = data_bits(type, array, index);
  const unsigned spare = 64 - 8 * (unsigned)data_size(type);
  if (ref_is_float(type)) return (ref_value){float_value(type, bits), 0};
  if (ref_is_signed(type)) return (ref_value){0, (uint64_t)((int64_t)(bits << spare) >> spare)};
  return (ref_value){0, bits};
}

double ref_double(heddle_type type, const void *array, size_t index) {
  const ref_value v = ref_load(type, array, index);
  if (ref_is_float(type)) return v.f;
  return ref_is_signed(type) ? (double)(int64_t)v.u : (double)v.u;
}

static uint64_t float_to_integer(heddle_type to, double value) {
  const int width = 8 * (int)data_size(to);
  if (isnan(value)) return 0;
  const double whole = trunc(value);
  if (!ref_is_signed(to)) {
    if (whole <= 0) return 0;
    return whole >= power_of_two(width) ? ~UINT64_C(0) : (uint64_t)whole;
  }
  const double limit = power_of_two(width - 1);
  if (whole >= limit) return (UINT64_C(1) << (width - 1)) - 1;
  return whole < -limit ? UINT64_C(1) << (width - 1) : (uint64_t)(int64_t)whole;
}

void ref_store(heddle_type from, ref_value value, heddle_type to, void *array, size_t index) {
  uint64_t bits = value.u;
  if (ref_is_float(to))
    bits = ref_is_float(from) ? float_bits(to, value.f) : bits_of_integer(from, value.u, to);
  else if (ref_is_float(from))
    bits = float_to_integer(to, value.f);
  data_put(to, array, index, bits);
}

static double arithmetic(heddle_op op, heddle_type acc, double a, double b) {
  if (acc == HEDDLE_F32) {
    const float x = (float)a, y = (float)b;
    const float z = op == HEDDLE_PROD ? x * y : x + y;
    return (double)z;
  }
  return op == HEDDLE_PROD ? a * b : a + b;
}

/* a comes before b: by value, and -0.0 before +0.0 */
static int before(heddle_type type, ref_value a, ref_value b) {
  if (ref_is_float(type)) return a.f < b.f || (a.f == b.f && signbit(a.f) && !signbit(b.f));
  return ref_is_signed(type) ? (int64_t)a.u < (int64_t)b.u : a.u < b.u;
}

ref_value ref_apply(heddle_op op, heddle_type acc, ref_value a, ref_value b) {
  const int is_float = ref_is_float(acc);
  switch (op) {
  case HEDDLE_SUM:
  case HEDDLE_SUM_SQUARES: /* of squares */
    return is_float ? (ref_value){arithmetic(op, acc, a.f, b.f), 0} : (ref_value){0, a.u + b.u};
  case HEDDLE_PROD:
    return is_float ? (ref_value){arithmetic(op, acc, a.f, b.f), 0} : (ref_value){0, a.u * b.u};
  case HEDDLE_AND: return (ref_value){0, a.u & b.u};
  case HEDDLE_OR: return (ref_value){0, a.u | b.u};
  case HEDDLE_XOR: return (ref_value){0, a.u ^ b.u};
  case HEDDLE_ANY: return (ref_value){0, a.u || b.u};
  case HEDDLE_ALL: return (ref_value){0, a.u && b.u};
  case HEDDLE_MIN:
  case HEDDLE_MAX:
    if (is_float && isnan(a.f)) return a;
    if (is_float && isnan(b.f)) return b;
    if (op == HEDDLE_MIN) return before(acc, b, a) ? b : a;
    return before(acc, a, b) ? b : a;
  case HEDDLE_OP_CUSTOM: break;
  }
  return unknown(op);
}

ref_value ref_identity(heddle_op op, heddle_type acc) {
  const unsigned width = 8 * (unsigned)data_size(acc);
  const uint64_t ones = ~UINT64_C(0) >> (64 - width);
  const uint64_t greatest = ref_is_signed(acc) ? ones >> 1 : ones;
  switch (op) {
  case HEDDLE_SUM:
  case HEDDLE_SUM_SQUARES: return (ref_value){-0.0, 0};
  case HEDDLE_PROD: return (ref_value){1.0, 1};
  case HEDDLE_AND: return (ref_value){0, ref_is_signed(acc) ? ~UINT64_C(0) : ones};
  case HEDDLE_OR:
  case HEDDLE_XOR:
  case HEDDLE_ANY: return (ref_value){0, 0};
  case HEDDLE_ALL: return (ref_value){0, 1};
  case HEDDLE_MIN: return (ref_value){(double)INFINITY, greatest};
  case HEDDLE_MAX: return (ref_value){-(double)INFINITY, ref_is_signed(acc) ? ~greatest : 0};
  case HEDDLE_OP_CUSTOM: break;
  }
  return unknown(op);
}
