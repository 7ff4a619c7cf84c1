// find: race global streams
// Two buffers in two streams, but the third batch goes into the first buffer from the other
// stream.
// Fixed: Batches in two streams, each with a buffer of its own: copy, kernel, copy.
#include <cstdio>

__global__ void invert(unsigned char *image, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) image[i] = 255 - image[i]; // BUG
}

int main() {
  const int batch = 256, batches = 4;
  unsigned char *host, *buffers[2];
  cudaStream_t streams[2];
  cudaMallocHost(&host, batch * batches);
  for (int i = 0; i < batch * batches; ++i) host[i] = static_cast<unsigned char>(i);
  for (int k = 0; k < 2; ++k) {
    cudaMalloc(&buffers[k], batch);
    cudaStreamCreate(&streams[k]);
  }
  for (int b = 0; b < batches; ++b) {
    unsigned char *part = host + b * batch;
#ifdef FIXED
    const int k = b % 2;
#else
    const int k = b == 2 ? 1 : b % 2;
#endif
    const cudaStream_t s = streams[k];
    unsigned char *buffer = buffers[b % 2];
    cudaMemcpyAsync(buffer, part, batch, cudaMemcpyHostToDevice, s); // BUG
    invert<<<4, 64, 0, s>>>(buffer, batch);
    cudaMemcpyAsync(part, buffer, batch, cudaMemcpyDeviceToHost, s); // BUG?
  }
  cudaDeviceSynchronize();
  std::printf("%d %s\n", host[batch * batches - 1], cudaGetErrorString(cudaGetLastError()));
  for (int k = 0; k < 2; ++k) {
    cudaFree(buffers[k]);
    cudaStreamDestroy(streams[k]);
  }
  cudaFreeHost(host);
}
