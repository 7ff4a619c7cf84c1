// min, max and their kin for CUDA's exact set of overloads.
//
// Result   as functions, not templates, so that std::min and a program's own templates with the
//          same name stay callable; of two operands one of which is NaN, the other one
// Limits   operands of unlike signedness and size are ambiguous, as with nvcc
#ifndef SIMT_MATH_MINMAX_HPP
#define SIMT_MATH_MINMAX_HPP

#include <math.h>

namespace simt_math {

template <class T> inline SIMT_QUIET T least(T a, T b) noexcept { return b < a ? b : a; }
template <class T> inline SIMT_QUIET T greatest(T a, T b) noexcept { return a < b ? b : a; }

// Written as a comparison so that it stays inline: a libm call otherwise.
template <class T> inline SIMT_QUIET T float_min(T a, T b) noexcept {
  return (a < b) | (b != b) ? a : b;
}
template <class T> inline SIMT_QUIET T float_max(T a, T b) noexcept {
  return (a > b) | (b != b) ? a : b;
}

} // namespace simt_math

inline SIMT_QUIET int min(int a, int b) noexcept { return simt_math::least<int>(a, b); }
inline SIMT_QUIET unsigned int min(unsigned int a, unsigned int b) noexcept {
  return simt_math::least<unsigned int>(a, b);
}
inline SIMT_QUIET unsigned int min(int a, unsigned int b) noexcept {
  return simt_math::least<unsigned int>(a, b);
}
inline SIMT_QUIET unsigned int min(unsigned int a, int b) noexcept {
  return simt_math::least<unsigned int>(a, b);
}
inline SIMT_QUIET long int min(long int a, long int b) noexcept {
  return simt_math::least<long int>(a, b);
}
inline SIMT_QUIET unsigned long int min(unsigned long int a, unsigned long int b) noexcept {
  return simt_math::least<unsigned long int>(a, b);
}
inline SIMT_QUIET unsigned long int min(long int a, unsigned long int b) noexcept {
  return simt_math::least<unsigned long int>(a, b);
}
inline SIMT_QUIET unsigned long int min(unsigned long int a, long int b) noexcept {
  return simt_math::least<unsigned long int>(a, b);
}
inline SIMT_QUIET long long int min(long long int a, long long int b) noexcept {
  return simt_math::least<long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int min(unsigned long long int a,
                                             unsigned long long int b) noexcept {
  return simt_math::least<unsigned long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int min(long long int a, unsigned long long int b) noexcept {
  return simt_math::least<unsigned long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int min(unsigned long long int a, long long int b) noexcept {
  return simt_math::least<unsigned long long int>(a, b);
}
inline SIMT_QUIET float min(float a, float b) noexcept { return simt_math::float_min<float>(a, b); }
inline SIMT_QUIET double min(double a, double b) noexcept {
  return simt_math::float_min<double>(a, b);
}
inline SIMT_QUIET double min(float a, double b) noexcept {
  return simt_math::float_min<double>(a, b);
}
inline SIMT_QUIET double min(double a, float b) noexcept {
  return simt_math::float_min<double>(a, b);
}

inline SIMT_QUIET int max(int a, int b) noexcept { return simt_math::greatest<int>(a, b); }
inline SIMT_QUIET unsigned int max(unsigned int a, unsigned int b) noexcept {
  return simt_math::greatest<unsigned int>(a, b);
}
inline SIMT_QUIET unsigned int max(int a, unsigned int b) noexcept {
  return simt_math::greatest<unsigned int>(a, b);
}
inline SIMT_QUIET unsigned int max(unsigned int a, int b) noexcept {
  return simt_math::greatest<unsigned int>(a, b);
}
inline SIMT_QUIET long int max(long int a, long int b) noexcept {
  return simt_math::greatest<long int>(a, b);
}
inline SIMT_QUIET unsigned long int max(unsigned long int a, unsigned long int b) noexcept {
  return simt_math::greatest<unsigned long int>(a, b);
}
inline SIMT_QUIET unsigned long int max(long int a, unsigned long int b) noexcept {
  return simt_math::greatest<unsigned long int>(a, b);
}
inline SIMT_QUIET unsigned long int max(unsigned long int a, long int b) noexcept {
  return simt_math::greatest<unsigned long int>(a, b);
}
inline SIMT_QUIET long long int max(long long int a, long long int b) noexcept {
  return simt_math::greatest<long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int max(unsigned long long int a,
                                             unsigned long long int b) noexcept {
  return simt_math::greatest<unsigned long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int max(long long int a, unsigned long long int b) noexcept {
  return simt_math::greatest<unsigned long long int>(a, b);
}
inline SIMT_QUIET unsigned long long int max(unsigned long long int a, long long int b) noexcept {
  return simt_math::greatest<unsigned long long int>(a, b);
}
inline SIMT_QUIET float max(float a, float b) noexcept { return simt_math::float_max<float>(a, b); }
inline SIMT_QUIET double max(double a, double b) noexcept {
  return simt_math::float_max<double>(a, b);
}
inline SIMT_QUIET double max(float a, double b) noexcept {
  return simt_math::float_max<double>(a, b);
}
inline SIMT_QUIET double max(double a, float b) noexcept {
  return simt_math::float_max<double>(a, b);
}

inline SIMT_QUIET unsigned int umin(unsigned int a, unsigned int b) noexcept {
  return simt_math::least(a, b);
}
inline SIMT_QUIET long long int llmin(long long int a, long long int b) noexcept {
  return simt_math::least(a, b);
}
inline SIMT_QUIET unsigned long long int ullmin(unsigned long long int a,
                                                unsigned long long int b) noexcept {
  return simt_math::least(a, b);
}
inline SIMT_QUIET unsigned int umax(unsigned int a, unsigned int b) noexcept {
  return simt_math::greatest(a, b);
}
inline SIMT_QUIET long long int llmax(long long int a, long long int b) noexcept {
  return simt_math::greatest(a, b);
}
inline SIMT_QUIET unsigned long long int ullmax(unsigned long long int a,
                                                unsigned long long int b) noexcept {
  return simt_math::greatest(a, b);
}

#endif
