// find: nothing
// A wait that counts its turns in memory, for a flag that another warp sets.
#include <cstdio>

__device__ bool is_set(int *flag, int *turns) {
  ++*turns;
  return atomicAdd(flag, 0) != 0;
}

__global__ void wait_for(int *flag, int *turns) {
  if (threadIdx.x == 32) atomicExch(flag, 1);
  while (!is_set(flag, turns + threadIdx.x)) {
  }
}

int main() {
  int *data;
  if (cudaMalloc(&data, 65 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 65 * sizeof(int));
  wait_for<<<1, 64>>>(data + 64, data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(data);
  return 0;
}
