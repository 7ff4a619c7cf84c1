// find: race global streams
// A copy to the host reads a buffer that a kernel in another stream fills anew.
// Fixed: The kernel that fills a buffer anew waits for the event behind the copy to the host.
#include <cstdio>

__global__ void fill(int *v, int f) { v[threadIdx.x] = f * threadIdx.x; } // BUG

int main() {
  const size_t bytes = 64 * sizeof(int);
  int *v, *host;
  cudaStream_t work, copies;
  cudaEvent_t filled, copied;
  cudaMalloc(&v, bytes);
  cudaMallocHost(&host, 2 * bytes);
  cudaStreamCreate(&work);
  cudaStreamCreate(&copies);
  cudaEventCreate(&filled);
  cudaEventCreate(&copied);
  for (int k = 0; k < 2; ++k) {
#ifdef FIXED
    if (k > 0) cudaStreamWaitEvent(work, copied, 0);
#endif
    fill<<<1, 64, 0, work>>>(v, k + 1);
    cudaEventRecord(filled, work);
    cudaStreamWaitEvent(copies, filled, 0);
    cudaMemcpyAsync(host + 64 * k, v, bytes, cudaMemcpyDeviceToHost, copies); // BUG
    cudaEventRecord(copied, copies);
  }
  cudaStreamSynchronize(copies);
  std::printf("%d %d %s\n", host[63], host[127], cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(filled);
  cudaEventDestroy(copied);
  cudaStreamDestroy(work);
  cudaStreamDestroy(copies);
  cudaFreeHost(host);
  cudaFree(v);
}
