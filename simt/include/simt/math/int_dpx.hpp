// DPX: the smaller or larger of sums and of three operands, on words and halves of words.
//
// Result   __viaddmax_s32 .. __vimin_s16x2_relu; sums wrap, `relu` cuts negative results to 0
// Method   a word is one lane, a pair of halves two; templates as in int_simd.hpp
#ifndef SIMT_INT_DPX_HPP
#define SIMT_INT_DPX_HPP

#include "int_simd.hpp"

namespace simt_packed {

template <bool Max, class T> inline SIMT_QUIET T choose(T a, T b) noexcept {
  return (a > b) == Max ? a : b;
}

// dpx - lane by lane; Op takes and gives T
template <class T, class Op> inline SIMT_QUIET word dpx(word a, word b, word c) noexcept {
  constexpr int bits = 8 * static_cast<int>(sizeof(T)), lanes = 32 / bits;
  word result = 0;
  for (int i = 0; i < lanes; i++) {
    const int at = i * bits;
    const T r = Op::of(static_cast<T>(a >> at), static_cast<T>(b >> at), static_cast<T>(c >> at));
    result |= (static_cast<word>(r) & (0xffffffffu >> (32 - bits))) << at;
  }
  return result;
}

// The sum of the first two (or the first two themselves) with the third, then the relu's zero.
template <class T, bool Max, bool Sum, bool Relu> struct dpx_op {
  static T of(T a, T b, T c) noexcept {
    const T sum = static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
    const T r = choose<Max, T>(Sum ? sum : choose<Max, T>(a, b), c);
    return Relu && r < 0 ? T(0) : r;
  }
};

// pick - a or b, and whether a was taken; equal operands count as a
template <class T, bool Max> inline word pick(word a, word b, bool *taken, int at) noexcept {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  const T x = static_cast<T>(a >> at), y = static_cast<T>(b >> at);
  *taken = Max ? x >= y : x <= y;
  return (static_cast<word>(*taken ? x : y) & (0xffffffffu >> (32 - bits))) << at;
}

} // namespace simt_packed

template <class = void> inline SIMT_QUIET int __viaddmax_s32(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, true, true, false>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimax3_s32(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, true, false, false>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __viaddmax_s32_relu(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, true, true, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimax3_s32_relu(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, true, false, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimax_s32_relu(int a, int b) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, true, false, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(b)));
}
template <class = void> inline int __vibmax_s32(int a, int b, bool *taken) noexcept {
  return static_cast<int>(simt_packed::pick<int, true>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b), taken, 0));
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmax_u32(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<unsigned int, simt_packed::dpx_op<unsigned int, true, true, false>>(a, b,
                                                                                              c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimax3_u32(unsigned int a, unsigned int b,
                                            unsigned int c) noexcept {
  return simt_packed::dpx<unsigned int, simt_packed::dpx_op<unsigned int, true, false, false>>(a, b,
                                                                                               c);
}
template <class = void>
inline unsigned int __vibmax_u32(unsigned int a, unsigned int b, bool *taken) noexcept {
  return simt_packed::pick<unsigned int, true>(a, b, taken, 0);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmax_s16x2(unsigned int a, unsigned int b,
                                                unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, true, true, false>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimax3_s16x2(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, true, false, false>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b,
                                                     unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, true, true, true>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b,
                                                   unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, true, false, true>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, true, false, true>>(a, b, b);
}
template <class = void>
inline unsigned int __vibmax_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) noexcept {
  return simt_packed::pick<short, true>(a, b, high, 16) |
         simt_packed::pick<short, true>(a, b, low, 0);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmax_u16x2(unsigned int a, unsigned int b,
                                                unsigned int c) noexcept {
  return simt_packed::dpx<unsigned short, simt_packed::dpx_op<unsigned short, true, true, false>>(
      a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimax3_u16x2(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<unsigned short, simt_packed::dpx_op<unsigned short, true, false, false>>(
      a, b, c);
}
template <class = void>
inline unsigned int __vibmax_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) noexcept {
  return simt_packed::pick<unsigned short, true>(a, b, high, 16) |
         simt_packed::pick<unsigned short, true>(a, b, low, 0);
}
template <class = void> inline SIMT_QUIET int __viaddmin_s32(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, false, true, false>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimin3_s32(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, false, false, false>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __viaddmin_s32_relu(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, false, true, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimin3_s32_relu(int a, int b, int c) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, false, false, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(c)));
}
template <class = void> inline SIMT_QUIET int __vimin_s32_relu(int a, int b) noexcept {
  return static_cast<int>(simt_packed::dpx<int, simt_packed::dpx_op<int, false, false, true>>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b),
      static_cast<simt_packed::word>(b)));
}
template <class = void> inline int __vibmin_s32(int a, int b, bool *taken) noexcept {
  return static_cast<int>(simt_packed::pick<int, false>(
      static_cast<simt_packed::word>(a), static_cast<simt_packed::word>(b), taken, 0));
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmin_u32(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<unsigned int, simt_packed::dpx_op<unsigned int, false, true, false>>(a, b,
                                                                                               c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimin3_u32(unsigned int a, unsigned int b,
                                            unsigned int c) noexcept {
  return simt_packed::dpx<unsigned int, simt_packed::dpx_op<unsigned int, false, false, false>>(
      a, b, c);
}
template <class = void>
inline unsigned int __vibmin_u32(unsigned int a, unsigned int b, bool *taken) noexcept {
  return simt_packed::pick<unsigned int, false>(a, b, taken, 0);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmin_s16x2(unsigned int a, unsigned int b,
                                                unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, false, true, false>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimin3_s16x2(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, false, false, false>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b,
                                                     unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, false, true, true>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b,
                                                   unsigned int c) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, false, false, true>>(a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) noexcept {
  return simt_packed::dpx<short, simt_packed::dpx_op<short, false, false, true>>(a, b, b);
}
template <class = void>
inline unsigned int __vibmin_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) noexcept {
  return simt_packed::pick<short, false>(a, b, high, 16) |
         simt_packed::pick<short, false>(a, b, low, 0);
}
template <class = void>
inline SIMT_QUIET unsigned int __viaddmin_u16x2(unsigned int a, unsigned int b,
                                                unsigned int c) noexcept {
  return simt_packed::dpx<unsigned short, simt_packed::dpx_op<unsigned short, false, true, false>>(
      a, b, c);
}
template <class = void>
inline SIMT_QUIET unsigned int __vimin3_u16x2(unsigned int a, unsigned int b,
                                              unsigned int c) noexcept {
  return simt_packed::dpx<unsigned short, simt_packed::dpx_op<unsigned short, false, false, false>>(
      a, b, c);
}
template <class = void>
inline unsigned int __vibmin_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) noexcept {
  return simt_packed::pick<unsigned short, false>(a, b, high, 16) |
         simt_packed::pick<unsigned short, false>(a, b, low, 0);
}

#endif
