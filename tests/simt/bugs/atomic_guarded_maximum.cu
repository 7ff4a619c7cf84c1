// find: race global atomic/plain blocks
// A plain read saves most of the atomic operations, and is in a race with those of other blocks.
// Fixed: What saves most of the maxima is read by an atomic operation, too.

__device__ int best;

__global__ void largest(const int *in) {
  const int v = in[blockIdx.x];
#ifdef FIXED
  if (atomicAdd(&best, 0) < v) atomicMax(&best, v);
#else
  if (best < v) atomicMax(&best, v); // BUG: others change it meanwhile
#endif
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
