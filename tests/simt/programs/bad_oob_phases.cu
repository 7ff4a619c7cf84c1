// A kernel that runs as loops between its barriers writes where nothing is: the report says which thread.
// expect: status 3, stderr "thread (77,0,0)"
#include <cstdio>

__global__ void wild(int *out) {
  __shared__ int s[128];
  const int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  out[i == 77 ? 1 << 28 : i] = s[127 - i];
}

int main() {
  int *x;
  cudaMalloc(&x, 128 * sizeof(int));
  wild<<<2, 128>>>(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
