// Dot products of packed integers: __dp4a (4 x 8 bits), __dp2a_lo and __dp2a_hi (2 x 16 with
// the low or high pair of 4 x 8 bits), accumulated modulo 2^32.
#ifndef SIMT_INT_DOT_HPP
#define SIMT_INT_DOT_HPP

#include "../../vector_types.h"

namespace simt_packed {

// lane - the i-th T of a word
template <class T> inline SIMT_QUIET int lane(unsigned int word, int i) noexcept {
  return static_cast<T>(word >> (i * 8 * static_cast<int>(sizeof(T))));
}

template <class T> inline SIMT_QUIET unsigned int word_of(const T &vector) noexcept {
  static_assert(sizeof(T) == sizeof(unsigned int), "a word of packed integers");
  unsigned int word;
  __builtin_memcpy(&word, &vector, sizeof word);
  return word;
}

template <class A, class B>
inline SIMT_QUIET unsigned int dot(unsigned int a, unsigned int b, unsigned int c,
                                   int first) noexcept {
  for (int i = 0; i < static_cast<int>(4 / sizeof(A)); i++)
    c +=
        static_cast<unsigned int>(lane<A>(a, i)) * static_cast<unsigned int>(lane<B>(b, first + i));
  return c;
}

template <class A, class B, class W, class V>
inline SIMT_QUIET unsigned int dot_words(const W &a, const V &b, unsigned int c,
                                         int first = 0) noexcept {
  return dot<A, B>(word_of(a), word_of(b), c, first);
}

typedef signed char s8;
typedef unsigned char u8;

} // namespace simt_packed

inline SIMT_QUIET int __dp4a(int a, int b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<simt_packed::s8, simt_packed::s8>(a, b, static_cast<unsigned int>(c)));
}
inline SIMT_QUIET int __dp4a(char4 a, char4 b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<simt_packed::s8, simt_packed::s8>(a, b, static_cast<unsigned int>(c)));
}
inline SIMT_QUIET unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return simt_packed::dot_words<simt_packed::u8, simt_packed::u8>(a, b, c);
}
inline SIMT_QUIET unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) noexcept {
  return simt_packed::dot_words<simt_packed::u8, simt_packed::u8>(a, b, c);
}
inline SIMT_QUIET int __dp2a_lo(int a, int b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<short, simt_packed::s8>(a, b, static_cast<unsigned int>(c)));
}
inline SIMT_QUIET int __dp2a_lo(short2 a, char4 b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<short, simt_packed::s8>(a, b, static_cast<unsigned int>(c)));
}
inline SIMT_QUIET unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return simt_packed::dot_words<unsigned short, simt_packed::u8>(a, b, c);
}
inline SIMT_QUIET unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) noexcept {
  return simt_packed::dot_words<unsigned short, simt_packed::u8>(a, b, c);
}
inline SIMT_QUIET int __dp2a_hi(int a, int b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<short, simt_packed::s8>(a, b, static_cast<unsigned int>(c), 2));
}
inline SIMT_QUIET int __dp2a_hi(short2 a, char4 b, int c) noexcept {
  return static_cast<int>(
      simt_packed::dot_words<short, simt_packed::s8>(a, b, static_cast<unsigned int>(c), 2));
}
inline SIMT_QUIET unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return simt_packed::dot_words<unsigned short, simt_packed::u8>(a, b, c, 2);
}
inline SIMT_QUIET unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) noexcept {
  return simt_packed::dot_words<unsigned short, simt_packed::u8>(a, b, c, 2);
}

#endif
