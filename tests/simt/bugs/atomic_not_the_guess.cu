// find: race global atomic/plain blocks
// The exchange expects 0, not what was read: nothing checks the read.
// Fixed: The exchange expects what was read.

__device__ int owner, seen_by[8];

__global__ void claim(const int *in) {
#ifdef FIXED
  int seen = owner, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(&owner, assumed, assumed ? assumed : 100 + in[blockIdx.x]);
  } while (seen != assumed);
#else
  const int seen = owner;                     // BUG
  atomicCAS(&owner, 0, 100 + in[blockIdx.x]); // BUG
#endif
  seen_by[blockIdx.x] = seen;
}

int main() {
  const int n = 8;
  int host[n], *in;
  for (int i = 0; i < n; ++i) host[i] = (i * 5 + 3) % 11;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  claim<<<n, 1>>>(in);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(in);
  return 0;
}
