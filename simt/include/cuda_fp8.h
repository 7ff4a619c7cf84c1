// 8-bit floating-point numbers: E4M3 (4 exponent bits, no infinities, up to 448) and E5M2 (5,
// as IEEE 754, up to 57344).
//
// Result   __nv_fp8_e4m3 and __nv_fp8_e5m2, their pairs and quadruples, and the conversion
//          functions of CUDA's header of this name, rounded once to nearest even
// Limits   storage and conversion only, as in CUDA; no E8M0
// Source   CUDA Math API Reference Manual, release 13.0; Micikevicius et al., "FP8 formats for
//          deep learning" (2022)
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H
#include "simt/names_begin.inc"
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#endif

#ifdef __cplusplus

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace simt_fp8 {

// E4M3 gives its last code to NaN, E5M2 its last three; 0x7f is one in both.
inline SIMT_QUIET __nv_fp8_storage_t encode(double value, bool saturate,
                                            __nv_fp8_interpretation_t format) noexcept {
  const unsigned long long all = simt_math::bits_as<unsigned long long>(value);
  const unsigned long long magnitude = all << 1 >> 1;
  const bool negative = all >> 63, e4m3 = format == __NV_E4M3;
  const unsigned int greatest = e4m3 ? 0x7e : 0x7b, overflow = e4m3 ? 0x7f : 0x7c;
  if (value != value) return 0x7f;
  unsigned long long code = overflow;
  if (magnitude != 0x7ff0000000000000ull)
    code = e4m3 ? simt_half::round_code<3, 4>(magnitude, negative, simt_half::nearest)
                : simt_half::round_code<2, 5>(magnitude, negative, simt_half::nearest);
  if (code > greatest) code = saturate ? greatest : overflow;
  return static_cast<__nv_fp8_storage_t>(code | (negative ? 0x80u : 0u));
}

// Every E5M2 number is the upper byte of a half; an E4M3 number is one with a shift and 2^8.
inline SIMT_QUIET __half_raw decode(__nv_fp8_storage_t x,
                                    __nv_fp8_interpretation_t format) noexcept {
  const unsigned int sign = (x & 0x80u) << 8, rest = x & 0x7fu;
  if (format == __NV_E5M2)
    return __half_raw{static_cast<unsigned short>(rest > 0x7c ? 0x7fffu : sign | rest << 8)};
  if (rest == 0x7f) return __half_raw{0x7fff};
  const float value = simt_half::binary16::widen(static_cast<unsigned short>(rest << 7)) * 256;
  return __half_raw{static_cast<unsigned short>(sign | simt_half::binary16::narrow(value))};
}

} // namespace simt_fp8

inline SIMT_QUIET __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return simt_fp8::encode(x, saturate == __NV_SATFINITE, format);
}
inline SIMT_QUIET __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    double2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  const unsigned int low = __nv_cvt_double_to_fp8(v.x, saturate, format);
  const unsigned int high = __nv_cvt_double_to_fp8(v.y, saturate, format);
  return static_cast<__nv_fp8x2_storage_t>(high << 8 | low);
}
inline SIMT_QUIET __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double_to_fp8(static_cast<double>(x), saturate, format);
}
inline SIMT_QUIET __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double_to_fp8(static_cast<double>(__half(x).wide()), saturate, format);
}
inline SIMT_QUIET __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double_to_fp8(static_cast<double>(__nv_bfloat16(x).wide()), saturate, format);
}
inline SIMT_QUIET __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double2_to_fp8x2(double2{static_cast<double>(v.x), static_cast<double>(v.y)},
                                   saturate, format);
}
inline SIMT_QUIET __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    __half2_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double2_to_fp8x2(
      double2{static_cast<double>(__half2(v).x.wide()), static_cast<double>(__half2(v).y.wide())},
      saturate, format);
}
inline SIMT_QUIET __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) noexcept {
  return __nv_cvt_double2_to_fp8x2(double2{static_cast<double>(__nv_bfloat162(v).x.wide()),
                                           static_cast<double>(__nv_bfloat162(v).y.wide())},
                                   saturate, format);
}
inline SIMT_QUIET __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                     __nv_fp8_interpretation_t format) noexcept {
  return simt_fp8::decode(x, format);
}
inline SIMT_QUIET __half2_raw
__nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) noexcept {
  return __half2_raw{simt_fp8::decode(static_cast<__nv_fp8_storage_t>(x), format).x,
                     simt_fp8::decode(static_cast<__nv_fp8_storage_t>(x >> 8), format).x};
}

#define SIMT_FP8(suffix) __nv_fp8##suffix##_e4m3
#define SIMT_FP8_FORMAT __NV_E4M3
#include "simt/half/fp8_type.inc"

#define SIMT_FP8(suffix) __nv_fp8##suffix##_e5m2
#define SIMT_FP8_FORMAT __NV_E5M2
#include "simt/half/fp8_type.inc"

#endif
#include "simt/names_end.inc"
#endif
