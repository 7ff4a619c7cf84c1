// Separable convolution, rows then columns, halo in shared memory, kernel in constant memory.
// expect: pass
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4
#define COLS_BLOCKDIM_X 8
#define COLS_BLOCKDIM_Y 16

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float *h_Kernel) {
  cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
}

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  __shared__ float s_Data[ROWS_BLOCKDIM_Y][ROWS_BLOCKDIM_X + 2 * KERNEL_RADIUS];
  const int x0 = blockIdx.x * ROWS_BLOCKDIM_X - KERNEL_RADIUS;
  const int y = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
  for (int i = threadIdx.x; i < ROWS_BLOCKDIM_X + 2 * KERNEL_RADIUS; i += ROWS_BLOCKDIM_X)
    s_Data[threadIdx.y][i] = (x0 + i >= 0 && x0 + i < imageW) ? d_Src[y * pitch + x0 + i] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
    sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + KERNEL_RADIUS + j];
  d_Dst[y * pitch + blockIdx.x * ROWS_BLOCKDIM_X + threadIdx.x] = sum;
}

__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  __shared__ float s_Data[COLS_BLOCKDIM_X][COLS_BLOCKDIM_Y + 2 * KERNEL_RADIUS + 1];
  const int x = blockIdx.x * COLS_BLOCKDIM_X + threadIdx.x;
  const int y0 = blockIdx.y * COLS_BLOCKDIM_Y - KERNEL_RADIUS;
  for (int i = threadIdx.y; i < COLS_BLOCKDIM_Y + 2 * KERNEL_RADIUS; i += COLS_BLOCKDIM_Y)
    s_Data[threadIdx.x][i] = (y0 + i >= 0 && y0 + i < imageH) ? d_Src[(y0 + i) * pitch + x] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
    sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.x][threadIdx.y + KERNEL_RADIUS + j];
  d_Dst[(blockIdx.y * COLS_BLOCKDIM_Y + threadIdx.y) * pitch + x] = sum;
}

extern "C" void convolutionRowsGPU(float *dst, float *src, int w, int h) {
  assert(w % ROWS_BLOCKDIM_X == 0 && h % ROWS_BLOCKDIM_Y == 0);
  dim3 blocks(w / ROWS_BLOCKDIM_X, h / ROWS_BLOCKDIM_Y);
  dim3 threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y);
  convolutionRowsKernel<<<blocks, threads>>>(dst, src, w, h, w);
}

extern "C" void convolutionColumnsGPU(float *dst, float *src, int w, int h) {
  dim3 blocks(w / COLS_BLOCKDIM_X, h / COLS_BLOCKDIM_Y);
  dim3 threads(COLS_BLOCKDIM_X, COLS_BLOCKDIM_Y);
  convolutionColumnsKernel<<<blocks, threads>>>(dst, src, w, h, w);
}

int main(int argc, char **argv) {
  const int w = 96, h = 64;
  float kernel[KERNEL_LENGTH], *in, *mid, *want, *got, *d_in, *d_mid, *d_out;
  in = (float *)malloc(w * h * 4), mid = (float *)malloc(w * h * 4);
  want = (float *)malloc(w * h * 4), got = (float *)malloc(w * h * 4);
  srand(200);
  for (int i = 0; i < KERNEL_LENGTH; i++) kernel[i] = (float)(rand() % 16);
  for (int i = 0; i < w * h; i++) in[i] = (float)(rand() % 16);
  cudaMalloc((void **)&d_in, w * h * 4);
  cudaMalloc((void **)&d_mid, w * h * 4);
  cudaMalloc((void **)&d_out, w * h * 4);
  setConvolutionKernel(kernel);
  cudaMemcpy(d_in, in, w * h * 4, cudaMemcpyHostToDevice);
  convolutionRowsGPU(d_mid, d_in, w, h);
  convolutionColumnsGPU(d_out, d_mid, w, h);
  cudaMemcpy(got, d_out, w * h * 4, cudaMemcpyDeviceToHost);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
        if (x + k >= 0 && x + k < w) s += in[y * w + x + k] * kernel[KERNEL_RADIUS - k];
      mid[y * w + x] = s;
    }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
        if (y + k >= 0 && y + k < h) s += mid[(y + k) * w + x] * kernel[KERNEL_RADIUS - k];
      want[y * w + x] = s;
    }
  double sum = 0, delta = 0;
  for (int i = 0; i < w * h; i++) {
    delta += (got[i] - want[i]) * (got[i] - want[i]);
    sum += want[i] * want[i];
  }
  double L2norm = sqrt(delta / sum);
  printf(" ...Relative L2 norm: %E\n\n", L2norm);
  printf(L2norm > 1e-6 ? "Test failed!\n" : "Test PASSED\n");
  return L2norm > 1e-6;
}
