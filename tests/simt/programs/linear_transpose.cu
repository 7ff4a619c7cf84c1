// Matrix transpose in four ways, chosen through an array of names and a switch.
// expect: pass
#include <stdio.h>
#include <stdlib.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copyKernel(float *odata, const float *idata, int width, int height) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

// PAD = 1 keeps the columns of the tile in different banks.
template <int PAD>
__global__ void transposeShared(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 200, height = 97;
  const size_t bytes = width * height * sizeof(float);
  float *h_in = (float *)malloc(bytes), *h_out = (float *)malloc(bytes);
  for (int i = 0; i < width * height; ++i) h_in[i] = (float)i;
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);

  dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, 1);
  dim3 block(TILE_DIM, BLOCK_ROWS, 1);
  const char *names[] = {"copy", "naive", "shared", "padded"};
  int failed = 0;
  for (int k = 0; k < 4; ++k) {
    cudaMemset(d_out, 0, bytes);
    switch (k) {
    case 0: copyKernel<<<grid, block>>>(d_out, d_in, width, height); break;
    case 1: transposeNaive<<<grid, block>>>(d_out, d_in, width, height); break;
    case 2: transposeShared<0><<<grid, block>>>(d_out, d_in, width, height); break;
    default: transposeShared<1><<<grid, block>>>(d_out, d_in, width, height);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        float got = k == 0 ? h_out[y * width + x] : h_out[x * height + y];
        wrong += got != h_in[y * width + x];
      }
    printf("%-8s %s\n", names[k], wrong ? "wrong" : "ok");
    failed |= wrong;
  }
  free(h_in);
  free(h_out);
  cudaFree(d_in);
  cudaFree(d_out);
  printf(failed ? "FAILED\n" : "PASSED\n");
  return failed ? 1 : 0;
}
