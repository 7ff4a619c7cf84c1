// find: race shared read/write barrier|syncwarp
// A shared matrix behind a macro: Gauss elimination reads the pivot row while it is scaled.
// Fixed: Gauss elimination in shared memory with a barrier after each of its steps.
#include <stdio.h>
#include <stdlib.h>

#define N 8
#define A(r, c) a[(r) * (N + 1) + (c)]

__global__ void eliminate(const float *in, float *out) {
  __shared__ float a[N * (N + 1)];
  int c = threadIdx.x, r = threadIdx.y, k;
  A(r, c) = in[r * N + c] + (r == c ? 50.0f : 0.0f);
  __syncthreads();
  for (k = 0; k < N; k++) {
    float f = A(r, k) / A(k, k); // BUG
    float p = A(k, c);
#ifdef FIXED
    __syncthreads();
#endif
    if (r > k) A(r, c) -= f * p; // BUG
    __syncthreads();
  }
  out[r * N + c] = A(r, c);
}

#define CHECK(call) check((call), __FILE__, __LINE__)
static void check(cudaError_t error, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(error));
  exit(1);
}

int main(void) {
  size_t n = 64, bytes = n * sizeof(float), i;
  float *h = (float *)malloc(bytes), *in, *out;
  for (i = 0; i < n; i++) h[i] = (float)(i * 7 % 29);
  CHECK(cudaMalloc((void **)&in, bytes));
  CHECK(cudaMalloc((void **)&out, bytes));
  CHECK(cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, bytes));
  eliminate<<<1, dim3(N, N)>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", (double)h[0], (double)h[n - 1]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
