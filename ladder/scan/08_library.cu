/* Scan 08: the library's own
 *
 * Idea     one call, heddle_scan: tiles scanned by vectors, chained over the cores in one pass
 * Cost     one read and one write an element
 * Shows    inclusive and exclusive sums of 32-bit numbers, which wrap as the other rungs' do. Its
 *          device is the library's: the CPU, until it has one of its own on a GPU, so that the
 *          time is not comparable with a GPU rung's
 * Source   include/heddle.h; Merrill and Garland 2016
 *
 * //! title: the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "scan.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

int main(int argc, char **argv) {
  heddle_context *context = NULL;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 0);
  const size_t n = ladder.size;
  unsigned int *in = (unsigned int *)ladder_host_memory(n * sizeof *in);
  unsigned int *out = (unsigned int *)ladder_host_memory(n * sizeof *in);
  unsigned int *want = (unsigned int *)ladder_host_memory(n * sizeof *in);
  for (size_t i = 0; i < n; ++i) in[i] = ladder_value(i, n, 1u << 20);
  must(heddle_open(NULL, &context));
  must(heddle_scan(context, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_U32, in, n, out, NULL));
  scan_serial(SCAN_EXCLUSIVE, in, n, want);
  ladder_same_u32("exclusive scan", out, want, n);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    must(heddle_scan(context, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_U32, in, n, out, NULL));
    CHECK(ladder_stop());
  }
  scan_serial(SCAN_INCLUSIVE, in, n, want);
  ladder_same_u32("inclusive scan", out, want, n);
  printf("Last of %zu: %u\n", n, out[n - 1]);
  ladder_moves(2.0 * (double)n * sizeof *in);
  heddle_close(context);
  free(in);
  free(out);
  free(want);
  return ladder_end();
}
