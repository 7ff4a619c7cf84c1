/* Reduce 07: dynamic shared memory
 *
 * Idea     the tile's size is the launch's third number, not the source's: one kernel for
 *          every block size that is a power of two
 * Cost     a tile of b: log2 b steps, b - 1 adds, b words read, 1 written
 * Shows    extern __shared__, and that more threads a block mean more steps and fewer launches.
 *          All sizes from 32 to 1024 give the same sum
 * Source   CUDA C++ Programming Guide, Shared Memory
 *
 * //! title: dynamic shared memory, blocks of 32 to 1024
 * //! expect: right
 */
#include "reduce.h"

extern __shared__ REAL tile[];

__global__ void reduce_tiles(const REAL *in, size_t n, REAL *sums) {
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)blockDim.x + t;
  tile[t] = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    LADDER_WROTE(REAL_WORDS);
  }
}

static unsigned int threads = 32;

static void pass(REAL *data, size_t n, REAL *sums) {
  const size_t blocks = (n + threads - 1) / threads;
  reduce_tiles<<<(unsigned int)blocks, threads, threads * sizeof(REAL)>>>(data, n, sums);
}

static REAL run(struct reduce *m) {
  ladder_start();
  const REAL *sum = reduce_passes(m, threads, pass);
  CHECK(ladder_stop());
  return reduce_result(sum);
}

int main(int argc, char **argv) {
  struct reduce m;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 2 * sizeof(REAL));
  reduce_open(&m, ladder.size, 32);
  reduce_to_device(&m);
  for (threads = 32; threads <= 1024; threads *= 2) {
    reduce_count(threads, threads, pass, "tile");
    const REAL sum = run(&m);
    printf("Sum of %zu, blocks of %u: %.9g\n", m.n, threads, (double)sum);
    reduce_verify(&m, sum);
  }
  ladder.kernel.runs = 0;
  threads = 256; /* the others above were to be seen, this one is timed */
  for (int k = 0; k < ladder.runs; ++k) reduce_verify(&m, run(&m));
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  return ladder_end();
}
