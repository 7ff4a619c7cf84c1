/* reference_value.c - element types and the built-in operators, one value at a time
 *
 * Result    ref_load, ref_store, ref_apply, ref_identity
 * Method    floats by ldexp and rint on long double, which holds every 64-bit integer and
 *           every f64 exactly, so that one rounding is all there is
 * Limits    long double has at least 64 bits of fraction; round-to-nearest mode
 * Source    IEEE 754-2019 */
#include "data.h"
#include "reference.h"

#include <float.h>
#include <math.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the reference needs a long double that holds 64-bit integers");

int ref_is_float(heddle_type type) { return type >= HEDDLE_F16 && type <= HEDDLE_F64; }
int ref_is_signed(heddle_type type) { return type >= HEDDLE_I8 && type <= HEDDLE_I64; }

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

static double float_value(heddle_type type, uint64_t bits) {
  const binary b = binary_of(type);
  const uint64_t fraction = bits & ((UINT64_C(1) << b.fraction) - 1);
  const int top = (1 << (b.bits - 1 - b.fraction)) - 1;
  const int power = (int)(bits >> b.fraction) & top;
  double magnitude;
  if (power == top)
    magnitude = fraction ? (double)NAN : (double)INFINITY;
  else if (power == 0)
    magnitude = ldexp((double)fraction, b.least - b.fraction);
  else
    magnitude =
        ldexp((double)(fraction | UINT64_C(1) << b.fraction), b.least - b.fraction + power - 1);
  return bits >> (b.bits - 1) & 1 ? -magnitude : magnitude;
}

static uint64_t float_bits(heddle_type type, long double value) {
  const binary b = binary_of(type);
  const uint64_t top = (UINT64_C(1) << (b.bits - 1 - b.fraction)) - 1;
  if (isnan(value)) return (top << b.fraction) | UINT64_C(1) << (b.fraction - 1);
  const uint64_t sign = (uint64_t)(signbit(value) != 0) << (b.bits - 1);
  const long double magnitude = fabsl(value);
  if (isinf(value)) return sign | top << b.fraction;
  if (magnitude == 0) return sign;
  int power = ilogbl(magnitude);
  if (power < b.least) power = b.least;
  const uint64_t units = (uint64_t)rintl(ldexpl(magnitude, b.fraction - power));
  /* Adding lets a carry out of the fraction step the exponent, up to infinity. */
  const uint64_t exponent = (uint64_t)(power - b.least);
  const uint64_t bits = (exponent << b.fraction) + units;
  return sign | (bits >= top << b.fraction ? top << b.fraction : bits);
}

ref_value ref_load(heddle_type type, const void *array, size_t index) {
  const uint64_t bits = data_bits(type, array, index);
  const unsigned spare = 64 - 8 * (unsigned)data_size(type);
  if (ref_is_float(type)) return (ref_value){float_value(type, bits), 0};
  if (ref_is_signed(type)) return (ref_value){0, (uint64_t)((int64_t)(bits << spare) >> spare)};
  return (ref_value){0, bits};
}

static uint64_t float_to_integer(heddle_type to, double value) {
  const int width = 8 * (int)data_size(to);
  if (isnan(value)) return 0;
  const double whole = trunc(value);
  if (!ref_is_signed(to)) {
    if (whole <= 0) return 0;
    return whole >= ldexp(1, width) ? ~UINT64_C(0) : (uint64_t)whole;
  }
  const double limit = ldexp(1, width - 1);
  if (whole >= limit) return (UINT64_C(1) << (width - 1)) - 1;
  return whole < -limit ? UINT64_C(1) << (width - 1) : (uint64_t)(int64_t)whole;
}

void ref_store(heddle_type from, ref_value value, heddle_type to, void *array, size_t index) {
  if (ref_is_float(to)) {
    long double wide = (long double)value.f;
    if (!ref_is_float(from))
      wide = ref_is_signed(from) ? (long double)(int64_t)value.u : (long double)value.u;
    data_put(to, array, index, float_bits(to, wide));
  } else {
    data_put(to, array, index, ref_is_float(from) ? float_to_integer(to, value.f) : value.u);
  }
}

static double arithmetic(heddle_op op, heddle_type acc, double a, double b) {
  if (acc == HEDDLE_F32) {
    const float x = (float)a, y = (float)b;
    const float z = op == HEDDLE_SUM ? x + y : x * y;
    return (double)z;
  }
  return op == HEDDLE_SUM ? a + b : a * b;
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
    return is_float ? (ref_value){arithmetic(op, acc, a.f, b.f), 0} : (ref_value){0, a.u + b.u};
  case HEDDLE_PROD:
    return is_float ? (ref_value){arithmetic(op, acc, a.f, b.f), 0} : (ref_value){0, a.u * b.u};
  case HEDDLE_AND: return (ref_value){0, a.u & b.u};
  case HEDDLE_OR: return (ref_value){0, a.u | b.u};
  case HEDDLE_XOR: return (ref_value){0, a.u ^ b.u};
  case HEDDLE_ANY: return (ref_value){0, a.u || b.u};
  case HEDDLE_ALL: return (ref_value){0, a.u && b.u};
  default: break;
  }
  if (is_float && isnan(a.f)) return a;
  if (is_float && isnan(b.f)) return b;
  if (op == HEDDLE_MIN) return before(acc, b, a) ? b : a;
  return before(acc, a, b) ? b : a;
}

ref_value ref_identity(heddle_op op, heddle_type acc) {
  const unsigned width = 8 * (unsigned)data_size(acc);
  const uint64_t ones = ~UINT64_C(0) >> (64 - width);
  const uint64_t greatest = ref_is_signed(acc) ? ones >> 1 : ones;
  switch (op) {
  case HEDDLE_SUM: return (ref_value){-0.0, 0};
  case HEDDLE_PROD: return (ref_value){1.0, 1};
  case HEDDLE_AND: return (ref_value){0, ref_is_signed(acc) ? ~UINT64_C(0) : ones};
  case HEDDLE_ALL: return (ref_value){0, 1};
  case HEDDLE_MIN: return (ref_value){(double)INFINITY, greatest};
  case HEDDLE_MAX: return (ref_value){-(double)INFINITY, ref_is_signed(acc) ? ~greatest : 0};
  default: return (ref_value){0, 0};
  }
}
