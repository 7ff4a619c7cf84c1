/* test_histogram_buckets.c - uneven edges of many shapes, and crowded bins, against binary search
 *
 * Shapes are those for which tables of buckets are cut by value, by leading bits, or by the leading
 * bits of the distance from some origin. Values lie at every edge and at both sides of it, and beyond
 * the ends. On a device made of software each job goes to one of its machines. */
#include <float.h>
#include <math.h>

#include "compare.h"
#include "reference_histogram.h"

static size_t calls;

static heddle_bins bins_edges(const double *edges, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_EDGES, count, 0, 0, 0, edges, 0};
}

static void check(const char *what, heddle_type type, const void *x, size_t n,
                  const heddle_bins *bins) {
  uint64_t *wanted = allocate(bins->count * 8), *counts = allocate(bins->count * 8);
  heddle_histogram_result expected, result;
  ref_histogram(type, x, n, bins, 1, NULL, wanted, NULL, &expected);
  calls++;
  for (size_t i = 0; i < compare_on.count; i = machines_after(&compare_on, i, 4)) {
    const machine *m = &compare_on.of[i];
    if (m->slow && (calls + i) % (compare_on.count - compare_on.cpus)) continue;
    memset(counts, 0xEE, bins->count * 8);
    result = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
    same_status(HEDDLE_OK, heddle_histogram(m->ctx, type, x, n, bins, counts, &result, NULL),
                "%s of %s on %s", what, heddle_type_name(type), m->label);
    same_array(HEDDLE_U64, wanted, counts, bins->count, "%s: %zu bins of %s, %zu elements, on %s",
               what, bins->count, heddle_type_name(type), n, m->label);
    same_bytes(&expected, &result, sizeof result, "%s: result of %s on %s", what,
               heddle_type_name(type), m->label);
  }
  free(wanted);
  free(counts);
}

/* ---- shapes of edges ------------------------------------------------------------------------- */

static double square(double u) { return u * u; }
static double cube_and_far(double u) { return 1e6 + u * u * u; }
static double below_zero(double u) { return -(1 - u) * (1 - u) * 0x1p-3; }
static double both_sides(double u) { return sinh(40 * (u - 0.5)); }
static double powers(double u) { return exp2(200 * u - 140); }
static double from_zero(double u) { return u == 0 ? 0 : exp2(20 * (u - 1)); }
static double tiny(double u) { return u * u * 0x1p-126; }
static double huge(double u) { return (u * u * 2 - 1) * 3e38; }
static double in_clusters(double u) { return floor(u * 8) + (u * 8 - floor(u * 8)) * 1e-4; }
static double half_range(double u) { return u * u * 60000; }

static const struct {
  const char *name;
  double (*at)(double u);
} shapes[] = {{"squares", square},        {"cubes far from 0", cube_and_far},
              {"below zero", below_zero}, {"both sides of zero", both_sides},
              {"powers", powers},         {"powers from 0", from_zero},
              {"denormal squares", tiny}, {"the whole range", huge},
              {"clusters", in_clusters},  {"squares of f16", half_range}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void put(heddle_type type, void *x, size_t i, double value) {
  if (ref_is_float(type))
    ref_store(HEDDLE_F64, (ref_value){value, 0}, type, x, i);
  else
    ref_store(HEDDLE_I64, (ref_value){0, (uint64_t)(int64_t)fmax(-2e9, fmin(2e9, value))}, type, x,
              i);
}

/* The element next to x in its type. */
static double beside(heddle_type type, double x, double towards) {
  if (!ref_is_float(type)) return x + (towards > x ? 1 : -1);
  if (type == HEDDLE_F64) return nextafter(x, towards);
  return (double)nextafterf((float)x, (float)towards);
}

static size_t fill(heddle_type type, const double *edges, size_t bins, void *x) {
  static const double far[] = {0.0,      -0.0,     DBL_MAX,   -DBL_MAX, FLT_MAX,
                               -FLT_MAX, INFINITY, -INFINITY, NAN,      -NAN};
  const double lo = edges[0], hi = edges[bins];
  size_t at = 0;
  for (size_t i = 0; i <= bins; i++) {
    put(type, x, at++, edges[i]);
    put(type, x, at++, beside(type, edges[i], -INFINITY));
    put(type, x, at++, beside(type, edges[i], INFINITY));
  }
  for (size_t i = 0; i < 1000; i++) {
    const double unit = (double)(data_word(3, i) >> 11) * 0x1p-53;
    put(type, x, at++, lo + (hi - lo) * (unit * 1.2 - 0.1));
  }
  if (ref_is_float(type))
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) put(type, x, at++, far[i]);
  return at;
}

static void edges_of_every_shape(void **state) {
  (void)state;
  static const size_t counts[] = {3, 300, 1500, 4096, 16380, 20000};
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_F16, HEDDLE_I32};
  for (size_t s = 0; s < SHAPES; s++)
    for (size_t c = 0; c < 6; c++) {
      if (c > 3 && s % 5 && lightness() > 1) continue;
      double *edges = allocate((counts[c] + 1) * 8);
      for (size_t i = 0; i <= counts[c]; i++)
        edges[i] = shapes[s].at((double)i / (double)counts[c]);
      char *x = allocate((3 * counts[c] + 2000) * 8);
      const heddle_bins bins = bins_edges(edges, counts[c]);
      for (size_t t = 0; t < 4; t++) {
        if (t > 1 && s != SHAPES - 1) continue; /* whose range f16 and i32 have */
        check(shapes[s].name, types[t], x, fill(types[t], edges, counts[c], x), &bins);
      }
      free(x);
      free(edges);
    }
}

/* ---- crowded bins -------------------------------------------------------------------------- */

/* More elements than 16 bits count, in one bin, in two neighbours, in all at random and in turn. */
static void crowded_bins(void **state) {
  (void)state;
  enum { N = 300000, BINS = 4096 };
  double *edges = allocate((BINS + 1) * 8);
  for (size_t i = 0; i <= BINS; i++) edges[i] = square((double)i) / 260;
  const heddle_bins uneven = bins_edges(edges, BINS);
  float *x = allocate(N * sizeof *x);
  uint16_t *y = allocate(N * sizeof *y);
  for (size_t kind = 0; kind < 4; kind++) {
    const size_t bins = kind == 0 ? 1 : kind == 1 ? 2 : BINS, from = kind < 2 ? 1000 : 0;
    for (size_t i = 0; i < N; i++) {
      const size_t bin = from + (kind == 3 ? i / 64 : data_word(5, i)) % bins;
      x[i] = (float)edges[bin] + 0.5f;
      y[i] = (uint16_t)edges[bin];
    }
    for (size_t cut = 0; cut < 9; cut += 4) { /* other ends of what is aligned */
      check("crowded", HEDDLE_F32, x + cut / 4, N - cut, &uneven);
      check("crowded", HEDDLE_U16, y + cut / 4, N - cut, &uneven);
    }
  }
  free(edges);
  free(x);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_of_every_shape),
      cmocka_unit_test(crowded_bins),
  };
  return cmocka_run_group_tests_name("histogram buckets", tests, compare_setup, compare_teardown);
}
