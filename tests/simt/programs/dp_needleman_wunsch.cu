// Needleman-Wunsch in 16x16 tiles along anti-diagonals, two kernels as in the benchmark suites.
// expect: pass
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16

__device__ __host__ int best_of(int a, int b, int c) {
  int m = a;
  if (m < b) m = b;
  return m < c ? c : m;
}

__device__ void tile(const int *similarity, int *score, int cols, int penalty, int b_x, int b_y) {
  __shared__ int cell[TILE + 1][TILE + 1];
  __shared__ int ref[TILE][TILE];
  int tx = threadIdx.x;
  int corner = cols * TILE * b_y + TILE * b_x;
  for (int ty = 0; ty < TILE; ty++) ref[ty][tx] = similarity[corner + cols * (ty + 1) + tx + 1];
  if (tx == 0) cell[0][0] = score[corner];
  cell[tx + 1][0] = score[corner + cols * (tx + 1)];
  cell[0][tx + 1] = score[corner + tx + 1];
  __syncthreads();
  for (int m = 0; m < 2 * TILE - 1; m++) {
    int x = tx + 1, y = m - tx + 1;
    if (m >= tx && y <= TILE)
      cell[y][x] = best_of(cell[y - 1][x - 1] + ref[y - 1][x - 1], cell[y][x - 1] - penalty,
                           cell[y - 1][x] - penalty);
    __syncthreads();
  }
  for (int ty = 0; ty < TILE; ty++) score[corner + cols * (ty + 1) + tx + 1] = cell[ty + 1][tx + 1];
}

__global__ void upper_left(const int *similarity, int *score, int cols, int penalty, int i) {
  tile(similarity, score, cols, penalty, blockIdx.x, i - 1 - blockIdx.x);
}

__global__ void lower_right(const int *similarity, int *score, int cols, int penalty, int i,
                            int width) {
  int bx = blockIdx.x;
  tile(similarity, score, cols, penalty, bx + width - i, width - bx - 1);
}

int main(int argc, char **argv) {
  const int n = 64, cols = n + 1, penalty = 10, width = n / TILE;
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
      want[i * cols + j] =
          best_of(want[(i - 1) * cols + j - 1] + ref[i * cols + j],
                  want[i * cols + j - 1] - penalty, want[(i - 1) * cols + j] - penalty);
  int *d_ref, *d_m;
  cudaMalloc((void **)&d_ref, size);
  cudaMalloc((void **)&d_m, size);
  cudaMemcpy(d_ref, ref, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_m, m, size, cudaMemcpyHostToDevice);
  dim3 grid;
  dim3 block(TILE, 1);
  for (int i = 1; i <= width; i++) {
    grid.x = i;
    grid.y = 1;
    upper_left<<<grid, block>>>(d_ref, d_m, cols, penalty, i);
  }
  for (int i = width - 1; i >= 1; i--) {
    grid.x = i;
    grid.y = 1;
    lower_right<<<grid, block>>>(d_ref, d_m, cols, penalty, i, width);
  }
  cudaMemcpy(m, d_m, size, cudaMemcpyDeviceToHost);
  int ok = memcmp(m, want, size) == 0;
  printf("score %d (%d)\n%s\n", m[cols * cols - 1], want[cols * cols - 1],
         ok ? "PASSED" : "FAILED");
  cudaFree(d_ref); cudaFree(d_m);
  return !ok;
}
