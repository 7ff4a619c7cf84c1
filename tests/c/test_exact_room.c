/* test_exact_room.c - sums that are about to be carried; white-box: limbs are planted
 *
 * Method   A limb takes 2^29 parts before it is carried, and nobody adds as many in a test. So limbs are planted that
 *          have room for one part more, with the count that says so: what is added behind must not run over.
 *          And a table's sums, put into another one, add up to those of all elements. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cpu/histogram/tally.h"
#include "data.h"
#include "reference_exact.h"

enum { DIGITS_A_LIMB = 2, MORE = 40 };
#define ALMOST (INT64_MAX - ((int64_t)1 << 34)) /* room for one part, which is below 2^33 */

static const struct hd_exact_format f64_format = {HD_EXACT_F64};

/* The same limbs on the reference's grid of 16 bits. */
static void plant(ref_exact *sum, u32 limb, int64_t value) {
  for (int k = 0; k < 4; k++) {
    sum->digit[limb * DIGITS_A_LIMB + (u32)k] += k < 3 ? value & 0xffff : value;
    value >>= 16;
  }
}

static void check(struct hd_exact *sum, struct hd_exact_span span, const ref_exact *wanted) {
  double expected;
  ref_exact_round(wanted, 0, HEDDLE_F64, &expected);
  const double got = hd_exact_round(sum, span, f64_format);
  if (got != expected) fail_msg("%a, not %a", got, expected);
}

/* Parts of the greatest magnitude: all bits of a significand, shifted most. */
static double greatest(int negative, int k) {
  return ldexp(negative ? -0x1.fffffffffffffp0 : 0x1.fffffffffffffp0, 31 * k + k);
}

static void adding(void **state) {
  (void)state;
  const struct hd_exact_span span = hd_exact_span_of(f64_format, false);
  for (int negative = 0; negative < 2; negative++)
    for (int k = -20; k < 20; k++) {
      struct hd_exact sum;
      ref_exact wanted = {{0}, 0, 0, 0};
      const int64_t almost = negative ? -ALMOST : ALMOST;
      hd_exact_clear(&sum, span);
      const double x = greatest(negative, k);
      i32 exponent;
      (void)hd_exact_integer(x, &exponent);
      const u32 limb = (u32)(exponent + 32 * HD_EXACT_BELOW) / 32;
      for (u32 i = 0; i < 3; i++) sum.limb[limb + i] = almost, plant(&wanted, limb + i, almost);
      sum.added = HD_EXACT_ROOM - 1;
      for (int i = 0; i < MORE; i++) hd_exact_add(&sum, span, x), ref_exact_add(&wanted, x);
      check(&sum, span, &wanted);
    }
}

static void merging(void **state) {
  (void)state;
  const struct hd_exact_span span = hd_exact_span_of(f64_format, false);
  const int64_t full = (int64_t)HD_EXACT_ROOM << 33;
  struct hd_exact sum, other;
  ref_exact wanted = {{0}, 0, 0, 0};
  hd_exact_clear(&sum, span);
  for (int i = 0; i < MORE; i++) {
    hd_exact_clear(&other, span);
    other.added = HD_EXACT_ROOM - 1;
    for (u32 k = 60; k < 64; k++)
      other.limb[k] = full - i - (int64_t)k, plant(&wanted, k, full - i - (int64_t)k);
    hd_exact_merge(&sum, &other, span);
  }
  check(&sum, span, &wanted);
}

/* Rows of a histogram's totals: of all of them, whichever is added to. */
static void rows(void **state) {
  (void)state;
  heddle_context *ctx;
  pthread_mutex_t memory = PTHREAD_MUTEX_INITIALIZER;
  assert_int_equal(heddle_open("cpu", &ctx), HEDDLE_OK);
  for (int negative = 0; negative < 2; negative++) {
    struct hd_cpu_limbs limbs = {
        .span = hd_exact_span_of(f64_format, false), .totals = 300, .memory = &memory};
    const int64_t almost = negative ? -ALMOST : ALMOST;
    ref_exact wanted[3] = {{{0}, 0, 0, 0}};
    static const size_t totals[3] = {299, 0, 151};
    const double x = greatest(negative, 1);
    for (size_t t = 0; t < 3; t++) {
      i64 *row = hd_cpu_limbs_make(ctx, &limbs, totals[t]);
      assert_non_null(row);
      for (u32 k = 70; k < 75; k++)
        row[k - limbs.span.first] = almost, plant(&wanted[t], k, almost);
    }
    limbs.added = HD_EXACT_ROOM - 1;
    for (size_t i = 0; i < 3 * MORE; i++) {
      assert_true(hd_cpu_limbs_add(ctx, &limbs, totals[i % 3], x));
      ref_exact_add(&wanted[i % 3], x);
    }
    assert_true(limbs.added < 3 * MORE && limbs.rows == 3);
    for (size_t t = 0; t < 3; t++) {
      struct hd_exact sum;
      hd_exact_clear(&sum, limbs.span);
      hd_cpu_limbs_sum(hd_cpu_limbs_row(&limbs, totals[t]), limbs.span, &sum);
      check(&sum, limbs.span, &wanted[t]);
    }
    assert_null(hd_cpu_limbs_row(&limbs, 1));
    hd_cpu_limbs_free(ctx, &limbs);
  }
  heddle_close(ctx);
}

/* ---- sums of one table into another ---------------------------------------------------------------- */

enum { BINS = 9, COUNT = 3000 };

static void tally_begin(struct hd_cpu_tally *t, heddle_context *ctx, heddle_type type) {
  const struct hd_histogram job = {
      .type = HEDDLE_U8,
      .bins = {sizeof job.bins, HEDDLE_BINS_INTEGER, BINS, 0, 0, 0, NULL, 0},
      .channels = 1,
      .weights_type = type,
      .exact = true};
  assert_int_equal(hd_cpu_tally_make(t, ctx, &job, UINT64_MAX), HEDDLE_OK);
}

static void same_sums(struct hd_cpu_tally *a, struct hd_cpu_tally *b) {
  double of_a[BINS], of_b[BINS];
  struct hd_exact sum, other;
  hd_cpu_tally_read(a, NULL, NULL, of_a);
  hd_cpu_tally_read(b, NULL, NULL, of_b);
  assert_memory_equal(of_a, of_b, sizeof of_a);
  for (size_t i = 0; i < BINS; i++) { /* equal sums have equal bytes, whatever the exponents are */
    hd_cpu_tally_exact_sum(a, i, &sum);
    hd_cpu_tally_exact_sum(b, i, &other);
    assert_memory_equal(&sum, &other, sizeof sum);
  }
}

/* Parts of one array, of different size, in tables of their own, added up. */
static void merged_tables(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_BF16};
  heddle_context *ctx;
  assert_int_equal(heddle_open("cpu:2", &ctx), HEDDLE_OK);
  for (size_t t = 0; t < 3; t++)
    for (enum data_kind kind = 0; kind < DATA_KINDS; kind++) {
      const size_t size = data_size(types[t]);
      unsigned char x[COUNT];
      char *w = data_new(kind, types[t], 11, COUNT);
      struct hd_cpu_tally whole, part[3], sums;
      for (size_t i = 0; i < COUNT; i++) x[i] = (unsigned char)(data_word(2, i) % (BINS + 1));
      tally_begin(&whole, ctx, types[t]);
      tally_begin(&sums, ctx, types[t]);
      assert_int_equal(hd_cpu_tally_add(&whole, "whole", x, w, COUNT), HEDDLE_OK);
      for (size_t p = 0, from = 0; p < 3; p++) {
        const size_t n = p == 2 ? COUNT - from : 7 + 900 * p;
        struct hd_exact sum;
        tally_begin(&part[p], ctx, types[t]);
        assert_int_equal(hd_cpu_tally_add(&part[p], "part", x + from, w + from * size, n), 0);
        hd_cpu_tally_read(&part[p], NULL, NULL, NULL);
        for (size_t i = 0; i < BINS; i++) {
          hd_cpu_tally_exact_sum(&part[p], i, &sum);
          assert_int_equal(hd_cpu_tally_exact_gain(&sums, i, &sum), HEDDLE_OK);
        }
        from += n;
        hd_cpu_tally_free(&part[p]);
      }
      same_sums(&whole, &sums);
      hd_cpu_tally_free(&whole);
      hd_cpu_tally_free(&sums);
      free(w);
    }
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(adding),
      cmocka_unit_test(merging),
      cmocka_unit_test(rows),
      cmocka_unit_test(merged_tables),
  };
  return cmocka_run_group_tests_name("exact_room", tests, NULL, NULL);
}
