/* test_histogram.c - counts, weights, channels and states against binary search
 *
 * Weighted sums are checked against rational arithmetic (tests/golden/weights.csv), everything
 * else against reference_histogram.c. */
#include <math.h>

#include "compare.h"
#include "golden.h"
#include "reference_histogram.h"

static heddle_bins bins_even(double lo, double hi, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_EVEN, count, lo, hi, 0, NULL, 0};
}
static heddle_bins bins_log(double lo, double hi, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_LOG, count, lo, hi, 0, NULL, 0};
}
static heddle_bins bins_integer(int64_t first, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_INTEGER, count, 0, 0, 0, NULL, first};
}
static heddle_bins bins_edges(const double *edges, size_t count) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_EDGES, count, 0, 0, 0, edges, 0};
}

static void judge(const machine *m, const char *what, heddle_type type, const heddle_bins *bins,
                  size_t channels, const uint64_t *counts, const uint64_t *wanted,
                  const heddle_histogram_result *results, const heddle_histogram_result *expected) {
  same_array(HEDDLE_U64, wanted, counts, channels * bins->count,
             "%s: %zu bins, kind %d [%a, %a] of %s, %zu channels, on %s", what, bins->count,
             (int)bins->kind, bins->lo, bins->hi, heddle_type_name(type), channels, m->label);
  same_bytes(expected, results, channels * sizeof *results, "%s: result of %s on %s", what,
             heddle_type_name(type), m->label);
  assert_int_equal(counts[channels * bins->count], 0xCAFE);
}

static uint64_t job_of(heddle_type type, const heddle_bins *bins, size_t channels,
                       const ref_weights *weights) {
  const heddle_options variant =
      make_options((heddle_nan)(channels - 1), weights ? weights->type : HEDDLE_TYPE_DEFAULT,
                   HEDDLE_TYPE_DEFAULT, NULL);
  return compare_job(bins->auto_range ? "found" : "histogram", (int)bins->kind, type, &variant);
}

static void begin_results(heddle_histogram_result *results, size_t channels, uint64_t *counts,
                          double *sums, size_t tables) {
  for (size_t c = 0; c < channels; c++)
    results[c] = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  memset(counts, 0xEE, tables * 8);
  memset(sums, 0xEE, tables * 8);
}

static void count_in_pieces(const machine *m, heddle_type type, const void *in, size_t n,
                            const heddle_bins *bins, const heddle_histogram_options *options,
                            uint64_t seed, uint64_t *counts, heddle_histogram_result *results,
                            double *sums) {
  heddle_state *state = NULL;
  const char *weights = options->weights;
  same_status(HEDDLE_OK, heddle_histogram_begin(m->ctx, type, bins, options, &state), "begin");
  for (size_t done = 0, i = 0; done < n; i++) {
    size_t count = data_word(seed, i) % (i % 3 ? 90 : 40000) * options->channels;
    if (count > n - done) count = n - done;
    same_status(HEDDLE_OK,
                heddle_histogram_update(
                    state, (const char *)in + done * data_size(type),
                    weights ? weights + done * data_size(options->weights_type) : NULL, count),
                "update");
    done += count;
  }
  same_status(HEDDLE_OK, heddle_histogram_finish(state, counts, results, weights ? sums : NULL),
              "finish");
  heddle_state_free(state);
}

/* One job on all machines, whole and in pieces. */
static void check(heddle_type type, const void *in, size_t n, const heddle_bins *bins,
                  size_t channels, const ref_weights *weights) {
  const size_t tables = channels * bins->count, bytes = n * data_size(type);
  const uint64_t job = job_of(type, bins, channels, weights);
  size_t at = 0;
  const machine *m = compare_next(&at, bytes, job);
  if (!m) return;
  uint64_t *wanted = allocate(tables * 8), *counts = allocate(tables * 8 + 8);
  double *wanted_sums = allocate(tables * 8), *sums = allocate(tables * 8);
  heddle_histogram_result expected[4], results[4];
  heddle_bins resolved = *bins;
  if (bins->auto_range) ref_find_range(type, in, n, &resolved);
  ref_histogram(type, in, n, &resolved, channels, weights, wanted, weights ? wanted_sums : NULL,
                expected);
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.channels = channels;
  if (weights) {
    options.weights = weights->weights;
    options.weights_type = weights->type;
    options.weight_exponent = weights->exponent;
    options.sums = sums;
  }
  counts[tables] = 0xCAFE;
  for (; m; m = compare_next(&at, bytes, job)) {
    if (m->spare) continue;
    begin_results(results, channels, counts, sums, tables);
    same_status(HEDDLE_OK,
                heddle_histogram(m->ctx, type, in, n, bins, counts, results,
                                 channels == 1 && !weights ? NULL : &options),
                "histogram of %s on %s", heddle_type_name(type), m->label);
    judge(m, "whole", type, bins, channels, counts, wanted, results, expected);
    if (weights) same_array(HEDDLE_F64, wanted_sums, sums, tables, "sums on %s", m->label);
    if (bins->auto_range || (weights && weights->exponent == HEDDLE_FIND_EXPONENT)) continue;
    begin_results(results, channels, counts, sums, tables);
    count_in_pieces(m, type, in, n, bins, &options, at, counts, results, sums);
    judge(m, "in pieces", type, bins, channels, counts, wanted, results, expected);
    if (weights) same_array(HEDDLE_F64, wanted_sums, sums, tables, "sums in pieces, %s", m->label);
  }
  free(wanted);
  free(counts);
  free(wanted_sums);
  free(sums);
}

/* ---- counting ----------------------------------------------------------------------------- */

/* x moved by `ulps` in the type */
static void put_near(heddle_type type, void *array, size_t index, double x, int ulps) {
  ref_store(HEDDLE_F64, (ref_value){x, 0}, type, array, index);
  const uint64_t sign = UINT64_C(1) << (8 * data_size(type) - 1);
  uint64_t bits = data_bits(type, array, index);
  const int64_t order = bits & sign ? -(int64_t)(bits & ~sign) : (int64_t)bits;
  const int64_t moved = order + ulps;
  bits = moved < 0 ? (uint64_t)-moved | sign : (uint64_t)moved;
  data_put(type, array, index, bits);
}

/* Every edge, its neighbours, and random values of the range and beyond. */
static void around_edges(heddle_type type, const heddle_bins *bins) {
  const size_t n = 5 * (bins->count + 1) + 1000;
  double *edges = allocate((bins->count + 1) * 8);
  same_status(HEDDLE_OK, heddle_histogram_edges(type, bins, edges), "edges");
  char *x = allocate(n * 8);
  size_t at = 0;
  for (size_t i = 0; i <= bins->count; i++)
    for (int ulps = -2; ulps <= 2; ulps++) put_near(type, x, at++, edges[i], ulps);
  for (size_t i = 0; at < n; at++, i++) {
    const double unit = (double)(data_word(3, i) >> 11) * 0x1p-53 * 1.2 - 0.1;
    put_near(type, x, at, edges[0] + (edges[bins->count] - edges[0]) * unit, 0);
  }
  check(type, x, n, bins, 1, NULL);
  free(x);
  free(edges);
}

static void values_around_every_edge(void **state) {
  (void)state;
  static const struct {
    double lo, hi;
  } ranges[] = {{0, 1},           {-1, 1},
                {0.1, 0.7},       {1e9, 1e9 + 1},
                {1e15, 1e15 + 4}, {5e-324, 1e-322},
                {0, 1e-310},      {-1e308, 1.7e308},
                {2, 2},           {-3.5, 1e9},
                {1, 1 + 0x1p-50}, {-0.0, 3},
                {1e-45, 4e-45},   {16777216, 16777220},
                {100, 60000}};
  static const size_t counts[] = {1, 2, 3, 7, 10, 64, 100, 1000, 16384};
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
    for (size_t c = 0; c < 9; c++)
      for (size_t t = 0; t < float_type_count; t++) {
        if (counts[c] > 1000 && (r > 3 || lightness() > 1)) continue;
        const heddle_bins even = bins_even(ranges[r].lo, ranges[r].hi, counts[c]);
        if (float_types[t] == HEDDLE_F16 && fabs(ranges[r].hi) > 65504) continue;
        around_edges(float_types[t], &even);
        if (ranges[r].lo <= 0 || ranges[r].lo == ranges[r].hi) continue;
        const heddle_bins log = bins_log(ranges[r].lo, ranges[r].hi, counts[c]);
        around_edges(float_types[t], &log);
      }
}

static void explicit_edges(void **state) {
  (void)state;
  const double inf = (double)INFINITY;
  const double equal[] = {-1, 0, 0, 0, 1, 1}, infinite[] = {-inf, -1, 0, 2, inf};
  const double flat[] = {5, 5}, zeros[] = {-0.0, 0.0, 1}, uneven[] = {-1e300, -1e-300, 0, 3, 1e10};
  const heddle_bins jobs[] = {bins_edges(equal, 5), bins_edges(infinite, 4), bins_edges(flat, 1),
                              bins_edges(zeros, 2), bins_edges(uneven, 4)};
  for (size_t t = 0; t < float_type_count; t++)
    for (size_t j = 0; j < 5; j++) around_edges(float_types[t], &jobs[j]);
  for (size_t count = 1; count < 60000 / lightness(); count = count * 6 + 1) {
    double *edges = allocate((count + 1) * 8);
    double sum = -1e3;
    for (size_t i = 0; i <= count; i++) {
      const uint64_t w = data_word(count, i);
      sum += w & 7 ? ldexp((double)(w >> 40), -(int)(w & 31)) : 0;
      edges[i] = sum;
    }
    const heddle_bins bins = bins_edges(edges, count);
    around_edges(HEDDLE_F64, &bins);
    around_edges(HEDDLE_F32, &bins);
    free(edges);
  }
}

static void every_type_and_length(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SPECIAL, DATA_SMALL, DATA_ZEROS};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 4; k++) {
      void *x = data_new(kinds[k], all_types[t], 5, 10000);
      for (const size_t *n = compare_lengths; *n <= 10000 / lightness(); n += 2) {
        const heddle_bins even = bins_even(-50, 200, 37);
        const heddle_bins log = bins_log(0.5, 1000, 20);
        check(all_types[t], x, *n, &even, 1, NULL);
        check(all_types[t], x, *n, &log, 1, NULL);
        if (ref_is_float(all_types[t])) continue;
        const heddle_bins whole = bins_integer(ref_is_signed(all_types[t]) ? -128 : 0, 256);
        const heddle_bins part = bins_integer(3, 50), none = bins_integer(-40, 30);
        check(all_types[t], x, *n, &whole, 1, NULL);
        check(all_types[t], x, *n, &part, 1, NULL);
        check(all_types[t], x, *n, &none, 1, NULL);
      }
      free(x);
    }
}

/* Integers beyond 2^53 round in f64 but not in integer bins; first near both ends of i64. */
static void far_integers(void **state) {
  (void)state;
  uint64_t x[64];
  const int64_t firsts[] = {INT64_MIN, INT64_MAX - 5,           (INT64_C(1) << 53) - 2,
                            -1,        -(INT64_C(1) << 53) - 2, 0};
  for (size_t f = 0; f < 6; f++) {
    for (size_t i = 0; i < 64; i++) x[i] = (uint64_t)firsts[f] + i - 9;
    const heddle_bins bins = bins_integer(firsts[f], 12);
    check(HEDDLE_I64, x, 64, &bins, 1, NULL);
    check(HEDDLE_U64, x, 64, &bins, 1, NULL);
    check(HEDDLE_U8, x, 512, &bins, 1, NULL);
    const heddle_bins even = bins_even((double)firsts[f] - 4096, (double)firsts[f] + 4096, 9);
    check(HEDDLE_I64, x, 64, &even, 1, NULL);
    check(HEDDLE_U64, x, 64, &even, 1, NULL);
  }
}

/* Runs of one value that lies on an edge. */
static void constant_on_edges(void **state) {
  (void)state;
  const heddle_bins bins = bins_even(-1.7, 3.1, 256);
  double edges[257];
  float x[257 * 16];
  same_status(HEDDLE_OK, heddle_histogram_edges(HEDDLE_F32, &bins, edges), "edges");
  for (size_t i = 0; i < 257 * 16; i++) x[i] = (float)edges[i / 16];
  check(HEDDLE_F32, x, 257 * 16, &bins, 1, NULL);
}

static void automatic_range(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SPECIAL, DATA_NEAR1, DATA_ZEROS,
                                         DATA_TINY};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 5; k++)
      for (size_t n = 0; n < 40000 / lightness(); n = n * 5 + 1)
        for (size_t count = 1; count <= 1000; count *= 10) {
          void *x = data_new(kinds[k], all_types[t], 6 + n, n);
          heddle_bins bins = bins_even(0, 0, count);
          bins.auto_range = 1;
          check(all_types[t], x, n, &bins, 1, NULL);
          if (k != 3) {
            bins.kind = HEDDLE_BINS_LOG;
            check(all_types[t], x, n, &bins, 1, NULL);
          }
          free(x);
        }
}

static void many_bins_and_threads(void **state) {
  (void)state;
  static const size_t counts[] = {1, 10, 100, 1000, 4096, 16384, 1 << 20};
  const size_t n = ((size_t)1 << 19) / lightness() + 77;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_U8, HEDDLE_I16, HEDDLE_U32};
  for (size_t t = 0; t < 5; t++)
    for (int constant = 0; constant < 2; constant++) {
      void *x = data_new(constant ? DATA_SMALL : DATA_WIDE, types[t], 7, n);
      for (size_t c = 0; c < 7; c++) {
        if (lightness() > 1 && c == 6) continue;
        const heddle_bins even = bins_even(-1000, 100000, counts[c]);
        const heddle_bins whole = bins_integer(0, counts[c]);
        check(types[t], x, n, &even, 1, NULL);
        if (!ref_is_float(types[t])) check(types[t], x, n, &whole, 1, NULL);
      }
      free(x);
    }
}

static void alignments(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_U8, HEDDLE_U16, HEDDLE_F16};
  for (size_t t = 0; t < 5; t++)
    for (size_t at = 0; at < 64; at++) {
      char *x = allocate(3000 * 8 + 64);
      data_fill(DATA_WIDE, types[t], at, 3000, x + at);
      const heddle_bins even = bins_even(-100, 100, 100), whole = bins_integer(0, 256);
      check(types[t], x + at, 2000 + at, &even, 1, NULL);
      if (!ref_is_float(types[t])) check(types[t], x + at, 2000 + at, &whole, 1, NULL);
      free(x);
    }
}

static void channels(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_U8, HEDDLE_F32, HEDDLE_F64, HEDDLE_I32, HEDDLE_BF16};
  for (size_t t = 0; t < 5; t++)
    for (size_t c = 1; c <= 4; c++)
      for (size_t groups = 0; groups < 60000 / lightness(); groups = groups * 9 + 1) {
        void *x = data_new(DATA_SPECIAL, types[t], 8, groups * c);
        const heddle_bins even = bins_even(-100, 300, 50), whole = bins_integer(0, 256);
        heddle_bins found = bins_even(0, 0, 33);
        found.auto_range = 1;
        check(types[t], x, groups * c, &even, c, NULL);
        check(types[t], x, groups * c, &found, c, NULL);
        if (!ref_is_float(types[t])) check(types[t], x, groups * c, &whole, c, NULL);
        free(x);
      }
}

/* ---- weights ------------------------------------------------------------------------------ */

static void golden_weights(void **state) {
  (void)state;
  FILE *file = golden_open("weights.csv");
  char kind_name[16], type_name[16], exponent[16];
  size_t n, bin, lines = 0;
  unsigned long long bits;
  while (fscanf(file, "%15[^,],%15[^,],%zu,%15[^,],%zu,%llx\n", kind_name, type_name, &n, exponent,
                &bin, &bits) == 6) {
    int kind = 0;
    while (strcmp(data_name((enum data_kind)kind), kind_name) != 0)
      assert_true(++kind < DATA_KINDS);
    const heddle_type type = heddle_type_parse(type_name);
    void *w = data_new((enum data_kind)kind, type, 1, n);
    unsigned char *x = allocate(n);
    for (size_t i = 0; i < n; i++) x[i] = i % 4;
    const heddle_bins bins = bins_integer(0, 4);
    const uint64_t job = compare_job("golden weights", 0, type, NULL);
    for (size_t m = 0; m < compare_on.count; m = machines_after(&compare_on, m, 4)) {
      if (!compare_takes(m, job)) continue;
      double sums[4];
      heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
      options.weights = w;
      options.weights_type = type;
      if (strcmp(exponent, "find") != 0) options.weight_exponent = atoi(exponent);
      options.sums = sums;
      same_status(
          HEDDLE_OK,
          heddle_histogram(compare_on.of[m].ctx, HEDDLE_U8, x, n, &bins, NULL, NULL, &options),
          "weights");
      same_bytes(&bits, &sums[bin], 8, "weights %s %s %zu exponent %s bin %zu on %s", kind_name,
                 type_name, n, exponent, bin, compare_on.of[m].label);
    }
    lines++;
    free(w);
    free(x);
  }
  assert_true(feof(file) && lines > 50);
  (void)fclose(file);
}

static void weights_of_every_type(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SPECIAL, DATA_TINY, DATA_ZEROS};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 4; k++)
      for (size_t n = 0; n < 100000 / lightness(); n = n * 7 + 1) {
        void *w = data_new(kinds[k], all_types[t], 9, n);
        void *x = data_new(DATA_WIDE, HEDDLE_F32, 10, n);
        const heddle_bins bins = bins_even(-30, 200, 19);
        const ref_weights find = {w, all_types[t], HEDDLE_FIND_EXPONENT};
        const ref_weights given = {w, all_types[t],
                                   ref_find_exponent(all_types[t], w, n) + (int)(n % 9)};
        check(HEDDLE_F32, x, n, &bins, 1, &find);
        check(HEDDLE_F32, x, n, &bins, 1, &given);
        if (n % 2 == 0) check(HEDDLE_F32, x, n, &bins, 2, &given);
        free(w);
        free(x);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_around_every_edge),
      cmocka_unit_test(explicit_edges),
      cmocka_unit_test(every_type_and_length),
      cmocka_unit_test(far_integers),
      cmocka_unit_test(constant_on_edges),
      cmocka_unit_test(automatic_range),
      cmocka_unit_test(many_bins_and_threads),
      cmocka_unit_test(alignments),
      cmocka_unit_test(channels),
      cmocka_unit_test(golden_weights),
      cmocka_unit_test(weights_of_every_type),
  };
  return cmocka_run_group_tests_name("histogram", tests, compare_setup, compare_teardown);
}
