/* Reduce 17: dot product
 *
 * Idea     a[i] = i, b[i] = 2 i; min(32, ceil(n / 256)) blocks of 256 threads. Each thread adds
 *          products of elements a grid apart, the block adds its threads in shared memory, the
 *          host adds the 32 block sums
 * Cost     n products; with n = 33 x 1024 and 8,192 threads five steps of the serial part,
 *          which only the first 1,024 threads need, then 8 halvings, then 31 adds
 * Shows    the whole classic at once: grid-stride loop, tile, tree, host finish. The exact value
 *          of n = 33 x 1024 is 25,723,564,731,392; a float has 24 bits, so that the result is
 *          compared within 1e-6
 * Source   the course's dot product. sum of squares 0..m = m (m + 1) (2 m + 1) / 6
 *
 * //! title: dot of 33 x 1024
 * //! expect: right
 */
#include "reduce.h"

#ifndef DOT_RUNG
#define DOT_RUNG __FILE__ /* rung 18 is this source too */
#endif

enum { THREADS = 256, MOST_BLOCKS = 32 };

__global__ void dot(const REAL *a, const REAL *b, size_t n, REAL *sums, unsigned int *taken) {
  __shared__ REAL tile[THREADS];
  const unsigned int t = threadIdx.x, self = blockIdx.x * THREADS + t;
  unsigned int elements = 0;
  REAL sum = 0;
  for (size_t i = self; i < n; i += gridDim.x * (size_t)THREADS) {
    sum += a[i] * b[i];
    ++elements;
    LADDER_STEP();
    LADDER_READ(2 * REAL_WORDS);
    LADDER_WORK(1);
  }
  tile[t] = sum;
  taken[self] = elements;
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
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

struct dot {
  size_t n;
  unsigned int blocks;
  REAL *host, *a, *b, *sums;
  unsigned int *taken;
};

static void open_dot(struct dot *d) {
  const size_t needed = (ladder.size + THREADS - 1) / THREADS, bytes = ladder.size * sizeof(REAL);
  d->n = ladder.size;
  d->blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS);
  d->host = (REAL *)ladder_host_memory(bytes);
  CHECK(cudaMalloc((void **)&d->a, bytes));
  CHECK(cudaMalloc((void **)&d->b, bytes));
  CHECK(cudaMalloc((void **)&d->sums, MOST_BLOCKS * sizeof(REAL)));
  CHECK(cudaMalloc((void **)&d->taken, MOST_BLOCKS * THREADS * sizeof *d->taken));
  for (size_t i = 0; i < d->n; ++i) d->host[i] = (REAL)i;
  CHECK(cudaMemcpy(d->a, d->host, bytes, cudaMemcpyHostToDevice));
  for (size_t i = 0; i < d->n; ++i) d->host[i] = (REAL)(2 * i);
  CHECK(cudaMemcpy(d->b, d->host, bytes, cudaMemcpyHostToDevice));
}

static REAL run_dot(const struct dot *d) {
  REAL sums[MOST_BLOCKS], sum = 0;
  ladder_start();
  dot<<<d->blocks, THREADS>>>(d->a, d->b, d->n, d->sums, d->taken);
  CHECK(cudaMemcpy(sums, d->sums, d->blocks * sizeof(REAL), cudaMemcpyDeviceToHost));
  for (unsigned int i = 0; i < d->blocks; ++i) sum += sums[i];
  ladder_host(LADDER_COUNT_STEPS, d->blocks - 1);
  ladder_host(LADDER_COUNT_WORK, d->blocks - 1);
  CHECK(ladder_stop());
  return sum;
}

/* How many threads took how many elements: two kinds at most. */
static void show_taken(const struct dot *d) {
  const size_t threads = (size_t)d->blocks * THREADS, least = d->n / threads;
  const size_t more = d->n % threads;
  unsigned int taken[MOST_BLOCKS * THREADS];
  CHECK(cudaMemcpy(taken, d->taken, threads * sizeof *taken, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < threads; ++i)
    ladder_true(taken[i] == least + (i < more), "a thread took too many or too few elements");
  if (more) printf("%s threads take %zu elements, ", ladder_grouped(more), least + 1);
  printf("%s threads take %zu\n", ladder_grouped(threads - more), least);
}

int main(int argc, char **argv) {
  struct dot d;
  REAL sum = 0;
  ladder_begin(argc, argv, DOT_RUNG, 33 * 1024, 33 * 1024, 2 * sizeof(REAL));
  open_dot(&d);
  for (int run = 0; run < ladder.runs; ++run) sum = run_dot(&d);
  show_taken(&d);
  const double exact = reduce_squares((double)d.n - 1);
  printf("Does GPU value %.6g = %.6g?\n", (double)sum, exact);
  printf("Exact value %s, relative error %.2g\n", ladder_grouped((unsigned long long)exact),
         exact > 0 ? fabs((double)sum - exact) / exact : 0.0);
  /* Every product and sum of doubles is exact below 2^53. */
  const double tolerance = sizeof(REAL) == 8 && exact < 9007199254740992.0 ? 0 : 1e-6;
  if (!ladder_close((double)sum, exact, tolerance))
    ladder_wrong("the dot product is %.9g, should be %.9g", (double)sum, exact);
  ladder_moves(2.0 * (double)d.n * sizeof(REAL));
  CHECK(cudaFree(d.a));
  CHECK(cudaFree(d.b));
  CHECK(cudaFree(d.sums));
  CHECK(cudaFree(d.taken));
  free(d.host);
  return ladder_end();
}
