// An illegal address is reported by the next synchronising call and by every call after it, until the end.
// expect: output "PASSED", stderr "wild"
#include <cstdio>
#include <cstdlib>

__global__ void wild(int *p) { p[(1ll << 44) + threadIdx.x] = 1; }
__global__ void fine(int *p) { p[0] = 5; }

int main() {
  int *p, h, bad = 0;
  cudaMalloc(&p, 64);
  fine<<<1, 1>>>(p);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  wild<<<1, 32>>>(p);
  cudaError_t launch = cudaGetLastError();
  cudaError_t sync = cudaDeviceSynchronize();
  printf("launch: %s, synchronise: %s\n", cudaGetErrorString(launch), cudaGetErrorString(sync));
  bad += launch != cudaSuccess || sync != cudaErrorIllegalAddress;
  bad += cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost) != cudaErrorIllegalAddress;
  void *q;
  bad += cudaMalloc(&q, 64) != cudaErrorIllegalAddress;
  fine<<<1, 1>>>(p);
  bad += cudaGetLastError() != cudaErrorIllegalAddress;
  bad += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
  printf(bad ? "FAILED\n" : "PASSED\n");
  fflush(stdout);
  return bad;
}
