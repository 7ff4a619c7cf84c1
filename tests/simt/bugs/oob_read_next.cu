// find: out-of-bounds
// Each thread reads its right neighbour; the last one has none.
#include <cstdio>
#include <vector>

__global__ void differences(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef FIXED
  out[i] = i + 1 < n ? in[i + 1] - in[i] : 0;
#else
  out[i] = in[i + 1] - in[i]; // BUG
#endif
}

int main() {
  const int n = 4096;
  std::vector<int> h(n);
  for (int i = 0; i < n; i++) h[i] = i * i;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  differences<<<n / 128, 128>>>(in, out, n);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  cudaFree(in);
  cudaFree(out);
  return 0;
}
