// find: nothing
// Loops with nothing in them that only count, or whose condition does the work: none of them waits
// for anybody.
#include <cstdio>

struct countdown {
  int left;
  __device__ bool next() { return --left > 0; }
};

__device__ bool step(int *n) { return --*n > 0; }

__global__ void work(int n, int *out) {
  countdown c = {n};
  while (c.next()) {
  }
  while (step(&n))
    ;
  if (threadIdx.x == 0) out[blockIdx.x] = c.left + n;
}

__global__ void spend(int n, int *out) {
  for (int i = 0; i < n; i++) {
  }
  for (int i = n; i != 0; i = i / 2)
    ;
  int left = n;
  while (left-- > 0) {
  }
  for (unsigned i = 0; i < n * 2u; i += 3) {
  }
  if (threadIdx.x == 0) out[blockIdx.x] = left;
}

int main() {
  int *out, host[64];
  cudaMalloc(&out, sizeof host);
  work<<<64, 64>>>(300, out);
  spend<<<64, 64>>>(1500, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(out);
  return 0;
}
