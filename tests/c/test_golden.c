/* test_golden.c - every instruction set and thread count gives the golden bits
 *
 * The values come from tests/order_v1.py, so that this test stands without the reference in C. */
#include "golden.h"
#include "support.h"

static void golden_values(void **state) {
  (void)state;
  const golden_verbs verbs = {heddle_reduce, heddle_scan, heddle_dot, heddle_describe};
  size_t rows;
  golden_row *all = golden_load(&rows);
  machines on;
  machines_open(&on, 8);
  for (size_t i = 0; i < rows; i++) {
    const golden_row *row = &all[i];
    const int longest = row->count > 200000;
    if (longest && lightness() > 1) continue;
    for (size_t m = 0; m < on.count; m++) {
      /* One scalar context is enough for the longest rows: eight would take most of the time. */
      if (longest && m > 2 && m + 9 < on.count) continue;
      if (lightness() > 1 && on.of[m].spare) continue;
      const uint64_t got = golden_value(&verbs, on.of[m].ctx, row);
      same_bytes(&row->bits, &got, sizeof got, "%s of %zu %s %s, acc %s, on %s", row->what,
                 row->count, data_name(row->kind), heddle_type_name(row->type),
                 heddle_type_name(row->acc), on.of[m].label);
    }
  }
  machines_close(&on);
  golden_forget();
  free(all);
}

/* The data tell orders apart: other plausible orders give other bits. */
static void other_orders_differ(void **state) {
  (void)state;
  heddle_context *ctx = open_cpu("scalar", 1);
  assert_non_null(ctx);
  for (size_t n = 129; n < 200000; n = n * 3 + 1) {
    float *x = data_new(DATA_WIDE, HEDDLE_F32, 1, n);
    float total, left = 0, lanes[16] = {0}, folded = 0;
    assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, n, &total, NULL), HEDDLE_OK);
    for (size_t i = 0; i < n; i++) left += x[i];
    for (size_t i = 0; i < n; i++) lanes[i % 16] += x[i];
    for (size_t j = 0; j < 16; j++) folded += lanes[j];
    assert_memory_not_equal(&total, &left, sizeof total);
    assert_memory_not_equal(&total, &folded, sizeof total);
    float swapped = x[n - 1];
    x[n - 1] = x[n / 3];
    x[n / 3] = swapped;
    assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, n, &swapped, NULL), HEDDLE_OK);
    assert_memory_not_equal(&total, &swapped, sizeof total);
    free(x);
  }
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_values),
      cmocka_unit_test(other_orders_differ),
  };
  return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
