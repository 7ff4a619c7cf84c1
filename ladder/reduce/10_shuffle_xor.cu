/* Reduce 10: the butterfly
 *
 * Idea     each lane adds what the lane whose number differs in one bit holds, bit 4 first
 *          (__shfl_xor_sync): after five steps every lane has the sum
 * Cost     a tile of 256: 8 steps; 128 + 64 + 32 adds, then 5 x 32, all of them used
 * Shows    the result of rung 09 in all 32 lanes instead of one, and the same bits even where
 *          rounding depends on the order: both add the same pairs in the same tree
 * Source   the butterfly of the fast Fourier transform; CUDA C++ Programming Guide, Warp
 *          Shuffle Functions
 *
 * //! title: shuffle xor: the same sum in every lane
 * //! expect: right
 */
#include "reduce.h"

enum { TILE = 256 };

/* Returns, in the first warp, one of 32 sums. Who must arrive: every thread of the block. */
__device__ static REAL sum_to_32(const REAL *in, size_t n) {
  __shared__ REAL tile[TILE];
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)TILE + t;
  tile[t] = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = TILE / 2; half >= 32; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  return tile[t];
}

__global__ void reduce_tiles(const REAL *in, size_t n, REAL *sums) {
  REAL sum = sum_to_32(in, n);
  if (threadIdx.x >= 32) return;
  for (int bit = 16; bit > 0; bit /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, bit);
    LADDER_STEP();
    LADDER_WORK(1);
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    LADDER_WROTE(REAL_WORDS);
  }
}

/* One tile in both ways: lanes 0..31 of the butterfly, then lane 0 of shuffle down. */
__global__ void compare_ways(const REAL *in, size_t n, REAL *out) {
  const REAL start = sum_to_32(in, n);
  REAL by_xor = start, by_down = start;
  if (threadIdx.x >= 32) return;
  for (int bit = 16; bit > 0; bit /= 2) {
    by_xor += __shfl_xor_sync(0xffffffffu, by_xor, bit);
    by_down += __shfl_down_sync(0xffffffffu, by_down, (unsigned int)bit);
  }
  out[threadIdx.x] = by_xor;
  if (threadIdx.x == 0) out[32] = by_down;
}

static void compare_bits(void) {
  REAL host[TILE], *in, *out, got[33];
  int same = 0;
  for (size_t i = 0; i < TILE; ++i)
    host[i] = (REAL)((double)(ladder_random(3, i) >> 11) / 9007199254740992.0);
  CHECK(cudaMalloc((void **)&in, sizeof host));
  CHECK(cudaMalloc((void **)&out, sizeof got));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  compare_ways<<<1, TILE>>>(in, TILE, out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int lane = 0; lane < 32; ++lane) same += memcmp(&got[lane], &got[32], sizeof(REAL)) == 0;
  printf("Lanes whose xor sum has the bits of the down sum: %d of 32\n", same);
  ladder_true(same == 32, "shuffle xor and shuffle down differ");
  ladder_key_count("same_lanes", (unsigned long long)same);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

static void pass(REAL *data, size_t n, REAL *sums) {
  reduce_tiles<<<(unsigned int)((n + TILE - 1) / TILE), TILE>>>(data, n, sums);
}

int main(int argc, char **argv) {
  reduce_main(argc, argv, __FILE__, TILE, REDUCE_KEEPS, pass);
  compare_bits();
  return ladder_end();
}
