/* test_scan.c - scan over type x operator x kind x options x length x alignment x threads x
 * instruction set, against the reference */
#include "compare.h"

static enum data_kind kind_for(heddle_op op) { return op == HEDDLE_PROD ? DATA_NEAR1 : DATA_WIDE; }

static void both_kinds(heddle_op op, heddle_type type, const void *x, size_t n,
                       const heddle_options *options) {
  compare_scan(op, HEDDLE_INCLUSIVE, type, x, n, options);
  compare_scan(op, HEDDLE_EXCLUSIVE, type, x, n, options);
}

static void every_type_operator_length(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++) {
      if (!ref_scans(all_ops[o], all_types[t])) continue;
      void *x = data_new(kind_for(all_ops[o]), all_types[t], 13, 20000);
      for (const size_t *n = compare_lengths; *n <= 20000 / lightness(); n++)
        both_kinds(all_ops[o], all_types[t], x, *n, NULL);
      free(x);
    }
}

static void every_length_to_300(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    void *x = data_new(DATA_WIDE, all_types[t], 5, 300);
    for (size_t n = 0; n <= 300; n += lightness()) {
      both_kinds(HEDDLE_SUM, all_types[t], x, n, NULL);
      both_kinds(HEDDLE_MIN, all_types[t], x, n, NULL);
    }
    free(x);
  }
}

/* NaN, infinities, zeros and denormals under each policy and accumulator. */
static void special_values(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_HOLES, DATA_TINY, DATA_SPECIAL, DATA_ZEROS};
  static const size_t lengths[] = {1, 17, 300, 2049, 5000};
  for (size_t t = 0; t < float_type_count; t++)
    for (size_t k = 0; k < 4; k++) {
      void *x = data_new(kinds[k], float_types[t], 17, 5000);
      for (size_t o = 0; o < op_count; o++)
        for (unsigned i = 0; i < 20 && ref_is_numeric(all_ops[o]); i++) {
          const heddle_options options =
              make_options(i & 1 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE,
                           i & 2 ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, NULL);
          both_kinds(all_ops[o], float_types[t], x, lengths[i / 4], &options);
        }
      free(x);
    }
}

static void every_out_type_and_init(void **state) {
  (void)state;
  static const size_t lengths[] = {1, 100, 2049};
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < type_count; o++) {
      const heddle_type type = all_types[t], out = all_types[o];
      if (ref_is_float(type) && !ref_is_float(out)) continue;
      void *init = data_new(DATA_WIDE, out, 31 + o, 1);
      for (size_t p = 0; p < op_count; p++) {
        if (!ref_scans(all_ops[p], type)) continue;
        void *x = data_new(kind_for(all_ops[p]), type, 21 + t, 2049);
        for (size_t i = 0; i < 6; i++) {
          const heddle_options options =
              make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, out, i & 1 ? init : NULL);
          both_kinds(all_ops[p], type, x, lengths[i / 2], &options);
        }
        free(x);
      }
      free(init);
    }
}

static void every_alignment(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    char *in = allocate(2100 * 8 + 64);
    char *out = allocate(2100 * 8 + 64);
    char *expected = allocate(2100 * 8);
    for (size_t at = 0; at < 64; at++) {
      const size_t other = (at * 29 + 7) % 64;
      data_fill(DATA_WIDE, type, at, 2100, in + at);
      size_t next = 0;
      const uint64_t job = compare_job("scan", HEDDLE_SUM, type, NULL);
      const machine *m = compare_next(&next, 0, job);
      if (!m) continue;
      assert_int_equal(ref_scan(HEDDLE_SUM, HEDDLE_INCLUSIVE, type, in + at, 2100, expected, NULL),
                       HEDDLE_OK);
      for (; m; m = compare_next(&next, 0, job)) {
        assert_int_equal(heddle_scan(m->ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, type, in + at, 2100,
                                     out + other, NULL),
                         HEDDLE_OK);
        same_array(type, expected, out + other, 2100, "scan of %s from %zu to %zu on %s",
                   heddle_type_name(type), at, other, m->label);
      }
    }
    free(in);
    free(out);
    free(expected);
  }
}

/* out == in, also where the output has another type of the same size. */
static void in_place(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < type_count; o++) {
      const heddle_type type = all_types[t], out = all_types[o];
      if (data_size(type) != data_size(out)) continue;
      if (ref_is_float(type) && !ref_is_float(out)) continue;
      const size_t n =
          (size_t)(type == out ? (1 << 19) / lightness() : (1 << 12)) / data_size(type) + 77;
      const heddle_options options =
          make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT, out, NULL);
      void *expected = allocate(n * 8), *x = allocate(n * 8);
      for (size_t k = 0; k < 2; k++) {
        const heddle_scan_kind kind = scan_kinds[k];
        size_t next = 0;
        const uint64_t job = compare_job("scan", HEDDLE_SUM, type, &options);
        const machine *m = compare_next(&next, n * data_size(type), job);
        if (!m) continue;
        data_fill(DATA_WIDE, type, 9, n, x);
        assert_int_equal(ref_scan(HEDDLE_SUM, kind, type, x, n, expected, &options), HEDDLE_OK);
        for (; m; m = compare_next(&next, n * data_size(type), job)) {
          if (m->spare) continue;
          data_fill(DATA_WIDE, type, 9, n, x);
          same_status(HEDDLE_OK, heddle_scan(m->ctx, HEDDLE_SUM, kind, type, x, n, x, &options),
                      "in place");
          same_array(out, expected, x, n, "in place, %s to %s, kind %d, %s", heddle_type_name(type),
                     heddle_type_name(out), (int)kind, m->label);
        }
      }
      free(expected);
      free(x);
    }
}

static void threads_and_long_inputs(void **state) {
  (void)state;
  for (size_t t = 0; t < type_count; t++) {
    const heddle_type type = all_types[t];
    const size_t n = (lightness() > 1 ? (1 << 18) : (3 << 19)) / data_size(type) + 1357;
    for (size_t o = 0; o < op_count; o++) {
      if (!ref_is_numeric(all_ops[o])) continue;
      void *x = data_new(kind_for(all_ops[o]), type, 41, n);
      both_kinds(all_ops[o], type, x, n, NULL);
      free(x);
    }
    if (!ref_is_float(type)) continue;
    void *x = data_new(DATA_HOLES, type, 43, n);
    const heddle_options wide =
        make_options(HEDDLE_NAN_SKIP, HEDDLE_F64, HEDDLE_F64, (const double[]){1e6 / 3});
    both_kinds(HEDDLE_SUM, type, x, n, &wide);
    free(x);
  }
}

/* Output of 8 MiB, which is written past the caches; f16 and bf16 have kernels of their own for that. */
static void past_the_caches(void **state) {
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64};
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_TINY, DATA_SPECIAL};
  (void)state;
  if (lightness() > 1) return; /* they are the reduced builds' longest arrays by far */
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      const size_t n = (8 << 20) / data_size(types[t]) + 2 * 2048 + 777;
      void *x = data_new(kinds[k], types[t], 47, n);
      compare_scan(HEDDLE_SUM, k ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE, types[t], x, n, NULL);
      free(x);
    }
}

/* The same wherever the output begins in a line of the cache: the bits of the aligned output, which the test
 * above looks at, and nothing beside them. */
static void past_the_caches_anywhere(void **state) {
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64};
  static const size_t places[] = {1, 5, 31};
  (void)state;
  if (lightness() > 1) return;
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t kind = 0; kind < 2; kind++) {
      const size_t size = data_size(types[t]), n = (8 << 20) / size + 2 * 2048 + 777;
      const size_t bytes = n * size;
      void *x = data_new(DATA_WIDE, types[t], 49, n);
      char *aligned = allocate(bytes), *out = allocate(bytes + 64 * size);
      size_t at = 0;
      for (const machine *m; (m = compare_next(&at, bytes, 0));) {
        if (compare_is_device(m)) continue;
        assert_int_equal(
            heddle_scan(m->ctx, HEDDLE_SUM, scan_kinds[kind], types[t], x, n, aligned, NULL),
            HEDDLE_OK);
        for (size_t p = 0; p < 3; p++) {
          char *place = out + places[p] * size;
          memset(out, 0xA5, bytes + 64 * size);
          assert_int_equal(
              heddle_scan(m->ctx, HEDDLE_SUM, scan_kinds[kind], types[t], x, n, place, NULL),
              HEDDLE_OK);
          same_array(types[t], aligned, place, n, "%s: %s, output %zu behind", m->label,
                     heddle_type_name(types[t]), places[p]);
          assert_int_equal((unsigned char)place[-1], 0xA5);
          assert_int_equal((unsigned char)place[bytes], 0xA5);
        }
      }
      free(x);
      free(aligned);
      free(out);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_operator_length),
      cmocka_unit_test(every_length_to_300),
      cmocka_unit_test(special_values),
      cmocka_unit_test(every_out_type_and_init),
      cmocka_unit_test(every_alignment),
      cmocka_unit_test(in_place),
      cmocka_unit_test(threads_and_long_inputs),
      cmocka_unit_test(past_the_caches),
      cmocka_unit_test(past_the_caches_anywhere),
  };
  return cmocka_run_group_tests_name("scan", tests, compare_setup, compare_teardown);
}
