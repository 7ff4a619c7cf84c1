// Tests of __CUDA_ARCH__, __CUDACC__, __NVCC__, CUDART_VERSION; functions that differ on host and device.
// expect: pass
#include <stdio.h>

#if defined(__CUDACC__)
#define HD __host__ __device__
#define INLINE __forceinline__
#else
#error this file is CUDA
#endif

#if CUDART_VERSION < 11000
#error too old
#endif

HD INLINE int where() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

HD int arch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  return 60;
#elif defined(__CUDA_ARCH__)
  return 10;
#else
  return 0;
#endif
}

template <typename T> __device__ __forceinline__ T load(const T *p) {
#if __CUDA_ARCH__ >= 350
  return __ldg(p);
#else
  return *p;
#endif
}

__device__ __noinline__ int not_inlined(int v) { return v + 1; }

__global__ void kernel(int *out, const int *in) {
#if !defined(__CUDA_ARCH__)
  // never on the device
  out[0] = -1;
#else
  out[0] = where();
#endif
  out[1] = arch();
  out[2] = load(in);
  out[3] = not_inlined(8);
}

class Both {
public:
  HD Both() : v(where()) {}
  HD ~Both() {}
  int v;
};
__global__ void objects(int *out) {
  Both b;
  out[0] = b.v;
}

int main() {
  int *p, bad = 0;
  cudaMallocManaged(&p, 6 * sizeof(int));
  p[5] = 31;
  kernel<<<1, 1>>>(p, p + 5);
  objects<<<1, 1>>>(p + 4);
  cudaDeviceSynchronize();
  Both b;
  printf("device %d %d, host %d %d\n", p[0], p[1], where(), arch());
  bad = p[0] != 1 || p[1] != 60 || p[2] != 31 || p[3] != 9 || p[4] != 1 || where() != 2 ||
        arch() != 0 || b.v != 2;
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}
