// find: out-of-bounds
// One of the targets in the data equals n.
#include <cstdio>

__global__ void scatter(const int *target, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[target[i]] = in[i]; // BUG
}

int main() {
  const int n = 1024;
  static int target[n];
  static float values[n];
#ifdef FIXED
  for (int i = 0; i < n; i++) target[i] = n - 1 - i;
#else
  for (int i = 0; i < n; i++) target[i] = i == 500 ? n : n - 1 - i;
#endif
  int *dt;
  float *in, *out;
  cudaMalloc(&dt, sizeof target);
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(dt, target, sizeof target, cudaMemcpyHostToDevice);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  scatter<<<n / 256, 256>>>(dt, in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(dt);
  cudaFree(in);
  cudaFree(out);
}
