/* test_state_refused.c - states and bytes that are refused: of other calls, pieces that do not meet, bytes that
 * are cut, changed, or made to fit by a checksum of their own */
#include "compare.h"
#include "saved.h"

static heddle_context *other; /* a scalar CPU on one thread */

/* ---- what is refused ------------------------------------------------------------------------------- */

static heddle_state *sum_from(uint64_t start, heddle_type type, heddle_nan nan, const void *x,
                              size_t n) {
  heddle_options options = make_options(nan, 0, 0, NULL);
  heddle_state *state = NULL;
  options.start = start;
  same_status(HEDDLE_OK, heddle_reduce_begin(other, HEDDLE_SUM, type, &options, &state), "begin");
  if (n) same_status(HEDDLE_OK, heddle_reduce_update(state, x, n), "update");
  return state;
}

static void refused(heddle_status got, heddle_status status, const char *words) {
  same_status(status, got, "refused: %s", heddle_message());
  if (!strstr(heddle_message(), words)) fail_msg("`%s` is not in: %s", words, heddle_message());
}

static void states_of_other_calls(void **unused) {
  (void)unused;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 3, 5000), out;
  heddle_state *a = sum_from(0, HEDDLE_F32, 0, x, 3000), *b;
  const size_t starts[] = {2999, 3001, 0};
  for (int i = 0; i < 3; i++) {
    b = sum_from(starts[i], HEDDLE_F32, 0, x, 10);
    refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "do not meet");
    if (starts[i])
      refused(heddle_reduce_finish(b, &out), HEDDLE_BAD_ARGUMENT, "begins with element");
    heddle_state_free(b);
  }
  b = sum_from(3000, HEDDLE_F64, 0, NULL, 0);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "type f32 and `from` f64");
  heddle_state_free(b);
  b = sum_from(3000, HEDDLE_F32, HEDDLE_NAN_SKIP, NULL, 0);
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "HEDDLE_NAN_SKIP");
  heddle_state_free(b);
  refused(heddle_state_merge(a, a), HEDDLE_BAD_ARGUMENT, "one state");
  same_status(HEDDLE_OK,
              heddle_scan_begin(other, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, NULL, &b), "scan");
  refused(heddle_state_merge(a, b), HEDDLE_BAD_ARGUMENT, "options->prefix");
  heddle_state_free(b);
  b = sum_from(UINT64_MAX - 5, HEDDLE_I32, 0, NULL, 0);
  refused(heddle_reduce_update(b, x, 6), HEDDLE_BAD_ARGUMENT, "no index");
  heddle_state_free(b);
  heddle_options options = make_options(0, 0, 0, NULL);
  options.start = 1;
  refused(heddle_reduce(other, HEDDLE_SUM, HEDDLE_F32, x, 1, &out, &options), HEDDLE_BAD_ARGUMENT,
          "options->start");
  options.start = 0, options.prefix = a;
  refused(heddle_reduce(other, HEDDLE_SUM, HEDDLE_F32, x, 1, &out, &options), HEDDLE_BAD_ARGUMENT,
          "options->prefix");
  refused(heddle_scan(other, HEDDLE_PROD, HEDDLE_INCLUSIVE, HEDDLE_F32, x, 1, &out, &options),
          HEDDLE_BAD_ARGUMENT, "another operator");
  b = sum_from(7, HEDDLE_F32, 0, x, 10);
  options.prefix = b;
  refused(heddle_scan(other, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, 1, &out, &options),
          HEDDLE_BAD_ARGUMENT, "begins with element 7");
  heddle_state_free(b);
  heddle_state_free(a);
  free(x);
}

/* Whatever loads can be used to the end. */
static void use(const unsigned char *bytes, size_t count) {
  heddle_state *state = NULL;
  size_t room = 0;
  unsigned char *copy = malloc(count ? count : 1); /* of exactly this size, for the sanitizer */
  memcpy(copy, bytes, count);
  const heddle_status status = heddle_state_load(other, copy, count, NULL, &state);
  if (status == HEDDLE_OK) {
    double out[16];
    heddle_description description = HEDDLE_DESCRIPTION_INIT;
    uint64_t index;
    (void)!heddle_state_save(state, NULL, &room);
    (void)!heddle_reduce_finish(state, out);
    (void)!heddle_dot_finish(state, out);
    (void)!heddle_argreduce_finish(state, out, &index);
    (void)!heddle_describe_finish(state, &description);
    (void)!heddle_scan_finish(state, out);
    heddle_state_free(state);
  } else {
    assert_true(status == HEDDLE_BAD_DATA || status == HEDDLE_BAD_ARGUMENT ||
                status == HEDDLE_UNSUPPORTED || status == HEDDLE_OUT_OF_MEMORY);
  }
  free(copy);
}

static void hostile(heddle_state *state, uint64_t seed) {
  size_t bytes;
  heddle_state *none = NULL;
  unsigned char *good = saved(state, &bytes), *bad = allocate(bytes);
  for (size_t n = 0; n < bytes; n += 1 + n / 64)
    refused(heddle_state_load(other, good, n, NULL, &none), HEDDLE_BAD_DATA, "");
  for (size_t i = 0; i < bytes; i += 1 + i / 300) {
    memcpy(bad, good, bytes);
    bad[i] ^= (unsigned char)(1u << draw(&seed, 8));
    refused(heddle_state_load(other, bad, bytes, NULL, &none), HEDDLE_BAD_DATA, "");
    make_fit(bad, bytes);
    use(bad, bytes);
  }
  for (int i = 0; i < 3000; i++) {
    memcpy(bad, good, bytes);
    for (size_t k = 1 + draw(&seed, 4); k--;)
      bad[draw(&seed, bytes < 200 ? bytes : 200)] =
          (unsigned char)draw(&seed, draw(&seed, 2) ? 20 : 256);
    size_t n = draw(&seed, 4) ? bytes : 16 + draw(&seed, bytes - 16);
    make_fit(bad, n);
    use(bad, n);
  }
  heddle_state_free(state);
  free(good);
  free(bad);
}

static void hostile_bytes(void **unused) {
  (void)unused;
  double *x = data_new(DATA_WIDE, HEDDLE_F64, 4, 5000);
  heddle_state *state = sum_from(1000, HEDDLE_F64, 0, x, 5000);
  hostile(state, 1);
  hostile(sum_from(0, HEDDLE_I32, 0, x, 5000), 2);
  same_status(HEDDLE_OK, heddle_describe_begin(other, HEDDLE_F64, NULL, &state), "begin");
  same_status(HEDDLE_OK, heddle_describe_update(state, x, 5000), "update");
  hostile(state, 3);
  same_status(HEDDLE_OK, heddle_argreduce_begin(other, HEDDLE_ARGMIN, HEDDLE_F64, NULL, &state),
              "begin");
  same_status(HEDDLE_OK, heddle_argreduce_update(state, x, 5000), "update");
  size_t bytes;
  unsigned char *places = saved(state, &bytes);
  const uint64_t behind = 5000; /* the place in the total of 24 bytes before the checksum */
  heddle_state *none = NULL;
  memcpy(places + bytes - 24, &behind, sizeof behind);
  make_fit(places, bytes);
  refused(heddle_state_load(other, places, bytes, NULL, &none), HEDDLE_BAD_DATA, "a place is not");
  free(places);
  hostile(state, 4);
  heddle_options options = make_options(0, 0, 0, NULL);
  options.exact = 1;
  same_status(HEDDLE_OK, heddle_dot_begin(other, HEDDLE_F64, &options, &state), "begin");
  same_status(HEDDLE_OK, heddle_dot_update(state, x, x, 5000), "update");
  hostile(state, 5);
  same_status(HEDDLE_OK,
              heddle_scan_begin(other, HEDDLE_MAX, HEDDLE_EXCLUSIVE, HEDDLE_I16, NULL, &state),
              "begin");
  hostile(state, 6);
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.count = 12, bins.hi = 1;
  heddle_histogram_options weighted = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  weighted.weights_type = HEDDLE_F64, weighted.weight_exponent = 60;
  same_status(HEDDLE_OK, heddle_histogram_begin(other, HEDDLE_F64, &bins, &weighted, &state),
              "begin");
  same_status(HEDDLE_OK, heddle_histogram_update(state, x, x, 5000), "update");
  hostile(state, 7);
  free(x);
}

static int setup(void **state) {
  other = open_cpu("scalar", 1);
  return compare_setup(state) || !other;
}
static int teardown(void **state) {
  heddle_close(other);
  return compare_teardown(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_of_other_calls),
                                     cmocka_unit_test(hostile_bytes)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
