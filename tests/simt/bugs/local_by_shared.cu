// find: uninitialised shared
// The rest of a tile goes to shared memory, and from there into the sum.
// Fixed: It is 0.
#include <cstdio>

__global__ void total(const int *in, int *out, int n) {
  __shared__ int tile[64];
#ifdef FIXED
  int mine = 0;
#else
  int mine;
#endif
  if (threadIdx.x < n) mine = in[threadIdx.x];
  tile[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x) return;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += tile[i]; // BUG
  *out = sum;
}

int main() {
  int host[50], *in, *out;
  for (int i = 0; i < 50; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  total<<<1, 64>>>(in, out, 50);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
