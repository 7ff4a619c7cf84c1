/* Sort 14: the library's own
 *
 * Idea     one call each: heddle_sort of integers and of floats, heddle_argsort
 * Cost     on a CPU about two reads and two writes an element, whatever its bits; on a GPU the
 *          method of rung 11, without the passes over digits in which all keys agree
 * Shows    what the rungs below lead to: rung 12's positions and rung 13's order of -0 and NaN are
 *          the library's. Its device is the library's own choice, which is the CPU unless it is
 *          told otherwise, so that the time is not comparable with a GPU rung's
 * Source   include/heddle.h
 *
 * //! title: the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "sort.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

/* Positions of keys of which many are equal. */
static void check_positions(heddle_context *context, unsigned int *keys, size_t n,
                            unsigned int *got, unsigned int *want) {
  for (size_t i = 0; i < n; ++i) keys[i] = ladder_value(i, n, 16);
  must(heddle_argsort(context, HEDDLE_U32, keys, n, HEDDLE_U32, got, NULL));
  sort_serial_positions(keys, n, want);
  ladder_same_u32("positions", got, want, n);
}

static void check_floats(heddle_context *context) {
  static const float in[8] = {2, NAN, 0, -1, INFINITY, -0.0f, -INFINITY, 1};
  float out[8];
  must(heddle_sort(context, HEDDLE_F32, in, 8, out, NULL));
  for (int i = 0; i < 8; ++i) printf("%s%g", i ? " " : "sorted: ", (double)out[i]);
  printf("\n");
  ladder_true(out[0] == -INFINITY && out[1] == -1 && signbit(out[2]) && !signbit(out[3]) &&
                  out[6] == INFINITY && out[7] != out[7],
              "the floats are not in order");
}

int main(int argc, char **argv) {
  heddle_context *context = NULL;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 0);
  const size_t n = ladder.size;
  unsigned int *const in = sort_host_memory(n), *const out = sort_host_memory(n);
  unsigned int *const want = sort_host_memory(n);
  ladder_fill_u32(in, n, 0xffffffffu);
  must(heddle_open(NULL, &context));
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    must(heddle_sort(context, HEDDLE_U32, in, n, out, NULL));
    CHECK(ladder_stop());
  }
  memcpy(want, in, n * sizeof *in);
  sort_serial(want, n, n);
  ladder_same_u32("keys", out, want, n);
  printf("Sorted %zu: first %u, middle %u, last %u\n", n, out[0], out[n / 2], out[n - 1]);
  ladder_moves(2.0 * (double)n * sizeof *in);
  check_positions(context, in, n, out, want);
  check_floats(context);
  heddle_close(context);
  free(in);
  free(out);
  free(want);
  return ladder_end();
}
