// Loops that poll in every shape: while (..); while (..) {} for (;..;); do x; while (..); do {} while (..);
// expect: pass
#include <cstdio>

__device__ volatile int flag[6];

__global__ void relay(int *out) {
  if (threadIdx.x) return;
  const int b = blockIdx.x;
  int seen = 0;
  if (b == 1) while (flag[0] == 0);
  if (b == 2) while (flag[1] == 0) {}
  if (b == 3) for (; flag[2] == 0;);
  if (b == 4) do seen = flag[3]; while (seen == 0);
  if (b == 5) do { seen = flag[4]; } while (seen == 0);
  out[b] = b + seen;
  __threadfence();
  flag[b] = 1;
}

int main() {
  int *out, bad = 0;
  cudaMallocManaged(&out, 6 * sizeof *out);
  relay<<<6, 32>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  for (int b = 0; b < 6; ++b) bad += out[b] != b + (b >= 4);
  printf("%s %s\n", cudaGetErrorName(e), bad ? "FAILED" : "PASSED");
  cudaFree(out);
  return bad || e;
}
