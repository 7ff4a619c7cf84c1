// Needleman-Wunsch in 16x16 tiles along anti-diagonals, two kernels as in the benchmark suites.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 16

__device__ __host__ int maximum(int a, int b, int c) {
  int k;
  if (a <= b) k = b;
  else k = a;
  if (k <= c) return (c);
  else return (k);
}

__device__ void tile(const int *reference, int *matrix, int cols, int penalty, int b_x, int b_y) {
  __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
  __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];
  int tx = threadIdx.x;
  int index_nw = cols * BLOCK_SIZE * b_y + BLOCK_SIZE * b_x;
  for (int ty = 0; ty < BLOCK_SIZE; ty++)
    ref[ty][tx] = reference[index_nw + cols * (ty + 1) + tx + 1];
  if (tx == 0) temp[0][0] = matrix[index_nw];
  temp[tx + 1][0] = matrix[index_nw + cols * (tx + 1)];
  temp[0][tx + 1] = matrix[index_nw + tx + 1];
  __syncthreads();
  for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
    int x = tx + 1, y = m - tx + 1;
    if (m >= tx && y <= BLOCK_SIZE)
      temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty,
                           temp[y - 1][x] - penalty);
    __syncthreads();
  }
  for (int ty = 0; ty < BLOCK_SIZE; ty++)
    matrix[index_nw + cols * (ty + 1) + tx + 1] = temp[ty + 1][tx + 1];
}

__global__ void needle_cuda_shared_1(const int *reference, int *matrix, int cols, int penalty, int i) {
  tile(reference, matrix, cols, penalty, blockIdx.x, i - 1 - blockIdx.x);
}

__global__ void needle_cuda_shared_2(const int *reference, int *matrix, int cols, int penalty, int i, int width) {
  int bx = blockIdx.x;
  tile(reference, matrix, cols, penalty, bx + width - i, width - bx - 1);
}

int main(int argc, char **argv) {
  const int n = 64, cols = n + 1, penalty = 10, width = n / BLOCK_SIZE;
  size_t size = cols * cols * sizeof(int);
  int *ref = (int *)calloc(cols * cols, sizeof(int)), *m = (int *)calloc(cols * cols, sizeof(int));
  int *want = (int *)calloc(cols * cols, sizeof(int));
  srand(7);
  for (int i = 1; i < cols; i++)
    for (int j = 1; j < cols; j++) ref[i * cols + j] = rand() % 10 - 4;
  for (int i = 1; i < cols; i++) m[i * cols] = m[i] = -i * penalty;
  memcpy(want, m, size);
  for (int i = 1; i < cols; i++)
    for (int j = 1; j < cols; j++)
      want[i * cols + j] = maximum(want[(i - 1) * cols + j - 1] + ref[i * cols + j],
                                   want[i * cols + j - 1] - penalty, want[(i - 1) * cols + j] - penalty);
  int *d_ref, *d_m;
  cudaMalloc((void **)&d_ref, size);
  cudaMalloc((void **)&d_m, size);
  cudaMemcpy(d_ref, ref, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_m, m, size, cudaMemcpyHostToDevice);
  dim3 dimGrid;
  dim3 dimBlock(BLOCK_SIZE, 1);
  for (int i = 1; i <= width; i++) {
    dimGrid.x = i;
    dimGrid.y = 1;
    needle_cuda_shared_1<<<dimGrid, dimBlock>>>(d_ref, d_m, cols, penalty, i);
  }
  for (int i = width - 1; i >= 1; i--) {
    dimGrid.x = i;
    dimGrid.y = 1;
    needle_cuda_shared_2<<<dimGrid, dimBlock>>>(d_ref, d_m, cols, penalty, i, width);
  }
  cudaMemcpy(m, d_m, size, cudaMemcpyDeviceToHost);
  int ok = memcmp(m, want, size) == 0;
  printf("score %d (%d)\n%s\n", m[cols * cols - 1], want[cols * cols - 1], ok ? "PASSED" : "FAILED");
  return !ok;
}
