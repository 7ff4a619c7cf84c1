// make_char1 .. make_double4: the constructors of CUDA's vector types.
#ifndef SIMT_VECTOR_FUNCTIONS_H
#define SIMT_VECTOR_FUNCTIONS_H
#include "simt/names_begin.inc"
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#endif

#include "vector_types.h"

#ifdef __cplusplus

#define SIMT_VECTOR(n) char##n
#define SIMT_MAKE(n) make_char##n
#define SIMT_BASE signed char
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) uchar##n
#define SIMT_MAKE(n) make_uchar##n
#define SIMT_BASE unsigned char
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) short##n
#define SIMT_MAKE(n) make_short##n
#define SIMT_BASE short
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) ushort##n
#define SIMT_MAKE(n) make_ushort##n
#define SIMT_BASE unsigned short
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) int##n
#define SIMT_MAKE(n) make_int##n
#define SIMT_BASE int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) uint##n
#define SIMT_MAKE(n) make_uint##n
#define SIMT_BASE unsigned int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) long##n
#define SIMT_MAKE(n) make_long##n
#define SIMT_BASE long int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) ulong##n
#define SIMT_MAKE(n) make_ulong##n
#define SIMT_BASE unsigned long int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) longlong##n
#define SIMT_MAKE(n) make_longlong##n
#define SIMT_BASE long long int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) ulonglong##n
#define SIMT_MAKE(n) make_ulonglong##n
#define SIMT_BASE unsigned long long int
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) float##n
#define SIMT_MAKE(n) make_float##n
#define SIMT_BASE float
#include "simt/vector_make.inc"

#define SIMT_VECTOR(n) double##n
#define SIMT_MAKE(n) make_double##n
#define SIMT_BASE double
#include "simt/vector_make.inc"

inline SIMT_QUIET constexpr long4_16a make_long4_16a(long int x, long int y, long int z,
                                                     long int w) {
  return long4_16a{x, y, z, w};
}
inline SIMT_QUIET constexpr long4_32a make_long4_32a(long int x, long int y, long int z,
                                                     long int w) {
  return long4_32a{x, y, z, w};
}
inline SIMT_QUIET constexpr ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y,
                                                       unsigned long int z, unsigned long int w) {
  return ulong4_16a{x, y, z, w};
}
inline SIMT_QUIET constexpr ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y,
                                                       unsigned long int z, unsigned long int w) {
  return ulong4_32a{x, y, z, w};
}
inline SIMT_QUIET constexpr longlong4_16a make_longlong4_16a(long long int x, long long int y,
                                                             long long int z, long long int w) {
  return longlong4_16a{x, y, z, w};
}
inline SIMT_QUIET constexpr longlong4_32a make_longlong4_32a(long long int x, long long int y,
                                                             long long int z, long long int w) {
  return longlong4_32a{x, y, z, w};
}
inline SIMT_QUIET constexpr ulonglong4_16a make_ulonglong4_16a(unsigned long long int x,
                                                               unsigned long long int y,
                                                               unsigned long long int z,
                                                               unsigned long long int w) {
  return ulonglong4_16a{x, y, z, w};
}
inline SIMT_QUIET constexpr ulonglong4_32a make_ulonglong4_32a(unsigned long long int x,
                                                               unsigned long long int y,
                                                               unsigned long long int z,
                                                               unsigned long long int w) {
  return ulonglong4_32a{x, y, z, w};
}
inline SIMT_QUIET constexpr double4_16a make_double4_16a(double x, double y, double z, double w) {
  return double4_16a{x, y, z, w};
}
inline SIMT_QUIET constexpr double4_32a make_double4_32a(double x, double y, double z, double w) {
  return double4_32a{x, y, z, w};
}

#endif
#include "simt/names_end.inc"
#endif
