// cudaDeviceReset gives a clean device: new allocations work, the streams and memory of before are gone.
// expect: pass
#include <cstdio>

__global__ void set(int *p) { *p = 7; }

int main() {
  int bad = 0;
  for (int round = 0; round < 3; ++round) {
    int *p, h = 0;
    cudaStream_t s;
    bad += cudaStreamCreate(&s) != cudaSuccess;
    bad += cudaMalloc(&p, sizeof(int)) != cudaSuccess;
    set<<<1, 1, 0, s>>>(p);
    bad += cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess;
    bad += h != 7;
    bad += cudaDeviceReset() != cudaSuccess;
  }
  printf("%d\n%s\n", bad, bad ? "FAILED" : "PASSED");
  return bad;
}
