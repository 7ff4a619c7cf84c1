// find: nothing
// Memory of one stream's pool: allocated, used, freed and allocated again in the order of the
// stream.
#include <cstdio>

__global__ void fill(int *v, int f) { v[threadIdx.x] = f; }

__global__ void collect(const int *v, int *sum) { atomicAdd(sum, v[threadIdx.x]); }

int main() {
  int *sum, host = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&sum, sizeof *sum, stream);
  cudaMemsetAsync(sum, 0, sizeof *sum, stream);
  for (int k = 1; k <= 3; ++k) {
    int *v;
    cudaMallocAsync(&v, 64 * sizeof(int), stream);
    fill<<<1, 64, 0, stream>>>(v, k);
    collect<<<1, 64, 0, stream>>>(v, sum);
    cudaFreeAsync(v, stream);
  }
  cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(sum, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  std::printf("%d %s\n", host, cudaGetErrorString(cudaGetLastError()));
}
