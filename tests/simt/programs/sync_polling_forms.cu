// Waiting for memory in the forms that programs use, without any barrier in the kernel.
// expect: pass
#include <cstdio>

struct Channel {
  volatile int full;
  volatile int value;
};

__device__ int load(const int *p) { return *(const volatile int *)p; }
__device__ bool ready(int *p) { return atomicAdd(p, 0) != 0; }
__device__ void wait_for(volatile int *p, int v) {
  while (*p < v) {
  }
}
__device__ void backoff_wait(volatile unsigned *p) {
  unsigned ns = 8;
  while (*p == 0) {
    __nanosleep(ns);
    if (ns < 256) ns *= 2;
  }
}

// Every thread waits for the one before it: forms by number.
__global__ void relay(int *flags, int form) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0) {
    int *before = flags + i - 1;
    switch (form) {
    case 0:
      while (((volatile int *)flags)[i - 1] == 0)
        ;
      break;
    case 1:
      while (!ready(before)) {
      }
      break;
    case 2: do {
      } while (load(before) == 0);
      break;
    case 3:
      for (;;)
        if (atomicCAS(before, 1, 1) == 1) break;
      break;
    case 4: wait_for(before, 1); break;
    case 5: backoff_wait((volatile unsigned *)before); break;
    case 6:
      while (true) {
        int v = atomicOr(before, 0);
        if (!v) continue;
        break;
      }
      break;
    case 7:
      for (int v = 0; v == 0; v = *(volatile int *)before) {
      }
      break;
    case 8:
      while (__ldcg(before) == 0)
        ;
      break;
    case 9:
      while (atomicExch(before + 1000, 0) == 0)
        ;
      break;
    }
    __threadfence();
  }
  if (form == 9)
    atomicExch(flags + i + 1000, 1);
  else
    atomicExch(flags + i, 1);
}

__global__ void channel(Channel *c, int rounds, int *sum) {
  if (blockIdx.x == 0) {
    for (int r = 1; r <= rounds; r++) {
      while (c->full) {
      }
      __threadfence();
      c->value = r;
      __threadfence();
      c->full = 1;
    }
  } else {
    for (int r = 1; r <= rounds; r++) {
      while (!c->full) {
      }
      __threadfence();
      *sum += c->value;
      __threadfence();
      c->full = 0;
    }
  }
}

__global__ void within_block(int *out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncwarp();
  while (turn != threadIdx.x) {
  }
  out[threadIdx.x] = turn;
  turn = turn + 1;
}

int main() {
  int *flags, bad = 0, h[96];
  cudaMalloc(&flags, 2000 * sizeof(int));
  for (int form = 0; form < 10; form++) {
    cudaMemset(flags, 0, 2000 * sizeof(int));
    relay<<<4, 24>>>(flags, form);
    cudaError_t e =
        cudaMemcpy(h, form == 9 ? flags + 1000 : flags, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = e != cudaSuccess;
    for (int i = 0; i < 96; i++) wrong += form == 9 ? (i == 95) != (h[i] == 1) : h[i] != 1;
    if (wrong) printf("form %d: %d wrong, %s\n", form, wrong, cudaGetErrorString(e));
    bad += wrong;
  }
  Channel *c;
  int *sum;
  cudaMallocManaged(&c, sizeof *c), cudaMallocManaged(&sum, sizeof(int));
  c->full = 0, *sum = 0;
  channel<<<2, 1>>>(c, 100, sum);
  within_block<<<1, 32>>>(flags);
  bad += cudaDeviceSynchronize() != cudaSuccess || *sum != 5050;
  cudaMemcpy(h, flags, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) bad += h[i] != i;
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(flags); cudaFree(c); cudaFree(sum);
  return bad;
}
