// find: race global blocks
// A node is pushed to a list by a plain load and a plain store of its head.
// Fixed: A node is pushed to a list by atomicExch of its head; the list is walked by the next
// kernel.
#include <cstdio>

struct Node {
  int value;
  Node *next;
};

__device__ Node *head;

__global__ void push(Node *nodes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  nodes[i].value = i;
#ifdef FIXED
  nodes[i].next = (Node *)atomicExch((unsigned long long *)&head, (unsigned long long)&nodes[i]);
#else
  nodes[i].next = head; // BUG
  head = &nodes[i];     // BUG
#endif
}

__global__ void walk(int *length, int *sum) {
  *length = *sum = 0;
  for (Node *n = head; n; n = n->next) {
    ++*length;
    *sum += n->value;
  }
}

int main() {
  Node *nodes;
  int *result;
  cudaMalloc(&nodes, 128 * sizeof(Node));
  cudaMallocManaged(&result, 2 * sizeof(int));
  push<<<2, 64>>>(nodes);
  walk<<<1, 1>>>(result, result + 1);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d\n", result[0], result[1]);
  cudaFree(nodes);
  cudaFree(result);
}
