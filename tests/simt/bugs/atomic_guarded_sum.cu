// find: race shared atomic/plain barrier
// A sum of floats that is to stop near a limit: the limit is compared with what others add to.
// Fixed: The limit is compared with what an atomic operation has read.

__device__ float out[2];

__global__ void sum_up(const int *in) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
#ifdef FIXED
  if (atomicAdd(&sum, 0.0f) < 50.0f) atomicAdd(&sum, static_cast<float>(in[threadIdx.x]));
#else
  if (sum < 50.0f) atomicAdd(&sum, static_cast<float>(in[threadIdx.x])); // BUG: a plain read
#endif
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  const int n = 64;
  int host[n], *in;
  for (int i = 0; i < n; ++i) host[i] = (i * 5 + 3) % 11;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum_up<<<2, n>>>(in);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(in);
  return 0;
}
