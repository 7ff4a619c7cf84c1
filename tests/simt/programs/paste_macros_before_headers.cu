// Short macros of a program that stand before the toolkit's headers.
// expect: pass
// clang-format off
#include <stdio.h>
#include <curand_kernel.h>
#define N 256
#define M 4
#define K 8
#define SIZE 1024
#define BLOCK 64
#define BLOCK_SIZE 64
#define TILE 16
#define WIDTH 32
#define WARP 32
#define W 10
#define H 10
#define B 3
#define PI 3.14159
#define EPS 1e-6
#define real float
#define count_of(x) (sizeof(x)/sizeof(x[0]))
#define DEBUG 1
#define SQ(x) ((x)*(x))
#define CHECK(x) x
#define ERROR -1
#define IN
#define OUT
#define DATA float
#define ELEM int
#define MAX 100
#define MIN 0
#define MASK 0xffffffff
#define INDEX threadIdx.x
#define LEN 9
#define mem_size 12
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuComplex.h>
#include <mma.h>
namespace cg = cooperative_groups;

__global__ void k(real *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<WARP>(block);
  real v = SQ(tile.thread_rank());
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) out[block.thread_rank() / WARP] = v + __half2float(__float2half(M));
}

int main() {
  real *out; int bad = 0;
  cudaMallocManaged(&out, SIZE);
  k<<<1, BLOCK>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < BLOCK / WARP; i++) bad += out[i] != 31 * 32 * 63 / 6 + M;
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(out);
  return bad;
}
