/* Reduce 14: finish by one atomicAdd a block, and what that does to the bits
 *
 * Idea     each block adds its sum to the result atomically, in whatever order blocks end
 * Cost     n / p + 8 steps, one atomic a block; no second launch
 * Shows    the fastest finish, and the last bits change from run to run: float addition is not
 *          associative, and blocks end in any order. An H200 gave 21 different sums in 40 runs
 *          of 2^20 random floats, 28 with another seed, and up to 39 with other data: the reason
 *          for order v1 (docs/order.md), in which Heddle adds. Integers, and floats without
 *          rounding as in the timed part, do not mind
 * Source   measured, 4096 blocks
 *
 * //! title: block sums, finished by one atomicAdd a block
 * //! expect: right
 */
#include "reduce.h"

#include "block_sum.h"

enum { THREADS = 256, MOST_BLOCKS = 4096, REPEATS = 40 };

__global__ void add_atomically(const REAL *in, size_t n, REAL *sum) {
  const REAL own = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) {
    atomicAdd(sum, own);
    LADDER_ATOMIC(1);
    LADDER_WORK(1);
  }
}

static void launch(const struct reduce *m) {
  const size_t needed = (m->n + THREADS - 1) / THREADS;
  const unsigned int blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS);
  CHECK(cudaMemset(m->sums[0], 0, sizeof(REAL)));
  add_atomically<<<blocks, THREADS>>>(m->data, m->n, m->sums[0]);
}

static void different_sums(size_t n) {
  struct reduce m;
  REAL sums[REPEATS];
  int different = 0;
  double exact = 0, magnitude = 0;
  reduce_open(&m, n, THREADS);
  for (size_t i = 0; i < n; ++i) {
    m.host[i] = reduce_random(i);
    exact += (double)m.host[i];
    magnitude += fabs((double)m.host[i]);
  }
  reduce_to_device(&m);
  for (int run = 0; run < REPEATS; ++run) {
    launch(&m);
    CHECK(cudaGetLastError());
    sums[run] = reduce_result(m.sums[0]);
    int known = 0;
    for (int k = 0; k < run; ++k) known |= memcmp(&sums[k], &sums[run], sizeof(REAL)) == 0;
    different += !known;
    if (fabs((double)sums[run] - exact) > 1e-6 * magnitude)
      ladder_wrong("a sum of random floats is %.9g, should be near %.9g", (double)sums[run], exact);
  }
  printf("%d different sums in %d runs of %zu random numbers\n", different, REPEATS, n);
  ladder_key_count("different_sums", (unsigned long long)different);
  reduce_close(&m);
}

int main(int argc, char **argv) {
  struct reduce m;
  REAL sum = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, sizeof(REAL) + 1);
  reduce_open(&m, ladder.size, THREADS);
  reduce_to_device(&m);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    launch(&m);
    CHECK(ladder_stop());
    sum = reduce_result(m.sums[0]);
    if (!reduce_verify(&m, sum)) break;
  }
  printf("Sum of %zu, finished by atomicAdd: %.9g\n", m.n, (double)sum);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  const size_t most = ladder.on_simt ? 1 << 14 : 1 << 20;
  different_sums(ladder.size < most ? ladder.size : most);
  return ladder_end();
}
