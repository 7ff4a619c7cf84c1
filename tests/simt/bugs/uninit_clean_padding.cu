// find: nothing
// Structs with padding are copied as a whole by kernels and by cudaMemcpy: nobody wrote the
// padding, and nothing uses it.
#include <cstdio>

struct Item {
  char tag;
  double value;
  short count;
};

__global__ void make(Item *items) {
  int i = threadIdx.x;
  items[i].tag = 'a';
  items[i].value = i;
  items[i].count = 1;
}

__global__ void reverse(const Item *in, Item *out, int n) {
  out[threadIdx.x] = in[n - 1 - threadIdx.x];
}

__global__ void through_shared(Item *items) {
  __shared__ Item s[32];
  s[threadIdx.x] = items[threadIdx.x];
  __syncthreads();
  Item mine = s[31 - threadIdx.x];
  mine.value += s[threadIdx.x].count;
  items[threadIdx.x] = mine;
}

int main() {
  Item *a, *b, h[32];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  make<<<1, 32>>>(a);
  reverse<<<1, 32>>>(a, b, 32);
  cudaMemcpy(a, b, sizeof h, cudaMemcpyDeviceToDevice);
  through_shared<<<1, 32>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %s\n", h[3].value, cudaGetErrorString(cudaGetLastError()));
  cudaFree(a);
  cudaFree(b);
}
