// A lock that is taken twice by the same thread: nobody can go on.
// expect: status 1, stderr "twice"
// env: SIMT_TIMEOUT=0.3
#include <cstdio>

__global__ void twice(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  atomicExch(mutex, 0);
}

int main() {
  int *m;
  cudaMalloc(&m, sizeof(int));
  cudaMemset(m, 0, sizeof(int));
  twice<<<1, 1>>>(m);
  return cudaDeviceSynchronize() != cudaSuccess;
}
