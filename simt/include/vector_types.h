/* CUDA's built-in vector types and dim3.
 *
 * Result  char1 .. double4 with CUDA's sizes and alignments, as aggregates without operators,
 *         for C and C++; uint3 comes from abi.h
 * Source  CUDA C++ Programming Guide, "Built-in Vector Types": alignment requirements */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H
#include "simt/names_begin.inc"
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#endif

#include "simt/abi.h"

#define SIMT_VECTOR(n) char##n
#define SIMT_BASE signed char
#define SIMT_ALIGN2 2
#define SIMT_ALIGN4 4
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) uchar##n
#define SIMT_BASE unsigned char
#define SIMT_ALIGN2 2
#define SIMT_ALIGN4 4
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) short##n
#define SIMT_BASE short
#define SIMT_ALIGN2 4
#define SIMT_ALIGN4 8
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) ushort##n
#define SIMT_BASE unsigned short
#define SIMT_ALIGN2 4
#define SIMT_ALIGN4 8
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) int##n
#define SIMT_BASE int
#define SIMT_ALIGN2 8
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) uint##n
#define SIMT_BASE unsigned int
#define SIMT_ALIGN2 8
#define SIMT_ALIGN4 16
#define SIMT_NO_3
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) long##n
#define SIMT_BASE long int
#define SIMT_ALIGN2 16
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) ulong##n
#define SIMT_BASE unsigned long int
#define SIMT_ALIGN2 16
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) longlong##n
#define SIMT_BASE long long int
#define SIMT_ALIGN2 16
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) ulonglong##n
#define SIMT_BASE unsigned long long int
#define SIMT_ALIGN2 16
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) float##n
#define SIMT_BASE float
#define SIMT_ALIGN2 8
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

#define SIMT_VECTOR(n) double##n
#define SIMT_BASE double
#define SIMT_ALIGN2 16
#define SIMT_ALIGN4 16
#include "simt/vector_family.inc"

/* Since CUDA 13: four 8-byte components with the alignment in the name. */
/* clang-format off */
#define SIMT_VECTOR4(name, bytes, base)                              \
  struct __attribute__((aligned(bytes))) name { base x, y, z, w; };  \
  typedef struct name name
/* clang-format on */
SIMT_VECTOR4(long4_16a, 16, long int);
SIMT_VECTOR4(long4_32a, 32, long int);
SIMT_VECTOR4(ulong4_16a, 16, unsigned long int);
SIMT_VECTOR4(ulong4_32a, 32, unsigned long int);
SIMT_VECTOR4(longlong4_16a, 16, long long int);
SIMT_VECTOR4(longlong4_32a, 32, long long int);
SIMT_VECTOR4(ulonglong4_16a, 16, unsigned long long int);
SIMT_VECTOR4(ulonglong4_32a, 32, unsigned long long int);
SIMT_VECTOR4(double4_16a, 16, double);
SIMT_VECTOR4(double4_32a, 32, double);
#undef SIMT_VECTOR4

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  SIMT_QUIET constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  SIMT_QUIET constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  SIMT_SEEN constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif

#include "simt/names_end.inc"
#endif
