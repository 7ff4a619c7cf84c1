// find: race shared read/write barrier
// The row pass of a separable convolution: the right halo is loaded behind the barrier, not
// before it.
// Fixed: The row pass of a separable convolution: body and both halos, then the barrier.
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 16
#define HEIGHT 4
#define RADIUS 4

__constant__ float kernel_[2 * RADIUS + 1];

__global__ void rows(const float *in, float *out, int pitch) {
  __shared__ float s[HEIGHT][WIDTH + 2 * RADIUS];
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;
  s[ty][tx + RADIUS] = in[y * pitch + x];
  if (ty == 0 && tx < RADIUS)
    for (int r = 0; r < HEIGHT; r++) {
      s[r][tx] = x >= RADIUS ? in[(y + r) * pitch + x - RADIUS] : 0;
#ifdef FIXED
      s[r][tx + RADIUS + WIDTH] = x + WIDTH < pitch ? in[(y + r) * pitch + x + WIDTH] : 0;
#endif
    }
  __syncthreads();
#ifndef FIXED
  if (ty == 0 && tx < RADIUS)
    for (int r = 0; r < HEIGHT; r++) s[r][tx + RADIUS + WIDTH] = 1; // BUG
#endif
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++)
    sum += kernel_[RADIUS + k] * s[ty][tx + RADIUS + k]; // BUG
  out[y * pitch + x] = sum;
}

static void run(const float *in, float *out) {
  float weights[2 * RADIUS + 1];
  int i;
  for (i = 0; i <= 2 * RADIUS; i++) weights[i] = 1.0f / (1 + i);
  cudaMemcpyToSymbol(kernel_, weights, sizeof weights);
  rows<<<dim3(2, 2), dim3(WIDTH, HEIGHT)>>>(in, out, 32);
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
  run(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", (double)h[0], (double)h[n - 1]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h);
  return 0;
}
