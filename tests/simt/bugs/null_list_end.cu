// find: null-pointer
// A list is followed past its end.
#include <cstdio>

struct Node {
  int value;
  const Node *next;
};

__global__ void second(const Node *head, int *out) {
  int i = threadIdx.x;
  const Node *node = head + i;
  node = node->next;
#ifdef FIXED
  out[i] = node ? node->value : -1;
#else
  out[i] = node->value; // BUG
#endif
}

int main() {
  const int n = 8;
  Node h[n], *d;
  int *out;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&out, n * sizeof(int));
  for (int i = 0; i < n; i++) h[i] = {i, i + 1 < n ? d + i + 1 : nullptr};
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  second<<<1, n>>>(d, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  cudaFree(out);
}
