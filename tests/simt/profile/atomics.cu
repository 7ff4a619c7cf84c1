// Lanes at one address, and operations at one address during a launch.
#include <cstdio>

__global__ void all_at_one(int *out) {
  atomicAdd(out, 1); // line: one
}

__global__ void each_its_own(int *out) {
  atomicAdd(&out[threadIdx.x], 1); // line: own
}

__global__ void eight_bins(int *out) {
  atomicAdd(&out[threadIdx.x % 8], 1); // line: eight
}

__global__ void floats(float *out) {
  atomicAdd(&out[threadIdx.x % 16], 1.0f); // line: floats
}

__global__ void in_shared(int *out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();                                                      // line: first barrier
  atomicAdd(&bins[threadIdx.x % 4], 1);                                 // line: shared
  __syncthreads();                                                      // line: second barrier
  if (threadIdx.x < 4) atomicMax(&out[threadIdx.x], bins[threadIdx.x]); // line: max
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  cudaMemset(out, 0, 4096);
  all_at_one<<<4, 64>>>(out);
  each_its_own<<<4, 64>>>(out);
  eight_bins<<<1, 64>>>(out);
  cudaMemset(out, 0, 4096);
  floats<<<1, 32>>>((float *)out);
  cudaMemset(out, 0, 4096);
  in_shared<<<3, 64>>>(out);
  int most = 0;
  cudaMemcpy(&most, out, sizeof most, cudaMemcpyDeviceToHost);
  puts(most == 16 ? "PASSED" : "FAILED");
}
