// find: race global read/write
// Conway's life with one board: the next generation overwrites cells that neighbours in other
// blocks still count.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

typedef unsigned char cell;

__device__ int alive(const cell *board, int x, int y, int w, int h) {
  return board[(y + h) % h * w + (x + w) % w]; // BUG
}

__global__ void generation(const cell *board, cell *next, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) n += alive(board, x + dx, y + dy, w, h);
  cell now = board[y * w + x];
  next[y * w + x] = n == 3 || (n == 2 && now); // BUG
}

static void show(const cell *board, int w, int h) {
  for (int y = 0; y < h; y += 8) {
    for (int x = 0; x < w; x += 2) putchar(board[y * w + x] ? '#' : '.');
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  const int w = 64, h = 32, generations = argc > 1 ? atoi(argv[1]) : 4;
  cell host[w * h], *board, *next;
  for (int i = 0; i < w * h; i++) host[i] = (i * 7 + i / w * 3) % 5 < 2;
  if (cudaMalloc((void **)&board, w * h) != cudaSuccess ||
      cudaMalloc((void **)&next, w * h) != cudaSuccess) {
    puts("no memory");
    return 1;
  }
  cudaMemcpy(board, host, w * h, cudaMemcpyHostToDevice);
  dim3 block(16, 8), grid(w / 16, h / 8);
  for (int g = 0; g < generations; g++) {
#ifdef FIXED
    generation<<<grid, block>>>(board, next, w, h);
    std::swap(board, next);
#else
    generation<<<grid, block>>>(board, board, w, h);
#endif
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
  }
  cudaMemcpy(host, board, w * h, cudaMemcpyDeviceToHost);
  show(host, w, h);
  cudaFree(board);
  cudaFree(next);
  return 0;
}
