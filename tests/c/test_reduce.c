/* test_reduce.c - reduce over type x operator x options x length x alignment x threads x
 * instruction set, against the reference */
#include "compare.h"

static const enum data_kind float_kinds[] = {DATA_WIDE,    DATA_HOLES, DATA_TINY, DATA_NEAR1,
                                             DATA_SPECIAL, DATA_ZEROS, DATA_SMALL};
static const enum data_kind integer_kinds[] = {DATA_WIDE, DATA_NEAR1, DATA_SPECIAL, DATA_ZEROS,
                                               DATA_SMALL};

static size_t kinds_of(heddle_type type, const enum data_kind **kinds) {
  *kinds = ref_is_float(type) ? float_kinds : integer_kinds;
  return ref_is_float(type) ? 7 : 5;
}

static size_t longest(void) { return lightness() > 1 ? 5000 : 20000; }

/* Every option that makes sense for the type and operator. */
static void each_option(heddle_op op, heddle_type type, const void *x, size_t n) {
  compare_reduce(op, type, x, n, NULL);
  if (!ref_is_float(type)) return;
  for (size_t nan = 0; nan < 2; nan++)
    for (int wide = 0; wide < 2; wide++) {
      const heddle_options options = make_options(
          nan_policies[nan], wide ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
      compare_reduce(op, type, x, n, &options);
    }
}

static void every_type_operator_length(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const enum data_kind *kinds;
    const size_t kind_count = kinds_of(all_types[t], &kinds);
    for (size_t k = 0; k < kind_count; k++) {
      void *x = data_new(kinds[k], all_types[t], 11 + k, 20000);
      for (size_t o = 0; o < op_count; o++)
        for (const size_t *n = compare_lengths; *n <= longest(); n++)
          each_option(all_ops[o], all_types[t], x, *n);
      free(x);
    }
  }
}

static void every_length_to_300(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    void *x = data_new(DATA_WIDE, all_types[t], 5, 300);
    for (size_t n = 0; n <= 300; n += lightness())
      for (size_t o = 0; o < op_count; o++)
        if (ref_is_numeric(all_ops[o])) compare_reduce(all_ops[o], all_types[t], x, n, NULL);
    free(x);
  }
}

/* All 64 places of the first byte in a cache line, most of them no multiple of the element. */
static void every_alignment(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 33, 129, 2049, 4500};
  for (size_t t = 0; t < type_count; t++) {
    const size_t size = data_size(all_types[t]);
    char *line = allocate(4500 * size + 64);
    for (size_t at = 0; at < 64; at++) {
      data_fill(DATA_WIDE, all_types[t], at, 4500, line + at);
      for (size_t i = 0; i < 5; i++) {
        compare_reduce(HEDDLE_SUM, all_types[t], line + at, lengths[i], NULL);
        compare_reduce(HEDDLE_MAX, all_types[t], line + at, lengths[i], NULL);
      }
    }
    free(line);
  }
}

static void every_out_type_and_init(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 100, 2049};
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < type_count; o++) {
      const heddle_type type = all_types[t], out = all_types[o];
      if (ref_is_float(type) && !ref_is_float(out)) continue; /* see test_arguments.c */
      void *x = data_new(DATA_WIDE, type, 21 + t, 2049);
      void *init = data_new(DATA_WIDE, out, 31 + o, 1);
      for (size_t p = 0; p < op_count; p++)
        for (size_t i = 0; i < 8; i++) {
          if (ref_is_float(type) && ref_class_of(all_ops[p]) == REF_LOGICAL) continue;
          const heddle_options options =
              make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, out, i & 1 ? init : NULL);
          compare_reduce(all_ops[p], type, x, lengths[i / 2], &options);
        }
      free(x);
      free(init);
    }
}

/* Arrays of NaN alone, and a NaN as init: the policy is about elements. */
static void nothing_but_nan(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 7, 129, 2048, 5000};
  for (size_t t = 0; t < float_type_count; t++) {
    const heddle_type type = float_types[t];
    char *x = allocate(5000 * 8);
    for (size_t i = 0; i < 5000; i++)
      data_put(type, x, i, ~UINT64_C(0) << (i % 2)); /* payloads of both kinds, negative */
    for (size_t o = 0; o < op_count; o++)
      for (size_t i = 0; i < 20 && ref_is_numeric(all_ops[o]); i++) {
        const heddle_options options =
            make_options(i & 1 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE, 0, type, i & 2 ? x : NULL);
        compare_reduce(all_ops[o], type, x, lengths[i / 4], &options);
        compare_scan(all_ops[o], scan_kinds[i / 2 % 2], type, x, lengths[i / 4], &options);
        const heddle_options plain = make_options(options.nan, 0, 0, NULL);
        if (all_ops[o] == HEDDLE_SUM) compare_describe(type, x, lengths[i / 4], &plain);
      }
    free(x);
  }
}

/* Long enough for threads; the thread counts cut at every place they can. */
static void threads_and_long_inputs(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = (lightness() > 1 ? (1 << 19) : (6 << 19)) / data_size(type) + 1357;
    void *x = data_new(DATA_WIDE, type, 41, n);
    compare_reduce(HEDDLE_SUM, type, x, n, NULL);
    compare_reduce(HEDDLE_MIN, type, x, n, NULL);
    compare_reduce(HEDDLE_XOR, type, x, n, NULL);
    data_fill(DATA_NEAR1, type, 42, n, x);
    compare_reduce(HEDDLE_PROD, type, x, n, NULL);
    data_fill(DATA_HOLES, type, 43, n, x);
    const heddle_options skip =
        make_options(HEDDLE_NAN_SKIP, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
    compare_reduce(HEDDLE_SUM, type, x, n, &skip);
    compare_reduce(HEDDLE_MAX, type, x, n, &skip);
    compare_reduce(HEDDLE_MAX, type, x, n, NULL);
    data_fill(DATA_ZEROS, type, 44, n, x);
    compare_reduce(HEDDLE_ANY, type, x, n, NULL);
    data_put(type, x, n - 7, 1); /* one true element, late: any must find it, all must not */
    compare_reduce(HEDDLE_ANY, type, x, n, NULL);
    compare_reduce(HEDDLE_ALL, type, x, n, NULL);
    free(x);
  }
}

/* One extreme among equals, and one false or true element, at every place. */
static void every_place_counts(void **state) {
  (void)state;
  enum { LENGTH = 700 };
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    unsigned char *x = calloc(LENGTH, data_size(type));
    assert_non_null(x);
    for (size_t i = 0; i < LENGTH; i++) data_put(type, x, i, 2);
    for (size_t p = 0; p < LENGTH; p += lightness()) {
      data_put(type, x, p, 1);
      compare_reduce(HEDDLE_MIN, type, x, LENGTH, NULL);
      data_put(type, x, p, 3);
      compare_reduce(HEDDLE_MAX, type, x, LENGTH, NULL);
      data_put(type, x, p, 0);
      compare_reduce(HEDDLE_ALL, type, x, LENGTH, NULL);
      data_put(type, x, p, 2);
    }
    free(x);
  }
}

enum { CHUNK_BYTES = 8192, GROUP_BYTES = 512 };

/* One element `bits` among others alike, at p of n; the array is left as it was. */
static void one_among(heddle_op op, heddle_type type, unsigned char *x, size_t n, size_t p,
                      uint64_t bits) {
  const uint64_t before = data_bits(type, x, p);
  const heddle_options skip =
      make_options(HEDDLE_NAN_SKIP, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
  data_put(type, x, p, bits);
  compare_reduce(op, type, x, n, NULL);
  if (ref_is_float(type)) compare_reduce(op, type, x, n, &skip);
  data_put(type, x, p, before);
}

/* The same in full chunks, whose vectors are folded in groups: every place of the first
 * group of one and of its end. Zeros of both signs, NaN, and what no element behind can change. */
static void every_place_of_a_chunk(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), chunk = CHUNK_BYTES / size, n = 2 * chunk + 33;
    const size_t last = 2 * chunk - 64 / size, step = lightness() > 1 ? 11 : 1;
    const uint64_t sign = UINT64_C(1) << (8 * size - 1), ones = ~UINT64_C(0) >> (64 - 8 * size);
    unsigned char *x = calloc(n, size);
    assert_non_null(x);
    for (size_t p = chunk; p < 2 * chunk; p += step) {
      if (p >= chunk + GROUP_BYTES / size && p < last) p = last;
      one_among(HEDDLE_ANY, type, x, n, p, 1);
      one_among(HEDDLE_MIN, type, x, n, p, sign);
      one_among(HEDDLE_MAX, type, x, n, p, 1);
      one_among(HEDDLE_MAX, type, x, n, p, ones); /* a NaN of floats */
      one_among(HEDDLE_MIN, type, x, n, p, ones);
    }
    for (size_t i = 0; i < n; i++) data_put(type, x, i, sign);
    for (size_t p = chunk; p < 2 * chunk; p += step) {
      if (p >= chunk + GROUP_BYTES / size && p < last) p = last;
      one_among(HEDDLE_ALL, type, x, n, p, 0);
      one_among(HEDDLE_MAX, type, x, n, p, 0);
      one_among(HEDDLE_AND, type, x, n, p, 0);
    }
    free(x);
  }
}

/* Elements that settle the result, at the start and in the midst of what threads share. */
static void settled_early(void **state) {
  (void)state;
  static const heddle_op ops[] = {HEDDLE_ANY, HEDDLE_ALL, HEDDLE_MIN,
                                  HEDDLE_MAX, HEDDLE_AND, HEDDLE_OR};
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), n = (lightness() > 1 ? 1 << 18 : 2 << 20) / size + 77;
    const uint64_t ones = ~UINT64_C(0) >> (64 - 8 * size), sign = UINT64_C(1) << (8 * size - 1);
    const uint64_t settling[] = {0, ones, sign, sign - 1, 1};
    const size_t places[] = {3, 9 * CHUNK_BYTES / size, n / 2, n - 78};
    unsigned char *x = calloc(n, size);
    assert_non_null(x);
    for (size_t base = 0; base < 2; base++) {
      memset(x, base ? 1 : 0, n * size);
      for (size_t o = 0; o < 6; o++)
        for (size_t p = 0; p < 4; p++)
          for (size_t s = (o + p) % (2 + lightness()); s < 5; s += 2 + lightness()) {
            if (ref_is_float(type) && ref_class_of(ops[o]) == REF_BITWISE) continue;
            one_among(ops[o], type, x, n, places[p], settling[s]);
          }
    }
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_operator_length),
      cmocka_unit_test(every_length_to_300),
      cmocka_unit_test(every_alignment),
      cmocka_unit_test(every_out_type_and_init),
      cmocka_unit_test(nothing_but_nan),
      cmocka_unit_test(threads_and_long_inputs),
      cmocka_unit_test(every_place_counts),
      cmocka_unit_test(every_place_of_a_chunk),
      cmocka_unit_test(settled_early),
  };
  return cmocka_run_group_tests_name("reduce", tests, compare_setup, compare_teardown);
}
