// A null pointer read by one thread of one block.
// expect: status nonzero, stderr "fetch"
#include <cstdio>

struct Node {
  Node *next;
  int value;
};

__global__ void fetch(Node *head, int *out) {
  Node *n = head;
  if (blockIdx.x == 1 && threadIdx.x == 7) *out = n->next->value;
}

int main() {
  Node *n;
  int *o;
  cudaMalloc(&n, sizeof *n);
  cudaMalloc(&o, sizeof *o);
  cudaMemset(n, 0, sizeof *n);
  fetch<<<2, 32>>>(n, o);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  return e != cudaSuccess ? 1 : 0;
}
