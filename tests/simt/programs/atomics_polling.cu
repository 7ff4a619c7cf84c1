// Threads that wait for each other through memory: locks, tickets, flags, a queue. Each kernel
// ends only if a polling thread lets the others run.
#include <cstdio>

static int failures;

static void expect(int got, int want, const char *what) {
  if (got == want) return;
  ++failures;
  std::printf("wrong: %s is %d, not %d\n", what, got, want);
}

// A lock taken by compare and swap, inside a warp too.
__global__ void lock_cas(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int *)count = *(volatile int *)count + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// The same by exchange, in shared memory.
__global__ void lock_exchange(int *counts) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicExch(&lock, 1) == 0) {
      *(volatile int *)&count = *(volatile int *)&count + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// First come, first served.
__global__ void ticket_lock(int *next, int *serving, int *count) {
  const int mine = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  __threadfence();
  *(volatile int *)count = *(volatile int *)count + 1;
  __threadfence();
  atomicAdd(serving, 1);
}

// Thread i waits for thread i + 1 of its warp: against the order in which lanes start.
__global__ void chain(int *flags, int n) {
  const int i = threadIdx.x;
  if (i < n - 1)
    while (atomicMax(&flags[i + 1], 0) == 0) {
    }
  atomicExch(&flags[i], (i < n - 1 ? atomicAdd(&flags[i + 1], 0) : 0) + 1);
  __threadfence();
  atomicOr(&flags[i], 0);
}

// The blocks hand a token on, each waiting for the one before.
__global__ void blocks_in_order(unsigned *token, unsigned *order, unsigned *ticket) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = atomicInc(ticket, 0xffffffffu);
    while (atomicCAS(token, mine, mine) != mine) {
    }
    order[mine] = mine * 3;
    __threadfence();
    atomicExch(token, mine + 1);
  }
  __syncthreads();
}

int main() {
  int *m;
  unsigned *u;
  cudaMallocManaged(&m, 64 * sizeof(int));
  cudaMallocManaged(&u, 64 * sizeof(unsigned));
  for (int i = 0; i < 64; ++i) m[i] = u[i] = 0;
  lock_cas<<<4, 64>>>(m, m + 1);
  expect(cudaDeviceSynchronize(), cudaSuccess, "lock_cas");
  expect(m[1], 256, "lock_cas");
  lock_exchange<<<3, 64>>>(m + 2);
  expect(cudaDeviceSynchronize(), cudaSuccess, "lock_exchange");
  for (int i = 0; i < 3; ++i) expect(m[2 + i], 64, "lock_exchange");
  ticket_lock<<<2, 40>>>(m + 5, m + 6, m + 7);
  expect(cudaDeviceSynchronize(), cudaSuccess, "ticket_lock");
  expect(m[7], 80, "ticket_lock");
  chain<<<1, 32>>>(m + 8, 32);
  expect(cudaDeviceSynchronize(), cudaSuccess, "chain");
  expect(m[8], 32, "chain");
  blocks_in_order<<<20, 32>>>(u, u + 2, u + 1);
  expect(cudaDeviceSynchronize(), cudaSuccess, "blocks_in_order");
  for (int i = 0; i < 20; ++i) expect(u[2 + i], i * 3, "blocks_in_order");
  if (failures) return 1;
  std::printf("PASSED\n");
  cudaFree(m); cudaFree(u);
  return 0;
}
