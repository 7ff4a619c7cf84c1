// find: race read/write streams
// flags: -std=c++17
// A constant table is changed for the next kernel while this one may still read it.
// Fixed: A constant table is changed for the next kernel behind a wait for this one.
#include <cstdio>

__constant__ int factors[4];

__global__ void weigh(int *v) { v[threadIdx.x] = factors[threadIdx.x % 4] + 1; } // BUG

int main() {
  const int first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
  int *v, host[64];
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&v, sizeof host);
  cudaMemcpyToSymbol(factors, first, sizeof first);
  weigh<<<1, 64, 0, stream>>>(v);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaMemcpyToSymbol(factors, second, sizeof second); // BUG
  weigh<<<1, 64, 0, stream>>>(v);
  cudaMemcpyAsync(host, v, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("%d %s\n", host[63], cudaGetErrorString(cudaGetLastError()));
  cudaStreamDestroy(stream);
  cudaFree(v);
}
