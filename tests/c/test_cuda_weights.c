/* test_cuda_weights.c - sums of weights on a device whose exponent nobody has given
 *
 * Method   Arrays lie on the device and are longer than the sample that tells an exponent. A few
 *          weights, which the sample meets or misses, are larger or smaller than the others by every
 *          number of bits at which something changes; the bits must be those of a CPU, twice, and so must
 *          those of exact sums (options->exact). Tables
 *          have few bins, many, and more than shared memory has room for.
 * Limits   up to MOST_BINS bins */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"

enum { COUNT = 70001, MOST_BINS = 80000 };

static float *x;
static void *w, *x_there, *w_there, *counts_there, *sums_there;
static uint64_t wanted[MOST_BINS], got[MOST_BINS];
static double wanted_sums[MOST_BINS], got_sums[MOST_BINS];

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x = allocate(COUNT * sizeof *x);
  w = allocate(COUNT * 8);
  for (size_t i = 0; i < COUNT; i++) x[i] = (float)(data_word(1, i) % 1050) / 1024;
  for (size_t i = 5; i < COUNT; i += 700) x[i] = (float)NAN;
  x_there = gpu_memory(COUNT * 4);
  w_there = gpu_memory(COUNT * 8);
  counts_there = gpu_memory(sizeof wanted);
  sums_there = gpu_memory(sizeof wanted_sums);
  gpu_up(x_there, x, COUNT * 4);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(w_there);
    gpu_forget(counts_there);
    gpu_forget(sums_there);
  }
  free(x);
  free(w);
  return gpu_teardown(state);
}

/* counted: whether counts are asked for, too. exact: options->exact. */
static void compare_sums(heddle_type type, size_t bin_count, bool counted, int exact,
                         const char *what, int bits) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, bin_count, 0, 1, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights_type = type;
  options.weight_exponent = HEDDLE_FIND_EXPONENT;
  options.weights = w;
  options.sums = wanted_sums;
  options.exact = exact;
  same_status(HEDDLE_OK,
              heddle_histogram(gpu_cpu, HEDDLE_F32, x, COUNT, &bins, wanted, NULL, &options),
              "the CPU's");
  gpu_up(w_there, w, COUNT * data_size(type));
  options.weights = w_there;
  options.sums = sums_there;
  for (int turn = 0; turn < 2; turn++) {
    gpu_fill(counts_there, 0xA5, bin_count * 8);
    gpu_fill(sums_there, 0xA5, bin_count * 8);
    same_status(HEDDLE_OK,
                heddle_histogram(gpu_ctx, HEDDLE_F32, x_there, COUNT, &bins,
                                 counted ? counts_there : NULL, NULL, &options),
                "%s", what);
    gpu_down(got_sums, sums_there, bin_count * 8);
    same_array(HEDDLE_F64, wanted_sums, got_sums, bin_count,
               "%s, %d bits, of %s, %zu bins, exact %d, turn %d", what, bits,
               heddle_type_name(type), bin_count, exact, turn);
    if (!counted) continue;
    gpu_down(got, counts_there, bin_count * 8);
    same_array(HEDDLE_U64, wanted, got, bin_count, "%s: counts", what);
  }
}

static void compare(heddle_type type, size_t bin_count, bool counted, const char *what, int bits) {
  for (int exact = 0; exact < 2; exact++) compare_sums(type, bin_count, counted, exact, what, bits);
}

/* Weights of some 20 bits near 1, of both signs; one, from number `first` on, is `bits` bits larger, or
 * smaller: with outside it is one of no bin. */
static void fill(heddle_type type, int bits, size_t first, bool outside) {
  bool done = false;
  for (size_t i = 0; i < COUNT; i++) {
    const uint64_t word = data_word(7, i);
    double value = (double)(word >> 40) / 0x1p24 + 0.03125;
    if (word & 1) value = -value;
    if (i >= first && !done && !(outside && x[i] <= 1)) {
      value = ldexp(value, bits);
      done = true;
    }
    if (type == HEDDLE_F64)
      ((double *)w)[i] = value;
    else if (type == HEDDLE_F32)
      ((float *)w)[i] = (float)value;
    else {
      const float narrow = (float)value;
      uint32_t narrow_bits;
      memcpy(&narrow_bits, &narrow, 4);
      ((uint16_t *)w)[i] = (uint16_t)(narrow_bits >> 16);
    }
  }
}

static void every_distance(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const int distances[] = {0,   1,   2,   8,   12,  13,  14,  18,  19,  20,  21,  40,
                                  41,  45,  62,  -12, -13, -17, -18, -19, -20, -33, -34, -40,
                                  -41, -45, -46, -59, -60, -61, -62, -63, -64, -85, -86, -87};
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_BF16};
  for (size_t d = 0; d < sizeof distances / sizeof *distances; d++)
    for (size_t t = 0; t < 3; t++) {
      if (gpu_is_software() && (d + t) % 3) continue;
      fill(types[t], distances[d], d * 1777 + t * 4099, d % 4 == 3);
      compare(types[t], d % 2 ? 5 : 3000, d % 3 != 0, "one far from the others", distances[d]);
    }
}

/* One bin has small weights alone, and a large one is in no bin: its exponent rounds them, the
 * sample's does not. */
static void both_ends(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (int bits = 1; bits < 16; bits += gpu_is_software() ? 5 : 1)
    for (int small = 55; small < 90; small += gpu_is_software() ? 4 : 1) {
      fill(HEDDLE_F32, bits, (size_t)(bits * 3001 + small), true);
      for (size_t i = 0; i < COUNT; i++)
        if (x[i] < 0.125f) ((float *)w)[i] = ldexpf((float)(data_word(9, i) % 61) - 20, -small);
      compare(HEDDLE_F32, 8, true, "both ends", bits * 100 + small);
    }
}

/* Counters in ranges of shared memory, and in global memory. */
static void many_bins(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const int distances[] = {0, 9, 30, -19, -70};
  for (size_t d = 0; d < 5; d++)
    for (int wide = 0; wide < 2; wide++) {
      const heddle_type type = wide ? HEDDLE_F64 : HEDDLE_F32;
      if (gpu_is_software() && (d + (size_t)wide) % 2) continue;
      fill(type, distances[d], 20002 + d, d == 1);
      if (d == 2)
        ((uint8_t *)w)[200 * data_size(type) - 1] = 0x7f; /* NaN, or nearly the greatest */
      compare(type, MOST_BINS, d % 2, "global memory", distances[d]);
      compare(type, 2500, !(d % 2), "shared memory", distances[d]);
    }
}

/* Weights for which one word a counter does, more or less: of one sign, that wrap; of both; spread over
 * few powers of two and over all; some zero, denormal, infinite, larger than the sample has them. */
static float one_word(size_t kind, size_t i) {
  const uint64_t word = data_word(21, i);
  const float unit = (float)((double)(word >> 11) / 0x1p53); /* small ones have lower bits */
  const float sign = word & 1 ? -1.0f : 1.0f;
  switch (kind) {
  case 0: return unit;
  case 1: return -unit - 1;
  case 2: return sign * unit * unit * unit;
  case 3: return i % 9 ? 0.0f : sign * unit;
  case 4: return ldexpf(unit + 1, (int)(word % 12));
  case 5: return ldexpf(sign * unit, (int)(word >> 8 & 127) - 64);
  case 6: return i % 1009 ? sign * unit : ldexpf(unit, (int)(word % 41) - 20);
  case 7: return i % 20011 ? unit : ldexpf(unit, -140);
  case 8: return i == 60001 ? INFINITY : i == 30011 ? -1e30f : unit;
  case 9: return 0.0f;
  case 10: return ldexpf(unit, -100);
  default: return ldexpf(sign * unit, 120);
  }
}

static void words_of_one_unit(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t kind = 0; kind < 12; kind++)
    for (size_t crowd = 0; crowd < 2; crowd++) {
      if (gpu_is_software() && crowd != kind % 2) continue;
      for (size_t i = 0; i < COUNT; i++) {
        ((float *)w)[i] = one_word(kind, i);
        x[i] = (float)(data_word(22, i) % (crowd ? 3 : 1050)) / 1024;
        if (crowd && i % 4096 < 2048) x[i] = 0.75f; /* whole warps of one bin */
      }
      for (size_t i = 5; i < COUNT; i += 700) x[i] = (float)NAN;
      gpu_up(x_there, x, COUNT * 4);
      compare(HEDDLE_F32, kind % 3 ? 40000 : 60000, false, "one word", (int)kind);
    }
}

/* Types of which no value is rounded. */
static void exact_types(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_F16, HEDDLE_U8,  HEDDLE_I8,  HEDDLE_U16, HEDDLE_I16,
                                      HEDDLE_U32, HEDDLE_I32, HEDDLE_U64, HEDDLE_I64};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    void *values = data_new(DATA_WIDE, types[t], 5, COUNT);
    memcpy(w, values, COUNT * data_size(types[t]));
    free(values);
    compare(types[t], 100, t % 2, "exact types", (int)t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_distance),    cmocka_unit_test(both_ends),
      cmocka_unit_test(many_bins),         cmocka_unit_test(exact_types),
      cmocka_unit_test(words_of_one_unit),
  };
  return cmocka_run_group_tests_name("cuda_weights", tests, setup, teardown);
}
