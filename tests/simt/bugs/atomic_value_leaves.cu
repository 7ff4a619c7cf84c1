// find: race global atomic/plain blocks
// What stood there before is read plainly, beside the atomic operations of other blocks.
// Fixed: What stood there before is what the atomic operation gives.

__device__ int best, before[8];

__global__ void largest(const int *in) {
  const int v = in[blockIdx.x];
#ifdef FIXED
  const int seen = atomicMax(&best, v);
#else
  const int seen = best; // BUG: atomicMax gives this value
  atomicMax(&best, v);   // BUG
#endif
  before[blockIdx.x] = seen;
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
