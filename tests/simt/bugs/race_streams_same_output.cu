// find: race global write/write streams
// Halves of an array in two streams: the second half begins one element too early.
// Fixed: Halves of an array in two streams.
#include <cstdio>
#include <vector>

__global__ void half(double *out, int first, int count, double f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[first + i] = f * (first + i); // BUG
}

int main() {
  const int n = 200;
  double *out;
  std::vector<double> host(n);
  std::vector<cudaStream_t> streams(2);
  cudaMalloc(&out, n * sizeof(double));
  for (auto &s : streams) cudaStreamCreate(&s);
  for (int k = 0; k < 2; ++k) {
#ifdef FIXED
    const int first = k * n / 2;
#else
    const int first = k * n / 2 - k;
#endif
    half<<<4, 32, 0, streams[k]>>>(out, first, n / 2, 0.5 + k);
  }
  for (auto s : streams) cudaStreamSynchronize(s);
  cudaMemset(out + n - 1, 0, sizeof(double));
  cudaMemcpy(host.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%g %g %s\n", host[1], host[n / 2], cudaGetErrorString(cudaGetLastError()));
  for (auto s : streams) cudaStreamDestroy(s);
  cudaFree(out);
}
