// find: race shared read/write barrier
// A thread reads the byte field that another one writes in the same structure.
// Fixed: Two threads write two fields of one structure, a byte and a short of one word: no
// race.
#include <cstdio>
#include <vector>

struct Cell {
  unsigned char kind;
  unsigned char level;
  unsigned short age;
};

__global__ void cells(const int *in, int *out) {
  __shared__ Cell cell[64];
  const int half = blockDim.x / 2, t = threadIdx.x;
  if (t < half) {
    cell[t].kind = in[t] & 7; // BUG
  } else {
    cell[t - half].age = in[t]; // no race with kind
    cell[t - half].level = 3;
#ifndef FIXED
    out[t] = cell[t - half].kind; // BUG
#endif
  }
  __syncthreads();
  if (t < half) out[t] = cell[t].kind * 1000 + cell[t].age + cell[t].level;
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  cells<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
