// find: device-pointer
// The host follows the pointer to a struct on the device to get at a member.
#include <cstdio>

struct Queue {
  int *items;
  int size;
};

__global__ void fill(Queue *q) { q->items[threadIdx.x] = threadIdx.x; }

int main() {
  Queue *q, h = {nullptr, 16};
  cudaMalloc(&h.items, 16 * sizeof(int));
  cudaMalloc(&q, sizeof(Queue));
  cudaMemcpy(q, &h, sizeof h, cudaMemcpyHostToDevice);
  fill<<<1, 16>>>(q);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  cudaFree(h.items);
#else
  cudaFree(q->items); // BUG
#endif
  cudaFree(q);
}
