/* Reduce 19: the library's own dot product
 *
 * Idea     one call, heddle_dot: the products, rounded once, folded in order v1
 * Cost     one read of each array
 * Shows    rung 17's value within 1e-6, and the same bits whatever the number of threads
 * Source   include/heddle.h; docs/order.md, rule 8
 *
 * //! title: dot, the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "reduce.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

int main(int argc, char **argv) {
  const heddle_type type = sizeof(REAL) == 4 ? HEDDLE_F32 : HEDDLE_F64;
  REAL sums[3] = {0, 0, 0};
  ladder_begin(argc, argv, __FILE__, 33 * 1024, 33 * 1024, 0);
  REAL *a = (REAL *)ladder_host_memory(ladder.size * sizeof(REAL));
  REAL *b = (REAL *)ladder_host_memory(ladder.size * sizeof(REAL));
  for (size_t i = 0; i < ladder.size; ++i) {
    a[i] = (REAL)i;
    b[i] = (REAL)(2 * i);
  }
  for (int k = 0; k < 3; ++k) {
    static const char *const devices[] = {NULL, "cpu:1", "cpu:3"};
    heddle_context *context = NULL;
    must(heddle_open(devices[k], &context));
    for (int run = 0; run < (k ? 1 : ladder.runs); ++run) {
      ladder_start();
      must(heddle_dot(context, type, a, b, ladder.size, &sums[k], NULL));
      CHECK(ladder_stop());
    }
    heddle_close(context);
  }
  const double exact = reduce_squares((double)ladder.size - 1);
  printf("Does the library's value %.6g = %.6g?\n", (double)sums[0], exact);
  printf("Exact value %s, relative error %.2g\n", ladder_grouped((unsigned long long)exact),
         exact > 0 ? fabs((double)sums[0] - exact) / exact : 0.0);
  if (!ladder_close((double)sums[0], exact, 1e-6))
    ladder_wrong("the dot product is %.9g, should be %.9g", (double)sums[0], exact);
  ladder_true(memcmp(&sums[0], &sums[1], sizeof(REAL)) == 0 &&
                  memcmp(&sums[0], &sums[2], sizeof(REAL)) == 0,
              "the bits depend on the number of threads");
  ladder_moves(2.0 * (double)ladder.size * sizeof(REAL));
  free(a);
  free(b);
  return ladder_end();
}
