// 8-bit floating-point numbers: every code widened, every half narrowed with and without
// saturation, pairs and quadruples, in both formats.
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void widen(float *e4m3, float *e5m2) {
  const unsigned char i = static_cast<unsigned char>(threadIdx.x);
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = i;
  b.__x = i;
  e4m3[i] = float(a);
  e5m2[i] = float(b);
}

__global__ void narrow(unsigned char *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half(static_cast<unsigned short>(i));
  out[4 * i] = __nv_fp8_e4m3(h).__x;
  out[4 * i + 1] = __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3);
  out[4 * i + 2] = __nv_fp8_e5m2(h).__x;
  out[4 * i + 3] = __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2);
}

__global__ void packed(int *ok) {
  const __nv_fp8x2_e4m3 two(make_float2(1.5f, -0.25f));
  const __nv_fp8x4_e5m2 four(make_float4(1, 2, -3, 1e9f));
  const float2 a = float2(two);
  const float4 b = float4(four);
  *ok = a.x == 1.5f && a.y == -0.25f && b.x == 1 && b.y == 2 && b.z == -3 && b.w == 57344;
}

static double value_of(unsigned code, int mantissa, int bias) {
  const unsigned m = code & ((1u << mantissa) - 1), e = (code & 0x7f) >> mantissa;
  const double v =
      e ? ldexp(m + (1u << mantissa), int(e) - bias - mantissa) : ldexp(m, 1 - bias - mantissa);
  return code & 0x80 ? -v : v;
}
static float half_value(unsigned bits) {
  const unsigned m = bits & 0x3ff, e = bits >> 10 & 31;
  double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(m + 1024, int(e) - 25) : ldexp(m, -24);
  return static_cast<float>(bits & 0x8000 ? -v : v);
}
// The nearest code by search, even codes first at ties.
static unsigned nearest(double v, int mantissa, int bias, unsigned greatest, unsigned overflow,
                        bool saturate) {
  const unsigned sign = std::signbit(v) ? 0x80 : 0;
  if (v != v) return 0x7f;
  v = fabs(v);
  unsigned best = 0;
  for (unsigned c = 1; c <= greatest + 1; ++c) {
    const double d = fabs(value_of(c, mantissa, bias) - v);
    const double least = fabs(value_of(best, mantissa, bias) - v);
    if (d < least || (d == least && c % 2 == 0)) best = c;
  }
  if (std::isinf(v)) best = greatest + 1;
  if (best > greatest) best = saturate ? greatest : overflow;
  return sign | best;
}

int main() {
  float *device_wide, wide[512];
  unsigned char *device_narrow, *codes = new unsigned char[4 * 65536];
  int *device_ok, ok = 0, bad = 0;
  cudaMalloc(&device_wide, sizeof wide);
  cudaMalloc(&device_narrow, 4 * 65536);
  cudaMalloc(&device_ok, sizeof ok);
  widen<<<1, 256>>>(device_wide, device_wide + 256);
  narrow<<<256, 256>>>(device_narrow);
  packed<<<1, 1>>>(device_ok);
  cudaMemcpy(wide, device_wide, sizeof wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(codes, device_narrow, 4 * 65536, cudaMemcpyDeviceToHost);
  if (cudaMemcpy(&ok, device_ok, sizeof ok, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (unsigned i = 0; i < 256; ++i) {
    const bool nan4 = (i & 0x7f) == 0x7f, nan5 = (i & 0x7f) > 0x7c, inf5 = (i & 0x7f) == 0x7c;
    bad += nan4 ? !std::isnan(wide[i]) : wide[i] != value_of(i, 3, 7);
    bad += nan5   ? !std::isnan(wide[256 + i])
           : inf5 ? !std::isinf(wide[256 + i])
                  : wide[256 + i] != value_of(i, 2, 15);
  }
  for (unsigned i = 0; i < 65536; ++i) {
    const double v = half_value(i);
    const unsigned want[4] = {
        nearest(v, 3, 7, 0x7e, 0x7f, true), nearest(v, 3, 7, 0x7e, 0x7f, false),
        nearest(v, 2, 15, 0x7b, 0x7c, true), nearest(v, 2, 15, 0x7b, 0x7c, false)};
    for (int k = 0; k < 4; ++k) {
      const unsigned got = codes[4 * i + k];
      if (got == want[k] || (v != v && (got & 0x7f) == 0x7f)) continue;
      // Beyond its numbers E4M3 has one NaN; its sign is not defined.
      if ((got & 0x7f) == 0x7f && (want[k] & 0x7f) == 0x7f) continue;
      if (++bad < 10) printf("half %04x, way %d: %02x, not %02x\n", i, k, got, want[k]);
    }
  }
  cudaFree(device_wide);
  cudaFree(device_narrow);
  cudaFree(device_ok);
  delete[] codes;
  if (!ok) puts("pairs or quadruples differ"), ++bad;
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
