// find: out-of-bounds
// An array in a struct is overrun into the member behind it.
#include <cstdio>

struct Node {
  int children[4];
  int count;
};

__global__ void insert(Node *nodes, const int *order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  nodes[i].count = 0;
#ifdef FIXED
  for (int k = 0; k < order[i] && k < 4; k++) {
#else
  for (int k = 0; k < order[i]; k++) {
#endif
    nodes[i].children[k] = k; // BUG
  }
}

int main() {
  const int n = 64;
  int order[n], *d;
  for (int i = 0; i < n; i++) order[i] = i == 40 ? 5 : i % 5;
  Node *nodes;
  cudaMalloc(&nodes, n * sizeof(Node));
  cudaMalloc(&d, sizeof order);
  cudaMemcpy(d, order, sizeof order, cudaMemcpyHostToDevice);
  insert<<<1, n>>>(nodes, d, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(nodes);
  cudaFree(d);
}
