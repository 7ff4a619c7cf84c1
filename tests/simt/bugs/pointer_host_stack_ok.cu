// find: nothing
// pointer_host_stack.cu without its bug, which is: the result goes to a variable of main.
#include <cstdio>

__global__ void answer(int *out) { *out = 42; }

int main() {
  int result = 0, *d;
  cudaMalloc(&d, sizeof(int));
  answer<<<1, 1>>>(d);
  cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
