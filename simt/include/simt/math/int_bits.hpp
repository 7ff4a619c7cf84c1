// Integer intrinsics: counting, reversing, selecting and multiplying.
//
// Result  __clz .. __urhadd, as the CUDA Math API defines them, also for zero operands
#ifndef SIMT_INT_BITS_HPP
#define SIMT_INT_BITS_HPP

inline SIMT_QUIET int __clz(int x) noexcept {
  return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32;
}
inline SIMT_QUIET int __clzll(long long int x) noexcept {
  return x ? __builtin_clzll(static_cast<unsigned long long int>(x)) : 64;
}
inline SIMT_QUIET int __ffs(int x) noexcept { return __builtin_ffs(x); }
inline SIMT_QUIET int __ffsll(long long int x) noexcept { return __builtin_ffsll(x); }
inline SIMT_QUIET int __popc(unsigned int x) noexcept { return __builtin_popcount(x); }
inline SIMT_QUIET int __popcll(unsigned long long int x) noexcept {
  return __builtin_popcountll(x);
}

inline SIMT_QUIET unsigned int __brev(unsigned int x) noexcept {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline SIMT_QUIET unsigned long long int __brevll(unsigned long long int x) noexcept {
  const unsigned long long int low = __brev(static_cast<unsigned int>(x));
  return low << 32 | __brev(static_cast<unsigned int>(x >> 32));
}

// Byte i of the result is the byte of y:x that bits 4i to 4i+2 of `selector` number.
inline SIMT_QUIET unsigned int __byte_perm(unsigned int x, unsigned int y,
                                           unsigned int selector) noexcept {
  const unsigned long long int both = static_cast<unsigned long long int>(y) << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; i++) {
    const unsigned int from = selector >> (4 * i) & 7u;
    result |= static_cast<unsigned int>(both >> (8 * from) & 0xffu) << (8 * i);
  }
  return result;
}

namespace simt_packed {
inline SIMT_QUIET unsigned long long int join(unsigned int low, unsigned int high) noexcept {
  return static_cast<unsigned long long int>(high) << 32 | low;
}
} // namespace simt_packed

// The high word of high:low shifted left, the low word of it shifted right; _lc and _rc shift by
// at most 32, the others by the shift modulo 32.
inline SIMT_QUIET unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                               unsigned int shift) noexcept {
  return static_cast<unsigned int>(simt_packed::join(low, high) << (shift & 31u) >> 32);
}
inline SIMT_QUIET unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                                unsigned int shift) noexcept {
  return static_cast<unsigned int>(simt_packed::join(low, high) << (shift < 32u ? shift : 32u) >>
                                   32);
}
inline SIMT_QUIET unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                               unsigned int shift) noexcept {
  return static_cast<unsigned int>(simt_packed::join(low, high) >> (shift & 31u));
}
inline SIMT_QUIET unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                                unsigned int shift) noexcept {
  return static_cast<unsigned int>(simt_packed::join(low, high) >> (shift < 32u ? shift : 32u));
}

// The position of the offset-th set bit of mask, counted from bit `base`: upward for offset > 0,
// downward for offset < 0, bit `base` itself being the first of both; ~0 where there is none.
inline SIMT_QUIET unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept {
  if (offset == 0) return base < 32 && mask >> base & 1u ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
    if (mask >> at & 1u && --left == 0) return static_cast<unsigned int>(at);
  return ~0u;
}

inline SIMT_QUIET int __mulhi(int a, int b) noexcept {
  return static_cast<int>(static_cast<long long int>(a) * b >> 32);
}
inline SIMT_QUIET unsigned int __umulhi(unsigned int a, unsigned int b) noexcept {
  return static_cast<unsigned int>(static_cast<unsigned long long int>(a) * b >> 32);
}
inline SIMT_QUIET long long int __mul64hi(long long int a, long long int b) noexcept {
  __extension__ typedef __int128 wide;
  return static_cast<long long int>(static_cast<wide>(a) * b >> 64);
}
inline SIMT_QUIET unsigned long long int __umul64hi(unsigned long long int a,
                                                    unsigned long long int b) noexcept {
  __extension__ typedef unsigned __int128 wide;
  return static_cast<unsigned long long int>(static_cast<wide>(a) * b >> 64);
}
inline SIMT_QUIET int __mul24(int a, int b) noexcept {
  const int short_a = static_cast<int>(static_cast<unsigned int>(a) << 8) >> 8;
  const int short_b = static_cast<int>(static_cast<unsigned int>(b) << 8) >> 8;
  return static_cast<int>(static_cast<long long int>(short_a) * short_b);
}
inline SIMT_QUIET unsigned int __umul24(unsigned int a, unsigned int b) noexcept {
  return (a & 0xffffffu) * (b & 0xffffffu);
}

inline SIMT_QUIET unsigned int __sad(int a, int b, unsigned int c) noexcept {
  const unsigned int ua = static_cast<unsigned int>(a), ub = static_cast<unsigned int>(b);
  return (a > b ? ua - ub : ub - ua) + c;
}
inline SIMT_QUIET unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return (a > b ? a - b : b - a) + c;
}

// Averages without overflow, rounded down; __rhadd and __urhadd round up.
inline SIMT_QUIET int __hadd(int a, int b) noexcept {
  return static_cast<int>((static_cast<long long int>(a) + b) >> 1);
}
inline SIMT_QUIET int __rhadd(int a, int b) noexcept {
  return static_cast<int>((static_cast<long long int>(a) + b + 1) >> 1);
}
inline SIMT_QUIET unsigned int __uhadd(unsigned int a, unsigned int b) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(a) + b) >> 1);
}
inline SIMT_QUIET unsigned int __urhadd(unsigned int a, unsigned int b) noexcept {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(a) + b + 1) >> 1);
}

#endif
