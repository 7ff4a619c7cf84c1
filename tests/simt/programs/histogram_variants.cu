// Histograms: global atomics, shared atomics, words a thread, private per warp, and by sorting; 1 MB of bytes.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define BIN_COUNT 256
#define WARPS 4

typedef unsigned int uint;
typedef unsigned char uchar;

__global__ void histo_global(const uchar *buffer, long size, uint *histo) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (i < size) {
    atomicAdd(&histo[buffer[i]], 1);
    i += stride;
  }
}

__global__ void histo_shared(const uchar *buffer, long size, uint *histo) {
  __shared__ uint temp[256];
  temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < size) {
    atomicAdd(&temp[buffer[i]], 1);
    i += offset;
  }
  __syncthreads();
  atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

template <int N> __global__ void histo_words(const uint *data, uint *histo) {
  __shared__ uint bins[BIN_COUNT];
  for (int b = threadIdx.x; b < BIN_COUNT; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    uint v = data[(blockIdx.x * N + k) * blockDim.x + threadIdx.x];
    atomicAdd(&bins[v & 0xff], 1u);
    atomicAdd(&bins[(v >> 8) & 0xff], 1u);
    atomicAdd(&bins[(v >> 16) & 0xff], 1u);
    atomicAdd(&bins[v >> 24], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BIN_COUNT; b += blockDim.x)
    if (bins[b]) atomicAdd(histo + b, bins[b]);
}

__global__ void histo_per_warp(const uchar *data, long n, uint *partial) {
  __shared__ uint s[WARPS * BIN_COUNT];
  uint *mine = s + (threadIdx.x >> 5) * BIN_COUNT;
  for (int i = threadIdx.x; i < WARPS * BIN_COUNT; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(mine + data[i], 1U);
  __syncthreads();
  for (int b = threadIdx.x; b < BIN_COUNT; b += blockDim.x) {
    uint sum = 0;
    for (int w = 0; w < WARPS; w++) sum += s[b + w * BIN_COUNT];
    partial[blockIdx.x * BIN_COUNT + b] = sum;
  }
}

__global__ void merge(const uint *partial, int count, uint *histo) {
  uint sum = 0;
  for (int i = 0; i < count; i++) sum += partial[i * BIN_COUNT + threadIdx.x];
  histo[threadIdx.x] = sum;
}

int main(void) {
  const long SIZE = 1 << 20;
  std::vector<uchar> buffer(SIZE);
  for (auto &b : buffer) b = rand();
  uint want[256] = {0}, got[256];
  for (uchar b : buffer) want[b]++;
  uchar *d;
  uint *histo, *partial;
  cudaMalloc(&d, SIZE), cudaMalloc(&histo, sizeof got), cudaMalloc(&partial, 20 * sizeof got);
  cudaMemcpy(d, buffer.data(), SIZE, cudaMemcpyHostToDevice);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int bad = 0;
  for (int version = 0; version < 5; version++) {
    cudaMemset(histo, 0, sizeof got);
    if (version == 0) histo_global<<<2 * prop.multiProcessorCount, 256>>>(d, SIZE, histo);
    if (version == 1) histo_shared<<<2 * prop.multiProcessorCount, 256>>>(d, SIZE, histo);
    if (version == 2) histo_words<8><<<SIZE / 4 / 8 / 256, 256>>>((uint *)d, histo);
    if (version == 3) histo_words<32><<<SIZE / 4 / 32 / 128, 128>>>((uint *)d, histo);
    if (version == 4) {
      histo_per_warp<<<20, WARPS * 32>>>(d, SIZE, partial);
      merge<<<1, BIN_COUNT>>>(partial, 20, histo);
    }
    cudaMemcpy(got, histo, sizeof got, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (uint v : got) sum += v;
    printf("version %d: Histogram Sum: %ld\n", version, sum);
    bad += memcmp(got, want, sizeof got) != 0 || sum != SIZE;
  }
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(d); cudaFree(histo); cudaFree(partial);
  return bad;
}
