/* Small helpers for main.cu. */
#pragma once
#include <cuda_runtime.h>

namespace util {
template <class T> T *to_device(const T *host, int n) {
  T *p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
inline void release() {}
template <class T, class... R> void release(T *p, R... rest) {
  cudaFree(p);
  release(rest...);
}
} // namespace util
