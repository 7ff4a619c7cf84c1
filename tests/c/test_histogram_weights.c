/* test_histogram_weights.c - weights of every kind into accumulators, against 128-bit sums
 *
 * Method   Everything is compared with reference_histogram.c: one weight that is not finite, or too
 *          large, in every place of a few groups; exponents at both ends of f64; as many weights in
 *          one bin as overflow halves that are not carried on; every type and length; tables with
 *          copies of their accumulators and without. */
#include <math.h>

#include "compare.h"
#include "reference_histogram.h"

enum { FEW = 5, MANY = 300, PLACES = 200 }; /* bins of a table with copies, and of one without */

static heddle_bins bins_from_zero(size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_INTEGER, count, 0, 0, 0, NULL, 0};
}

static heddle_histogram_options options_of(const ref_weights *w, double *sums) {
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = w->weights;
  options.weights_type = w->type;
  options.weight_exponent = w->exponent;
  options.sums = sums;
  return options;
}

/* Two halves through a state. */
static void in_halves(heddle_context *ctx, const uint16_t *x, size_t n, const heddle_bins *bins,
                      const heddle_histogram_options *options, uint64_t *counts, double *sums) {
  const char *weights = options->weights;
  heddle_state *state = NULL;
  same_status(HEDDLE_OK, heddle_histogram_begin(ctx, HEDDLE_U16, bins, options, &state), "begin");
  for (size_t from = 0, count = n / 2; from < n; from += count, count = n - from)
    same_status(HEDDLE_OK,
                heddle_histogram_update(state, x + from,
                                        weights + from * data_size(options->weights_type), count),
                "update");
  same_status(HEDDLE_OK, heddle_histogram_finish(state, counts, NULL, sums), "finish");
  heddle_state_free(state);
}

static void check(const uint16_t *x, size_t n, size_t bin_count, const ref_weights *w,
                  const char *what) {
  const heddle_bins bins = bins_from_zero(bin_count);
  const uint64_t job = compare_job(what, (int)bin_count, w->type, NULL);
  uint64_t wanted[MANY], counts[MANY];
  double wanted_sums[MANY], sums[MANY];
  heddle_histogram_result rest;
  size_t at = 0;
  const machine *m = compare_next(&at, n * 2, job);
  if (!m) return;
  ref_histogram(HEDDLE_U16, x, n, &bins, 1, w, wanted, wanted_sums, &rest);
  const heddle_histogram_options options = options_of(w, sums);
  for (; m; m = compare_next(&at, n * 2, job)) {
    same_status(HEDDLE_OK,
                heddle_histogram(m->ctx, HEDDLE_U16, x, n, &bins, counts, NULL, &options),
                "%s on %s", what, m->label);
    same_array(HEDDLE_U64, wanted, counts, bin_count, "%s: counts on %s", what, m->label);
    same_array(HEDDLE_F64, wanted_sums, sums, bin_count, "%s: sums of %s, %zu, 2^%d, on %s", what,
               heddle_type_name(w->type), n, w->exponent, m->label);
    if (w->exponent == HEDDLE_FIND_EXPONENT || n < 2) continue;
    in_halves(m->ctx, x, n, &bins, &options, counts, sums);
    same_array(HEDDLE_U64, wanted, counts, bin_count, "%s: counts by a state, %s", what, m->label);
    same_array(HEDDLE_F64, wanted_sums, sums, bin_count, "%s: sums by a state, %s", what, m->label);
  }
}

/* Values 0 to bins + 1: two beyond the bins. */
static uint16_t *elements(size_t n, size_t bins, uint64_t seed) {
  uint16_t *x = allocate(n * 2 + 2);
  for (size_t i = 0; i < n; i++) x[i] = (uint16_t)(data_word(seed, i) % (bins + 2));
  return x;
}

static void special_in_every_place(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64};
  const double special[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  uint16_t *x = elements(PLACES, FEW, 1);
  for (size_t t = 0; t < 4; t++)
    for (size_t place = 0; place < PLACES; place += lightness())
      for (size_t s = 0; s < 3; s++) {
        void *w = data_new(DATA_NEAR1, types[t], 2, PLACES);
        ref_store(HEDDLE_F64, (ref_value){special[s], 0}, types[t], w, place);
        if (place % 3 == 0) /* a second one, perhaps in the same bin */
          ref_store(HEDDLE_F64, (ref_value){special[1], 0}, types[t], w, PLACES - 1 - place);
        const ref_weights given = {w, types[t], place % 2 ? 3 : HEDDLE_FIND_EXPONENT};
        check(x, PLACES, FEW, &given, "special");
        check(x, PLACES, MANY, &given, "special");
        free(w);
      }
  free(x);
}

static void too_large_in_every_place(void **state) {
  (void)state;
  double w[PLACES], sums[MANY];
  uint16_t *x = elements(PLACES, FEW, 3);
  for (size_t i = 0; i < PLACES; i++) w[i] = 0x1.fffffffffffffp6;
  for (size_t place = 0; place < PLACES; place++) {
    w[place] = place % 2 ? 0x1p7 : -0x1p7;
    for (size_t m = 0; m < compare_on.count; m++) {
      if (!compare_takes(m, compare_job("too large", 0, HEDDLE_F64, NULL))) continue;
      const heddle_bins bins = bins_from_zero(place % 4 < 2 ? FEW : MANY);
      const ref_weights given = {w, HEDDLE_F64, 7}, greater = {w, HEDDLE_F64, 8};
      heddle_histogram_options options = options_of(&given, sums);
      heddle_context *ctx = compare_on.of[m].ctx;
      same_status(HEDDLE_BAD_DATA,
                  heddle_histogram(ctx, HEDDLE_U16, x, PLACES, &bins, NULL, NULL, &options),
                  "2^7 in place %zu on %s", place, compare_on.of[m].label);
      options.weight_exponent = greater.exponent;
      same_status(HEDDLE_OK,
                  heddle_histogram(ctx, HEDDLE_U16, x, PLACES, &bins, NULL, NULL, &options),
                  "2^7 below 2^8");
    }
    w[place] = 0x1.fffffffffffffp6;
  }
  free(x);
}

/* Weights of all sizes from below half a unit to the greatest, ties among them. */
static void exponents(void **state) {
  (void)state;
  static const int all[] = {-1073, -1040, -1022, -1000, -700, -535, -1,   0,
                            43,    44,    86,    87,    535,  700,  1023, 1024};
  const size_t n = 1000;
  uint16_t *x = elements(n, FEW, 4);
  double *w = allocate(n * 8);
  for (size_t e = 0; e < sizeof all / sizeof all[0]; e++) {
    for (size_t i = 0; i < n; i++) {
      const uint64_t word = data_word(e, i);
      const int bits = 1 + (int)(word % 53), size = (int)(word >> 8 & 127);
      const double digits = (double)(word >> (64 - bits) | 1) / ldexp(1, bits);
      w[i] = (word >> 7 & 1 ? 1 : -1) * ldexp(digits, all[e] - (size < 89 ? size : 0));
      if (fabs(w[i]) == ldexp(1, all[e])) w[i] = 0; /* a denormal that was rounded up */
    }
    const ref_weights given = {w, HEDDLE_F64, all[e]}, find = {w, HEDDLE_F64, HEDDLE_FIND_EXPONENT};
    const ref_weights far = {w, HEDDLE_F64, all[e] + 40};
    check(x, n, FEW, &given, "exponents");
    check(x, n, FEW, &find, "exponents");
    check(x, n, MANY, &far, "exponents");
  }
  free(w);
  free(x);
}

/* Halves of 2^43 overflow 64 bits after 2^20 additions; a table with copies has four a bin. */
static void many_in_one_bin(void **state) {
  (void)state;
  static const double greatest[] = {0x1.fffffep-1, -0x1.fffffep-1, 0x1.000002p-1};
  const size_t n = ((size_t)9 << 19) / lightness() + 77;
  uint16_t *x = allocate(n * 2);
  float *w = allocate(n * 4);
  for (size_t i = 0; i < n; i++) x[i] = 2;
  for (size_t g = 0; g < 3; g++) {
    for (size_t i = 0; i < n; i++) w[i] = (float)greatest[g];
    const ref_weights given = {w, HEDDLE_F32, 0};
    check(x, n, FEW, &given, "many");
    check(x, n / 2 + 1, MANY, &given, "many");
  }
  free(w);
  free(x);
}

static void types_and_lengths(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SPECIAL, DATA_TINY};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 3; k++)
      for (size_t n = 1; n < PLACES + 100; n += k ? 13 * lightness() : lightness()) {
        uint16_t *x = elements(n, FEW, n);
        void *w = data_new(kinds[k], all_types[t], n, n);
        const ref_weights find = {w, all_types[t], HEDDLE_FIND_EXPONENT};
        const ref_weights given = {w, all_types[t], ref_find_exponent(all_types[t], w, n)};
        check(x, n, FEW, &given, "types");
        check(x, n, MANY, n % 2 ? &given : &find, "types");
        free(w);
        free(x);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(special_in_every_place),
      cmocka_unit_test(too_large_in_every_place),
      cmocka_unit_test(exponents),
      cmocka_unit_test(many_in_one_bin),
      cmocka_unit_test(types_and_lengths),
  };
  return cmocka_run_group_tests_name("histogram_weights", tests, compare_setup, compare_teardown);
}
