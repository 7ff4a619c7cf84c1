/* test_dot_describe.c - dot and describe over type x options x length x alignment x threads x
 * instruction set, against the reference */
#include <math.h>

#include "compare.h"

static const enum data_kind kinds[] = {DATA_WIDE,    DATA_HOLES, DATA_TINY, DATA_NEAR1,
                                       DATA_SPECIAL, DATA_ZEROS, DATA_SMALL};
enum { KINDS = 7 };

static void each_option(heddle_type type, const void *x, const void *y, size_t n) {
  compare_dot(type, x, y, n, NULL);
  compare_describe(type, x, n, NULL);
  if (!ref_is_float(type)) return;
  for (size_t nan = 0; nan < 2; nan++) {
    heddle_options options =
        make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
    const int skips = options.nan == HEDDLE_NAN_SKIP; /* else as without options */
    if (skips) compare_describe(type, x, n, &options);
    if (skips) compare_dot(type, x, y, n, &options);
    options.acc_type = HEDDLE_F64;
    compare_dot(type, x, y, n, &options);
  }
}

static void every_type_length(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < KINDS; k++) {
      if (!ref_is_float(all_types[t]) && k == 2) continue;
      void *x = data_new(kinds[k], all_types[t], 51, 20000);
      void *y = data_new(kinds[(k * 3) % KINDS], all_types[t], 52, 20000);
      for (const size_t *n = compare_lengths; *n <= 20000 / lightness(); n++)
        each_option(all_types[t], x, y, *n);
      free(x);
      free(y);
    }
}

/* Values far from zero beside their spread: the place where one-pass formulas break. */
static void describe_far_from_zero(void **state) {
  (void)state;
  for (size_t n = 1; n < 9000; n = n * 5 / 3 + 1) {
    double *x = data_new(DATA_NEAR1, HEDDLE_F64, 3, n);
    for (size_t i = 0; i < n; i++) x[i] = 1e9 + x[i];
    compare_describe(HEDDLE_F64, x, n, NULL);
    heddle_description d = HEDDLE_DESCRIPTION_INIT;
    assert_int_equal(heddle_describe(compare_on.of[0].ctx, HEDDLE_F64, x, n, &d, NULL), HEDDLE_OK);
    assert_true(d.variance >= 0 && d.variance < 1e-5);
    free(x);
  }
}

/* Chunks of nothing but NaN, and values beside them: empty moments merge away. */
static void describe_skips_whole_chunks(void **state) {
  (void)state;
  enum { LENGTH = 7 * 1024 + 33 };
  const heddle_options skip =
      make_options(HEDDLE_NAN_SKIP, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  for (size_t t = 0; t < float_type_count; t++)
    for (unsigned mask = 0; mask < 256; mask += 3) {
      void *x = data_new(DATA_WIDE, float_types[t], 8, LENGTH);
      for (size_t i = 0; i < LENGTH; i++)
        if (mask >> (i / 1024) & 1)
          ref_store(HEDDLE_F64, (ref_value){(double)(0.0f / 0.0f), 0}, float_types[t], x, i);
      compare_describe(float_types[t], x, LENGTH, &skip);
      free(x);
    }
}

/* Finite values whose sum, or whose distances, overflow: the mean is finite, and near the true one. */
static void describe_of_the_largest(void **state) {
  (void)state;
  static const size_t lengths[] = {2, 3, 7, 15, 16, 17, 100, 1023, 1024, 1025, 3000, 9000};
  const heddle_options skip =
      make_options(HEDDLE_NAN_SKIP, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (unsigned kind = 0; kind < 6; kind++) {
      const size_t n = lengths[l];
      double *x = data_new(DATA_NEAR1, HEDDLE_F64, 17 + kind, n), sum = 0, least = x[0],
             most = x[0];
      for (size_t i = 0; i < n; i++) {
        const unsigned turn = (unsigned)(i * 2654435761u >> 7);
        const double sign = kind % 3 == 0 ? 1 : kind % 3 == 1 ? -1 : turn % 3 ? 1 : -1;
        x[i] = sign * (kind < 3 ? 0x1.fp1023 : 0x1.fp1022) * (x[i] > 1 ? 1 : x[i]);
        if (i % 5 == 4) x[i] = 0x1.fffffffffffffp1023 * sign;
        sum += x[i] * 0x1p-20;
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
      }
      compare_describe(HEDDLE_F64, x, n, NULL);
      const double mean = sum / (double)n * 0x1p20;
      heddle_description d = HEDDLE_DESCRIPTION_INIT;
      assert_int_equal(heddle_describe(compare_on.of[0].ctx, HEDDLE_F64, x, n, &d, NULL), 0);
      if (!(d.mean >= least && d.mean <= most && fabs(d.mean - mean) <= 0x1p983))
        fail_msg("the mean of %zu values of kind %u is %a, not %a", n, kind, d.mean, mean);
      for (size_t i = 0; i < n; i += 3) x[i] = (double)NAN;
      compare_describe(HEDDLE_F64, x, n, &skip);
      compare_describe(HEDDLE_F64, x, n, NULL);
      x[n / 2] = -(double)INFINITY;
      compare_describe(HEDDLE_F64, x, n, &skip);
      free(x);
    }
  const double three[] = {1e308, 1e308, -1e308};
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  assert_int_equal(heddle_describe(compare_on.of[0].ctx, HEDDLE_F64, three, 3, &d, NULL), 0);
  assert_true(fabs(d.mean - 1e308 / 3) < 1e293);
}

/* The same as rows with a stride, on every machine: chunks that are gathered. */
static void describe_of_the_largest_in_rows(void **state) {
  (void)state;
  enum { ROWS = 2, LENGTH = 2200 };
  const size_t shape[] = {ROWS, LENGTH};
  const ptrdiff_t strides[] = {1, ROWS};
  double *x = data_new(DATA_NEAR1, HEDDLE_F64, 23, ROWS * LENGTH), row[LENGTH];
  heddle_description expected[ROWS], got[ROWS];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2, rows.axis = 1, rows.shape = shape, rows.strides = strides;
  for (size_t i = 0; i < ROWS * LENGTH; i++)
    x[i] *= (i / 3) % 2 && i % 2 ? -0x1.fp1022 : 0x1.fp1022; /* row 0: all of one sign */
  for (size_t r = 0; r < ROWS; r++) {
    for (size_t i = 0; i < LENGTH; i++) row[i] = x[i * ROWS + r];
    assert_int_equal(ref_describe(HEDDLE_F64, row, LENGTH, &expected[r], NULL), HEDDLE_OK);
    assert_true(isfinite(expected[r].mean) && fabs(expected[r].mean) > 0x1p1010);
  }
  for (size_t i = 0; i < compare_on.count; i++) {
    got[0] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
    assert_int_equal(heddle_describe_rows(compare_on.of[i].ctx, HEDDLE_F64, x, &rows, got, NULL),
                     HEDDLE_OK);
    for (size_t r = 0; r < ROWS; r++)
      same_description(&expected[r], &got[r], "row %zu on %s", r, compare_on.of[i].label);
    got[0] = (heddle_description)HEDDLE_DESCRIPTION_INIT;
    for (size_t k = 0; k < LENGTH; k++) row[k] = x[k * ROWS];
    assert_int_equal(heddle_describe(compare_on.of[i].ctx, HEDDLE_F64, row, LENGTH, got, NULL),
                     HEDDLE_OK);
    same_description(&expected[0], got, "one row on %s", compare_on.of[i].label);
  }
  free(x);
}

static void every_alignment(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    char *x = allocate(4500 * 8 + 64);
    char *y = allocate(4500 * 8 + 64);
    for (size_t at = 0; at < 64; at++) {
      const size_t other = (at * 37 + 11) % 64;
      data_fill(DATA_WIDE, all_types[t], at, 4500, x + at);
      data_fill(DATA_WIDE, all_types[t], at + 100, 4500, y + other);
      compare_dot(all_types[t], x + at, y + other, 4500, NULL);
      compare_dot(all_types[t], x + at, y + other, 77, NULL);
      compare_dot(all_types[t], x + at, x + at, 1025, NULL);
      compare_describe(all_types[t], x + at, 2600, NULL);
    }
    free(x);
    free(y);
  }
}

static void dot_init_and_out_type(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 3000};
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < type_count; o++) {
      if (ref_is_float(all_types[t]) && !ref_is_float(all_types[o])) continue;
      void *x = data_new(DATA_WIDE, all_types[t], 61, 3000);
      void *y = data_new(DATA_WIDE, all_types[t], 62, 3000);
      void *init = data_new(DATA_WIDE, all_types[o], 63, 1);
      for (size_t i = 0; i < 6; i++) {
        const heddle_options options = make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT,
                                                    all_types[o], i & 1 ? init : NULL);
        compare_dot(all_types[t], x, y, lengths[i / 2], &options);
      }
      free(x);
      free(y);
      free(init);
    }
}

static void threads_and_long_inputs(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = (lightness() > 1 ? (1 << 19) : (4 << 19)) / data_size(type) + 1357;
    void *x = data_new(DATA_HOLES, type, 71, n);
    void *y = data_new(DATA_WIDE, type, 72, n);
    each_option(type, x, y, n);
    free(x);
    free(y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_length),
      cmocka_unit_test(describe_far_from_zero),
      cmocka_unit_test(describe_skips_whole_chunks),
      cmocka_unit_test(every_alignment),
      cmocka_unit_test(describe_of_the_largest),
      cmocka_unit_test(describe_of_the_largest_in_rows),
      cmocka_unit_test(dot_init_and_out_type),
      cmocka_unit_test(threads_and_long_inputs),
  };
  return cmocka_run_group_tests_name("dot, describe", tests, compare_setup, compare_teardown);
}
