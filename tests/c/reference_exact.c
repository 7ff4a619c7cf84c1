/* reference_exact.c - exact sums, bit by bit; see reference_exact.h */
#include "reference_exact.h"

#include <math.h>
#include <string.h>

#include "support.h"

enum { BITS = 16 * REF_EXACT_DIGITS, BELOW = 128, WHOLE = BITS + BELOW };

static double value_at(heddle_type type, const void *x, size_t i) {
  double value;
  const char *at = (const char *)x + i * data_size(type);
  if (heddle_convert(type, at, HEDDLE_F64, &value, 1)) abort();
  return value;
}

/* +-magnitude * 2^exponent */
static void add_bits(ref_exact *sum, int negative, uint64_t magnitude, int exponent) {
  for (int bit = exponent + REF_EXACT_UNIT; magnitude;) {
    const int room = 16 - bit % 16;
    const int64_t digit = (int64_t)(magnitude & ((1u << room) - 1)) << (bit % 16);
    sum->digit[bit / 16] += negative ? -digit : digit;
    magnitude >>= room, bit += room;
  }
}

static uint64_t integer_of(double x, int *exponent) {
  const double magnitude = frexp(fabs(x), exponent);
  *exponent -= 53;
  return (uint64_t)ldexp(magnitude, 53);
}

static int special(ref_exact *sum, double x) {
  if (isfinite(x)) return 0;
  sum->nan |= isnan(x), sum->plus |= x > 0, sum->minus |= x < 0;
  return 1;
}

void ref_exact_add(ref_exact *sum, double x) {
  int e;
  if (special(sum, x) || x == 0) return;
  uint64_t m = integer_of(x, &e);
  while (!(m & 1)) m >>= 1, e++;
  add_bits(sum, x < 0, m, e);
}

static void add_product(ref_exact *sum, double x, double y) {
  int ex, ey;
  if (!isfinite(x) || !isfinite(y)) {
    (void)special(sum, x * y);
    return;
  }
  if (x == 0 || y == 0) return;
  uint64_t a = integer_of(x, &ex), b = integer_of(y, &ey);
  while (!(a & 1)) a >>= 1, ex++;
  while (!(b & 1)) b >>= 1, ey++;
  const uint64_t low = b & ((1u << 27) - 1),
                 high = b >> 27; /* halves of one factor, and of the other */
  for (int half = 0; half < 2; half++) {
    const uint64_t part = half ? a >> 27 : a & ((1u << 27) - 1);
    add_bits(sum, (x < 0) != (y < 0), part * low, ex + ey + 27 * half);
    add_bits(sum, (x < 0) != (y < 0), part * high, ex + ey + 27 * half + 27);
  }
}

void ref_exact_sum(int products, heddle_type type, const void *x, const void *y, size_t n, int skip,
                   ref_exact *sum) {
  memset(sum, 0, sizeof *sum);
  for (size_t i = 0; i < n; i++) {
    const double a = value_at(type, x, i), b = products ? value_at(type, y, i) : 1;
    if (skip && isnan(a * b)) continue;
    if (products)
      add_product(sum, a, b);
    else
      ref_exact_add(sum, a);
  }
}

/* bit[i] of |sum|, the lowest being 2^(-UNIT - BELOW); returns whether it is negative. */
static int to_bits(const ref_exact *sum, unsigned char *bit) {
  int64_t digit[REF_EXACT_DIGITS], carry = 0;
  memcpy(digit, sum->digit, sizeof digit);
  int top = REF_EXACT_DIGITS - 1, negative;
  for (int pass = 0; pass < 2;
       pass++) { /* the second one of the negated sum, if that is negative */
    carry = 0;
    for (int i = 0; i < REF_EXACT_DIGITS; i++) {
      const int64_t v = digit[i] + carry;
      digit[i] = v & 0xffff;
      carry = v >> 16;
    }
    negative = pass || carry < 0;
    if (carry >= 0) break;
    for (int i = 0; i < REF_EXACT_DIGITS; i++) digit[i] = -digit[i];
    digit[top] -= carry * 65536;
    carry = 0;
  }
  memset(bit, 0, WHOLE);
  for (int i = 0; i < BITS; i++) bit[BELOW + i] = digit[i / 16] >> (i % 16) & 1;
  return negative;
}

static int divide_bits(unsigned char *bit, uint64_t divisor) {
  uint64_t left = 0;
  for (int i = WHOLE - 1; i >= 0; i--) {
    left = left << 1 | bit[i];
    bit[i] = left >= divisor;
    if (bit[i]) left -= divisor;
  }
  return left != 0;
}

/* |sum| to so many bits, none below 2^least; beyond 2^most it is infinite. */
static double round_bits(const unsigned char *bit, int rest, int precision, int least, int most) {
  const int unit = -REF_EXACT_UNIT - BELOW;
  int top = WHOLE - 1, half;
  while (top >= 0 && !bit[top]) top--;
  if (top < 0) return 0;
  int lowest = top - precision + 1;
  if (lowest + unit < least) lowest = least - unit;
  uint64_t kept = 0;
  for (int i = top; i >= lowest; i--) kept = kept << 1 | bit[i];
  half = lowest - 1 <= top && bit[lowest - 1];
  for (int i = (lowest - 2 < top ? lowest - 2 : top); i >= 0 && !rest; i--) rest = bit[i];
  kept += half && (rest || (kept & 1));
  const double value = ldexp((double)kept, lowest + unit);
  return value >= ldexp(1, most) ? INFINITY : value;
}

void ref_exact_round(const ref_exact *sum, uint64_t divisor, heddle_type type, void *out) {
  static unsigned char bit[WHOLE];
  double value;
  if (sum->nan || (sum->plus && sum->minus)) {
    value = NAN;
  } else if (sum->plus || sum->minus) {
    value = sum->plus ? INFINITY : -INFINITY;
  } else {
    const int negative = to_bits(sum, bit), rest = divisor && divide_bits(bit, divisor);
    switch (type) {
    case HEDDLE_F16: value = round_bits(bit, rest, 11, -24, 16); break;
    case HEDDLE_BF16: value = round_bits(bit, rest, 8, -133, 128); break;
    case HEDDLE_F32: value = round_bits(bit, rest, 24, -149, 128); break;
    default: value = round_bits(bit, rest, 53, -1074, 1024); break;
    }
    if (negative && value != 0) value = -value;
    if (negative && value == 0) value = -0.0; /* of a sum that is not zero, but rounds to it */
  }
  if (heddle_convert(HEDDLE_F64, &value, type, out, 1)) abort();
}

/* ---- what calls with options->exact give ----------------------------------------------------------- */

const char *const exact_names[] = {"sum", "sum of squares", "dot"};

heddle_options exact_options(heddle_nan nan, heddle_type out) {
  heddle_options options = make_options(nan, HEDDLE_TYPE_DEFAULT, out, NULL);
  options.exact = 1;
  return options;
}

heddle_op exact_op(enum exact_what what) {
  return what == EXACT_SUM ? HEDDLE_SUM : HEDDLE_SUM_SQUARES;
}

void exact_expect(enum exact_what what, heddle_type type, const void *x, const void *y, size_t n,
                  const heddle_options *options, void *out) {
  ref_exact sum;
  ref_exact_sum(what != EXACT_SUM, type, x, what == EXACT_DOT ? y : x, n,
                options->nan == HEDDLE_NAN_SKIP, &sum);
  if (options->init) ref_exact_add(&sum, value_at(options->out_type, options->init, 0));
  ref_exact_round(&sum, (uint64_t)options->divisor, options->out_type, out);
}
