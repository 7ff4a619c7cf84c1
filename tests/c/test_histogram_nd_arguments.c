/* test_histogram_nd_arguments.c - every bad argument of heddle_histogram_nd: the status, the argument's name in
 * the message, and nothing written */
#include "support.h"

enum { GUARD = 0xCAFE };
static uint64_t counts[64];
static double sums[64];
static float x[16], y[16];
static heddle_context *ctx;

static void refused(heddle_status wanted, heddle_status got, const char *name) {
  same_status(wanted, got, "refusal about %s", name);
  if (!strstr(heddle_message(), name)) fail_msg("no %s in: %s", name, heddle_message());
  for (size_t i = 0; i < 64; i++) assert_true(counts[i] == GUARD && sums[i] == 0.5);
}

static heddle_status call(const heddle_bins *bins, const heddle_histogram_nd_options *options) {
  const void *columns[] = {x, y};
  return heddle_histogram_nd(ctx, HEDDLE_F32, 2, columns, 8, bins, counts, NULL, options);
}

static void bad_bins(void) {
  const heddle_bins good = {sizeof good, HEDDLE_BINS_EVEN, 4, 0, 1, 0, NULL, 0};
  heddle_bins bins[9] = {good, good};
  bins[1].count = 0;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, NULL), "axis 1");
  bins[1] = good, bins[1].lo = 2;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, NULL), "axis 1: `bins->lo`");
  bins[1] = good, bins[1].size += 8;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, NULL), "bins[1].size");
  bins[1] = good, bins[1].kind = HEDDLE_BINS_INTEGER;
  refused(HEDDLE_UNSUPPORTED, call(bins, NULL), "HEDDLE_BINS_INTEGER");
  bins[0].count = bins[1].count = 1 << 15, bins[1].kind = HEDDLE_BINS_EVEN;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, NULL), "at most 268435456");
  for (size_t d = 0; d < 9; d++) bins[d] = good, bins[d].count = 1 << 28; /* a product of 2^224 */
  const void *columns[9] = {x, x, x, x, x, x, x, x, x};
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 8, columns, 8, bins, counts, NULL, NULL),
          "axes up to 1");
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 9, columns, 8, bins, counts, NULL, NULL), "dims");
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 0, columns, 8, bins, counts, NULL, NULL), "dims");
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 2, NULL, 8, bins + 7, counts, NULL, NULL), "");
}

static void bad_options(void) {
  const heddle_bins good = {sizeof good, HEDDLE_BINS_EVEN, 4, 0, 1, 0, NULL, 0};
  const heddle_bins bins[] = {good, good};
  const heddle_histogram_nd_options none = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  heddle_histogram_nd_options o = none;
  const ptrdiff_t far[] = {1, PTRDIFF_MAX / 8}, farther[] = {PTRDIFF_MIN, 1};
  o.flow = 2;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "options->flow");
  o = none, o.exact = -1;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "options->exact");
  o = none, o.strides = far;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "columns[1]");
  o.strides = farther;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "columns[0]");
  o = none, o.weights = x;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "weights_type");
  o.weights_type = HEDDLE_F32;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "options->sums");
  o = none, o.sums = sums;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "no weights");
  o.weights_type = HEDDLE_F32;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "options->weights");
  o.weights = x, o.squares = sums + 15;
  refused(HEDDLE_BAD_ARGUMENT, call(bins, &o), "overlaps");

  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 2, (const void *[]){x, NULL}, 8, bins, counts, NULL,
                              NULL),
          "columns[1]");
  refused(
      HEDDLE_BAD_ARGUMENT,
      heddle_histogram_nd(ctx, HEDDLE_F32, 2, (const void *[]){x, y}, 8, bins, NULL, NULL, NULL),
      "counts");
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_histogram_nd(ctx, HEDDLE_F32, 2, (const void *[]){x, counts + 2}, 8, bins, counts,
                              NULL, NULL),
          "overlaps");
  heddle_histogram_result one[2] = {HEDDLE_HISTOGRAM_RESULT_INIT};
  refused(
      HEDDLE_BAD_ARGUMENT,
      heddle_histogram_nd(ctx, HEDDLE_F32, 2, (const void *[]){x, y}, 8, bins, counts, one, NULL),
      "result[1].size");
}

static void refusals(void **state) {
  (void)state;
  for (size_t i = 0; i < 64; i++) counts[i] = GUARD, sums[i] = 0.5;
  ctx = open_cpu("scalar", 1);
  bad_bins();
  bad_options();
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
