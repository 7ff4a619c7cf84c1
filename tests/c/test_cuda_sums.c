/* test_cuda_sums.c - exact sums of a device's tables on the host; white-box: tables are planted
 *
 * Method   Sums that are put in come out, added up, with the same bytes; amounts, units and limbs that are
 *          planted make the sum that the reference has of the same numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cuda/histogram/sums.h"
#include "data.h"
#include "reference_exact.h"

enum { BINS = 5 };

static struct hd_cuda_bins bins;
static struct hd_cuda_window window;

/* Host tables of a state with weights of the type, all zero. */
static void *begin(struct hd_cuda_count *c, heddle_type type, i32 exponent) {
  const struct hd_histogram job = {
      .bins = {.count = BINS}, .channels = 1, .weights_type = type, .exact = true};
  struct hd_cuda_tables tables = {.counters = BINS + HD_EXTRA_SLOTS};
  tables.bytes = hd_cuda_tables_bytes(tables.counters, &job);
  void *memory = calloc(1, tables.bytes);
  assert_non_null(memory);
  tables.memory = (cu_pointer)(uintptr_t)memory;
  bins.bins.count = BINS;
  hd_cuda_count_set(c, NULL, &job, &bins, &tables);
  window.given = exponent;
  hd_cuda_window_set(c, &window);
  return memory;
}

static void add_all(struct hd_exact *sum, heddle_type type, const void *w, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double x;
    assert_int_equal(heddle_convert(type, (const char *)w + i * data_size(type), HEDDLE_F64, &x, 1),
                     0);
    hd_exact_add(sum, (struct hd_exact_span){0, HD_EXACT_LIMBS}, x);
  }
}

static void what_goes_in_comes_out(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_BF16};
  const struct hd_exact_span all = {0, HD_EXACT_LIMBS};
  for (size_t t = 0; t < 3; t++)
    for (enum data_kind kind = 0; kind < DATA_KINDS; kind++) {
      struct hd_cuda_count c;
      struct hd_exact part, whole, got;
      void *memory = begin(&c, types[t], 3), *w = data_new(kind, types[t], 1, 300);
      hd_exact_clear(&whole, all);
      add_all(&whole, types[t], w, 300);
      for (size_t from = 0; from < 300; from += 100) {
        hd_exact_clear(&part, all);
        add_all(&part, types[t], (char *)w + from * data_size(types[t]), 100);
        hd_exact_carry(&part, all);
        hd_cuda_sums_gain(&c, 3, &part);
      }
      assert_true(c.uncarried == 3);
      hd_exact_carry(&whole, all);
      whole.nan = whole.nan > 0, whole.plus = whole.plus > 0, whole.minus = whole.minus > 0;
      hd_cuda_sums_get(&c, 3, &got);
      assert_memory_equal(&whole, &got, sizeof got);
      free(memory);
      free(w);
    }
}

static void planted(void **state) {
  (void)state;
  for (int negative = 0; negative < 2; negative++)
    for (i32 exponent = -900; exponent < 1000; exponent += 173) {
      struct hd_cuda_count c;
      struct hd_exact got;
      ref_exact wanted = {{0}, 0, 0, 0};
      void *memory = begin(&c, HEDDLE_F64, exponent);
      const int64_t sign = negative ? -1 : 1;
      u64 *amount = (u64 *)(uintptr_t)c.args.amounts + 4,
          *units = (u64 *)(uintptr_t)c.args.units + 4;
      amount[0] = (u64)(sign * 12345), amount[1] = negative ? ~(u64)0 : 0;
      units[0] = (u64)(sign * 678), units[1] = negative ? ~(u64)0 : 0;
      ref_exact_add(&wanted, ldexp((double)(sign * 12345), exponent - 86));
      ref_exact_add(&wanted,
                    ldexp((double)(sign * 678), exponent - 73)); /* as fixed.h has UNITS of f64 */
      ((i64 *)(uintptr_t)c.args.limbs)[2 * c.args.limbs_count + 34] = 99; /* limb 72, the units' */
      ((u32 *)(uintptr_t)c.args.marks)[2] = 16;
      ref_exact_add(&wanted, 99);
      hd_cuda_sums_get(&c, 2, &got);
      double expected, sum = hd_exact_round(&got, (struct hd_exact_span){0, HD_EXACT_LIMBS},
                                            hd_exact_format_of(HD_EXACT_F64));
      ref_exact_round(&wanted, 0, HEDDLE_F64, &expected);
      assert_memory_equal(&expected, &sum, sizeof sum);
      free(memory);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_goes_in_comes_out),
      cmocka_unit_test(planted),
  };
  return cmocka_run_group_tests_name("cuda_sums", tests, NULL, NULL);
}
