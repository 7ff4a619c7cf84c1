/* test_histogram_arguments.c - every bad argument of the histogram: the status, the argument's
 * name in the message, and not one byte written */
#include <math.h>

#include "support.h"

enum { CANARY = 0xC3, BINS = 8 };
static uint64_t counts[4 * BINS];
static double sums[4 * BINS];
static heddle_histogram_result result;
static float x[64];
static heddle_context *ctx;

static void expect(heddle_status expected, heddle_status got, const char *name, const char *call) {
  if (got != expected)
    fail_msg("%s gave %s, not %s", call, heddle_status_name(got), heddle_status_name(expected));
  if (!strstr(heddle_message(), name))
    fail_msg("%s: the message does not name %s: %s", call, name, heddle_message());
  const unsigned char *bytes = (const unsigned char *)counts, *more = (const unsigned char *)sums;
  for (size_t i = 0; i < sizeof counts; i++)
    if (bytes[i] != CANARY || more[i] != CANARY) fail_msg("%s wrote byte %zu", call, i);
  assert_true(result.count == 0 && result.under == 0 && result.lo == 0 && result.hi == 0);
}

#define BAD(name, call) expect(HEDDLE_BAD_ARGUMENT, (call), name, #call)

static int clean(void **state) {
  (void)state;
  memset(counts, CANARY, sizeof counts);
  memset(sums, CANARY, sizeof sums);
  result = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  return 0;
}
static int setup(void **state) {
  (void)state;
  ctx = open_one();
  return 0;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

static heddle_status call(const heddle_bins *bins) {
  return heddle_histogram(ctx, HEDDLE_F32, x, 12, bins, counts, &result, NULL);
}
static heddle_status with(const heddle_histogram_options *options) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  return heddle_histogram(ctx, HEDDLE_F32, x, 12, &bins, counts, &result, options);
}

static void plain_arguments(void **state) {
  (void)state;
  const heddle_bins b = {sizeof b, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  const heddle_bins whole = {sizeof whole, HEDDLE_BINS_INTEGER, BINS, 0, 0, 0, NULL, 0};
  heddle_histogram_result small = HEDDLE_HISTOGRAM_RESULT_INIT;
  BAD("ctx", heddle_histogram(NULL, HEDDLE_F32, x, 12, &b, counts, &result, NULL));
  BAD("type", heddle_histogram(ctx, (heddle_type)0, x, 12, &b, counts, &result, NULL));
  BAD("type", heddle_histogram(ctx, HEDDLE_CUSTOM, x, 12, &b, counts, &result, NULL));
  BAD("in", heddle_histogram(ctx, HEDDLE_F32, NULL, 12, &b, counts, &result, NULL));
  BAD("in", heddle_histogram(ctx, HEDDLE_F32, x, SIZE_MAX / 2, &b, counts, &result, NULL));
  BAD("bins", heddle_histogram(ctx, HEDDLE_F32, x, 12, NULL, counts, &result, NULL));
  BAD("counts", heddle_histogram(ctx, HEDDLE_F32, x, 12, &b, NULL, &result, NULL));
  small.size = 4;
  BAD("result", heddle_histogram(ctx, HEDDLE_F32, x, 12, &b, counts, &small, NULL));
  expect(HEDDLE_UNSUPPORTED,
         heddle_histogram(ctx, HEDDLE_F32, x, 12, &whole, counts, &result, NULL), "f32",
         "integer bins of floats");
}

static void bins_fields(void **state) {
  (void)state;
  const heddle_bins good = {sizeof good, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  const double nan = (double)NAN, inf = (double)INFINITY;
  const double falling[] = {0, 1, 2, 1.5, 3, 4, 5, 6, 7},
               with_nan[] = {0, 1, nan, 3, 4, 5, 6, 7, 8};
  heddle_bins b = good;
  b.size = 0;
  BAD("bins", call(&b));
  b = good;
  b.kind = (heddle_binning)0;
  BAD("kind", call(&b));
  b.kind = (heddle_binning)5;
  BAD("kind", call(&b));
  b = good;
  b.count = 0;
  BAD("count", call(&b));
  b.count = ((size_t)1 << 28) + 1;
  BAD("count", call(&b));
  b.count = SIZE_MAX;
  BAD("count", call(&b));
  b = good;
  b.lo = 2;
  BAD("bins", call(&b));
  b.lo = nan;
  BAD("bins", call(&b));
  b.lo = -inf;
  BAD("bins", call(&b));
  b = good;
  b.hi = nan;
  BAD("bins", call(&b));
  b.hi = inf;
  BAD("bins", call(&b));
  b = good;
  b.kind = HEDDLE_BINS_LOG;
  BAD("bins", call(&b)); /* 0 has no logarithm */
  b.lo = -1;
  BAD("bins", call(&b));
  b = good;
  b.kind = HEDDLE_BINS_EDGES;
  BAD("edges", call(&b));
  b.edges = falling;
  BAD("edges", call(&b));
  assert_non_null(strstr(heddle_message(), "3")); /* edges[3] is the first that falls */
  b.edges = with_nan;
  BAD("edges", call(&b));
}

static void options_fields(void **state) {
  (void)state;
  const heddle_histogram_options good = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_histogram_options o = good;
  o.size = 5;
  BAD("options", with(&o));
  o = good;
  o.channels = 5;
  BAD("channels", with(&o));
  o = good;
  o.channels = SIZE_MAX;
  BAD("channels", with(&o));
  o.channels = 4;
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  BAD("count", heddle_histogram(ctx, HEDDLE_F32, x, 13, &bins, counts, &result, &o));
  o = good;
  o.weights = x;
  o.sums = sums;
  BAD("weights_type", with(&o)); /* weights of no type */
  o.weights_type = HEDDLE_CUSTOM;
  BAD("weights_type", with(&o));
  o.weights_type = HEDDLE_F32;
  o.sums = NULL;
  BAD("sums", with(&o)); /* weights for nothing */
  o.sums = sums;
  o.exact = 2;
  BAD("exact", with(&o));
  o.exact = -1;
  BAD("exact", with(&o));
}

/* One result where there are three channels: what lies behind it is not written. */
static void results_of_channels(void **state) {
  (void)state;
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  const heddle_histogram_result init = HEDDLE_HISTOGRAM_RESULT_INIT;
  const heddle_bins b = {sizeof b, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  heddle_histogram_result results[3] = {init};
  heddle_state *s;
  o.channels = 3;
  BAD("result[1]", heddle_histogram(ctx, HEDDLE_F32, x, 12, &b, counts, results, &o));
  results[1] = init;
  memset(&results[2], CANARY, sizeof results[2]);
  BAD("result[2]", heddle_histogram(ctx, HEDDLE_F32, x, 12, &b, counts, results, &o));
  assert_int_equal(heddle_histogram_begin(ctx, HEDDLE_F32, &b, &o, &s), HEDDLE_OK);
  BAD("result[2]", heddle_histogram_finish(s, counts, results, NULL));
  heddle_state_free(s);
  const unsigned char *bytes = (const unsigned char *)&results[2];
  for (size_t i = 0; i < sizeof results[2]; i++) assert_int_equal(bytes[i], CANARY);
  assert_memory_equal(&results[1], &init, sizeof init);
}

/* Half a unit beside 1e8 is no f32, and the message must show that: six digits would not. */
static void edges_of_a_range_that_is_not_found(void **unused) {
  (void)unused;
  heddle_bins b = {sizeof b, HEDDLE_BINS_EVEN, 1, 99999999.5, 100000000.5, 1, NULL, 0};
  double got[2] = {7, 7};
  BAD("[99999999.5, 100000000.5] is no range that it finds for f32",
      heddle_histogram_edges(HEDDLE_F32, &b, got));
  assert_true(got[0] == 7 && got[1] == 7);
  b.lo = b.hi = 1e8;
  assert_int_equal(heddle_histogram_edges(HEDDLE_F32, &b, got), HEDDLE_OK);
  assert_true(got[0] == 1e8 && got[1] == 1e8);
}

static void states(void **unused) {
  (void)unused;
  heddle_bins b = {sizeof b, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_state *s = NULL;
  BAD("out", heddle_histogram_begin(ctx, HEDDLE_F32, &b, NULL, NULL));
  BAD("bins", heddle_histogram_begin(ctx, HEDDLE_F32, NULL, NULL, &s));
  b.auto_range = 1;
  BAD("auto_range", heddle_histogram_begin(ctx, HEDDLE_F32, &b, NULL, &s));
  b.auto_range = 0;
  o.weights_type = HEDDLE_F32;
  BAD("weight_exponent", heddle_histogram_begin(ctx, HEDDLE_F32, &b, &o, &s));
  assert_null(s);
  o.exact = 1; /* which needs none */
  assert_int_equal(heddle_histogram_begin(ctx, HEDDLE_F32, &b, &o, &s), HEDDLE_OK);
  size_t bytes = 0;
  assert_int_equal(heddle_state_save(s, NULL, &bytes), HEDDLE_OK);
  BAD("one state", heddle_state_merge(s, s));
  heddle_state_free(s);
  o.exact = 0;
  o.weight_exponent = 4;
  o.channels = 2;
  assert_int_equal(heddle_histogram_begin(ctx, HEDDLE_F32, &b, &o, &s), HEDDLE_OK);
  BAD("in", heddle_histogram_update(s, NULL, x, 4));
  BAD("weights", heddle_histogram_update(s, x, NULL, 4));
  BAD("count", heddle_histogram_update(s, x, x, 3));
  BAD("sums", heddle_histogram_finish(s, NULL, &result, NULL)); /* neither of the two */
  heddle_state_free(s);
  assert_int_equal(heddle_histogram_begin(ctx, HEDDLE_F32, &b, NULL, &s), HEDDLE_OK);
  BAD("counts", heddle_histogram_finish(s, NULL, &result, NULL));
  heddle_state_free(s);
}

/* A weight that the given exponent cannot hold is the caller's mistake, found in the data. */
static void weights_beyond_the_exponent(void **state) {
  (void)state;
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  const float large[12] = {0, 1, 2, 3, 15.9f, 16, 5, 4, 3, 2, 1, 0};
  o.weights = large;
  o.weights_type = HEDDLE_F32;
  o.weight_exponent = 4;
  o.sums = sums;
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  float in_range[12] = {0};
  expect(HEDDLE_BAD_DATA,
         heddle_histogram(ctx, HEDDLE_F32, in_range, 12, &bins, counts, &result, &o), "weight",
         "a weight of 2^4 with exponent 4");
}

static void edges(void **state) {
  (void)state;
  heddle_bins b = {sizeof b, HEDDLE_BINS_EVEN, BINS, 0, 1, 0, NULL, 0};
  BAD("edges", heddle_histogram_edges(HEDDLE_F32, &b, NULL));
  BAD("bins", heddle_histogram_edges(HEDDLE_F32, NULL, sums));
  BAD("type", heddle_histogram_edges((heddle_type)0, &b, sums));
  b.count = 0;
  BAD("count", heddle_histogram_edges(HEDDLE_F32, &b, sums));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(plain_arguments, clean),
      cmocka_unit_test_setup(bins_fields, clean),
      cmocka_unit_test_setup(options_fields, clean),
      cmocka_unit_test_setup(edges_of_a_range_that_is_not_found, clean),
      cmocka_unit_test_setup(results_of_channels, clean),
      cmocka_unit_test_setup(states, clean),
      cmocka_unit_test_setup(weights_beyond_the_exponent, clean),
      cmocka_unit_test_setup(edges, clean),
  };
  return cmocka_run_group_tests_name("histogram arguments", tests, setup, teardown);
}
