// Arithmetic correctly rounded in a named direction.
//
// Result   __fadd_rn .. __dsqrt_rz: _rn to nearest even, _rz toward zero, _ru up, _rd down
// Method   the processor's rounding control (MXCSR) around the one operation. The assembler
//          statements take the operands and the result as outputs, so that the compiler can
//          neither fold the operation nor move it out from between them
// Limits   x86-64. Exception flags raised in between are lost. _rn relies on the program being
//          compiled without contraction into fused multiply-adds, as heddle-cc does
#ifndef SIMT_MATH_ROUNDING_HPP
#define SIMT_MATH_ROUNDING_HPP

#include <math.h>

namespace simt_math {

enum rounding : unsigned {
  round_nearest = 0x0000,
  round_down = 0x2000,
  round_up = 0x4000,
  round_zero = 0x6000,
};

// begin_rounding - sets the direction; returns what end_rounding restores
template <rounding Direction, class T> inline SIMT_QUIET unsigned begin_rounding(T &a) noexcept {
  unsigned saved, wanted;
  __asm__ volatile("stmxcsr %0" : "=m"(saved));
  wanted = (saved & ~0x6000u) | Direction;
  __asm__ volatile("ldmxcsr %1" : "+x"(a) : "m"(wanted));
  return saved;
}
template <class T> inline SIMT_QUIET void end_rounding(unsigned saved, T &result) noexcept {
  __asm__ volatile("ldmxcsr %1" : "+x"(result) : "m"(saved));
}

template <rounding D, class T> inline SIMT_QUIET T add_in(T a, T b) noexcept {
  const unsigned saved = begin_rounding<D>(a);
  T r = a + b;
  end_rounding(saved, r);
  return r;
}
template <rounding D, class T> inline SIMT_QUIET T mul_in(T a, T b) noexcept {
  const unsigned saved = begin_rounding<D>(a);
  T r = a * b;
  end_rounding(saved, r);
  return r;
}
template <rounding D, class T> inline SIMT_QUIET T div_in(T a, T b) noexcept {
  const unsigned saved = begin_rounding<D>(b);
  T r = a / b;
  end_rounding(saved, r);
  return r;
}
template <rounding D, class T> inline SIMT_QUIET T sqrt_in(T a) noexcept {
  const unsigned saved = begin_rounding<D>(a);
  T r = std::sqrt(a);
  end_rounding(saved, r);
  return r;
}
// libm's fma heeds the rounding direction, in hardware and in software.
template <rounding D, class T> inline SIMT_QUIET T fma_in(T a, T b, T c) noexcept {
  const unsigned saved = begin_rounding<D>(a);
  T r = std::fma(a, b, c);
  end_rounding(saved, r);
  return r;
}

} // namespace simt_math

inline SIMT_QUIET float __fadd_rn(float a, float b) noexcept { return a + b; }
inline SIMT_QUIET float __fsub_rn(float a, float b) noexcept { return a - b; }
inline SIMT_QUIET float __fmul_rn(float a, float b) noexcept { return a * b; }
inline SIMT_QUIET float __fdiv_rn(float a, float b) noexcept { return a / b; }
inline SIMT_QUIET float __frcp_rn(float a) noexcept { return 1 / a; }
inline SIMT_QUIET float __fsqrt_rn(float a) noexcept { return std::sqrt(a); }
inline SIMT_QUIET float __fmaf_rn(float a, float b, float c) noexcept { return std::fma(a, b, c); }
inline SIMT_QUIET float __fadd_rz(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET float __fsub_rz(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_zero>(a, -b);
}
inline SIMT_QUIET float __fmul_rz(float a, float b) noexcept {
  return simt_math::mul_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET float __fdiv_rz(float a, float b) noexcept {
  return simt_math::div_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET float __frcp_rz(float a) noexcept {
  return simt_math::div_in<simt_math::round_zero, float>(1, a);
}
inline SIMT_QUIET float __fsqrt_rz(float a) noexcept {
  return simt_math::sqrt_in<simt_math::round_zero>(a);
}
inline SIMT_QUIET float __fmaf_rz(float a, float b, float c) noexcept {
  return simt_math::fma_in<simt_math::round_zero>(a, b, c);
}
inline SIMT_QUIET float __fadd_ru(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET float __fsub_ru(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_up>(a, -b);
}
inline SIMT_QUIET float __fmul_ru(float a, float b) noexcept {
  return simt_math::mul_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET float __fdiv_ru(float a, float b) noexcept {
  return simt_math::div_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET float __frcp_ru(float a) noexcept {
  return simt_math::div_in<simt_math::round_up, float>(1, a);
}
inline SIMT_QUIET float __fsqrt_ru(float a) noexcept {
  return simt_math::sqrt_in<simt_math::round_up>(a);
}
inline SIMT_QUIET float __fmaf_ru(float a, float b, float c) noexcept {
  return simt_math::fma_in<simt_math::round_up>(a, b, c);
}
inline SIMT_QUIET float __fadd_rd(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET float __fsub_rd(float a, float b) noexcept {
  return simt_math::add_in<simt_math::round_down>(a, -b);
}
inline SIMT_QUIET float __fmul_rd(float a, float b) noexcept {
  return simt_math::mul_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET float __fdiv_rd(float a, float b) noexcept {
  return simt_math::div_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET float __frcp_rd(float a) noexcept {
  return simt_math::div_in<simt_math::round_down, float>(1, a);
}
inline SIMT_QUIET float __fsqrt_rd(float a) noexcept {
  return simt_math::sqrt_in<simt_math::round_down>(a);
}
inline SIMT_QUIET float __fmaf_rd(float a, float b, float c) noexcept {
  return simt_math::fma_in<simt_math::round_down>(a, b, c);
}

inline SIMT_QUIET double __dadd_rn(double a, double b) noexcept { return a + b; }
inline SIMT_QUIET double __dsub_rn(double a, double b) noexcept { return a - b; }
inline SIMT_QUIET double __dmul_rn(double a, double b) noexcept { return a * b; }
inline SIMT_QUIET double __ddiv_rn(double a, double b) noexcept { return a / b; }
inline SIMT_QUIET double __drcp_rn(double a) noexcept { return 1 / a; }
inline SIMT_QUIET double __dsqrt_rn(double a) noexcept { return std::sqrt(a); }
inline SIMT_QUIET double __fma_rn(double a, double b, double c) noexcept {
  return std::fma(a, b, c);
}
inline SIMT_QUIET double __dadd_rz(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET double __dsub_rz(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_zero>(a, -b);
}
inline SIMT_QUIET double __dmul_rz(double a, double b) noexcept {
  return simt_math::mul_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET double __ddiv_rz(double a, double b) noexcept {
  return simt_math::div_in<simt_math::round_zero>(a, b);
}
inline SIMT_QUIET double __drcp_rz(double a) noexcept {
  return simt_math::div_in<simt_math::round_zero, double>(1, a);
}
inline SIMT_QUIET double __dsqrt_rz(double a) noexcept {
  return simt_math::sqrt_in<simt_math::round_zero>(a);
}
inline SIMT_QUIET double __fma_rz(double a, double b, double c) noexcept {
  return simt_math::fma_in<simt_math::round_zero>(a, b, c);
}
inline SIMT_QUIET double __dadd_ru(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET double __dsub_ru(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_up>(a, -b);
}
inline SIMT_QUIET double __dmul_ru(double a, double b) noexcept {
  return simt_math::mul_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET double __ddiv_ru(double a, double b) noexcept {
  return simt_math::div_in<simt_math::round_up>(a, b);
}
inline SIMT_QUIET double __drcp_ru(double a) noexcept {
  return simt_math::div_in<simt_math::round_up, double>(1, a);
}
inline SIMT_QUIET double __dsqrt_ru(double a) noexcept {
  return simt_math::sqrt_in<simt_math::round_up>(a);
}
inline SIMT_QUIET double __fma_ru(double a, double b, double c) noexcept {
  return simt_math::fma_in<simt_math::round_up>(a, b, c);
}
inline SIMT_QUIET double __dadd_rd(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET double __dsub_rd(double a, double b) noexcept {
  return simt_math::add_in<simt_math::round_down>(a, -b);
}
inline SIMT_QUIET double __dmul_rd(double a, double b) noexcept {
  return simt_math::mul_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET double __ddiv_rd(double a, double b) noexcept {
  return simt_math::div_in<simt_math::round_down>(a, b);
}
inline SIMT_QUIET double __drcp_rd(double a) noexcept {
  return simt_math::div_in<simt_math::round_down, double>(1, a);
}
inline SIMT_QUIET double __dsqrt_rd(double a) noexcept {
  return simt_math::sqrt_in<simt_math::round_down>(a);
}
inline SIMT_QUIET double __fma_rd(double a, double b, double c) noexcept {
  return simt_math::fma_in<simt_math::round_down>(a, b, c);
}

inline SIMT_QUIET float __frsqrt_rn(float a) noexcept {
  // 1 / sqrt(a) in double is off by less than 2^-51, and no float's reciprocal square root is
  // that near to the middle between two floats.
  return static_cast<float>(1 / std::sqrt(static_cast<double>(a)));
}

#endif
