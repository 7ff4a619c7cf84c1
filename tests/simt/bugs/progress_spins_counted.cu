// find: no-progress
// env: SIMT_TIMEOUT=0.2
// schedules: forward
// A wait that counts its turns in memory: it writes all the time, and nobody sets the flag.
#include <cstdio>

__device__ bool is_set(int *flag, int *turns) {
  ++*turns;
  return atomicAdd(flag, 0) != 0;
}

__global__ void wait_for(int *flag, int *turns) {
  while (!is_set(flag, turns + threadIdx.x)) { // BUG?
  }                                            // BUG?
}

int main() {
  int *data;
  if (cudaMalloc(&data, 33 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 33 * sizeof(int));
  wait_for<<<1, 32>>>(data + 32, data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(data);
  return 0;
}
