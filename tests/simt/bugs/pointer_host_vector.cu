// find: host-pointer
// data() of a std::vector is given to a kernel.
#include <cstdio>
#include <vector>

__global__ void prefix(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i]; // BUG
    out[i] = sum;
  }
}

int main() {
  const int n = 2000;
  std::vector<int> v(n, 1);
  int *out;
  cudaMalloc(&out, n * sizeof(int));
#ifdef FIXED
  int *in;
  cudaMalloc(&in, n * sizeof(int));
  cudaMemcpy(in, v.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  prefix<<<1, 1>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
#else
  prefix<<<1, 1>>>(v.data(), out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#endif
  cudaFree(out);
}
