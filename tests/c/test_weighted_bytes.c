/* test_weighted_bytes.c - states of quantiles by weights from bytes that may be anyone's
 *
 * Method   Bytes of states in every pass are cut, changed, and made fit again by a checksum of their own. What loads all
 *          the same is saved, merged, given more and asked to the end. */
#include <math.h>

#include "saved.h"

static heddle_context *ctx;

/* Whatever loads can be used to the end; 1: it did. */
static int use(const unsigned char *bytes, size_t count) {
  static const double x[64], w[] = {1, 1e300, 5e-324, 0, 2, 3, 4};
  heddle_state *state = NULL;
  int again = 1;
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  unsigned char *copy = malloc(count); /* of exactly this size, for the sanitizer */
  memcpy(copy, bytes, count);
  const heddle_status status = heddle_state_load(ctx, copy, count, NULL, &state);
  free(copy);
  if (status != HEDDLE_OK) {
    assert_true(status == HEDDLE_BAD_DATA);
    return 0;
  }
  same_status(HEDDLE_OK, heddle_state_info(state, &d), "info");
  double *out = allocate((d.shares + 1) * sizeof *out);
  heddle_state *more = loaded(ctx, state);
  (void)!heddle_state_merge(more, state);
  (void)!heddle_weighted_quantiles_update(state, x, w, d.weights_type == HEDDLE_F64 ? 7 : 3);
  for (int i = 0; i < 70 && again && !heddle_quantiles_round(state, &again); i++) {
  }
  (void)!heddle_quantiles_finish(state, out);
  (void)!heddle_quantiles_round(more, &again);
  heddle_state_free(more);
  heddle_state_free(state);
  free(out);
  return 1;
}

/* Ends the state. */
static void hostile(heddle_state *state, uint64_t seed) {
  enum { HEAD = 24, EARLY = 900, TRIES = 60 };
  size_t bytes, used = 0;
  heddle_state *none = NULL;
  unsigned char *good = saved(state, &bytes), *bad = allocate(bytes);
  for (size_t n = 0; n < bytes; n += 1 + n / 16)
    same_status(HEDDLE_BAD_DATA, heddle_state_load(ctx, good, n, NULL, &none), "cut at %zu", n);
  for (size_t i = HEAD; i < bytes; i += 1 + i / 20) {
    memcpy(bad, good, bytes);
    bad[i] ^= (unsigned char)(1u << draw(&seed, 8));
    same_status(HEDDLE_BAD_DATA, heddle_state_load(ctx, bad, bytes, NULL, &none), "byte %zu", i);
    make_fit(bad, bytes);
    (void)use(bad, bytes);
  }
  for (int i = 0; i < TRIES; i++) {
    memcpy(bad, good, bytes);
    for (size_t k = 1 + draw(&seed, 4); k--;)
      bad[HEAD + draw(&seed, (bytes < EARLY ? bytes : EARLY) - HEAD)] =
          (unsigned char)draw(&seed, draw(&seed, 2) ? 20 : 256);
    const size_t n = draw(&seed, 4) ? bytes : 32 + draw(&seed, bytes - 32);
    make_fit(bad, n);
    used += (size_t)use(bad, n);
  }
  assert_true(used > 0);
  heddle_state_free(state);
  free(good);
  free(bad);
}

static heddle_state *begun(heddle_type type, heddle_nan nan) {
  const double q[] = {0.5, 0.01};
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  heddle_state *state = NULL;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.nan = nan;
  same_status(HEDDLE_OK, heddle_weighted_quantiles_begin(ctx, type, q, 2, &options, &state),
              "begin: %s", heddle_message());
  return state;
}

static void update(heddle_state *state, const void *in, const double *weights, size_t count) {
  same_status(HEDDLE_OK, heddle_weighted_quantiles_update(state, in, weights, count), "update: %s",
              heddle_message());
}

static int round_of(heddle_state *state) {
  int again = -1;
  same_status(HEDDLE_OK, heddle_quantiles_round(state, &again), "round: %s", heddle_message());
  return again;
}

static void hostile_bytes(void **unused) {
  (void)unused;
  enum { N = 300 };
  double w[N];
  for (size_t i = 0; i < N; i++) w[i] = (double)(data_word(4, i) >> 44);
  float *x = data_new(DATA_HOLES, HEDDLE_F32, 4, N);
  heddle_state *state = begun(HEDDLE_U8, HEDDLE_NAN_PROPAGATE);
  hostile(loaded(ctx, state), 1);
  update(state, x, w, N);
  hostile(loaded(ctx, state), 2);
  assert_int_equal(round_of(state), 0);
  hostile(state, 3);
  state = begun(HEDDLE_F32, HEDDLE_NAN_SKIP);
  update(state, x, w, N);
  assert_int_equal(round_of(state), 1);
  hostile(loaded(ctx, state), 4);
  update(state, x, w, N / 2);
  hostile(loaded(ctx, state), 5);
  update(state, x + N / 2, w + N / 2, N - N / 2);
  assert_int_equal(round_of(state), 0);
  hostile(state, 6);
  free(x);
}

static int setup(void **state) {
  (void)state;
  ctx = open_cpu("scalar", 1);
  return !ctx;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_bytes)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
