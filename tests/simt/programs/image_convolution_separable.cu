// Separable convolution, rows then columns, halo in shared memory, kernel in constant memory.
// expect: pass
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define R 4
#define TAPS (2 * R + 1)
#define ROW_BX 16
#define ROW_BY 4
#define COL_BX 8
#define COL_BY 16

__constant__ float taps[TAPS];

extern "C" void set_taps(float *values) { cudaMemcpyToSymbol(taps, values, TAPS * sizeof(float)); }

__global__ void along_rows(float *dst, float *src, int width, int height, int pitch) {
  __shared__ float halo[ROW_BY][ROW_BX + 2 * R];
  const int x0 = blockIdx.x * ROW_BX - R;
  const int y = blockIdx.y * ROW_BY + threadIdx.y;
  for (int i = threadIdx.x; i < ROW_BX + 2 * R; i += ROW_BX)
    halo[threadIdx.y][i] = (x0 + i >= 0 && x0 + i < width) ? src[y * pitch + x0 + i] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -R; j <= R; j++) sum += taps[R - j] * halo[threadIdx.y][threadIdx.x + R + j];
  dst[y * pitch + blockIdx.x * ROW_BX + threadIdx.x] = sum;
}

__global__ void along_columns(float *dst, float *src, int width, int height, int pitch) {
  __shared__ float halo[COL_BX][COL_BY + 2 * R + 1];
  const int x = blockIdx.x * COL_BX + threadIdx.x;
  const int y0 = blockIdx.y * COL_BY - R;
  for (int i = threadIdx.y; i < COL_BY + 2 * R; i += COL_BY)
    halo[threadIdx.x][i] = (y0 + i >= 0 && y0 + i < height) ? src[(y0 + i) * pitch + x] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -R; j <= R; j++) sum += taps[R - j] * halo[threadIdx.x][threadIdx.y + R + j];
  dst[(blockIdx.y * COL_BY + threadIdx.y) * pitch + x] = sum;
}

extern "C" void run_rows(float *dst, float *src, int w, int h) {
  assert(w % ROW_BX == 0 && h % ROW_BY == 0);
  dim3 blocks(w / ROW_BX, h / ROW_BY);
  dim3 threads(ROW_BX, ROW_BY);
  along_rows<<<blocks, threads>>>(dst, src, w, h, w);
}

extern "C" void run_columns(float *dst, float *src, int w, int h) {
  dim3 blocks(w / COL_BX, h / COL_BY);
  dim3 threads(COL_BX, COL_BY);
  along_columns<<<blocks, threads>>>(dst, src, w, h, w);
}

int main(int argc, char **argv) {
  const int w = 96, h = 64;
  float kernel[TAPS], *in, *mid, *want, *got, *d_in, *d_mid, *d_out;
  in = (float *)malloc(w * h * 4), mid = (float *)malloc(w * h * 4);
  want = (float *)malloc(w * h * 4), got = (float *)malloc(w * h * 4);
  srand(31);
  for (int i = 0; i < TAPS; i++) kernel[i] = (float)(rand() % 16);
  for (int i = 0; i < w * h; i++) in[i] = (float)(rand() % 16);
  cudaMalloc((void **)&d_in, w * h * 4);
  cudaMalloc((void **)&d_mid, w * h * 4);
  cudaMalloc((void **)&d_out, w * h * 4);
  set_taps(kernel);
  cudaMemcpy(d_in, in, w * h * 4, cudaMemcpyHostToDevice);
  run_rows(d_mid, d_in, w, h);
  run_columns(d_out, d_mid, w, h);
  cudaMemcpy(got, d_out, w * h * 4, cudaMemcpyDeviceToHost);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -R; k <= R; k++)
        if (x + k >= 0 && x + k < w) s += in[y * w + x + k] * kernel[R - k];
      mid[y * w + x] = s;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -R; k <= R; k++)
        if (y + k >= 0 && y + k < h) s += mid[(y + k) * w + x] * kernel[R - k];
      want[y * w + x] = s;
    }
  double sum = 0, delta = 0;
  for (int i = 0; i < w * h; i++) {
    delta += (got[i] - want[i]) * (got[i] - want[i]);
    sum += want[i] * want[i];
  }
  double relative = sqrt(delta / sum);
  printf("relative deviation %g\n", relative);
  printf(relative > 1e-6 ? "Test failed!\n" : "Test PASSED\n");
  cudaFree(d_in); cudaFree(d_mid); cudaFree(d_out);
  return relative > 1e-6;
}
