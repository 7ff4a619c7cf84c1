// A warp multiplies matrices: 16 x 16 x 16 at a time.
//
//! title: warp matrix multiply-accumulate, integers
//! expect: right
//
// Idea    32 lanes hold a tile of each matrix together, spread over their registers in a way that
//         only the hardware knows; one operation adds the product of two 16 x 16 tiles of bytes
//         to a tile of 32-bit sums. Who must arrive: the whole warp, at each call.
// Cost    n/16 operations a tile, each 4,096 multiplications and additions.
// Shows   exact: integers leave no room for "close enough". Each tile of the result is one warp's.
//         A size that is no multiple of 16 is filled up with zeros, which add nothing.
// Source  course topic: warp functions; CUDA C++ Programming Guide, Warp Matrix Functions.
#include "../common/ladder.h"
#include <mma.h>

enum { TILE = 16, CELLS = TILE * TILE };

// Matrices of bytes are kept tile by tile, so that every tile begins at a multiple of 32 bytes,
// as the loads ask. b is kept transposed: its columns are rows here.
__host__ __device__ static inline size_t place(int row, int column, int n) {
  const int tile = row / TILE * (n / TILE) + column / TILE;
  return (size_t)tile * CELLS + (size_t)(row % TILE * TILE + column % TILE);
}

__global__ void multiply(const signed char *a, const signed char *b, int *c, int n) {
  using namespace nvcuda;
  const int row = (int)blockIdx.y * TILE, column = (int)blockIdx.x * TILE;
  wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, TILE, TILE, TILE, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int k = 0; k < n; k += TILE) {
    LADDER_STEP();
    wmma::load_matrix_sync(left, a + place(row, k, n), TILE);
    wmma::load_matrix_sync(right, b + place(column, k, n), TILE);
    wmma::mma_sync(sum, left, right, sum);
    LADDER_WORK(TILE * TILE * TILE / 32);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, (unsigned int)n, wmma::mem_row_major);
}

static void compare(const signed char *a, const signed char *b, const int *c, int n) {
  size_t wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      int want = 0;
      for (int k = 0; k < n; ++k) want += a[place(i, k, n)] * b[place(j, k, n)];
      if (c[i * n + j] != want && wrong++ == 0)
        ladder_wrong("c[%d][%d] is %d, should be %d", i, j, c[i * n + j], want);
    }
  }
  printf("%d x %d product, %zu elements wrong\n", n, n, wrong);
}

int main(int argc, char **argv) {
  signed char *a, *b;
  int *c;
  ladder_begin(argc, argv, __FILE__, 48, 512, 0);
  const size_t most = ladder.on_simt ? 128 : 2048; // n^3 operations
  const int wanted = (int)(ladder.size > most ? most : ladder.size);
  const int n = (wanted + TILE - 1) / TILE * TILE;
  const size_t cells = (size_t)n * (size_t)n;
  signed char *host_a = (signed char *)ladder_host_memory(cells);
  signed char *host_b = (signed char *)ladder_host_memory(cells);
  int *got = (int *)ladder_host_memory(cells * sizeof *got);
  for (int i = 0; i < n * n; ++i) {
    const int inside = i / n < wanted && i % n < wanted;
    const size_t at = place(i / n, i % n, n);
    host_a[at] = (signed char)(inside ? (int)(ladder_random(1, (size_t)i) & 255) - 128 : 0);
    host_b[at] = (signed char)(inside ? (int)(ladder_random(2, (size_t)i) & 255) - 128 : 0);
  }
  CHECK(cudaMalloc((void **)&a, cells));
  CHECK(cudaMalloc((void **)&b, cells));
  CHECK(cudaMalloc((void **)&c, cells * sizeof *c));
  CHECK(cudaMemcpy(a, host_a, cells, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, host_b, cells, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(c, 0xff, cells * sizeof *c));
    ladder_start();
    multiply<<<dim3((unsigned int)n / TILE, (unsigned int)n / TILE, 1), 32>>>(a, b, c, n);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, c, cells * sizeof *got, cudaMemcpyDeviceToHost));
  compare(host_a, host_b, got, n);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  free(host_a);
  free(host_b);
  free(got);
  return ladder_end();
}
