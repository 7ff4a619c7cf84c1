// Tiled matrix multiply through shared memory, C style, sizes that are no multiple of the tile.
// expect: pass
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

#define TILE 16

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t status_ = (call);                                                      \
    if (status_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      exit(EXIT_FAILURE);                                                              \
    }                                                                                  \
  } while (0)

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;

  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    as[ty][tx] = (row < m && t * TILE + tx < k) ? a[row * k + t * TILE + tx] : 0.0f;
    bs[ty][tx] = (col < n && t * TILE + ty < k) ? b[(t * TILE + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

static void reference(const float *a, const float *b, float *c, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int l = 0; l < k; l++) s += (double)a[i * k + l] * b[l * n + j];
      c[i * n + j] = (float)s;
    }
}

int main(void) {
  const int m = 70, n = 45, k = 53;
  float *a = (float *)malloc(m * k * sizeof(float));
  float *b = (float *)malloc(k * n * sizeof(float));
  float *c = (float *)malloc(m * n * sizeof(float));
  float *want = (float *)malloc(m * n * sizeof(float));
  for (int i = 0; i < m * k; i++) a[i] = (float)rand() / RAND_MAX;
  for (int i = 0; i < k * n; i++) b[i] = (float)rand() / RAND_MAX - 0.5f;

  float *da, *db, *dc;
  CHECK(cudaMalloc((void **)&da, m * k * sizeof(float)));
  CHECK(cudaMalloc((void **)&db, k * n * sizeof(float)));
  CHECK(cudaMalloc((void **)&dc, m * n * sizeof(float)));
  CHECK(cudaMemcpy(da, a, m * k * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b, k * n * sizeof(float), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul<<<grid, block>>>(da, db, dc, m, n, k);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpy(c, dc, m * n * sizeof(float), cudaMemcpyDeviceToHost));

  reference(a, b, want, m, n, k);
  int bad = ms < 0;
  for (int i = 0; i < m * n; i++)
    if (fabsf(c[i] - want[i]) > 1e-4f) bad++;
  printf("time %f ms, %d wrong\n", ms, bad);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  free(a);
  free(b);
  free(c);
  free(want);
  return bad != 0;
}
