// Conversions between float, double and integers, and reinterpretation of bits.
//
// Result   __float2int_rd .. __ull2double_rz, __float_as_int and kin. To integers they saturate
// NaN      becomes 0 where a float goes to 32 bits, else the integer with only its top bit set
// Source   CUDA Math API; for NaN the PTX ISA's `cvt`
#ifndef SIMT_MATH_CONVERT_HPP
#define SIMT_MATH_CONVERT_HPP

#include "math_rounding.hpp"

namespace simt_math {

// to_integer - x toward zero, or the end of the range of I that it is beyond
template <class I, class F> inline SIMT_QUIET I to_integer(F x) noexcept {
  constexpr bool is_signed = I(-1) < I(0);
  constexpr I top_bit = static_cast<I>(1ull << (8 * sizeof(I) - 1));
  constexpr I least = is_signed ? top_bit : I(0);
  constexpr I most = static_cast<I>(~least);
  constexpr F end = F(1ull << (8 * sizeof(I) - 1)) * (is_signed ? 1 : 2);
  if (x != x) return sizeof(F) == 4 && sizeof(I) <= 4 ? I(0) : top_bit;
  if (x >= end) return most;
  if (x < F(least)) return least;
  return static_cast<I>(x);
}

template <rounding D, class F, class I> inline SIMT_QUIET F from_integer(I x) noexcept {
  unsigned saved, wanted;
  __asm__ volatile("stmxcsr %0" : "=m"(saved));
  wanted = (saved & ~0x6000u) | D;
  __asm__ volatile("ldmxcsr %1" : "+r"(x) : "m"(wanted));
  F r = static_cast<F>(x);
  end_rounding(saved, r);
  return r;
}
template <rounding D> inline SIMT_QUIET float narrow(double x) noexcept {
  const unsigned saved = begin_rounding<D>(x);
  float r = static_cast<float>(x);
  end_rounding(saved, r);
  return r;
}

template <class To, class From> inline SIMT_QUIET To bits_as(From from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

} // namespace simt_math

inline SIMT_QUIET int __float2int_rn(float x) noexcept {
  return simt_math::to_integer<int>(std::rint(x));
}
inline SIMT_QUIET int __float2int_rz(float x) noexcept { return simt_math::to_integer<int>(x); }
inline SIMT_QUIET int __float2int_rd(float x) noexcept {
  return simt_math::to_integer<int>(std::floor(x));
}
inline SIMT_QUIET int __float2int_ru(float x) noexcept {
  return simt_math::to_integer<int>(std::ceil(x));
}
inline SIMT_QUIET unsigned int __float2uint_rn(float x) noexcept {
  return simt_math::to_integer<unsigned int>(std::rint(x));
}
inline SIMT_QUIET unsigned int __float2uint_rz(float x) noexcept {
  return simt_math::to_integer<unsigned int>(x);
}
inline SIMT_QUIET unsigned int __float2uint_rd(float x) noexcept {
  return simt_math::to_integer<unsigned int>(std::floor(x));
}
inline SIMT_QUIET unsigned int __float2uint_ru(float x) noexcept {
  return simt_math::to_integer<unsigned int>(std::ceil(x));
}
inline SIMT_QUIET long long int __float2ll_rn(float x) noexcept {
  return simt_math::to_integer<long long int>(std::rint(x));
}
inline SIMT_QUIET long long int __float2ll_rz(float x) noexcept {
  return simt_math::to_integer<long long int>(x);
}
inline SIMT_QUIET long long int __float2ll_rd(float x) noexcept {
  return simt_math::to_integer<long long int>(std::floor(x));
}
inline SIMT_QUIET long long int __float2ll_ru(float x) noexcept {
  return simt_math::to_integer<long long int>(std::ceil(x));
}
inline SIMT_QUIET unsigned long long int __float2ull_rn(float x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::rint(x));
}
inline SIMT_QUIET unsigned long long int __float2ull_rz(float x) noexcept {
  return simt_math::to_integer<unsigned long long int>(x);
}
inline SIMT_QUIET unsigned long long int __float2ull_rd(float x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::floor(x));
}
inline SIMT_QUIET unsigned long long int __float2ull_ru(float x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::ceil(x));
}

inline SIMT_QUIET int __double2int_rn(double x) noexcept {
  return simt_math::to_integer<int>(std::rint(x));
}
inline SIMT_QUIET int __double2int_rz(double x) noexcept { return simt_math::to_integer<int>(x); }
inline SIMT_QUIET int __double2int_rd(double x) noexcept {
  return simt_math::to_integer<int>(std::floor(x));
}
inline SIMT_QUIET int __double2int_ru(double x) noexcept {
  return simt_math::to_integer<int>(std::ceil(x));
}
inline SIMT_QUIET unsigned int __double2uint_rn(double x) noexcept {
  return simt_math::to_integer<unsigned int>(std::rint(x));
}
inline SIMT_QUIET unsigned int __double2uint_rz(double x) noexcept {
  return simt_math::to_integer<unsigned int>(x);
}
inline SIMT_QUIET unsigned int __double2uint_rd(double x) noexcept {
  return simt_math::to_integer<unsigned int>(std::floor(x));
}
inline SIMT_QUIET unsigned int __double2uint_ru(double x) noexcept {
  return simt_math::to_integer<unsigned int>(std::ceil(x));
}
inline SIMT_QUIET long long int __double2ll_rn(double x) noexcept {
  return simt_math::to_integer<long long int>(std::rint(x));
}
inline SIMT_QUIET long long int __double2ll_rz(double x) noexcept {
  return simt_math::to_integer<long long int>(x);
}
inline SIMT_QUIET long long int __double2ll_rd(double x) noexcept {
  return simt_math::to_integer<long long int>(std::floor(x));
}
inline SIMT_QUIET long long int __double2ll_ru(double x) noexcept {
  return simt_math::to_integer<long long int>(std::ceil(x));
}
inline SIMT_QUIET unsigned long long int __double2ull_rn(double x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::rint(x));
}
inline SIMT_QUIET unsigned long long int __double2ull_rz(double x) noexcept {
  return simt_math::to_integer<unsigned long long int>(x);
}
inline SIMT_QUIET unsigned long long int __double2ull_rd(double x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::floor(x));
}
inline SIMT_QUIET unsigned long long int __double2ull_ru(double x) noexcept {
  return simt_math::to_integer<unsigned long long int>(std::ceil(x));
}

inline SIMT_QUIET float __double2float_rn(double x) noexcept { return static_cast<float>(x); }
inline SIMT_QUIET float __double2float_rz(double x) noexcept {
  return simt_math::narrow<simt_math::round_zero>(x);
}
inline SIMT_QUIET float __double2float_ru(double x) noexcept {
  return simt_math::narrow<simt_math::round_up>(x);
}
inline SIMT_QUIET float __double2float_rd(double x) noexcept {
  return simt_math::narrow<simt_math::round_down>(x);
}

inline SIMT_QUIET float __int2float_rn(int x) noexcept { return static_cast<float>(x); }
inline SIMT_QUIET float __int2float_rz(int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, float>(x);
}
inline SIMT_QUIET float __int2float_ru(int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, float>(x);
}
inline SIMT_QUIET float __int2float_rd(int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, float>(x);
}
inline SIMT_QUIET float __uint2float_rn(unsigned int x) noexcept { return static_cast<float>(x); }
inline SIMT_QUIET float __uint2float_rz(unsigned int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, float>(x);
}
inline SIMT_QUIET float __uint2float_ru(unsigned int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, float>(x);
}
inline SIMT_QUIET float __uint2float_rd(unsigned int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, float>(x);
}
inline SIMT_QUIET float __ll2float_rn(long long int x) noexcept { return static_cast<float>(x); }
inline SIMT_QUIET float __ll2float_rz(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, float>(x);
}
inline SIMT_QUIET float __ll2float_ru(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, float>(x);
}
inline SIMT_QUIET float __ll2float_rd(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, float>(x);
}
inline SIMT_QUIET float __ull2float_rn(unsigned long long int x) noexcept {
  return static_cast<float>(x);
}
inline SIMT_QUIET float __ull2float_rz(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, float>(x);
}
inline SIMT_QUIET float __ull2float_ru(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, float>(x);
}
inline SIMT_QUIET float __ull2float_rd(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, float>(x);
}
inline SIMT_QUIET double __int2double_rn(int x) noexcept { return static_cast<double>(x); }
inline SIMT_QUIET double __uint2double_rn(unsigned int x) noexcept {
  return static_cast<double>(x);
}
inline SIMT_QUIET double __ll2double_rn(long long int x) noexcept { return static_cast<double>(x); }
inline SIMT_QUIET double __ll2double_rz(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, double>(x);
}
inline SIMT_QUIET double __ll2double_ru(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, double>(x);
}
inline SIMT_QUIET double __ll2double_rd(long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, double>(x);
}
inline SIMT_QUIET double __ull2double_rn(unsigned long long int x) noexcept {
  return static_cast<double>(x);
}
inline SIMT_QUIET double __ull2double_rz(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_zero, double>(x);
}
inline SIMT_QUIET double __ull2double_ru(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_up, double>(x);
}
inline SIMT_QUIET double __ull2double_rd(unsigned long long int x) noexcept {
  return simt_math::from_integer<simt_math::round_down, double>(x);
}

inline SIMT_QUIET int __float_as_int(float x) noexcept { return simt_math::bits_as<int>(x); }
inline SIMT_QUIET unsigned int __float_as_uint(float x) noexcept {
  return simt_math::bits_as<unsigned int>(x);
}
inline SIMT_QUIET float __int_as_float(int x) noexcept { return simt_math::bits_as<float>(x); }
inline SIMT_QUIET float __uint_as_float(unsigned int x) noexcept {
  return simt_math::bits_as<float>(x);
}
inline SIMT_QUIET long long int __double_as_longlong(double x) noexcept {
  return simt_math::bits_as<long long int>(x);
}
inline SIMT_QUIET double __longlong_as_double(long long int x) noexcept {
  return simt_math::bits_as<double>(x);
}
inline SIMT_QUIET int __double2hiint(double x) noexcept {
  return static_cast<int>(simt_math::bits_as<unsigned long long>(x) >> 32);
}
inline SIMT_QUIET int __double2loint(double x) noexcept {
  return static_cast<int>(simt_math::bits_as<unsigned long long>(x));
}
inline SIMT_QUIET double __hiloint2double(int high, int low) noexcept {
  const unsigned long long h = static_cast<unsigned int>(high), l = static_cast<unsigned int>(low);
  return simt_math::bits_as<double>(h << 32 | l);
}

#endif
