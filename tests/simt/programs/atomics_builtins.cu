// The compiler's atomic functions, and vabsdiff4.
// expect: pass
#include <cstdio>

enum { ADD, SUB, AND, OR, XOR, MIN, MAX, SLOTS };

__global__ void all(unsigned *u, int *s, unsigned long long *wide, float *f, unsigned short *half) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&u[ADD], i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&u[SUB], 3u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_and(&u[AND], ~(1u << i % 32), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_or(&u[OR], 1u << i % 32, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(&u[XOR], i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(&s[0], -(int)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&s[1], (int)i - 100, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(wide, 1ull << 33, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(f, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  // A sum in two bytes, by compare and exchange.
  unsigned short seen, next;
  __nv_atomic_load(half, &seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  do next = seen + 3;
  while (!__nv_atomic_compare_exchange(half, &seen, &next, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_DEVICE));
}

// Blocks pass a value on, each by a store that the next one waits for.
__global__ void chain(volatile int *flag, int *value) {
  while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != blockIdx.x) {
  }
  *value = *value * 3 + blockIdx.x;
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(flag, blockIdx.x + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void swaps(int *p, int *out) {
  int mine = threadIdx.x + 1, before;
  __nv_atomic_exchange(p, &mine, &before, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  out[threadIdx.x] = before;
  int first = 7, ninety = 90;
  if (threadIdx.x == 0) {
    __nv_atomic_store(p + 1, &first, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    int expected = 8;
    out[64] = __nv_atomic_compare_exchange_n(p + 1, &expected, ninety, true, __NV_ATOMIC_RELAXED,
                                             __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    out[65] = expected;
    out[66] = __nv_atomic_exchange_n(p + 1, 9, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  }
}

__global__ void differences(unsigned *out) {
  unsigned a = 0x01FF80A0u, b = 0x05017F90u, c = 1000, d;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[0] = d;
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[1] = d;
}

int main() {
  const int threads = 64, blocks = 5, n = threads * blocks;
  unsigned *u;
  int *s, bad = 0;
  unsigned long long *wide;
  float *f;
  unsigned short *half;
  cudaMallocManaged(&u, SLOTS * sizeof *u);
  cudaMallocManaged(&s, 70 * sizeof *s);
  cudaMallocManaged(&wide, sizeof *wide);
  cudaMallocManaged(&f, sizeof *f);
  cudaMallocManaged(&half, sizeof *half);
  for (int i = 0; i < SLOTS; i++) u[i] = 0;
  u[AND] = ~0u, u[SUB] = 5000;
  s[0] = s[1] = *wide = *f = *half = 0;
  s[1] = -1000;
  all<<<blocks, threads>>>(u, s, wide, f, half);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  unsigned x = 0;
  for (int i = 0; i < n; i++) x ^= i;
  bad += u[ADD] != n * (n - 1) / 2 || u[SUB] != 5000 - 3 * n || u[AND] != 0 || u[OR] != ~0u || u[XOR] != x;
  bad += s[0] != -(n - 1) || s[1] != n - 101 || *wide != n * (1ull << 33) || *f != n * 0.5f || *half != 3 * n;

  s[0] = 0, s[1] = 1;
  chain<<<6, 1>>>(s, s + 1);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  int want = 1;
  for (int i = 0; i < 6; i++) want = want * 3 + i;
  bad += s[0] != 6 || s[1] != want;

  int *p;
  cudaMallocManaged(&p, 2 * sizeof *p);
  p[0] = 0, p[1] = 0;
  swaps<<<1, threads>>>(p, s);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  long sum = p[0];
  for (int i = 0; i < threads; i++) sum += s[i];
  bad += sum != threads * (threads + 1) / 2 || s[64] != 0 || s[65] != 7 || s[66] != 7 || p[1] != 9;
  differences<<<1, 1>>>(u);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  bad += u[0] != 1000 + 4 + 254 + 1 + 16 || u[1] != 0x04FE0110u;
  cudaFree(u), cudaFree(s), cudaFree(wide), cudaFree(f), cudaFree(half), cudaFree(p);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad != 0;
}
