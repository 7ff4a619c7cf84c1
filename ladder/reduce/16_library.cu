/* Reduce 16: the library's own
 *
 * Idea     one call, heddle_reduce: chunks of fixed size, folded in a fixed order by vectors,
 *          on all cores
 * Cost     one read an element
 * Shows    40 runs with one, two and three threads give one sum, to the last bit, on random
 *          floats where rung 14 gives as many sums as runs. Its device is the library's: the
 *          CPU, until it has one of its own on a GPU, so that the time is not comparable with
 *          a GPU rung's
 * Source   include/heddle.h; docs/order.md
 *
 * //! title: the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "reduce.h"
#include <heddle.h>

enum { REPEATS = 40 };

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

static const heddle_type type = sizeof(REAL) == 4 ? HEDDLE_F32 : HEDDLE_F64;

static void different_sums(size_t n) {
  REAL *numbers = (REAL *)ladder_host_memory(n * sizeof(REAL)), sums[REPEATS];
  int different = 0;
  for (size_t i = 0; i < n; ++i) numbers[i] = reduce_random(i);
  for (int run = 0; run < REPEATS; ++run) {
    static const char *const devices[] = {"cpu:1", "cpu:2", "cpu:3"};
    heddle_context *context = NULL;
    must(heddle_open(devices[run % 3], &context));
    must(heddle_reduce(context, HEDDLE_SUM, type, numbers, n, &sums[run], NULL));
    heddle_close(context);
    int known = 0;
    for (int k = 0; k < run; ++k) known |= memcmp(&sums[k], &sums[run], sizeof(REAL)) == 0;
    different += !known;
  }
  printf("%d different sums in %d runs of %zu random numbers\n", different, REPEATS, n);
  ladder_true(different == 1, "the library's sums differ");
  ladder_key_count("different_sums", (unsigned long long)different);
  free(numbers);
}

int main(int argc, char **argv) {
  struct reduce m;
  REAL sum = 0;
  heddle_context *context = NULL;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 0);
  reduce_open(&m, ladder.size, ladder.size);
  must(heddle_open(NULL, &context));
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    must(heddle_reduce(context, HEDDLE_SUM, type, m.host, m.n, &sum, NULL));
    ladder_host(LADDER_COUNT_WORK, m.n - 1);
    CHECK(ladder_stop());
    if (!reduce_verify(&m, sum)) break;
  }
  printf("Sum of %zu: %.9g\n", m.n, (double)sum);
  heddle_close(context);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  different_sums(ladder.size < 1 << 20 ? ladder.size : 1 << 20);
  return ladder_end();
}
