// Mutex classes: spin lock by atomicCAS a block, ticket lock, and a lock held by each lane in turn.
// expect: pass
#include <cstdio>

class Lock {
  int *mutex;

public:
  Lock() {
    int state = 0;
    cudaMalloc((void **)&mutex, sizeof(int));
    cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice);
  }
  void destroy() { cudaFree(mutex); }
  __device__ void lock() {
    while (atomicCAS(mutex, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(mutex, 0);
  }
};

struct TicketLock {
  unsigned int next, serving;
  __device__ void enter() {
    unsigned int mine = atomicAdd(&next, 1u);
    while (atomicAdd(&serving, 0u) != mine) {
    }
    __threadfence();
  }
  __device__ void leave() {
    __threadfence();
    atomicAdd(&serving, 1u);
  }
};

__device__ TicketLock ticketLock;
__device__ int ticketTotal;

__global__ void block_lock(Lock lock, volatile float *sum) {
  __syncthreads();
  if (threadIdx.x == 0) {
    lock.lock();
    *sum = *sum + 1.0f;
    lock.unlock();
  }
}

// The critical section stands inside the loop, as it must on warps that run in lockstep.
__global__ void lane_lock(int *mutex, volatile int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      __threadfence();
      *counter += 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}

__global__ void ticketed() {
  if (threadIdx.x % 32 == 0) {
    ticketLock.enter();
    volatile int *t = &ticketTotal;
    *t = *t + (threadIdx.x / 32 + 1);
    ticketLock.leave();
  }
}

int main() {
  Lock lock;
  float *sum, hsum = 0;
  int *mutex, *counter, hcount = 0, total = 0;
  cudaMalloc((void **)&sum, sizeof(float)), cudaMemset(sum, 0, sizeof(float));
  cudaMalloc((void **)&mutex, sizeof(int)), cudaMemset(mutex, 0, sizeof(int));
  cudaMalloc((void **)&counter, sizeof(int)), cudaMemset(counter, 0, sizeof(int));
  block_lock<<<200, 64>>>(lock, sum);
  lane_lock<<<6, 96>>>(mutex, counter);
  ticketed<<<20, 128>>>();
  cudaMemcpy(&hsum, sum, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&hcount, counter, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&total, ticketTotal, sizeof(int));
  lock.destroy();
  printf("%.0f %d %d\n", hsum, hcount, total);
  bool ok = hsum == 200.0f && hcount == 6 * 96 && total == 20 * (1 + 2 + 3 + 4);
  printf("%s\n", ok ? "PASSED" : "FAILED");
  cudaFree(sum); cudaFree(mutex); cudaFree(counter);
  return ok ? 0 : 1;
}
