// The few lines of PTX that plain programs carry: lane number, SM number, clock, lane masks, fences, bit fields, volatile loads.
// expect: pass
#include <cstdio>

__device__ __forceinline__ unsigned lane_id() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__device__ __forceinline__ unsigned lanemask_lt() {
  unsigned r;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}
__device__ unsigned sm_id() {
  unsigned r;
  asm volatile("mov.u32 %0, %smid;" : "=r"(r));
  return r;
}
__device__ unsigned bfe(unsigned v, unsigned from, unsigned bits) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(from), "r"(bits));
  return r;
}
__device__ unsigned long long timer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void k(unsigned *out) {
  unsigned long long t = timer();
  out[threadIdx.x] =
      lane_id() * 1000 + __popc(lanemask_lt()) + bfe(0xabcd, 4, 8) * 0 + (sm_id() > 1000000);
  asm volatile("membar.gl;" ::: "memory");
  if (timer() < t) out[threadIdx.x] = 0;
}

int main() {
  unsigned *p, bad = 0;
  cudaMallocManaged(&p, 64 * sizeof(unsigned));
  k<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 64; i++) bad += p[i] != (i % 32) * 1001;
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(p);
  return bad;
}
