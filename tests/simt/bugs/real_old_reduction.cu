// find: race shared read/write syncwarp
// A reduction of the old kind: the last warp goes on without barriers, with volatile, as if its
// lanes moved together.
#include <cstdio>
#include <cstdlib>

template <unsigned BLOCK> __device__ void finish_in_warp(volatile int *s, unsigned t) {
#ifdef FIXED
  int sum = s[t];
  if (BLOCK >= 64) sum += s[t + 32];
  for (int offset = 16; offset > 0; offset /= 2) {
    __syncwarp();
    s[t] = sum;
    __syncwarp();
    if (t + offset < 32) sum += s[t + offset];
  }
  __syncwarp();
  s[t] = sum;
#else
  if (BLOCK >= 64) s[t] += s[t + 32]; // BUG
  if (BLOCK >= 32) s[t] += s[t + 16]; // BUG
  if (BLOCK >= 16) s[t] += s[t + 8];  // BUG
  if (BLOCK >= 8) s[t] += s[t + 4];   // BUG
  if (BLOCK >= 4) s[t] += s[t + 2];   // BUG
  if (BLOCK >= 2) s[t] += s[t + 1];   // BUG
#endif
}

template <unsigned BLOCK> __global__ void reduce(const int *in, int *out, unsigned n) {
  extern __shared__ int s_data[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * (BLOCK * 2) + t;
  unsigned grid = BLOCK * 2 * gridDim.x;
  int sum = 0;
  while (i < n) {
    sum += in[i];
    if (i + BLOCK < n) sum += in[i + BLOCK];
    i += grid;
  }
  s_data[t] = sum;
  __syncthreads();
  if (BLOCK >= 512) {
    if (t < 256) s_data[t] += s_data[t + 256];
    __syncthreads();
  }
  if (BLOCK >= 256) {
    if (t < 128) s_data[t] += s_data[t + 128];
    __syncthreads();
  }
  if (BLOCK >= 128) {
    if (t < 64) s_data[t] += s_data[t + 64];
    __syncthreads();
  }
  if (t < 32) finish_in_warp<BLOCK>(s_data, t);
  if (t == 0) out[blockIdx.x] = s_data[0];
}

static void launch(int threads, int blocks, const int *in, int *out, unsigned n) {
  size_t bytes = threads * sizeof(int);
  switch (threads) {
  case 256: reduce<256><<<blocks, threads, bytes>>>(in, out, n); break;
  case 128: reduce<128><<<blocks, threads, bytes>>>(in, out, n); break;
  case 64: reduce<64><<<blocks, threads, bytes>>>(in, out, n); break;
  default: fprintf(stderr, "no such block: %d\n", threads); exit(1);
  }
}

int main() {
  const unsigned n = 10000;
  const int blocks = 4;
  int *h = (int *)malloc(n * sizeof(int)), expected = 0, *in, *out, part[blocks];
  for (unsigned i = 0; i < n; i++) {
    h[i] = (int)(i * 2654435761u >> 24);
    expected += h[i];
  }
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, blocks * sizeof(int));
  cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int threads = 256; threads >= 64; threads /= 2) {
    launch(threads, blocks, in, out, n);
    cudaMemcpy(part, out, sizeof part, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int b = 0; b < blocks; b++) sum += part[b];
    printf("%d threads: %d, expected %d\n", threads, sum, expected);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
  free(h);
  return 0;
}
