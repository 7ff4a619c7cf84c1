// find: race global atomic/plain blocks
// The consumers take the queue's length plainly while producers of other blocks still add.
// Fixed: A queue that one kernel fills and the next one empties: tickets by atomicAdd, its
// length read plainly.
#include <cstdio>

struct Queue {
  int length, taken;
  int items[256];
};

__device__ void produce(Queue *q, int item) {
  const int place = atomicAdd(&q->length, 1); // BUG
  q->items[place] = item;
}

__global__ void fill(Queue *q, int *seen) {
  produce(q, blockIdx.x * blockDim.x + threadIdx.x);
#ifdef FIXED
  if (threadIdx.x == 0) seen[blockIdx.x] = 1;
#else
  if (threadIdx.x == 0) seen[blockIdx.x] = q->length > 0; // BUG
#endif
}

__global__ void drain(Queue *q, int *sums) {
  int sum = 0;
  for (int i = atomicAdd(&q->taken, 1); i < q->length; i = atomicAdd(&q->taken, 1))
    sum += q->items[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  Queue *queue;
  int *sums, host[128], total = 0;
  cudaMalloc(&queue, sizeof *queue);
  cudaMemset(queue, 0, sizeof *queue);
  cudaMalloc(&sums, sizeof host);
  fill<<<4, 32>>>(queue, sums);
  drain<<<2, 64>>>(queue, sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  for (int s : host) total += s;
  std::printf("%d %s\n", total, cudaGetErrorString(cudaGetLastError()));
  cudaFree(queue);
  cudaFree(sums);
}
