/* test_histogram_exact.c - exactly weighted sums (options->exact), against sums digit by digit
 *
 * Method   Every sum is compared with reference_exact.c's: weights that lie close together and as far apart as
 *          their type has them, that cancel, that end in ties, that are denormal, infinite or NaN; in tables
 *          with copies, without, and large ones; in channels, at once and in pieces, of which the first may say
 *          little of those that follow. */
#include <math.h>

#include "compare.h"
#include "reference_exact.h"

enum { FEW = 5, MANY = 300, LARGE = 9000, COUNT = 4000 };

typedef struct job {
  const uint16_t *x;
  const void *weights;
  heddle_type type;
  size_t n, bins, channels;
  const char *what;
} job;

static heddle_bins bins_of(const job *j) {
  return (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_INTEGER, j->bins, 0, 0, 0, NULL, 0};
}

static heddle_histogram_options options_of(const job *j, double *sums) {
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.channels = j->channels;
  options.weights = j->weights;
  options.weights_type = j->type;
  options.exact = 1;
  options.sums = sums;
  return options;
}

/* Sums of integers are exact by rule 14: those of 64 bits are cut in two, as no f64 holds them. */
static void add(const job *j, size_t i, ref_exact *sum) {
  const ref_value v = ref_load(j->type, j->weights, i);
  if (ref_is_float(j->type)) {
    ref_exact_add(sum, v.f);
    return;
  }
  const double high = ref_is_signed(j->type) ? (double)((int64_t)v.u >> 32) : (double)(v.u >> 32);
  ref_exact_add(sum, high * 0x1p32);
  ref_exact_add(sum, (double)(v.u & 0xffffffff));
}

static void expect(const job *j, uint64_t *counts, double *sums) {
  const size_t tables = j->bins * j->channels;
  ref_exact *of = calloc(tables, sizeof *of);
  if (!of) abort();
  memset(counts, 0, tables * sizeof *counts);
  for (size_t i = 0; i < j->n; i++) {
    const size_t table = i % j->channels * j->bins + j->x[i];
    if (j->x[i] >= j->bins) continue;
    counts[table]++;
    add(j, i, &of[table]);
  }
  for (size_t t = 0; t < tables; t++) ref_exact_round(&of[t], 0, HEDDLE_F64, &sums[t]);
  free(of);
}

/* Cut at a multiple of the channels. */
static void in_pieces(heddle_context *ctx, const job *j, size_t cut, uint64_t *counts,
                      double *sums) {
  const heddle_bins bins = bins_of(j);
  const heddle_histogram_options options = options_of(j, NULL);
  const char *weights = j->weights;
  heddle_state *state = NULL;
  cut -= cut % j->channels;
  same_status(HEDDLE_OK, heddle_histogram_begin(ctx, HEDDLE_U16, &bins, &options, &state), "begin");
  same_status(HEDDLE_OK, heddle_histogram_update(state, j->x, weights, cut), "update");
  same_status(
      HEDDLE_OK,
      heddle_histogram_update(state, j->x + cut, weights + cut * data_size(j->type), j->n - cut),
      "update");
  for (int turn = 0; turn < 2; turn++)
    same_status(HEDDLE_OK, heddle_histogram_finish(state, counts, NULL, sums), "finish");
  heddle_state_free(state);
}

static void check(const job *j) {
  const size_t tables = j->bins * j->channels;
  const heddle_bins bins = bins_of(j);
  const uint64_t name = compare_job(j->what, HEDDLE_SUM, j->type, NULL);
  uint64_t *wanted = allocate(tables * 16), *counts = wanted + tables;
  double *wanted_sums = allocate(tables * 16), *sums = wanted_sums + tables;
  size_t at = 0;
  const machine *m = compare_next(&at, j->n * 2, name);
  if (m) expect(j, wanted, wanted_sums);
  const heddle_histogram_options options = options_of(j, sums);
  for (; m; m = compare_next(&at, j->n * 2, name)) {
    for (int turn = 0; turn < 4; turn++) {
      memset(sums, 0xA5, tables * 8);
      if (turn < 2)
        same_status(HEDDLE_OK,
                    heddle_histogram(m->ctx, HEDDLE_U16, j->x, j->n, &bins, turn ? NULL : counts,
                                     NULL, &options),
                    "%s on %s", j->what, m->label);
      else
        in_pieces(m->ctx, j, turn == 2 ? j->n / 2 : 1, counts, sums);
      same_array(HEDDLE_U64, wanted, counts, tables, "%s: counts, %s", j->what, m->label);
      same_array(HEDDLE_F64, wanted_sums, sums, tables, "%s: %zu %s, %zu bins of %zu, turn %d, %s",
                 j->what, j->n, heddle_type_name(j->type), j->bins, j->channels, turn, m->label);
    }
  }
  free(wanted);
  free(wanted_sums);
}

/* Values 0 to bins + 1: two beyond the bins. */
static uint16_t *elements(size_t n, size_t bins, uint64_t seed) {
  uint16_t *x = allocate(n * 2 + 2);
  for (size_t i = 0; i < n; i++) x[i] = (uint16_t)(data_word(seed, i) % (bins + 2));
  return x;
}

static void check_all(const void *weights, heddle_type type, size_t n, const char *what) {
  static const size_t bins[] = {FEW, MANY, LARGE}, channels[] = {1, 3, 1, 4, 2};
  for (size_t k = 0; k < 5; k++) {
    uint16_t *x = elements(n, bins[k % 3], k);
    const size_t whole = n - n % channels[k];
    check(&(job){x, weights, type, whole, bins[k % 3], channels[k], what});
    free(x);
  }
}

/* A device of software takes each call on one of its four machines. */
static int has_slow(void) { return compare_on.of[compare_on.count - 1].slow; }

/* ---- weights --------------------------------------------------------------------------------- */

static const heddle_type floats[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_BF16, HEDDLE_F16};

static void put(heddle_type type, void *w, size_t i, double value) {
  ref_store(HEDDLE_F64, (ref_value){value, 0}, type, w, i);
}

/* Any bits that are a number: every exponent of the type. */
static void all_numbers(void **state) {
  (void)state;
  for (size_t t = 0; t < 4; t++) {
    char *w = allocate(COUNT * 8);
    for (size_t i = 0; i < COUNT; i++)
      for (uint64_t turn = 0; turn == 0 || !isfinite(ref_double(floats[t], w, i)); turn++)
        data_put(floats[t], w, i, data_word(t + 7 * turn, i));
    check_all(w, floats[t], COUNT, "all numbers");
    free(w);
  }
}

/* Of most weights so many bits are far from the rest, at either end. */
static void few_far_away(void **state) {
  (void)state;
  static const int distances[] = {0,  10, 33, 34, 40,  43,  44,  62,
                                  63, 64, 86, 87, 100, 150, 500, 1000};
  for (size_t t = 0; t < 3; t++)
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
      const int most = floats[t] == HEDDLE_F64 ? 1020 : 120, away = distances[d];
      if (away > most) continue;
      void *w = allocate(COUNT * 8);
      for (size_t i = 0; i < COUNT; i++) {
        const uint64_t word = data_word(d, i);
        const double digits = (double)(word >> 11 | 1) * (word & 1 ? -0x1p-53 : 0x1p-53);
        const int power = i % 97 == 5 ? away : i % 89 == 3 ? -away : 0;
        put(floats[t], w, i, ldexp(digits, power));
      }
      check_all(w, floats[t], COUNT, "few far away");
      free(w);
    }
}

/* Pairs that cancel, of any size, and little that stays; ties that something far below decides. */
static void cancelling_and_ties(void **state) {
  (void)state;
  for (size_t t = 0; t < 3; t++) {
    const int wide = floats[t] == HEDDLE_F64, most = wide ? 1023 : 127, least = wide ? -1074 : -133;
    void *w = allocate(COUNT * 8);
    uint16_t *x = allocate(COUNT * 2);
    for (size_t i = 0; i < COUNT; i++) {
      const uint64_t word = data_word(3, i / 2);
      const double value =
          ldexp(1 + (double)(word >> 57) / 128, (int)(word % 200) * (most + 100) / 200 - 100);
      x[i] = (uint16_t)(i / 2 % (FEW + 2));
      put(floats[t], w, i, i % 2 ? -value : value);
    }
    for (size_t b = 0; b < FEW; b++) { /* 1, half a unit of it, and what decides */
      const double parts[4] = {b % 2 ? 1 : -1, 0x1p-53, b < 2 ? 0 : ldexp(b < 3 ? 1 : -1, least),
                               0};
      for (size_t k = 0; k < 4; k++) {
        x[b * 4 + k] = (uint16_t)b;
        put(floats[t], w, b * 4 + k, parts[k]);
      }
    }
    check(&(job){x, w, floats[t], COUNT, FEW, 1, "ties"});
    check(&(job){x, w, floats[t], COUNT, FEW, 2, "ties"});
    free(w);
    free(x);
  }
}

/* Infinite only if the sum is. */
static void greatest_and_least(void **state) {
  (void)state;
  static const double of_f64[] = {0x1.fffffffffffffp1023, 0x1p-1074, 0x1p-1022, 0x1p970, 0x1p969},
                      of_f32[] = {0x1.fffffep127, 0x1p-149, 0x1p-126, 0x1p104, 1};
  for (size_t t = 0; t < 2; t++)
    for (size_t n = 1; n < 100; n++) {
      const double *from = t ? of_f64 : of_f32;
      double w[100];
      float narrow[100];
      uint16_t x[100];
      for (size_t i = 0; i < n; i++) {
        const uint64_t word = data_word(n, i);
        x[i] = (uint16_t)(word % FEW);
        w[i] = from[word >> 8 & 1 ? word >> 10 & 3 : 0] * (word >> 20 & 1 ? 1 : -1);
        narrow[i] = (float)w[i];
      }
      check(&(job){x, t ? (void *)w : narrow, floats[t], n, FEW, 1, "greatest"});
    }
}

static void special_in_every_place(void **state) {
  (void)state;
  const double special[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  enum { PLACES = 200 };
  uint16_t *x = elements(PLACES, FEW, 1);
  for (size_t t = 0; t < 4; t++)
    for (size_t place = 0; place < PLACES; place += lightness()) {
      void *w = data_new(DATA_WIDE, floats[t], 2, PLACES);
      put(floats[t], w, place, special[place % 3]);
      if (place % 7 == 0) put(floats[t], w, PLACES - 1 - place, special[1]);
      check(&(job){x, w, floats[t], PLACES, FEW, 1, "special"});
      free(w);
    }
  free(x);
}

static void types_and_lengths(void **state) {
  (void)state;
  static const enum data_kind kinds[] = {DATA_WIDE, DATA_SPECIAL, DATA_TINY, DATA_ZEROS};
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < 4; k++)
      for (size_t n = 1; n < 300; n += 13 * lightness()) {
        uint16_t *x = elements(n, FEW, n);
        void *w = data_new(kinds[k], all_types[t], n, n);
        check(&(job){x, w, all_types[t], n, FEW, 1, "types"});
        free(w);
        free(x);
      }
}

/* Enough for several threads, and for accumulators to be carried on. */
static void many(void **state) {
  (void)state;
  const size_t n = ((size_t)3 << 19) / lightness() + 77;
  uint16_t *x = elements(n, FEW, 9);
  float *w = allocate(n * 4);
  for (size_t i = 0; i < n; i++) {
    const uint64_t word = data_word(4, i);
    if (word % 3) x[i] = 2;
    w[i] = (float)ldexp(1 + (double)(word >> 41) * 0x1p-23,
                        word % 1000 ? 3 : (int)(word >> 10 & 127) - 60);
  }
  for (int i = 0; i < (has_slow() ? 5 : 1); i++) check(&(job){x, w, HEDDLE_F32, n, FEW, 1, "many"});
  free(w);
  free(x);
}

/* So many bins that a device sums f32 in one word each: weights of one sign and few bits, which wrap, and some
 * that have bits far below or are large. */
static void many_bins(void **state) {
  (void)state;
  enum { BINS = 50000, N = 60000 };
  uint16_t *x = allocate(N * 2);
  float *w = allocate(N * 4);
  for (size_t i = 0; i < N; i++) {
    const uint64_t word = data_word(5, i);
    x[i] = (uint16_t)(word % (i % 3 ? 40 : BINS + 100));
    w[i] = (float)(1 + (double)(word >> 50) * 0x1p-14);
    if (i % 501 == 7) w[i] = ldexpf(w[i], (int)(word >> 20 & 255) - 148);
  }
  for (int i = 0; i < (has_slow() ? 5 : 1); i++)
    check(&(job){x, w, HEDDLE_F32, N, BINS, 1, "many bins"});
  free(w);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_numbers),
      cmocka_unit_test(few_far_away),
      cmocka_unit_test(cancelling_and_ties),
      cmocka_unit_test(greatest_and_least),
      cmocka_unit_test(special_in_every_place),
      cmocka_unit_test(types_and_lengths),
      cmocka_unit_test(many),
      cmocka_unit_test(many_bins),
  };
  return cmocka_run_group_tests_name("histogram_exact", tests, compare_setup, compare_teardown);
}
