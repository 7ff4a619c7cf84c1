// find: race global
// Particles are counted into cells without atomics, which gives two of them the same place in a
// cell's list.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MAX_IN_CELL 32

struct Box {
  int cells; // along each axis
  float side;
};

__host__ __device__ int cell_of(Box box, float x, float y) {
  int i = (int)(x / box.side), j = (int)(y / box.side);
  if (i >= box.cells) i = box.cells - 1;
  if (j >= box.cells) j = box.cells - 1;
  return j * box.cells + i;
}

__global__ void fill_cells(Box box, const float2 *p, int n, int *count, int *list) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int cell = cell_of(box, p[i].x, p[i].y);
#ifdef FIXED
  int at = atomicAdd(&count[cell], 1);
#else
  int at = count[cell]++; // BUG
#endif
  if (at < MAX_IN_CELL) {
    list[cell * MAX_IN_CELL + at] = i; // BUG?
  }
}

__global__ void count_neighbours(Box box, const float2 *p, int n, const int *count, const int *list,
                                 float radius, int *neighbours) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int cell = cell_of(box, p[i].x, p[i].y), cx = cell % box.cells, cy = cell / box.cells, sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int x = cx + dx, y = cy + dy;
      if (x < 0 || x >= box.cells || y < 0 || y >= box.cells) continue;
      int other = y * box.cells + x;
      for (int k = 0; k < min(count[other], MAX_IN_CELL); k++) {
        int j = list[other * MAX_IN_CELL + k];
        float ax = p[i].x - p[j].x, ay = p[i].y - p[j].y;
        if (j != i && ax * ax + ay * ay < radius * radius) sum++;
      }
    }
  neighbours[i] = sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 400;
  Box box = {8, 0.125f};
  std::vector<float2> h(n);
  for (int i = 0; i < n; i++) h[i] = make_float2(i * 37 % 101 / 101.0f, i * 53 % 103 / 103.0f);
  float2 *p;
  int *count, *list, *neighbours;
  cudaMalloc(&p, n * sizeof(float2));
  cudaMalloc(&count, box.cells * box.cells * sizeof(int));
  cudaMalloc(&list, box.cells * box.cells * MAX_IN_CELL * sizeof(int));
  cudaMalloc(&neighbours, n * sizeof(int));
  cudaMemcpy(p, h.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, box.cells * box.cells * sizeof(int));
  cudaMemset(list, 0, box.cells * box.cells * MAX_IN_CELL * sizeof(int));
  fill_cells<<<(n + 127) / 128, 128>>>(box, p, n, count, list);
  count_neighbours<<<(n + 127) / 128, 128>>>(box, p, n, count, list, 0.1f, neighbours);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), neighbours, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0, expected = 0;
  for (int i = 0; i < n; i++) sum += result[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float ax = h[i].x - h[j].x, ay = h[i].y - h[j].y;
      expected += i != j && ax * ax + ay * ay < 0.01f;
    }
  printf("%lld neighbours, expected about %lld, %s\n", sum, expected,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(p);
  cudaFree(count);
  cudaFree(list);
  cudaFree(neighbours);
  return 0;
}
