// find: race global read/write blocks
// Blocks wait for each other by volatile flags, but only once: the next step has no barrier.
// Fixed: Blocks wait for each other by volatile flags after each step.
#include <cstdio>

enum { BLOCKS = 4, THREADS = 32, N = BLOCKS * THREADS };

__device__ volatile int in_flags[BLOCKS], out_flags[BLOCKS];

// Block 0 collects all flags, then sets all others.
__device__ void wait_all(int goal) {
  const int b = blockIdx.x, t = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (t == 0) in_flags[b] = goal;
  if (b == 0) {
    if (t < BLOCKS)
      while (in_flags[t] != goal) {
      }
    __threadfence();
    __syncthreads();
    if (t < BLOCKS) out_flags[t] = goal;
  }
  if (t == 0)
    while (out_flags[b] != goal) {
    }
  __syncthreads();
  __threadfence();
}

__global__ void rotate(int *a, int *b, int steps) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    b[i] = a[(i + 1) % N] + 1; // BUG
    wait_all(2 * s + 1);
    a[i] = b[(i + THREADS) % N]; // BUG
#ifdef FIXED
    wait_all(2 * s + 2);
#endif
  }
}

int main() {
  int *a, *b;
  cudaMallocManaged(&a, N * sizeof(int));
  cudaMallocManaged(&b, N * sizeof(int));
  for (int i = 0; i < N; ++i) a[i] = b[i] = i;
  rotate<<<BLOCKS, THREADS>>>(a, b, 3);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d\n", a[0], a[N - 1]);
  cudaFree(a);
  cudaFree(b);
}
