// Hints and oddities: assume, unreachable, expect, pragmas of nvcc, restrict in members, statement expressions, volatile asm-free barriers.
// expect: pass
// clang-format off
#include <cassert>
#include <cstdio>
#pragma nv_diag_suppress 177
#pragma diag_suppress 550

#define UNROLL _Pragma("unroll")
#define CEIL(a, b) ({ int a_ = (a), b_ = (b); (a_ + b_ - 1) / b_; })

struct View { float *__restrict__ p; const int n; };

__device__ int choose(int v) {
  switch (v & 1) { case 0: return 10; case 1: return 20; }
  __builtin_unreachable();
}
#pragma nv_exec_check_disable
template <class T> __host__ __device__ T identity(T v) { return v; }

__global__ void k(View v, int *out, int n) {
  __builtin_assume(n > 0);
  const float *aligned = (const float *)__builtin_assume_aligned(v.p, 16);
  float s = 0;
#pragma unroll 4
  for (int i = 0; i < v.n; i++) s += aligned[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) s += identity(i);
  UNROLL for (int i = 0; i < 2; ++i) s -= 1;
#pragma unroll (2)
  for (int i = 0; i < 2; ++i) s -= 1;
#pragma unroll 1
  do { s += 1; } while (s < 0);
  if (__builtin_expect(n == 7, 0)) s += 100;
  out[0] = (int)s + choose(threadIdx.x);
  out[1] = CEIL(10, 3);
  out[2] = __builtin_popcount(255);
  unsigned __int128 wide = (unsigned __int128)1 << 100;
  out[3] = (int)(wide >> 98);
  __threadfence_block();
  __syncwarp();
  static_assert(sizeof(void *) == 8, "64 bit");
  (void)n;
}

int main() {
  float *p; int *o;
  cudaMallocManaged(&p, 16 * sizeof(float)); cudaMallocManaged(&o, 8 * sizeof(int));
  for (int i = 0; i < 16; i++) p[i] = i;
  View v = {p, 16};
  k<<<1, 1>>>(v, o, 7);
  cudaDeviceSynchronize();
  int bad = o[0] != 120 + 6 - 2 - 2 + 1 + 100 + 10 || o[1] != 4 || o[2] != 8 || o[3] != 4;
  printf("%d %d %d %d\n%s\n", o[0], o[1], o[2], o[3], bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(o);
  return bad;
}
