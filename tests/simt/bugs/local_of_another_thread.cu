// find: out-of-bounds|host-pointer
// Thread 0 publishes the address of a variable of its own in shared memory; others write through
// it. Local memory is each thread's: the same address is another variable for each.
#include <cstdio>

__global__ void vote(const int *in, int *out) {
#ifdef FIXED
  __shared__ int best;
  if (threadIdx.x == 0) best = -1;
  __syncthreads();
  if (threadIdx.x == 40) best = in[40];
  __syncthreads();
  if (threadIdx.x == 0) *out = best;
#else
  __shared__ int *best;
  int mine = -1;
  if (threadIdx.x == 0) best = &mine;
  __syncthreads();
  if (threadIdx.x == 40) *best = in[40]; // BUG
  __syncthreads();
  if (threadIdx.x == 0) *out = mine;
#endif
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  vote<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
