// A failing device assert: message on standard error, cudaErrorAssert at the synchronisation.
// expect: output "PASSED", stderr "Assertion `value < 10` failed"
#undef NDEBUG
#include <assert.h>
#include <stdio.h>

__global__ void stops(int N) {
  int value = blockIdx.x * blockDim.x + threadIdx.x;
  assert(value < 100);
  if (N == 12) assert(value < 10);
}

int main() {
  stops<<<2, 32>>>(60);
  cudaError_t first = cudaDeviceSynchronize();
  stops<<<1, 12>>>(12);
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s, %s\n", cudaGetErrorName(first), cudaGetErrorName(error));
  if (first == cudaSuccess && error == cudaErrorAssert) printf("as it should, PASSED\n");
  return 0;
}
