// bfloat16: __nv_bfloat16 and __nv_bfloat162.
//
// Result   types, conversions, operators, arithmetic, comparisons and functions as CUDA's header
//          of this name has them; every operation rounds once, subnormals are kept
// Method   half_*.inc, one text for both 16-bit types; half_format.hpp
// Source   CUDA Math API Reference Manual, release 13.0
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H
#include "simt/names_begin.inc"
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#endif

#ifdef __cplusplus

#include "simt/atomic/atomics.hpp"
#include "simt/half/half_format.hpp"
#include "simt/math/math.hpp"
#include "simt/warp/warp.hpp"

#define SIMT_H __nv_bfloat16
#define SIMT_H2 __nv_bfloat162
#define SIMT_H_RAW __nv_bfloat16_raw
#define SIMT_H2_RAW __nv_bfloat162_raw
#define SIMT_FORMAT simt_half::bfloat16
#define SIMT_TO(source) __##source##2bfloat16
#define SIMT_FROM(target) __bfloat162##target
#define SIMT_TWICE __bfloat162bfloat162
#define SIMT_SINGLE(before, after) before##bfloat16##after
#define SIMT_PAIR(before, after) before##bfloat162##after
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define SIMT_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define SIMT_NO_PAIR_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define SIMT_NO_CONVERSIONS
#endif
#include "simt/half/half_family.inc"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80u))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fffu))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001u))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7fu))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000u))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80u))

#endif
#include "simt/names_end.inc"
#endif
