// Locks in four forms, one passed by value whose destructor frees it; float and double atomics by compare and swap.
// expect: pass
#include <cstdio>
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed,
                    __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif
__device__ static float atomicMax(float *address, float val) {
  int *address_as_i = (int *)address;
  int old = *address_as_i, assumed;
  do {
    assumed = old;
    old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ __forceinline__ float atomicMinFloat(float *addr, float value) {
  float old = (value >= 0)
                  ? __int_as_float(atomicMin((int *)addr, __float_as_int(value)))
                  : __uint_as_float(atomicMax((unsigned int *)addr, __float_as_uint(value)));
  return old;
}
__device__ volatile int mutex = 0;
__device__ int mutex2 = 0;
struct Lock {
  int *m;
  Lock() {
    cudaMalloc((void **)&m, sizeof(int));
    cudaMemset(m, 0, sizeof(int));
  }
  ~Lock() { cudaFree(m); }
  __device__ void lock() {
    while (atomicCAS(m, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(m, 0);
  }
};
__global__ void k(double *s, float *mx, float *mn, int *c1, int *c2, int *c3, int *c4, Lock lock) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(s, 0.5 * i);
  atomicMax(mx, (float)(i % 777));
  atomicMinFloat(mn, (float)(100 - i));
  // form 1: per block leader
  if (threadIdx.x == 0) {
    while (atomicCAS((int *)&mutex, 0, 1) != 0)
      ;
    *c1 = *c1 + 1;
    __threadfence();
    mutex = 0;
  }
  // form 2: leave flag inside loop
  bool done = false;
  while (!done) {
    if (atomicCAS(&mutex2, 0, 1) == 0) {
      int t = *(volatile int *)c2;
      *(volatile int *)c2 = t + 1;
      __threadfence();
      atomicExch(&mutex2, 0);
      done = true;
    }
  }
  // form 3: lane by lane
  for (int l = 0; l < 32; l++)
    if ((threadIdx.x & 31) == l) {
      lock.lock();
      *c3 += 1;
      lock.unlock();
    }
  // form 4: naive direct per thread (works since Volta)
  lock.lock();
  *c4 += 1;
  lock.unlock();
}
int main() {
  double *s;
  float *mx, *mn;
  int *c;
  cudaMallocManaged(&s, 8);
  cudaMallocManaged(&mx, 4);
  cudaMallocManaged(&mn, 4);
  cudaMallocManaged(&c, 16);
  *s = 0;
  *mx = -1e30f;
  *mn = 1e30f;
  c[0] = c[1] = c[2] = c[3] = 0;
  Lock lock;
  const int B = 8, T = 128, n = B * T;
  k<<<B, T>>>(s, mx, mn, c, c + 1, c + 2, c + 3, lock);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s %g %g %g %d %d %d %d\n", cudaGetErrorString(e), *s, *mx, *mn, c[0], c[1], c[2], c[3]);
  bool ok = *s == 0.5 * n * (n - 1) / 2 && *mx == 776 && *mn == 100 - (n - 1) && c[0] == B &&
            c[1] == n && c[2] == n && c[3] == n;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(s); cudaFree(mx); cudaFree(mn); cudaFree(c);
  return !ok;
}
