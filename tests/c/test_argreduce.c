/* test_argreduce.c - argmin and argmax against the reference, ties and NaN included */
#include "compare.h"

static const enum data_kind kinds[] = {DATA_WIDE,  DATA_SPECIAL, DATA_ZEROS,
                                       DATA_SMALL, DATA_HOLES,   DATA_TINY};

static void each_option(heddle_type type, const void *x, size_t n) {
  for (size_t which = 0; which < 2; which++)
    for (size_t nan = 0; nan < 2; nan++) {
      const heddle_options options =
          make_options(nan_policies[nan], HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
      compare_argreduce(extremes[which], type, x, n, &options);
    }
}

static void every_type_length(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 6; k++) {
      void *x = data_new(kinds[k], all_types[t], 3 + k, 20000);
      for (const size_t *n = compare_lengths; *n <= 20000 / lightness(); n++)
        each_option(all_types[t], x, *n);
      compare_argreduce(HEDDLE_ARGMAX, all_types[t], x, 77, NULL);
      free(x);
    }
}

/* The extreme, at every place, with an equal one after it; and a NaN at every place. */
static void every_place_counts(void **state) {
  (void)state;
  enum { LENGTH = 600 };
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    unsigned char *x = calloc(LENGTH, data_size(type));
    assert_non_null(x);
    for (size_t i = 0; i < LENGTH; i++) data_put(type, x, i, 5);
    for (size_t p = 0; p < LENGTH; p += lightness()) {
      const size_t later = p + 1 + data_word(1, p) % 99;
      data_put(type, x, p, 9);
      if (later < LENGTH) data_put(type, x, later, 9);
      compare_argreduce(HEDDLE_ARGMAX, type, x, LENGTH, NULL);
      data_put(type, x, p, 2);
      if (later < LENGTH) data_put(type, x, later, 2);
      compare_argreduce(HEDDLE_ARGMIN, type, x, LENGTH, NULL);
      if (ref_is_float(type)) {
        const uint64_t nan = type == HEDDLE_F64   ? UINT64_C(0xFFF0000000000001)
                             : type == HEDDLE_F32 ? 0xFF800001U
                                                  : 0xFFF1U;
        data_put(type, x, p, nan);
        if (later < LENGTH) data_put(type, x, later, nan + 1);
        each_option(type, x, LENGTH);
      }
      data_put(type, x, p, 5);
      if (later < LENGTH) data_put(type, x, later, 5);
    }
    free(x);
  }
}

static void every_alignment(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    char *line = allocate(700 * 8 + 64);
    for (size_t at = 0; at < 64; at++) {
      data_fill(DATA_WIDE, all_types[t], at, 700, line + at);
      compare_argreduce(HEDDLE_ARGMIN, all_types[t], line + at, 700, NULL);
      compare_argreduce(HEDDLE_ARGMAX, all_types[t], line + at, 61, NULL);
    }
    free(line);
  }
}

/* Ties in the shares of different threads: the lowest index wins whoever finds it first. */
static void threads_and_ties(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = (lightness() > 1 ? (1 << 19) : (4 << 19)) / data_size(type) + 991;
    void *x = data_new(DATA_SMALL, type, 6, n);
    each_option(type, x, n);
    data_fill(DATA_WIDE, type, 7, n, x);
    each_option(type, x, n);
    data_fill(DATA_ZEROS, type, 8, n, x);
    each_option(type, x, n);
    data_put(type, x, n - 3, 1);
    each_option(type, x, n);
    free(x);
  }
}

/* Elements `bits` at p and, if it is in the array of n, at `later`; the array is left as it was. */
static void one_among(heddle_type type, unsigned char *x, size_t n, size_t p, size_t later,
                      uint64_t bits) {
  const uint64_t before = data_bits(type, x, p);
  data_put(type, x, p, bits);
  if (later < n) data_put(type, x, later, bits);
  each_option(type, x, n);
  data_put(type, x, p, before);
  if (later < n) data_put(type, x, later, before);
}

/* The same in full chunks: every place of the first and of the last vectors of one, with NaN, and with
 * extremes that nothing behind can beat. */
static void every_place_of_a_chunk(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), chunk = 8192 / size, n = 2 * chunk + 33;
    const size_t last = 2 * chunk - 64 / size, step = lightness() > 1 ? 11 : 1;
    const uint64_t ones = ~UINT64_C(0) >> (64 - 8 * size), sign = UINT64_C(1) << (8 * size - 1);
    unsigned char *x = calloc(n, size);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++) data_put(type, x, i, 5);
    for (size_t p = chunk; p < 2 * chunk; p += step) {
      if (p >= chunk + 512 / size && p < last) p = last;
      const size_t later = p + 1 + data_word(2, p) % chunk;
      one_among(type, x, n, p, later, 9);
      one_among(type, x, n, p, later, 2);
      one_among(type, x, n, p, later, ones); /* a NaN of floats */
      one_among(type, x, n, p, later, ref_is_float(type) ? sign | 5 : sign);
    }
    free(x);
  }
}

/* Extremes that nothing beats, in several of the blocks that threads share, and infinities and NaN
 * alone. */
static void settled_early(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), n = (lightness() > 1 ? 1 << 18 : 3 << 20) / size + 77;
    const uint64_t ones = ~UINT64_C(0) >> (64 - 8 * size), sign = UINT64_C(1) << (8 * size - 1);
    const uint64_t settling[] = {0, ones, sign, sign - 1};
    const size_t places[] = {3, 9 * 8192 / size, n / 2, n - 78};
    unsigned char *x = calloc(n, size);
    assert_non_null(x);
    memset(x, 1, n * size);
    for (size_t p = 0; p < 4; p++)
      for (size_t s = p % lightness(); s < 4; s += lightness())
        one_among(type, x, n, places[p], places[p] + n / 7, settling[s]);
    free(x);
  }
}

static void infinities_and_nan_alone(void **state) {
  (void)state;
  for (size_t t = 0; t < float_type_count; t++) {
    const heddle_type type = float_types[t];
    const size_t n = 3 * 8192 / data_size(type) + 5;
    const uint64_t infinity = type == HEDDLE_F64    ? UINT64_C(0x7ff0000000000000)
                              : type == HEDDLE_F32  ? 0x7f800000U
                              : type == HEDDLE_BF16 ? 0x7f80U
                                                    : 0x7c00U;
    const uint64_t sign = UINT64_C(1) << (8 * data_size(type) - 1);
    unsigned char *x = calloc(n, data_size(type));
    assert_non_null(x);
    for (size_t k = 0; k < 4; k++) {
      for (size_t i = 0; i < n; i++) data_put(type, x, i, infinity + 1);
      each_option(type, x, n);
      for (size_t p = 0; p<n; p += lightness()> 1 ? 4999 : 997) {
        data_put(type, x, n - 1 - p, infinity | (k & 1 ? sign : 0));
        each_option(type, x, n);
      }
      for (size_t i = 0; i < n; i++) data_put(type, x, i, infinity | (k & 2 ? sign : 0));
      each_option(type, x, n);
    }
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_length),        cmocka_unit_test(every_place_counts),
      cmocka_unit_test(every_place_of_a_chunk),   cmocka_unit_test(settled_early),
      cmocka_unit_test(infinities_and_nan_alone), cmocka_unit_test(every_alignment),
      cmocka_unit_test(threads_and_ties),
  };
  return cmocka_run_group_tests_name("argreduce", tests, compare_setup, compare_teardown);
}
