/* basic.h - what C and CUDA C++ spell differently: types of fixed width, limits, bit scans
 *
 * The headers of this folder that begin with this one are read by the C compiler and by NVRTC, where
 * cmake/EmbedKernels.cmake puts them into a kernel's text. They use nothing else of either language:
 * no system header, no hexadecimal float, no initialiser that only one of them has. */
#ifndef HEDDLE_ORDER_BASIC_H
#define HEDDLE_ORDER_BASIC_H

#ifdef __CUDACC_RTC__
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
#define HD_FUNCTION static __device__ __forceinline__ __attribute__((unused))
#else
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
#define HD_FUNCTION static inline
#endif

typedef u16 f16;  /* storage only */
typedef u16 bf16; /* storage only */
typedef float f32;
typedef double f64;

#define HD_U64_MAX ((u64)0xffffffffffffffffu)
#define HD_I32_MAX ((i32)0x7fffffff)
#define HD_I32_MIN (-HD_I32_MAX - 1)
#define HD_I64_MAX ((i64)0x7fffffffffffffff)
#define HD_I64_MIN (-HD_I64_MAX - 1)

#ifdef __CUDACC_RTC__
/* The number of the highest and of the lowest set bit; n > 0. */
HD_FUNCTION u32 hd_top_bit(u64 n) { return 63u - (u32)__clzll((i64)n); }
HD_FUNCTION u32 hd_low_bit(u64 n) { return (u32)__ffsll((i64)n) - 1u; }
/* The bits of floats, and back. */
HD_FUNCTION u32 hd_bits_f32(f32 x) { return __float_as_uint(x); }
HD_FUNCTION u64 hd_bits_f64(f64 x) { return (u64)__double_as_longlong(x); }
HD_FUNCTION f32 hd_f32_of_bits(u32 b) { return __uint_as_float(b); }
HD_FUNCTION f64 hd_f64_of_bits(u64 b) { return __longlong_as_double((i64)b); }
/* IEEE square root, correctly rounded. */
HD_FUNCTION f64 hd_sqrt(f64 x) { return sqrt(x); }
#else
static inline u32 hd_top_bit(u64 n) { return 63u - (u32)__builtin_clzll(n); }
static inline u32 hd_low_bit(u64 n) { return (u32)__builtin_ctzll(n); }

static inline u32 hd_bits_f32(f32 x) {
  u32 b;
  memcpy(&b, &x, sizeof b);
  return b;
}
static inline u64 hd_bits_f64(f64 x) {
  u64 b;
  memcpy(&b, &x, sizeof b);
  return b;
}
static inline f32 hd_f32_of_bits(u32 b) {
  f32 x;
  memcpy(&x, &b, sizeof x);
  return x;
}
static inline f64 hd_f64_of_bits(u64 b) {
  f64 x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* An instruction, where libm's may set errno. */
static inline f64 hd_sqrt(f64 x) { return __builtin_sqrt(x); }
#endif

#endif
