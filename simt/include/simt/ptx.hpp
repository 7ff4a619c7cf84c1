// What the rewriter makes of inline PTX: one call for each instruction.
//
// Method   a PTX register is a C++ object of any type of the same width: get<T> reads it as T,
//          set writes it, both keep the bits where one side is a float and the other is not
// Source   PTX ISA 9.0
#ifndef SIMT_PTX_HPP
#define SIMT_PTX_HPP

#include "atomic/atomics.hpp"
#include "instrumented.hpp"

#include <stdint.h>
#include <string.h>

namespace simt {
namespace ptx {

template <class T> struct is_float { static constexpr bool value = false; };
template <> struct is_float<float> { static constexpr bool value = true; };
template <> struct is_float<double> { static constexpr bool value = true; };

template <bool Bits> struct convert {
  template <class To, class From> static SIMT_SEEN To of(const From &from) { return (To)from; }
};
template <> struct convert<true> {
  template <class To, class From> static SIMT_SEEN To of(const From &from) {
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
  }
};
template <class To, class From> SIMT_SEEN To get(const From &from) {
  constexpr bool bits = is_float<To>::value != is_float<From>::value && sizeof(To) == sizeof(From);
  return convert<bits>::template of<To>(from);
}
template <class To, class From> SIMT_SEEN void set(To &to, const From &from) { to = get<To>(from); }

// Four bytes against four: their differences without a sign, side by side, or added to c.
template <class Byte>
SIMT_SEEN uint32_t differences4(uint32_t a, uint32_t b, uint32_t c, bool add) {
  uint32_t sum = c, bytes = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const int x = (Byte)(a >> shift), y = (Byte)(b >> shift), d = x < y ? y - x : x - y;
    sum += (uint32_t)d;
    bytes |= (uint32_t)d << shift;
  }
  return add ? sum : bytes;
}

// An address of 32 bits is one of the block's shared memory without its upper half.
inline SIMT_QUIET uintptr_t in_range(uintptr_t begin, uintptr_t end, uint32_t low) {
  const uintptr_t a = begin + (uint32_t)(low - (uint32_t)begin);
  return a < end ? a : 0;
}
inline SIMT_QUIET uintptr_t full(uint32_t low) {
  const simt_shared_ranges r = simt_shared;
  const uintptr_t a = in_range(r.static_begin, r.static_end, low);
  return a ? a : in_range(r.dynamic_begin, r.dynamic_end, low);
}
template <size_t Bytes> struct address_of {
  template <class A> static SIMT_SEEN uintptr_t get(const A &address) { return (uintptr_t)address; }
};
template <> struct address_of<4> {
  template <class A> static SIMT_SEEN uintptr_t get(const A &address) {
    return full((uint32_t)address);
  }
};
template <class T, class A> SIMT_SEEN T &at(const A &address, long long offset = 0) {
  static_assert(sizeof(A) == 8 || sizeof(A) == 4, "a PTX address has 64 or 32 bits");
  return *reinterpret_cast<T *>(address_of<sizeof(A)>::get(address) + (uintptr_t)offset);
}

SIMT_SEEN void copy(unsigned char *to, const unsigned char *from, uint32_t bytes, uint32_t copied) {
  copy_vector(to, from, bytes, copied < bytes ? copied : bytes);
  async_copied(to, bytes);
}

// The orders, as simt::fetch_add and its kin take them together with a scope.
enum {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL
};

// A plain load or store: without instrumentation, the compiler is held to do each.
#if SIMT_INSTRUMENTED
template <class T> using weak = T;
#else
template <class T> using weak = volatile T;
#endif

// What a vector needs beyond its elements: an address that is a multiple of its size.
template <size_t Bytes> SIMT_SEEN void aligned_read(const void *p) {
  if (SIMT_INSTRUMENTED && reinterpret_cast<uintptr_t>(p) % Bytes) notify_vector_read(p, Bytes);
}
template <size_t Bytes> SIMT_SEEN void aligned_write(void *p) {
  if (SIMT_INSTRUMENTED && reinterpret_cast<uintptr_t>(p) % Bytes) notify_vector_write(p, Bytes);
}

// Whether shfl.sync finds the other lane in its own segment; `control` is the operand c.
inline bool shuffles(char mode, uint32_t by, uint32_t control) {
  const int lane = (int)simt_lane(), mask = (int)(control >> 8 & 31), b = (int)(by & 31);
  const int most = (lane & mask) | ((int)(control & 31) & ~mask);
  if (mode == 'u') return lane - b >= most;
  if (mode == 'd') return lane + b <= most;
  return (mode == 'b' ? lane ^ b : (lane & mask) | (b & ~mask)) <= most;
}

template <class T> struct wide_of;
template <> struct wide_of<int16_t> { typedef int32_t type; };
template <> struct wide_of<uint16_t> { typedef uint32_t type; };
template <> struct wide_of<int32_t> { typedef int64_t type; };
template <> struct wide_of<uint32_t> { typedef uint64_t type; };
template <> struct wide_of<int64_t> { typedef __int128 type; };
template <> struct wide_of<uint64_t> { typedef unsigned __int128 type; };

template <class T> inline T high(T a, T b) {
  typedef typename wide_of<T>::type wide;
  return (T)((wide)a * (wide)b >> (8 * sizeof(T)));
}
template <class T> inline typename wide_of<T>::type wide(T a, T b) {
  typedef typename wide_of<T>::type W;
  return (W)a * (W)b;
}
// Shifts by more than the width give 0, or copies of the sign.
template <class T> inline T left(T a, unsigned n) { return n < 8 * sizeof(T) ? (T)(a << n) : T(0); }
template <class T> inline T right(T a, unsigned n) {
  constexpr unsigned bits = 8 * sizeof(T);
  return n < bits ? (T)(a >> n) : (T)(a < T(0) ? T(-1) : T(0));
}
template <class T> inline T extract(T a, unsigned at, unsigned length) {
  constexpr unsigned bits = 8 * sizeof(T);
  at &= 255, length &= 255;
  const bool is_signed = T(-1) < T(0);
  if (length == 0) return T(0);
  const unsigned last = at + length - 1 < bits - 1 ? at + length - 1 : bits - 1;
  const uint64_t raw = (uint64_t)a;
  const bool sign = is_signed && (raw >> last & 1);
  uint64_t r = at < bits ? raw >> at : 0;
  const unsigned have = at < bits ? (length < bits - at ? length : bits - at) : 0;
  if (have < 64) r &= ((uint64_t)1 << have) - 1;
  if (sign && have < 64) r |= ~(uint64_t)0 << have;
  return (T)r;
}
template <class T> inline T insert(T a, T b, unsigned at, unsigned length) {
  constexpr unsigned bits = 8 * sizeof(T);
  at &= 255, length &= 255;
  for (unsigned i = 0; i < length && at + i < bits; i++) {
    const T bit = (T)1 << (at + i);
    b = (a >> i & 1) ? b | bit : b & ~bit;
  }
  return b;
}
template <class T> inline unsigned leading(T a) {
  unsigned n = 0;
  for (T bit = (T)1 << (8 * sizeof(T) - 1); bit && !(a & bit); bit >>= 1) n++;
  return n;
}
template <class T> inline unsigned find(T a) {
  const bool negative = T(-1) < T(0) && a < T(0);
  for (int i = 8 * (int)sizeof(T) - 1; i >= 0; i--) {
    if ((bool)((uint64_t)a >> i & 1) != negative) return (unsigned)i;
  }
  return ~0u;
}
template <class T> inline T logic(T a, T b, T c, unsigned table) {
  T r = 0;
  if (table & 1) r |= ~a & ~b & ~c;
  if (table & 2) r |= ~a & ~b & c;
  if (table & 4) r |= ~a & b & ~c;
  if (table & 8) r |= ~a & b & c;
  if (table & 16) r |= a & ~b & ~c;
  if (table & 32) r |= a & ~b & c;
  if (table & 64) r |= a & b & ~c;
  if (table & 128) r |= a & b & c;
  return r;
}
template <class T> inline T minimum(T a, T b) { return b < a || a != a ? b : a; }
template <class T> inline T maximum(T a, T b) { return a < b || a != a ? b : a; }
template <class T> inline T absolute(T a) { return a < T(0) ? (T)-a : a; }
template <class T> inline T saturated(T a) { return a > T(0) ? (a < T(1) ? a : T(1)) : T(0); }

// The carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc.
inline SIMT_QUIET unsigned &carry() {
  static thread_local unsigned flag;
  return flag;
}
template <class T> SIMT_QUIET inline T plus_carry(T a, T b, bool in, bool out) {
  const unsigned __int128 r = (unsigned __int128)a + b + (in ? carry() : 0u);
  if (out) carry() = (unsigned)(r >> (8 * sizeof(T)) & 1);
  return (T)r;
}
template <class T> SIMT_QUIET inline T minus_carry(T a, T b, bool in, bool out) {
  const unsigned __int128 r = (unsigned __int128)a - b - (in ? carry() : 0u);
  if (out) carry() = (unsigned)(r >> (8 * sizeof(T)) & 1);
  return (T)r;
}

} // namespace ptx
} // namespace simt
#endif
