// IEEE 754 half precision: __half and __half2.
//
// Result   types, conversions, operators, arithmetic, comparisons and functions as CUDA's header
//          of this name has them; every operation rounds once, subnormals are kept
// Method   half_*.inc, one text for both 16-bit types; half_format.hpp
// Source   CUDA Math API Reference Manual, release 13.0
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H
#include "simt/names_begin.inc"
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#endif

#ifdef __cplusplus

#include "simt/atomic/atomics.hpp"
#include "simt/half/half_format.hpp"
#include "simt/math/math.hpp"
#include "simt/warp/warp.hpp"

#define SIMT_H __half
#define SIMT_H2 __half2
#define SIMT_H_RAW __half_raw
#define SIMT_H2_RAW __half2_raw
#define SIMT_FORMAT simt_half::binary16
#define SIMT_TO(source) __##source##2half
#define SIMT_FROM(target) __half2##target
#define SIMT_TWICE __half2half2
#define SIMT_SINGLE(before, after) before##half##after
#define SIMT_PAIR(before, after) before##half2##after
#ifdef __CUDA_NO_HALF_OPERATORS__
#define SIMT_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define SIMT_NO_PAIR_OPERATORS
#endif
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define SIMT_NO_CONVERSIONS
#endif
#include "simt/half/half_family.inc"

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00u))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fffu))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001u))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bffu))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000u))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00u))

#endif
#include "simt/names_end.inc"
#endif
