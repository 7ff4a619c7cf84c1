// find: race shared read/write barrier
// Tree reduction: the barrier stands at the end of each step, but none before the first.
// Fixed: Tree reduction with a barrier at the beginning of each step and one before the result.
#include <stdio.h>
#include <stdlib.h>

__global__ void reduce(float *g_in, float *g_out) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  sdata[tid] = g_in[blockIdx.x * blockDim.x + tid]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s]; // BUG
    }
    __syncthreads();
  }
  if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

#define CHECK(call) check((call), __FILE__, __LINE__)
static void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  exit(1);
}

int main(void) {
  size_t n = 256, bytes = n * sizeof(float), i;
  float *h = (float *)malloc(bytes), *in, *out;
  for (i = 0; i < n; i++) h[i] = (float)(i * 7 % 29);
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, bytes));
  reduce<<<4, 64, 64 * sizeof(float)>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", (double)h[0], (double)h[n - 1]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
