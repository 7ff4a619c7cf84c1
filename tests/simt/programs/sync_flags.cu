// Producer and consumer through flags: between lanes of a warp, warps of a block, and blocks.
// expect: pass
#include <cstdio>

#define ROUNDS 50

// One warp: lane 0 produces, lane 1 consumes, each waits for the other.
__global__ void lanes(int *out) {
  __shared__ volatile int full, item;
  if (threadIdx.x == 0) full = 0;
  __syncwarp();
  if (threadIdx.x == 0) {
    for (int i = 1; i <= ROUNDS; i++) {
      while (full) {
      }
      __threadfence_block();
      item = i;
      __threadfence_block();
      full = 1;
    }
  } else if (threadIdx.x == 1) {
    int sum = 0;
    for (int i = 1; i <= ROUNDS; i++) {
      while (!full)
        ;
      __threadfence_block();
      sum += item;
      __threadfence_block();
      full = 0;
    }
    *out = sum;
  }
}

// Two warps of one block over a ring buffer.
__global__ void ring(int *out) {
  const int SIZE = 8;
  __shared__ int buffer[SIZE];
  __shared__ volatile unsigned head, tail;
  if (threadIdx.x == 0) head = tail = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < 100; i++) {
      while (head - tail == SIZE)
        ;
      __threadfence_block();
      buffer[head % SIZE] = i * i;
      __threadfence_block();
      head = head + 1;
    }
  }
  if (threadIdx.x == 32) {
    int sum = 0;
    for (int i = 0; i < 100; i++) {
      while (tail == head)
        ;
      __threadfence_block();
      sum += *(volatile int *)&buffer[tail % SIZE];
      __threadfence_block();
      tail = tail + 1;
    }
    *out = sum;
  }
}

// Blocks pass a token in the order of their numbers, and back.
__global__ void chain(volatile int *token, volatile int *value) {
  if (threadIdx.x == 0) {
    while (*token != blockIdx.x) {
    }
    __threadfence();
    *value = *value * 3 + blockIdx.x;
    __threadfence();
    *token = *token + 1;
  }
}

int main() {
  int *d, h[4], want = 0;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  lanes<<<1, 32>>>(d);
  ring<<<1, 64>>>(d + 1);
  chain<<<10, 32>>>(d + 2, d + 3);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 10; b++) want = want * 3 + b;
  int squares = 0;
  for (int i = 0; i < 100; i++) squares += i * i;
  printf("%s: %d %d %d %d\n", cudaGetErrorString(e), h[0], h[1], h[2], h[3]);
  int ok = h[0] == ROUNDS * (ROUNDS + 1) / 2 && h[1] == squares && h[2] == 10 && h[3] == want;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(d);
  return !ok;
}
