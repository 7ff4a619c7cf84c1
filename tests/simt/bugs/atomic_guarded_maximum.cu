// find: race global atomic/plain blocks
// A plain read saves most of the atomic operations, and is in a race with those of other blocks.

__device__ int best;

__global__ void largest(const int *in) {
  const int v = in[blockIdx.x];
  if (best < v) atomicMax(&best, v); // BUG: others change it meanwhile
}

int main() {
  const int n = 8;
  int host[n], *in;
  for (int i = 0; i < n; ++i) host[i] = (i * 5 + 3) % 11;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  largest<<<n, 1>>>(in);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(in);
  return 0;
}
