// find: race shared atomic/plain barrier|syncwarp
// A histogram of bytes for each warp in shared memory, merged before all warps have counted.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define HISTOGRAM64_BINS 64
#define WARPS 4
#define WARP_SIZE 32
typedef unsigned int uint;
typedef unsigned char uchar;

__device__ inline void add_byte(uint *warp_bins, uint data) {
  atomicAdd(warp_bins + data, 1); // BUG
}

__device__ inline void add_word(uint *warp_bins, uint data) {
  add_byte(warp_bins, (data >> 2) & 0x3FU);
  add_byte(warp_bins, (data >> 10) & 0x3FU);
  add_byte(warp_bins, (data >> 18) & 0x3FU);
  add_byte(warp_bins, (data >> 26) & 0x3FU);
}

__global__ void partial_histograms(uint *partial, const uint *data, uint words) {
  __shared__ uint bins[WARPS * HISTOGRAM64_BINS];
  uint *mine = bins + threadIdx.x / WARP_SIZE * HISTOGRAM64_BINS;
  for (uint i = threadIdx.x; i < WARPS * HISTOGRAM64_BINS; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < words;
       pos += blockDim.x * gridDim.x) {
    add_word(mine, data[pos]);
  }
#ifdef FIXED
  __syncthreads();
#endif
  for (uint bin = threadIdx.x; bin < HISTOGRAM64_BINS; bin += blockDim.x) {
    uint sum = 0;
    for (uint w = 0; w < WARPS; w++) {
      sum += bins[w * HISTOGRAM64_BINS + bin]; // BUG
    }
    partial[blockIdx.x * HISTOGRAM64_BINS + bin] = sum;
  }
}

__global__ void merge_histograms(uint *histogram, const uint *partial, uint count) {
  __shared__ uint data[64];
  uint sum = 0;
  for (uint i = threadIdx.x; i < count; i += blockDim.x)
    sum += partial[blockIdx.x + i * HISTOGRAM64_BINS];
  data[threadIdx.x] = sum;
  for (uint stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) histogram[blockIdx.x] = data[0];
}

int main(int argc, char **argv) {
  uint bytes = argc > 1 ? (uint)atoi(argv[1]) & ~3u : 8192, blocks = 4;
  uchar *host = (uchar *)malloc(bytes);
  uint gpu[HISTOGRAM64_BINS], cpu[HISTOGRAM64_BINS];
  memset(cpu, 0, sizeof cpu);
  srand(2009);
  for (uint i = 0; i < bytes; i++) {
    host[i] = (uchar)(rand() % 256);
    cpu[host[i] >> 2]++;
  }
  uint *data, *partial, *histogram;
  cudaMalloc((void **)&data, bytes);
  cudaMalloc((void **)&partial, blocks * sizeof cpu);
  cudaMalloc((void **)&histogram, sizeof cpu);
  cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice);
  partial_histograms<<<blocks, WARPS * WARP_SIZE>>>(partial, data, bytes / 4);
  merge_histograms<<<HISTOGRAM64_BINS, 64>>>(histogram, partial, blocks);
  cudaMemcpy(gpu, histogram, sizeof gpu, cudaMemcpyDeviceToHost);
  uint wrong = 0;
  for (int b = 0; b < HISTOGRAM64_BINS; b++) wrong += gpu[b] != cpu[b];
  printf("%u bins wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
  cudaFree(partial);
  cudaFree(histogram);
  free(host);
  return 0;
}
