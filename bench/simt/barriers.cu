// Kernels with barriers beside the same blocked loops in C: a transpose and a product through tiles in shared
// memory; and exchanges within a warp.
//
// Result   one line of JSON each, median milliseconds; results are verified first
#include "bench.h"

enum { SIDE = 1024, TILE = 32, WIDTH = 512, SMALL = 16, WARPS = 128, EXCHANGES = 1000 };

__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

static void transpose_loop(float *out, const float *in, int n) {
  float tile[TILE][TILE + 1];
  for (int y = 0; y < n; y += TILE)
    for (int x = 0; x < n; x += TILE) {
      for (int i = 0; i < TILE; ++i)
        for (int j = 0; j < TILE; ++j) tile[i][j] = in[(y + i) * n + x + j];
      for (int i = 0; i < TILE; ++i)
        for (int j = 0; j < TILE; ++j) out[(x + i) * n + y + j] = tile[j][i];
    }
}

__global__ void product(float *c, const float *a, const float *b, int n) {
  __shared__ float as[SMALL][SMALL], bs[SMALL][SMALL];
  const int row = blockIdx.y * SMALL + threadIdx.y, column = blockIdx.x * SMALL + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += SMALL) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < SMALL; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

static void product_loop(float *c, const float *a, const float *b, int n) {
  for (int y = 0; y < n; y += SMALL)
    for (int x = 0; x < n; x += SMALL) {
      float sum[SMALL][SMALL] = {{0}};
      for (int t = 0; t < n; t += SMALL) {
        float as[SMALL][SMALL], bs[SMALL][SMALL];
        for (int i = 0; i < SMALL; ++i)
          for (int j = 0; j < SMALL; ++j) {
            as[i][j] = a[(y + i) * n + t + j];
            bs[i][j] = b[(t + i) * n + x + j];
          }
        for (int i = 0; i < SMALL; ++i)
          for (int j = 0; j < SMALL; ++j)
            for (int k = 0; k < SMALL; ++k) sum[i][j] += as[i][k] * bs[k][j];
      }
      for (int i = 0; i < SMALL; ++i)
        for (int j = 0; j < SMALL; ++j) c[(y + i) * n + x + j] = sum[i][j];
    }
}

__global__ void exchange(float *out) {
  float v = (float)threadIdx.x;
  for (int k = 0; k < EXCHANGES; ++k) v = 0.5f * (v + __shfl_xor_sync(~0u, v, 1 << k % 5));
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

static float *a, *b, *mine, *theirs;

static void run_transpose(void) {
  transpose<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, 8)>>>(mine, a, SIDE);
}
static void run_transpose_loop(void) { transpose_loop(theirs, a, SIDE); }
static void run_product(void) {
  product<<<dim3(WIDTH / SMALL, WIDTH / SMALL), dim3(SMALL, SMALL)>>>(mine, a, b, WIDTH);
}
static void run_product_loop(void) { product_loop(theirs, a, b, WIDTH); }
static void run_exchange(void) { exchange<<<WARPS / 8, 256>>>(mine); }

int main(void) {
  const size_t bytes = (size_t)SIDE * SIDE * sizeof(float);
  CHECK(cudaMallocManaged(&a, bytes));
  CHECK(cudaMallocManaged(&b, bytes));
  CHECK(cudaMallocManaged(&mine, bytes));
  CHECK(cudaMallocManaged(&theirs, bytes));
  for (int i = 0; i < SIDE * SIDE; ++i) {
    a[i] = (float)(bench_random() % 1000) / 7;
    b[i] = (float)(bench_random() % 1000) / 11;
  }
  bench_pair("transpose through shared memory, 1024 x 1024", run_transpose, run_transpose_loop,
             mine, theirs, SIDE * SIDE);
  bench_pair("product by tiles of 16 x 16, 512 x 512", run_product, run_product_loop, mine, theirs,
             WIDTH * WIDTH);
  run_exchange();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < WARPS * 32; ++i)
    if (!(mine[i] > 15 && mine[i] < 16 + 256)) exit(1);
  bench_alone("shuffles of 128 warps, 1,000 each", run_exchange);
  return 0;
}
