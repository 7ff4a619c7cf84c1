// find: race shared read/write syncwarp
// The unrolled last warp of the old reduction sample: volatile does not keep lanes together.
// Fixed: The unrolled last warp with a __syncwarp before and after each store.
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
__device__ int step(volatile int *sdata, unsigned int tid, int v, int d) {
  v += sdata[tid + d];
  __syncwarp();
  sdata[tid] = v;
  __syncwarp();
  return v;
}

__device__ void warpReduce(volatile int *sdata, unsigned int tid) {
  int v = sdata[tid];
  v = step(sdata, tid, v, 32);
  v = step(sdata, tid, v, 16);
  v = step(sdata, tid, v, 8);
  v = step(sdata, tid, v, 4);
  v = step(sdata, tid, v, 2);
  v = step(sdata, tid, v, 1);
#else
__device__ void warpReduce(volatile int *sdata, unsigned int tid) {
  sdata[tid] += sdata[tid + 32]; // BUG?
  sdata[tid] += sdata[tid + 16]; // BUG
  sdata[tid] += sdata[tid + 8];  // BUG
  sdata[tid] += sdata[tid + 4];  // BUG
  sdata[tid] += sdata[tid + 2];  // BUG
  sdata[tid] += sdata[tid + 1];  // BUG
#endif
}

__global__ void reduce5(int *g_idata, int *g_odata) {
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) warpReduce(sdata, tid);
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

#define CHECK(call) check((call), __FILE__, __LINE__)
static void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  exit(1);
}

int main(void) {
  size_t n = 512, bytes = n * sizeof(int), i;
  int *h = (int *)malloc(bytes), *in, *out;
  for (i = 0; i < n; i++) h[i] = (int)(i * 7 % 29);
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, bytes));
  reduce5<<<2, 128, 128 * sizeof(int)>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", (double)h[0], (double)h[n - 1]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
