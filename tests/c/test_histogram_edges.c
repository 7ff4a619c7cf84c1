/* test_histogram_edges.c - even edges against numpy.linspace (tests/golden/edges.csv), logarithmic
 * ones against powers in long double */
#include <math.h>

#include "golden.h"
#include "support.h"

static heddle_bins bins_even(double lo, double hi, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_EVEN, count, lo, hi, 0, NULL, 0};
}
static heddle_bins bins_log(double lo, double hi, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_LOG, count, lo, hi, 0, NULL, 0};
}

static void edges_are_linspace(void **state) {
  (void)state;
  FILE *file = golden_open("edges.csv");
  double lo, hi;
  size_t count, index, lines = 0;
  unsigned long long bits;
  double edges[1001];
  while (fscanf(file, "%la,%la,%zu,%zu,%llx\n", &lo, &hi, &count, &index, &bits) == 5) {
    const heddle_bins bins = bins_even(lo, hi, count);
    lines++;
    for (size_t t = 0; t < float_type_count; t++) {
      same_status(HEDDLE_OK, heddle_histogram_edges(float_types[t], &bins, edges), "edges");
      double golden, wanted, in_type;
      memcpy(&golden, &bits, 8);
      ref_store(HEDDLE_F64, (ref_value){golden, 0}, float_types[t], &in_type, 0);
      wanted = ref_load(float_types[t], &in_type, 0).f;
      same_bytes(&wanted, &edges[index], 8, "edge %zu of %zu over [%a, %a] in %s", index, count, lo,
                 hi, heddle_type_name(float_types[t]));
    }
  }
  assert_true(feof(file) && lines > 1000);
  (void)fclose(file);
}

static void log_edges_are_powers(void **state) {
  (void)state;
  static const double ranges[][2] = {{1, 1024},        {1e-300, 1e300}, {5e-324, 1.7e308},
                                     {0.1, 0.1000001}, {3, 3e5},        {1, 10}};
  for (size_t r = 0; r < 6; r++)
    for (size_t count = 1; count < 2000; count = count * 7 + 3) {
      const heddle_bins bins = bins_log(ranges[r][0], ranges[r][1], count);
      double *edges = allocate((count + 1) * 8);
      same_status(HEDDLE_OK, heddle_histogram_edges(HEDDLE_F64, &bins, edges), "log edges");
      assert_true(edges[0] == bins.lo && edges[count] == bins.hi);
      for (size_t i = 1; i <= count; i++) assert_true(edges[i] >= edges[i - 1]);
      for (size_t i = 1; i < count; i++) {
        const long double lo = (long double)bins.lo, hi = (long double)bins.hi;
        const long double exact =
            expl(logl(lo) + (logl(hi) - logl(lo)) * (long double)i / (long double)count);
        const double ulp = nextafter((double)exact, (double)INFINITY) - (double)exact;
        assert_true(fabsl((long double)edges[i] - exact) <= 4 * (long double)ulp);
      }
      free(edges);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_linspace),
      cmocka_unit_test(log_edges_are_powers),
  };
  return cmocka_run_group_tests_name("histogram edges", tests, NULL, NULL);
}
