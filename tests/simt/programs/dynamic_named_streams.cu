// Launches from kernels into named streams, recursion, a quicksort that launches itself.
// expect: pass
// flags: -rdc=true
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
__global__ void child(int *p, int d) {
  atomicAdd(p, 1);
  if (d > 0 && threadIdx.x == 0) child<<<1, 2>>>(p, d - 1);
}
__global__ void parent(int *p) {
  if (threadIdx.x == 0) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    child<<<2, 2, 0, s>>>(p, 2);
    cudaStreamDestroy(s);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
  }
}
__global__ void qs(int *a, int l, int r, int depth) {
  if (depth > 8 || r - l < 16) {
    for (int i = l + 1; i <= r; i++) {
      int v = a[i], j = i - 1;
      while (j >= l && a[j] > v) {
        a[j + 1] = a[j];
        j--;
      }
      a[j + 1] = v;
    }
    return;
  }
  int p = a[(l + r) / 2], i = l, j = r;
  while (i <= j) {
    while (a[i] < p) i++;
    while (a[j] > p) j--;
    if (i <= j) {
      int t = a[i];
      a[i] = a[j];
      a[j] = t;
      i++;
      j--;
    }
  }
  cudaStream_t s1;
  cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
  if (l < j) qs<<<1, 1, 0, s1>>>(a, l, j, depth + 1);
  if (i < r) qs<<<1, 1, 0, cudaStreamTailLaunch>>>(a, i, r, depth + 1);
  cudaStreamDestroy(s1);
}
__global__ void pr(int *p) {
  assert(p != NULL);
  printf("%d %5.2f %s %c %x %lld %u %e %%\n", 1, 2.5, "str", 'c', 255, 1ll << 40, 3u, 1.0);
  int v = fib(15) + ack(2, 3);
  if (blockIdx.x == 0 && threadIdx.x == 0) p[0] += v;
  printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}
int main() {
  int *p;
  cudaMallocManaged(&p, 4096);
  *p = 0;
  parent<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  printf("%d\n", *p);
  bool ok = *p == 4 + 4 + 4;
  for (int i = 0; i < 1000; i++) p[i] = (i * 7919) % 1000;
  cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4);
  cudaGetLastError();
  qs<<<1, 1>>>(p, 0, 999, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1000; i++) ok &= p[i] == i;
  *p = 0;
  pr<<<2, 2>>>(p);
  cudaDeviceSynchronize();
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(p);
  return !ok;
}
