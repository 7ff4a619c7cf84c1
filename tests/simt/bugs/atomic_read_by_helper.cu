// find: race global atomic/plain blocks
// One function reads the guess of a loop of atomicCAS, which is fine, and a counter, which is not.
// Fixed: One function reads the guess of a loop of atomicCAS; the counter is read by its own
// addition.

__device__ int best, hits, out[8];

__device__ int load(const int *p) { return *p; } // BUG

__global__ void count(const int *in) {
  int old = load(&best), seen;
  do {
    seen = old;
    old = atomicCAS(&best, seen, seen + in[blockIdx.x]);
  } while (old != seen);
#ifdef FIXED
  out[blockIdx.x] = atomicAdd(&hits, 1);
#else
  atomicAdd(&hits, 1);           // BUG
  out[blockIdx.x] = load(&hits); // BUG?: beside the additions of other blocks
#endif
}

int main() {
  const int n = 8;
  int host[n], *in;
  for (int i = 0; i < n; ++i) host[i] = (i * 5 + 3) % 11;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  count<<<n, 1>>>(in);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(in);
  return 0;
}
