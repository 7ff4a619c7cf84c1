// half2 and bfloat162: arithmetic, comparisons, packing, saturation, functions; shuffles and
// atomics of 16-bit floats in a reduction.
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int failures;

#define CHECK(condition) note(condition, #condition)
__device__ void note(bool ok, const char *what) {
  if (ok) return;
  atomicAdd(&failures, 1);
  printf("not so: %s\n", what);
}
__device__ bool is(half2 h, float x, float y) {
  return __low2float(h) == x && __high2float(h) == y;
}
__device__ bool is(__nv_bfloat162 h, float x, float y) {
  const float2 v = __bfloat1622float2(h);
  return v.x == x && v.y == y;
}

__global__ void pairs() {
  const half2 a = __floats2half2_rn(1.5f, -2.0f), b = make_half2(half(0.5f), half(4.0f));
  const half one = __float2half(1.0f);
  CHECK(is(a + b, 2, 2) && is(a - b, 1, -6) && is(a * b, 0.75f, -8) && is(a / b, 3, -0.5f));
  CHECK(is(__hadd2(a, b), 2, 2) && is(__hfma2(a, b, a), 2.25f, -10) && is(__hneg2(a), -1.5f, 2));
  CHECK(is(__hadd2_sat(a, b), 1, 1) && is(__hmul2_sat(a, b), 0.75f, 0) && is(__habs2(a), 1.5f, 2));
  CHECK(is(__hmax2(a, b), 1.5f, 4) && is(__hmin2(a, b), 0.5f, -2) &&
        is(__hfma2_relu(a, b, a), 2.25f, 0));
  CHECK(is(__lowhigh2highlow(a), -2, 1.5f) && is(__lows2half2(a, b), 1.5f, 0.5f));
  CHECK(is(__highs2half2(a, b), -2, 4) && is(__low2half2(a), 1.5f, 1.5f) &&
        is(__half2half2(one), 1, 1));
  CHECK(is(__high2half2(a), -2, -2) && __low2half(a) == half(1.5f) && __high2half(b) == half(4.0f));
  CHECK(is(__heq2(a, a), 1, 1) && is(__hlt2(a, b), 0, 1) && __hbge2(a, a) && !__hbgt2(a, b));
  CHECK(is(__hcmadd(a, b, a), 0.75f + 8 + 1.5f, 6 - 1 - 2));
  const __nv_bfloat162 c = __floats2bfloat162_rn(3.0f, -0.25f), d = __float2bfloat162_rn(2.0f);
  CHECK(is(c + d, 5, 1.75f) && is(c * d, 6, -0.5f) && is(__hfma2(c, d, c), 9, -0.75f));
  CHECK(is(__hmax2(c, d), 3, 2) && is(__lowhigh2highlow(c), -0.25f, 3) && __hbeq2(d, d));
  const float2 f = __half22float2(a);
  CHECK(f.x == 1.5f && f.y == -2.0f && is(__float22half2_rn(make_float2(7, 8)), 7, 8));
}

__global__ void scalars() {
  const half nan = __ushort_as_half(0x7e00), inf = __ushort_as_half(0x7c00);
  half h = 2.5f;
  h += half(0.5f);
  h *= half(2.0f);
  CHECK(h == half(6.0f) && float(-h) == -6.0f && ++h == half(7.0f) && h-- == half(7.0f));
  CHECK(__hgt(h, half(5.0f)) && h >= half(6.0f) && h != half(1.0f) && !(h < half(6.0f)));
  CHECK(!__heq(nan, nan) && __hequ(nan, h) && __hneu(nan, h) && !__hne(nan, h) && __hltu(h, nan));
  CHECK(__hisnan(nan) && !__hisnan(inf) && __hisinf(inf) == 1 && __hisinf(__hneg(inf)) == -1);
  CHECK(__hmax(nan, h) == h && __hmin(h, nan) == h && __hisnan(__hmax_nan(nan, h)));
  CHECK(__half2int_rz(half(-2.7f)) == -2 && __half2int_rd(half(-2.2f)) == -3 &&
        __half2uint_rn(half(3.5f)) == 4);
  CHECK(__half2ushort_rn(half(-1.0f)) == 0 && __half2short_rz(inf) == 32767 &&
        __half2int_rn(nan) == 0);
  CHECK(__int2half_rn(2049) == half(2048.0f) && __int2half_ru(2049) == half(2050.0f));
  CHECK(__half_as_ushort(__ull2half_rn(100000ull)) == 0x7c00 &&
        __half_as_ushort(__int2half_rz(-100000)) == 0xfbff);
  CHECK(static_cast<float>(static_cast<half>(65519.0f)) == 65504.0f &&
        __half_as_ushort(half(65520.0f)) == 0x7c00);
  CHECK(static_cast<float>(half(5.9604645e-8f)) == 5.9604645e-8f && float(half(2.9e-8f)) == 0.0f);
  CHECK(hceil(half(1.25f)) == half(2.0f) && hfloor(half(-1.25f)) == half(-2.0f) &&
        hrint(half(2.5f)) == half(2.0f));
  CHECK(htrunc(half(-1.75f)) == half(-1.0f) && hsqrt(half(9.0f)) == half(3.0f) &&
        hrcp(half(8.0f)) == half(0.125f));
  const __nv_bfloat16 b = __float2bfloat16(1.00390625f); // 1 + 2^-8, a tie
  CHECK(__bfloat162float(b) == 1.0f &&
        __bfloat162float(__float2bfloat16_ru(1.00390625f)) == 1.0078125f);
  CHECK(__bfloat162float(__hadd(b, b)) == 2.0f &&
        float(__nv_bfloat16(3.0f) * __nv_bfloat16(-2.0f)) == -6.0f);
}

// Within two units of the last place of the exact function, half having 11 bits.
__global__ void functions() {
  const float x = 0.125f + threadIdx.x * 0.0625f;
  const half h = __float2half(x);
  const struct {
    half got;
    double want;
  } table[] = {{hexp(h), exp(x)}, {hexp2(h), exp2(x)}, {hexp10(h), exp10(x)},
               {hlog(h), log(x)}, {hlog2(h), log2(x)}, {hlog10(h), log10(x)},
               {hsin(h), sin(x)}, {hcos(h), cos(x)},   {hrsqrt(h), 1 / sqrt(x)},
               {hrcp(h), 1 / x}};
  for (int i = 0; i < 10; ++i) {
    const double want = table[i].want;
    CHECK(fabs(__half2float(table[i].got) - want) <= fabs(want) * 0.002 + 2e-4);
  }
  const half2 both = h2exp(__half2half2(h));
  CHECK(__low2half(both) == hexp(h) && __high2half(both) == hexp(h));
}

// 256 threads: each warp by shuffles, the warps by atomics. All sums are exact.
template <class H2, class H> __global__ void reduce(H2 one_two, H2 *pair, H *single) {
  H2 v = one_two;
  for (int delta = 16; delta > 0; delta >>= 1)
    v = __hadd2(v, __shfl_down_sync(0xffffffffu, v, delta));
  const H last = __shfl_sync(0xffffffffu, v.y, 0);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(pair, v);
    atomicAdd(single, last);
  }
}

template <class H2, class H> int check_reduce(H2 one_two) {
  H2 *pair;
  H *single;
  cudaMalloc(&pair, sizeof *pair);
  cudaMalloc(&single, 2 * sizeof *single);
  cudaMemset(pair, 0, sizeof *pair);
  cudaMemset(single, 0, 2 * sizeof *single);
  reduce<<<1, 128>>>(one_two, pair, single);
  H2 sums;
  H sum;
  cudaMemcpy(&sums, pair, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, single, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(pair);
  cudaFree(single);
  const float x = float(sums.x), y = float(sums.y), z = float(sum);
  if (x == 128 && y == 256 && z == 256) return 0;
  printf("reduction: %g %g %g\n", double(x), double(y), double(z));
  return 1;
}

int main() {
  pairs<<<1, 1>>>();
  scalars<<<1, 1>>>();
  functions<<<1, 32>>>();
  int bad = -1;
  if (cudaMemcpyFromSymbol(&bad, failures, sizeof bad) != cudaSuccess) return 1;
  bad += check_reduce<half2, half>(__floats2half2_rn(1, 2));
  bad += check_reduce<__nv_bfloat162, __nv_bfloat16>(__floats2bfloat162_rn(1, 2));
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
