// find: nothing
// flags: -std=c++17 -Xcompiler -pthread
// Two host threads, each with a stream and memory of its own, and one array that both only read.
#include <cstdio>
#include <thread>

__global__ void scale(const int *in, int *out, int f) { out[threadIdx.x] = f * in[threadIdx.x]; }

static void work(const int *in, int f, int *result) {
  cudaStream_t stream;
  int *out;
  cudaStreamCreate(&stream);
  cudaMalloc(&out, 32 * sizeof(int));
  for (int k = 0; k < 3; ++k) scale<<<1, 32, 0, stream>>>(in, out, f + k);
  cudaMemcpyAsync(result, out + 31, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaFree(out);
  cudaStreamDestroy(stream);
}

int main() {
  int *in, results[2] = {0, 0};
  cudaMallocManaged(&in, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) in[i] = i;
  std::thread first(work, in, 2, &results[0]), second(work, in, 5, &results[1]);
  first.join();
  second.join();
  std::printf("%d %d %s\n", results[0], results[1], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
}
