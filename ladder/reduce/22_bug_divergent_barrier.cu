/* Reduce 22, BUG: the barrier inside the if
 *
 * Idea     rung 03, but __syncthreads stands inside if (t < half): threads that do not add do
 *          not wait either. A barrier must be reached by all threads of the block or by none
 * Cost     as rung 03
 * Shows    old texts say that the kernel hangs. An H200 finishes, with the right sum, and says
 *          nothing: since 2017 a thread that has returned is not waited for. It stays undefined
 *          behaviour; compute-sanitizer --tool synccheck (13.0) calls it an error. The software
 *          device reports the line, who waits and who is absent (in the first round 128 and
 *          128), goes on and ends with status 3
 * Source   CUDA C++ Programming Guide, Synchronization Functions; measured
 *
 * //! title: BUG: barrier inside if (t < half)
 * //! expect: caught barrier-divergence
 * //! size: fixed
 */
#include "reduce.h"

enum { TILE = 256 };

__global__ void reduce_tile(const REAL *in, REAL *sum) {
  __shared__ REAL tile[TILE];
  const unsigned int t = threadIdx.x;
  tile[t] = in[t];
  LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = TILE / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
      LADDER_STEP();
      __syncthreads(); /* BUG: the others never come here */
    }
  }
  if (t == 0) *sum = tile[0];
} /* BUG: here they are instead */

int main(int argc, char **argv) {
  struct reduce m;
  ladder_begin(argc, argv, __FILE__, TILE, TILE, sizeof(REAL));
  reduce_fixed(TILE, "one block of 256");
  reduce_open(&m, TILE, TILE);
  reduce_to_device(&m);
  ladder_start();
  reduce_tile<<<1, TILE>>>(m.data, m.sums[0]);
  const cudaError_t error = ladder_stop();
  if (!ladder_caught_error("barrier divergence", error)) {
    const REAL got = reduce_result(m.sums[0]);
    printf("Sum of %d: %.9g, should be %.9g\n", TILE, (double)got, m.want);
    if ((double)got != m.want)
      ladder_caught("barrier divergence: the sum is wrong");
    else if (!ladder.on_simt) /* there the report is the verdict, and the status 3 */
      ladder_needs_check("barrier divergence: the kernel ended, its sum is right");
    reduce_close(&m);
  }
  return ladder_end();
}
