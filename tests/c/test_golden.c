/* test_golden.c - every instruction set and thread count gives the golden bits
 *
 * The values come from tests/order_v1.py, so that this test stands without the reference in C. */
#include "compare.h"
#include "golden.h"

static void golden_values(void **state) {
  (void)state;
  const golden_verbs verbs = {heddle_reduce, heddle_scan, heddle_dot, heddle_describe};
  size_t rows;
  golden_row *all = golden_load(&rows);
  for (size_t i = 0; i < rows; i++) {
    const golden_row *row = &all[i];
    const int longest = row->count > 200000;
    if (longest && lightness() > 1) continue;
    const uint64_t job = compare_job(row->what, HEDDLE_SUM, row->type, NULL);
    for (size_t m = 0; m < compare_on.count; m++) {
      /* The longest rows: some thread counts on the best set, the reversed ones of the others. */
      const machine *here = &compare_on.of[m];
      if (m >= compare_on.cpus && !compare_takes(m, job)) continue;
      if (longest && here->best ? here->threads > 3 && here->threads < 8
                                : longest && here->threads == 1)
        continue;
      if (lightness() > 1 && here->spare) continue;
      const uint64_t got = golden_value(&verbs, here->ctx, row);
      same_bytes(&row->bits, &got, sizeof got, "%s of %zu %s %s, acc %s, on %s", row->what,
                 row->count, data_name(row->kind), heddle_type_name(row->type),
                 heddle_type_name(row->acc), here->label);
    }
  }
  golden_forget();
  free(all);
}

/* The data tell orders apart: a fold from the left, one of 16 lanes, and the right order with
 * two elements exchanged give other bits for most seeds. (For all seeds they cannot: the bits of
 * different orders agree by chance.) */
static void other_orders_differ(void **state) {
  (void)state;
  enum { SEEDS = 20 };
  heddle_context *ctx = open_cpu("scalar", 1);
  assert_non_null(ctx);
  for (size_t n = 129; n < 60000; n = n * 3 + 1) {
    int differ[3] = {0, 0, 0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      float *x = data_new(DATA_WIDE, HEDDLE_F32, seed, n);
      float total, left = 0, lanes[16] = {0}, folded = 0;
      assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, n, &total, NULL), HEDDLE_OK);
      for (size_t i = 0; i < n; i++) left += x[i];
      for (size_t i = 0; i < n; i++) lanes[i % 16] += x[i];
      for (size_t j = 0; j < 16; j++) folded += lanes[j];
      const float last = x[n - 1];
      x[n - 1] = x[n / 3];
      x[n / 3] = last;
      float exchanged;
      assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, n, &exchanged, NULL), 0);
      differ[0] += memcmp(&total, &left, sizeof total) != 0;
      differ[1] += memcmp(&total, &folded, sizeof total) != 0;
      differ[2] += memcmp(&total, &exchanged, sizeof total) != 0;
      free(x);
    }
    for (int i = 0; i < 3; i++) assert_in_range(differ[i], SEEDS / 3, SEEDS);
  }
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_values),
      cmocka_unit_test(other_orders_differ),
  };
  return cmocka_run_group_tests_name("golden", tests, compare_setup, compare_teardown);
}
