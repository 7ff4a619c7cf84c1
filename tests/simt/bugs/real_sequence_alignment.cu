// find: race shared read/write barrier|syncwarp
// Needleman and Wunsch's alignment along the diagonals of a tile: a cell of the next diagonal is
// computed before its neighbours are there.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#define TILE 32
#define PENALTY 2

__device__ int best_of(int diagonal, int up, int left) { return max(diagonal, max(up, left)); }

__device__ int reward(char a, char b) { return a == b ? 3 : -1; }

// One tile of a tile diagonal; the scores' row 0 and column 0 are the borders.
__global__ void align_tiles(const char *a, const char *b, int *scores, int pitch, int first_x,
                            int first_y) {
  __shared__ int s[TILE + 1][TILE + 1];
  __shared__ char row_text[TILE], column_text[TILE];
  int tile_x = first_x + blockIdx.x, tile_y = first_y - blockIdx.x, t = threadIdx.x;
  int *corner = scores + tile_y * TILE * pitch + tile_x * TILE;
  row_text[t] = a[tile_x * TILE + t];
  column_text[t] = b[tile_y * TILE + t];
  s[t + 1][0] = corner[(t + 1) * pitch];
  s[0][t + 1] = corner[t + 1];
  if (t == 0) s[0][0] = corner[0];
  __syncthreads();
  for (int d = 0; d < 2 * TILE - 1; d++) {
    int x = t + 1, y = d - t + 1;
    if (y >= 1 && y <= TILE) {
      int match = s[y - 1][x - 1] + reward(row_text[x - 1], column_text[y - 1]); // BUG
      int up = s[y - 1][x] - PENALTY;
      int left = s[y][x - 1] - PENALTY;   // BUG
      s[y][x] = best_of(match, up, left); // BUG
    }
#ifdef FIXED
    __syncthreads();
  }
#else
  }
  __syncthreads();
#endif
  for (int y = 1; y <= TILE; y++) corner[y * pitch + t + 1] = s[y][t + 1];
}

static std::vector<int> align_on_host(const std::string &a, const std::string &b) {
  size_t w = a.size() + 1;
  std::vector<int> m(w * (b.size() + 1));
  for (size_t i = 0; i < w; i++) m[i] = -PENALTY * (int)i;
  for (size_t y = 1; y <= b.size(); y++) {
    m[y * w] = -PENALTY * (int)y;
    for (size_t x = 1; x < w; x++)
      m[y * w + x] = std::max(m[(y - 1) * w + x - 1] + (a[x - 1] == b[y - 1] ? 3 : -1),
                              std::max(m[(y - 1) * w + x], m[y * w + x - 1]) - PENALTY);
  }
  return m;
}

int main() {
  const int tiles = 3, n = tiles * TILE, pitch = n + 1;
  std::string a, b;
  for (int i = 0; i < n; i++) {
    a += "ACGT"[i * 7 % 13 % 4];
    b += "ACGT"[i * 5 % 11 % 4];
  }
  std::vector<int> expected = align_on_host(a, b), scores(pitch * pitch, 0);
  for (int i = 0; i <= n; i++) scores[i] = scores[i * pitch] = -PENALTY * i;
  char *d_a, *d_b;
  int *d_scores;
  cudaMalloc(&d_a, n);
  cudaMalloc(&d_b, n);
  cudaMalloc(&d_scores, scores.size() * sizeof(int));
  cudaMemcpy(d_a, a.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_scores, scores.data(), scores.size() * sizeof(int), cudaMemcpyHostToDevice);
  for (int d = 0; d < 2 * tiles - 1; d++) {
    int first_x = std::max(0, d - tiles + 1), first_y = d - first_x;
    int count = std::min(d, tiles - 1) - first_x + 1;
    align_tiles<<<count, TILE>>>(d_a, d_b, d_scores, pitch, first_x, first_y);
  }
  cudaMemcpy(scores.data(), d_scores, scores.size() * sizeof(int), cudaMemcpyDeviceToHost);
  printf("score %d, expected %d, %s\n", scores.back(), expected.back(),
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_scores);
  return 0;
}
