// find: unchecked-error
//
// More dynamic shared memory than a launch gets without asking.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void work(int *out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int *a;
  check(cudaMalloc(&a, 512));
  check(cudaMemset(a, 0, 512));
#ifdef FIXED
  check(cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
#endif
  work<<<1, 128, 100000>>>(a); // BUG
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
}
