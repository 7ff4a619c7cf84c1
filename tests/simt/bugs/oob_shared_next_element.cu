// find: out-of-bounds shared
// Every thread reads the next element of a shared array; the last one reads s[blockDim.x].
#include <cstdio>

__global__ void rises(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = in[i];
  __syncthreads();
#ifdef FIXED
  out[i] = t < 255 ? s[t + 1] > s[t] : 0;
#else
  out[i] = s[t + 1] > s[t]; // BUG
#endif
}

int main() {
  const int n = 1024;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  rises<<<n / 256, 256>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
