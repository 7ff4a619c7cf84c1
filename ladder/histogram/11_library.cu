/* Histogram 11: the library's own
 *
 * Idea     one call, heddle_histogram: several tables a thread that hide each other's store
 *          latency, on all cores, and exact counts whatever the number of threads
 * Cost     one read an element; 256 counters a thread and table
 * Shows    what the rungs below lead to. Its device is the library's: the CPU, until it has one
 *          of its own on a GPU, so that the time is not comparable with a GPU rung's
 * Source   include/heddle.h; docs/histogram.md
 *
 * //! title: the library's own
 * //! expect: right
 * //! link: heddle
 */
#include "../common/ladder_bytes.h"
#include <heddle.h>

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s: %s\n", heddle_status_name(status), heddle_message());
  exit(1);
}

int main(int argc, char **argv) {
  struct bytes_memory m;
  uint64_t counts[BYTE_BINS];
  heddle_context *context = NULL;
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_histogram_result result = HEDDLE_HISTOGRAM_RESULT_INIT;
  bytes_begin(argc, argv, __FILE__, &m);
  bins.kind = HEDDLE_BINS_INTEGER;
  bins.count = BYTE_BINS;
  must(heddle_open(NULL, &context));
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    must(heddle_histogram(context, HEDDLE_U8, m.data, ladder.size, &bins, counts, &result, NULL));
    ladder_host(LADDER_COUNT_WORK, ladder.size);
    CHECK(ladder_stop());
  }
  for (int i = 0; i < BYTE_BINS; ++i) m.bins[i] = (unsigned int)counts[i];
  bytes_verify(m.data, ladder.size, m.bins);
  ladder_true(result.count == ladder.size && result.under + result.over + result.nan == 0,
              "the library saw other elements than there are");
  heddle_close(context);
  return bytes_end(&m);
}
