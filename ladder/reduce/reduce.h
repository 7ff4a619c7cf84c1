/* reduce.h - what the reduce rungs share: numbers whose sum is exact, passes, the verdict
 *
 * Result   struct reduce: n numbers on host and device, their sum, and room for block sums
 * Method   the numbers are odd integers from -255 to 255. As long as no partial sum passes 2^24
 *          every order of adding them gives the same float, so that results are compared for
 *          equality, and one element lost, doubled or taken from elsewhere shows. Uniform ones
 *          have mean 0: the sum of 2^28 has a standard deviation of 2.4 million
 * Limits   REAL is float, or double with -DREAL=double. Float sums of data that is not
 *          uniform may pass 2^24; they are compared within a tolerance
 */
#ifndef REDUCE_H
#define REDUCE_H

#include "../common/ladder.h"
#include "../common/ladder_grouped.h"

#ifndef REAL
#define REAL float
#endif
#define REAL_WORDS (sizeof(REAL) / 4) /* 32-bit words a number: the unit of traffic */

struct reduce {
  size_t n;
  REAL *host, *data, *sums[2];
  double want;      /* the sum */
  double tolerance; /* how far a result may be from it */
};

static inline void reduce_fill(struct reduce *m) {
  long long sum = 0;
  double magnitude = 0;
  for (size_t i = 0; i < m->n; ++i) {
    const int value = 2 * (int)ladder_value(i, m->n, 256) - 255;
    m->host[i] = (REAL)value;
    sum += value;
    magnitude += value < 0 ? -value : value;
  }
  const int exact = sizeof(REAL) == 8 || magnitude < 16777216.0 ||
                    (ladder.data[0] == 'u' && m->n <= (size_t)1 << 28);
  m->want = (double)sum;
  m->tolerance = exact ? 0 : 1e-5 * magnitude;
}

/* reduce_open - fills n numbers; room for block sums of tiles of at least `tile` elements */
static inline void reduce_open(struct reduce *m, size_t n, size_t tile) {
  m->n = n;
  m->host = (REAL *)ladder_host_memory(n * sizeof(REAL));
  reduce_fill(m);
  CHECK(cudaMalloc((void **)&m->data, n * sizeof(REAL)));
  CHECK(cudaMalloc((void **)&m->sums[0], (n / tile + 1) * sizeof(REAL)));
  CHECK(cudaMalloc((void **)&m->sums[1], (n / tile + 1) * sizeof(REAL)));
}
static inline void reduce_to_device(struct reduce *m) {
  CHECK(cudaMemcpy(m->data, m->host, m->n * sizeof(REAL), cudaMemcpyHostToDevice));
}
/* reduce_random - element i of random numbers in [-1, 1): multiples of 2^-23, so that even the
 * loop in double is exact, while every order of adding floats rounds in its own way */
static inline REAL reduce_random(size_t i) {
  return (REAL)((double)(ladder_random(3, i) >> 40) / 8388608.0 - 1);
}

static inline REAL reduce_result(const REAL *device) {
  REAL result;
  CHECK(cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}
static inline void reduce_close(struct reduce *m) {
  CHECK(cudaFree(m->data));
  CHECK(cudaFree(m->sums[0]));
  CHECK(cudaFree(m->sums[1]));
  free(m->host);
}

/* reduce_verify - compares a sum; returns 1 if it is right */
static inline int reduce_verify(const struct reduce *m, REAL got) {
  if (fabs((double)got - m->want) <= m->tolerance) return 1;
  ladder_wrong("the sum of %zu is %.9g, should be %.9g", m->n, (double)got, m->want);
  return 0;
}

/* A pass adds tiles of n numbers, each to one number of `sums`. */
enum reduce_input { REDUCE_KEEPS, REDUCE_OVERWRITES };
typedef void reduce_pass(REAL *data, size_t n, REAL *sums);

/* reduce_passes - pass after pass until one number is left. Returns where it is. */
static inline const REAL *reduce_passes(struct reduce *m, size_t tile, reduce_pass *pass) {
  REAL *from = m->data;
  size_t left = m->n;
  int to = 0;
  do {
    pass(from, left, m->sums[to]);
    from = m->sums[to];
    left = (left + tile - 1) / tile;
    to = !to;
  } while (left > 1);
  return from;
}

/* reduce_count - runs the passes over n numbers of their own, verifies them and prints and
 * keeps what was counted. Nothing unless compiled with LADDER_COUNT. */
static inline void reduce_count(size_t n, size_t tile, reduce_pass *pass, const char *what) {
#ifdef LADDER_COUNT
  struct reduce m;
  char key[64];
  const unsigned long long *const c = ladder.counts;
  reduce_open(&m, n, tile);
  reduce_to_device(&m);
  ladder_start();
  const REAL *sum = reduce_passes(&m, tile, pass);
  CHECK(ladder_stop());
  reduce_verify(&m, reduce_result(sum));
  reduce_close(&m);
  printf("%s of %s: %llu steps, %s adds; words of global traffic %s read + %s written = %s\n", what,
         ladder_grouped(n), c[LADDER_COUNT_STEPS], ladder_grouped(c[LADDER_COUNT_WORK]),
         ladder_grouped(c[LADDER_COUNT_READS]), ladder_grouped(c[LADDER_COUNT_WRITES]),
         ladder_grouped(c[LADDER_COUNT_READS] + c[LADDER_COUNT_WRITES]));
  snprintf(key, sizeof key, "%s_%zu_words", what, n);
  ladder_key_count(key, c[LADDER_COUNT_READS] + c[LADDER_COUNT_WRITES]);
  ladder.kernel.runs = 0;
#else
  (void)n, (void)tile, (void)pass, (void)what;
#endif
}

/* reduce_main - what main calls in the rungs that are one kind of pass over any length;
 * ladder_end is left to the caller */
static inline void reduce_main(int argc, char **argv, const char *source, size_t tile,
                               enum reduce_input input, reduce_pass *pass) {
  struct reduce m;
  REAL got = 0;
  ladder_begin(argc, argv, source, 1 << 16, 1 << 28, sizeof(REAL) + 1);
  reduce_count(tile, tile, pass, "tile");
  reduce_open(&m, ladder.size, tile);
  for (int run = 0; run < ladder.runs; ++run) {
    if (run == 0 || input == REDUCE_OVERWRITES) reduce_to_device(&m);
    ladder_start();
    const REAL *sum = reduce_passes(&m, tile, pass);
    CHECK(ladder_stop());
    got = reduce_result(sum);
    if (!reduce_verify(&m, got)) break;
  }
  printf("Sum of %zu: %.9g\n", m.n, (double)got);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
}

/* reduce_tell_race - for kernels with a race: says what came of it, and leaves the finding to
 * a race checker, whether the sums of the tiles are right this time or not */
static inline void reduce_tell_race(const struct reduce *m, size_t tile) {
  const size_t blocks = (m->n + tile - 1) / tile;
  REAL *got = (REAL *)ladder_host_memory(blocks * sizeof(REAL));
  size_t wrong = 0;
  CHECK(cudaMemcpy(got, m->sums[0], blocks * sizeof(REAL), cudaMemcpyDeviceToHost));
  for (size_t b = 0; b < blocks; ++b) {
    double want = 0; /* exact: at most 1024 integers */
    for (size_t i = b * tile; i < m->n && i < (b + 1) * tile; ++i) want += (double)m->host[i];
    wrong += (double)got[b] != want;
  }
  printf("Wrong sums: %zu of %zu tiles\n", wrong, blocks);
  ladder_key_count("wrong_tiles", wrong);
  ladder_needs_check("race: %zu of %zu tiles have a wrong sum this time", wrong, blocks);
  free(got);
}

/* reduce_squares - 2 (0^2 + 1^2 + ... + m^2), the dot product of i and 2 i; exact below 2^53 */
static inline double reduce_squares(double m) {
  if (m >= 1 << 20) return m * (m + 1) / 3 * (2 * m + 1);
  const unsigned long long i = (unsigned long long)m;
  return (double)(i * (i + 1) * (2 * i + 1) / 3);
}

/* reduce_fixed - ends the program if --size asks for another length than the only one */
static inline void reduce_fixed(size_t n, const char *why) {
  if (ladder.sized && ladder.size != n) ladder_usage("--size: the shape is fixed:", why);
  ladder.size = n;
}

#endif
