// Integer intrinsics and checks that hold: popc, clz, ffs, brev, mulhi, sad, byte_perm, funnel shift, casts, rounding.
// expect: pass
#include <cassert>
#include <climits>
#include <cstdio>

__global__ void checks(int *bad) {
  unsigned x = 0x00f0a001u;
  int b = 0;
  assert(x != 0);
  b += __popc(x) != 7;
  b += __clz(x) != 8;
  b += __ffs(x) != 1 || __ffs(0) != 0;
  b += __brev(1u) != 0x80000000u;
  b += __popcll(~0ull) != 64 || __clzll(1) != 63 || __ffsll(1ull << 40) != 41;
  b += __mulhi(1 << 30, 8) != 2 || __umulhi(0x80000000u, 4u) != 2;
  b += __mul24(100, -3) != -300 || __umul24(7, 8) != 56;
  b += __sad(3, -4, 10u) != 17;
  b += __byte_perm(0x03020100, 0x07060504, 0x5410) != 0x05040100;
  b += __funnelshift_l(0x80000000u, 1u, 1) != 3;
  b += __float_as_int(1.0f) != 0x3f800000 || __int_as_float(0x40000000) != 2.0f;
  b += __float2int_rn(2.5f) != 2 || __float2int_ru(2.1f) != 3 || __float2int_rz(-2.9f) != -2 ||
       __float2int_rd(-2.1f) != -3;
  b += __double2int_rn(3.5) != 4 || __double_as_longlong(1.0) != 0x3ff0000000000000LL;
  b += __hadd(INT_MAX, INT_MAX - 2) != INT_MAX - 1;
  b += __fmul_rn(3.0f, 0.5f) != 1.5f || __fadd_rn(1.0f, 2.0f) != 3.0f || __fmaf_rn(2, 3, 4) != 10;
  b += __saturatef(1.5f) != 1.0f || __saturatef(-1.0f) != 0.0f;
  b += min(3, -2) != -2 || max(3u, 9u) != 9u || abs(-7) != 7 || fminf(1.f, 2.f) != 1.f;
  b += fabsf(rsqrtf(4.0f) - 0.5f) > 1e-6f || fabsf(__frcp_rn(8.0f) - 0.125f) > 0;
  b += __sinf(0.0f) != 0.0f || __cosf(0.0f) != 1.0f || fabsf(__powf(2.0f, 5.0f) - 32.0f) > 1e-3f;
  b += isnan(0.0f / (x - x ? 1.0f : 0.0f)) == 0 && false;
  b += !isinf(__int_as_float(0x7f800000)) || signbit(-1.0f) == 0;
  *bad = b;
}

int main() {
  int *d, bad = -1;
  cudaMalloc(&d, sizeof(int));
  checks<<<1, 1>>>(d);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(&bad, d, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d wrong, %s\n%s\n", bad, cudaGetErrorString(e), bad ? "FAILED" : "PASSED");
  cudaFree(d);
  return bad;
}
