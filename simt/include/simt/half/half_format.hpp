// The two 16-bit floating-point formats, as integer code.
//
// Result   simt_half::binary16 (IEEE: 5 exponent bits) and simt_half::bfloat16 (8): exact
//          widening, and rounding to nearest even or in a named direction, once
// Method   float carries sums, products and quotients exactly enough, since 24 >= 2 p + 2
//          (Figueroa 1995); where it does not (fused multiply-add, the subnormal range of
//          bfloat16), double does, rounded to odd in between (Boldo and Melquiond 2005)
// NaN      becomes 0x7fff. Subnormal numbers are kept
#ifndef SIMT_HALF_FORMAT_HPP
#define SIMT_HALF_FORMAT_HPP

#include "simt/math/math_convert.hpp"

namespace simt_half {

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
enum direction { nearest, zero, down, up };

inline SIMT_QUIET u32 bits(float x) noexcept { return simt_math::bits_as<u32>(x); }
inline SIMT_QUIET float number(u32 x) noexcept { return simt_math::bits_as<float>(x); }

// round_code - a finite magnitude, as a double's bits, in the format with M stored mantissa bits
// and E exponent bits; the code goes on counting where the format's numbers end
template <int M, int E>
inline SIMT_QUIET u64 round_code(u64 magnitude, bool negative, direction to) noexcept {
  constexpr int bias = (1 << (E - 1)) - 1;
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent == -1023) exponent = -1022;
  const u64 hidden = magnitude >> 52 ? 1ull << 52 : 0;
  const u64 mantissa = (magnitude & 0xfffffffffffffull) | hidden;
  const bool normal = exponent >= 1 - bias;
  int shift = 52 - M + (normal ? 0 : 1 - bias - exponent);
  if (shift > 60) shift = 60;
  const u64 kept = mantissa >> shift, rest = mantissa & ((1ull << shift) - 1);
  const u64 half = 1ull << (shift - 1);

  bool increment = rest != 0 && to == (negative ? down : up);
  if (to == nearest) increment = rest > half || (rest == half && (kept & 1));
  // With the hidden bit in `kept`, a carry out of the mantissa raises the exponent by itself.
  return kept + increment + (normal ? static_cast<u64>(exponent + bias - 1) << M : 0);
}

// round_bits - a double in such a format with infinities and NaN, as IEEE 754 lays them out
template <int M, int E> inline SIMT_QUIET u16 round_bits(double value, direction to) noexcept {
  const u64 all = simt_math::bits_as<u64>(value), magnitude = all << 1 >> 1;
  const bool negative = all >> 63;
  const u16 sign = negative ? 0x8000 : 0;
  constexpr u32 infinity = ((1u << E) - 1) << M;
  if (magnitude > 0x7ff0000000000000ull) return 0x7fff;
  if (magnitude == 0x7ff0000000000000ull) return static_cast<u16>(sign | infinity);
  const u64 result = round_code<M, E>(magnitude, negative, to);
  if (result < infinity) return static_cast<u16>(sign | result);
  const bool away = to == nearest || to == (negative ? down : up);
  return static_cast<u16>(sign | (away ? infinity : infinity - 1));
}

// odd_float - value; if no float has it, of the two floats beside it the one with an odd last
// bit, so that rounding it once more gives what rounding the value gives. Without branches.
inline SIMT_QUIET float odd_float(double value) noexcept {
  const float nearest_float = static_cast<float>(value);
  u32 all = bits(nearest_float);
  all -= std::fabs(static_cast<double>(nearest_float)) > std::fabs(value) ? 1u : 0u;
  all |= static_cast<double>(number(all)) != value ? 1u : 0u;
  return number(all);
}

// add_odd - a + b, likewise as an odd double if it is inexact
inline SIMT_QUIET double add_odd(double a, double b) noexcept {
  const double sum = a + b, from_b = sum - a;
  const double error = (a - (sum - from_b)) + (b - from_b);
  const u64 all = simt_math::bits_as<u64>(sum), away = (error > 0) == (sum > 0) ? 1 : ~0ull;
  const bool inexact = (error < 0) | (error > 0);
  return simt_math::bits_as<double>(all + (inexact && !(all & 1) ? away : 0));
}

struct binary16 {
  static constexpr u16 infinity = 0x7c00, one = 0x3c00;

  static float widen(u16 h) noexcept {
    const u32 sign = static_cast<u32>(h & 0x8000u) << 16, magnitude = (h & 0x7fffu) << 13;
    const u32 exponent = magnitude & 0x0f800000u;
    // Subnormal: as if the exponent were that of the least normal number, less its hidden bit.
    if (exponent == 0)
      return number(sign | bits(number(magnitude + (113u << 23)) - number(113u << 23)));
    return number(sign | (magnitude + (exponent == 0x0f800000u ? 224u << 23 : 112u << 23)));
  }

  static u16 narrow(float value) noexcept {
    const u32 all = bits(value), magnitude = all & 0x7fffffffu;
    const u16 sign = static_cast<u16>(all >> 16 & 0x8000u);
    if (magnitude >= 0x47800000u)
      return magnitude > 0x7f800000u ? u16(0x7fff) : static_cast<u16>(sign | infinity);
    // Below 2^-14: adding 0.5 makes the processor round at the subnormals' last place.
    if (magnitude < 0x38800000u)
      return static_cast<u16>(sign | (bits(number(magnitude) + 0.5f) - bits(0.5f)));
    const u32 rounded = magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u);
    return static_cast<u16>(sign | rounded >> 13);
  }

  static u16 round(double value, direction to) noexcept { return round_bits<10, 5>(value, to); }

  static u16 narrow(double value) noexcept { return narrow(odd_float(value)); }

  static u16 multiply(float a, float b) noexcept { return narrow(a * b); }
  static u16 divide(float a, float b) noexcept { return narrow(a / b); }
  // Where the sum is inexact in double, the operands are so far apart that its last bits say
  // nothing of half's: the greater one is no middle of two halves.
  static u16 fused(float a, float b, float c) noexcept {
    return narrow(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
  }
};

struct bfloat16 {
  static constexpr u16 infinity = 0x7f80, one = 0x3f80;

  static float widen(u16 h) noexcept { return number(static_cast<u32>(h) << 16); }

  static u16 narrow(float value) noexcept {
    const u32 all = bits(value);
    if ((all & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return static_cast<u16>((all + 0x7fffu + (all >> 16 & 1u)) >> 16);
  }

  static u16 round(double value, direction to) noexcept { return round_bits<7, 8>(value, to); }

  static u16 narrow(double value) noexcept { return narrow(odd_float(value)); }

  // Subnormal floats have too few bits to carry a product.
  static u16 multiply(float a, float b) noexcept {
    return narrow(static_cast<double>(a) * static_cast<double>(b));
  }
  static u16 divide(float a, float b) noexcept {
    return narrow(static_cast<double>(a) / static_cast<double>(b));
  }
  static u16 fused(float a, float b, float c) noexcept {
    return narrow(add_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
  }
};

// An integer as a double with the same rounding: beyond 53 bits with a sticky last bit.
template <class I> inline SIMT_QUIET double exact(I x) noexcept {
  const bool negative = x < I(0);
  u64 magnitude = static_cast<u64>(x);
  if (negative) magnitude = 0 - magnitude;
  if (magnitude >> 53) magnitude = (magnitude & ~0x7ffull) | (magnitude & 0x7ffull ? 0x800u : 0u);
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

inline SIMT_QUIET float round_whole(float x, direction to) noexcept {
  if (to == nearest) return std::rint(x);
  return to == zero ? std::trunc(x) : to == down ? std::floor(x) : std::ceil(x);
}

} // namespace simt_half

#endif
