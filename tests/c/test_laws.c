/* test_laws.c - what order v1 promises, as equations between calls of the library alone
 *
 *   scan(x)[i] == reduce(x[0..i]) for every i      exclusive[i+1] == inclusive[i]
 *   a longer input leaves all earlier sums alone   two halves of 2^k chunks add up
 *   dot(x, y) == sum(x y)                          describe.sum == reduce in f64 */
#include "compare.h"

static const struct {
  heddle_type type, acc;
} pairs[] = {{HEDDLE_F16, HEDDLE_F32},
             {HEDDLE_BF16, HEDDLE_F32},
             {HEDDLE_F32, HEDDLE_F32},
             {HEDDLE_F32, HEDDLE_F64},
             {HEDDLE_F64, HEDDLE_F64}};
enum { PAIRS = 5 };

/* Eight threads of the last instruction set, or the last device, with its arrays on it. */
static const machine *one_machine(void) {
  return &compare_on
              .of[compare_on.cpus < compare_on.count ? compare_on.count - 3 : compare_on.count - 2];
}

static void reduce_of(const machine *m, heddle_op op, size_t p, const void *x, size_t n,
                      void *out) {
  const heddle_options options =
      make_options(HEDDLE_NAN_PROPAGATE, pairs[p].acc, pairs[p].acc, NULL);
  same_status(HEDDLE_OK, heddle_reduce(m->ctx, op, pairs[p].type, x, n, out, &options), "reduce");
}

static void *scan_of(const machine *m, heddle_op op, heddle_scan_kind kind, size_t p, const void *x,
                     size_t n) {
  const heddle_options options =
      make_options(HEDDLE_NAN_PROPAGATE, pairs[p].acc, pairs[p].acc, NULL);
  void *out = allocate(n * data_size(pairs[p].acc));
  same_status(HEDDLE_OK, heddle_scan(m->ctx, op, kind, pairs[p].type, x, n, out, &options), "scan");
  return out;
}

static uint64_t job_of(const char *law, heddle_op op, size_t p) {
  return compare_job(law, (int)op, pairs[p].type, NULL);
}

static void expect_prefix(const machine *m, heddle_op op, size_t p, const void *x,
                          const void *totals, size_t i) {
  const size_t size = data_size(pairs[p].acc);
  unsigned char total[8];
  reduce_of(m, op, p, x, i + 1, total);
  same_bytes(total, (const char *)totals + i * size, size, "scan[%zu] and reduce, %s, %s, %s", i,
             op_name(op), heddle_type_name(pairs[p].type), m->label);
}

static void scan_is_reduce_of_every_prefix(void **state) {
  (void)state;
  const size_t n = lightness() > 1 ? 2300 : 4500;
  for (size_t p = 0; p < PAIRS; p++)
    for (size_t o = 0; o < op_count; o++) {
      const heddle_op op = all_ops[o];
      if (ref_class_of(op) != REF_ARITHMETIC) continue;
      void *x = data_new(op == HEDDLE_PROD ? DATA_NEAR1 : DATA_WIDE, pairs[p].type, 1, n);
      size_t at = 0;
      for (const machine *m; (m = compare_next(&at, 0, job_of("prefix", op, p)));) {
        void *totals = scan_of(m, op, HEDDLE_INCLUSIVE, p, x, n);
        for (size_t i = 0; i < n; i += m->slow ? 397 : 1) expect_prefix(m, op, p, x, totals, i);
        free(totals);
      }
      free(x);
    }
}

static void scan_is_reduce_of_sampled_prefixes(void **state) {
  (void)state;
  const size_t n = ((size_t)1 << 20) / lightness() + 4321;
  for (size_t p = 0; p < PAIRS; p++) {
    void *x = data_new(DATA_WIDE, pairs[p].type, 2, n);
    size_t at = 0;
    for (const machine *m;
         (m = compare_next(&at, n * data_size(pairs[p].type), job_of("sampled", HEDDLE_SUM, p)));) {
      if (m->spare) continue;
      void *totals = scan_of(m, HEDDLE_SUM, HEDDLE_INCLUSIVE, p, x, n);
      expect_prefix(m, HEDDLE_SUM, p, x, totals, n - 1);
      for (size_t k = 0; k < (m->slow ? 5 : 40); k++)
        expect_prefix(m, HEDDLE_SUM, p, x, totals, data_word(3, k) % n);
      free(totals);
    }
    free(x);
  }
}

static void exclusive_is_inclusive_moved(void **state) {
  (void)state;
  const size_t n = ((size_t)1 << 20) / lightness() + 999;
  for (size_t p = 0; p < PAIRS; p++) {
    const size_t size = data_size(pairs[p].acc);
    void *x = data_new(DATA_WIDE, pairs[p].type, 4, n);
    size_t at = 0;
    for (const machine *m;
         (m = compare_next(&at, n * data_size(pairs[p].type), job_of("moved", HEDDLE_SUM, p)));) {
      if (m->spare) continue;
      char *inclusive = scan_of(m, HEDDLE_SUM, HEDDLE_INCLUSIVE, p, x, n);
      char *exclusive = scan_of(m, HEDDLE_SUM, HEDDLE_EXCLUSIVE, p, x, n);
      const double zero = 0.0;
      same_bytes(&zero, exclusive, size, "exclusive[0] on %s", m->label);
      same_array(pairs[p].acc, inclusive, exclusive + size, n - 1, "exclusive on %s", m->label);
      free(inclusive);
      free(exclusive);
    }
    free(x);
  }
}

static void appending_changes_nothing_before(void **state) {
  (void)state;
  const size_t n = 70000 / lightness();
  for (size_t p = 0; p < PAIRS; p++) {
    void *x = data_new(DATA_WIDE, pairs[p].type, 5, n);
    const machine *m = one_machine();
    if (m->slow && pairs[p].type != HEDDLE_F32) {
      free(x);
      continue;
    }
    void *whole = scan_of(m, HEDDLE_SUM, HEDDLE_INCLUSIVE, p, x, n);
    for (size_t k = 0; k < (m->slow ? 5 : 40); k++) {
      const size_t shorter = 1 + data_word(6, k) % n;
      void *totals = scan_of(m, HEDDLE_SUM, HEDDLE_INCLUSIVE, p, x, shorter);
      same_array(pairs[p].acc, whole, totals, shorter, "a scan of %zu of %zu", shorter, n);
      free(totals);
    }
    free(whole);
    free(x);
  }
}

static void halves_add_up(void **state) {
  (void)state;
  for (size_t p = 0; p < PAIRS; p++) {
    const size_t chunk = 16 * 512 / data_size(pairs[p].acc);
    const size_t most = lightness() > 1 ? 32 : 512;
    char *x = data_new(DATA_WIDE, pairs[p].type, 7, most * chunk);
    size_t at = 0;
    for (const machine *m;
         (m = compare_next(&at, most * chunk, job_of("halves", HEDDLE_SUM, p)));) {
      if (m->spare) continue;
      for (size_t chunks = 2; chunks <= (m->slow ? 4 : most); chunks *= 2) {
        const size_t half = chunks / 2 * chunk;
        unsigned char whole[8], left[8], right[8], sum[8];
        reduce_of(m, HEDDLE_SUM, p, x, 2 * half, whole);
        reduce_of(m, HEDDLE_SUM, p, x, half, left);
        reduce_of(m, HEDDLE_SUM, p, x + half * data_size(pairs[p].type), half, right);
        const heddle_type acc = pairs[p].acc;
        ref_store(acc, ref_apply(HEDDLE_SUM, acc, ref_load(acc, left, 0), ref_load(acc, right, 0)),
                  acc, sum, 0);
        same_bytes(sum, whole, data_size(acc), "%zu chunks in halves on %s", chunks, m->label);
      }
    }
    free(x);
  }
}

static void dot_is_sum_of_products(void **state) {
  (void)state;
  const size_t n = 100000 / lightness();
  const machine *m = one_machine();
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 8, n), *y = data_new(DATA_WIDE, HEDDLE_F32, 9, n);
  double *v = data_new(DATA_WIDE, HEDDLE_F64, 8, n), *w = data_new(DATA_WIDE, HEDDLE_F64, 9, n);
  float *xy = allocate(n * sizeof *xy);
  double *vw = allocate(n * sizeof *vw);
  for (size_t i = 0; i < n; i++) {
    xy[i] = x[i] * y[i];
    vw[i] = v[i] * w[i];
  }
  for (size_t count = 1; count <= n; count = count * 3 + 1) {
    float a, b;
    double c, d;
    assert_int_equal(heddle_dot(m->ctx, HEDDLE_F32, x, y, count, &a, NULL), HEDDLE_OK);
    assert_int_equal(heddle_reduce(m->ctx, HEDDLE_SUM, HEDDLE_F32, xy, count, &b, NULL), HEDDLE_OK);
    same_bytes(&b, &a, sizeof a, "dot of %zu f32", count);
    assert_int_equal(heddle_dot(m->ctx, HEDDLE_F64, v, w, count, &c, NULL), HEDDLE_OK);
    assert_int_equal(heddle_reduce(m->ctx, HEDDLE_SUM, HEDDLE_F64, vw, count, &d, NULL), HEDDLE_OK);
    same_bytes(&d, &c, sizeof c, "dot of %zu f64", count);
  }
  free(x);
  free(y);
  free(v);
  free(w);
  free(xy);
  free(vw);
}

static void described_sum_is_reduce(void **state) {
  (void)state;
  const size_t n = 50000 / lightness();
  for (size_t t = 0; t < type_count; t++) {
    void *x = data_new(DATA_WIDE, all_types[t], 10, n);
    size_t at = 0;
    for (const machine *m;
         (m = compare_next(&at, 0, compare_job("described", (int)t % 4, all_types[t], NULL)));) {
      heddle_description d = HEDDLE_DESCRIPTION_INIT;
      double sum = 0;
      const heddle_options options =
          make_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F64, HEDDLE_F64, NULL);
      if (!ref_is_float(all_types[t])) continue; /* integers are summed as integers by reduce */
      same_status(HEDDLE_OK, heddle_describe(m->ctx, all_types[t], x, n, &d, NULL), "describe");
      same_status(HEDDLE_OK, heddle_reduce(m->ctx, HEDDLE_SUM, all_types[t], x, n, &sum, &options),
                  "reduce");
      same_bytes(&sum, &d.sum, sizeof sum, "describe.sum of %s", heddle_type_name(all_types[t]));
    }
    free(x);
  }
}

static void runs_are_the_same(void **state) {
  (void)state;
  const size_t n = ((size_t)1 << 20) / lightness() + 5;
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 12, n);
  const machine *m = one_machine();
  float first = 0, again = 0;
  reduce_of(m, HEDDLE_SUM, 2, x, n, &first);
  for (int run = 0; run < (m->slow ? 5 : 50); run++) {
    reduce_of(m, HEDDLE_SUM, 2, x, n, &again);
    same_bytes(&first, &again, sizeof first, "run %d", run);
  }
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scan_is_reduce_of_every_prefix),
      cmocka_unit_test(scan_is_reduce_of_sampled_prefixes),
      cmocka_unit_test(exclusive_is_inclusive_moved),
      cmocka_unit_test(appending_changes_nothing_before),
      cmocka_unit_test(halves_add_up),
      cmocka_unit_test(dot_is_sum_of_products),
      cmocka_unit_test(described_sum_is_reduce),
      cmocka_unit_test(runs_are_the_same),
  };
  return cmocka_run_group_tests_name("laws", tests, compare_setup, compare_teardown);
}
