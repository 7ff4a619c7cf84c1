// find: host-pointer
// A global array of the host, without __device__, is given to a kernel.
#include <cstdio>

#ifdef FIXED
static __managed__ float weights[32];
#else
static float weights[32];
#endif

__global__ void weigh(const float *w, float *x) {
  x[threadIdx.x] = w[threadIdx.x] * 2; // BUG
}

int main() {
  float *x;
  cudaMalloc(&x, 32 * sizeof(float));
  for (int i = 0; i < 32; i++) weights[i] = i;
  weigh<<<1, 32>>>(weights, x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
