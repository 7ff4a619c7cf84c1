/* test_unique.c - unique against a stable sort of the test's own
 *
 * Method   Every type and distribution, lengths around slices and counters, every choice of outputs, index types,
 *          threads; bits of first occurrences of zeros and NaN. */
#include "sort_reference.h"

struct expected {
  size_t found;
  char *values;
  uint64_t *counts, *first, *inverse;
};

static struct expected expect(heddle_type type, const char *in, size_t n) {
  const heddle_sort_options options = sort_options(0, 0);
  const size_t size = heddle_type_size(type);
  struct expected e = {0, allocate(n * size + 1), allocate(n * 8 + 8), allocate(n * 8 + 8),
                       allocate(n * 8 + 8)};
  size_t *index = allocate(n * sizeof *index + 8), pair[2];
  char two[16];
  ref_sort(type, in, n, &options, 0, index);
  for (size_t i = 0; i < n; i++) {
    int head = !i;
    if (i) { /* neighbours of a sorted array that are not equal would be sorted back */
      memcpy(two, in + index[i] * size, size);
      memcpy(two + size, in + index[i - 1] * size, size);
      ref_sort(type, two, 2, &options, 0, pair);
      head = pair[0] == 1;
    }
    if (head) {
      memcpy(e.values + e.found * size, in + index[i] * size, size);
      e.first[e.found] = index[i];
      e.counts[e.found++] = 0;
    }
    e.counts[e.found - 1]++;
    e.inverse[index[i]] = e.found - 1;
  }
  free(index);
  return e;
}

static void free_expected(struct expected *e) {
  free(e->values);
  free(e->counts);
  free(e->first);
  free(e->inverse);
}

/* which: bits of counts, first, inverse, and of an inverse of u32 */
static void check_call(const machine *on, heddle_type type, enum sort_kind kind, const char *in,
                       size_t n, const struct expected *e, unsigned which) {
  const size_t size = heddle_type_size(type);
  char *values = allocate(n * size + 1);
  uint64_t *counts = allocate(n * 8 + 8), *first = allocate(n * 8 + 8), found = 77;
  uint64_t *inverse = allocate(n * 8 + 8);
  const int narrow = (which & 8) != 0;
#define UNIQUE_IT \
  "%zu %s of %s, outputs %u, on %s", n, sort_name(kind), heddle_type_name(type), which, on->label
  same_status(HEDDLE_OK,
              heddle_unique(on->ctx, type, in, n, values, which & 1 ? counts : NULL,
                            which & 2 ? first : NULL, narrow ? HEDDLE_U32 : HEDDLE_U64,
                            which & 4 ? inverse : NULL, &found),
              UNIQUE_IT);
  const uint64_t wanted = e->found;
  same_array(HEDDLE_U64, &wanted, &found, 1, UNIQUE_IT);
  same_array(type, e->values, values, e->found, UNIQUE_IT);
  if (which & 1) same_array(HEDDLE_U64, e->counts, counts, e->found, UNIQUE_IT);
  if (which & 2) same_array(HEDDLE_U64, e->first, first, e->found, UNIQUE_IT);
  if (which & 4 && narrow)
    for (size_t i = n; i-- > 0;) inverse[i] = ((uint32_t *)(void *)inverse)[i];
  if (which & 4) same_array(HEDDLE_U64, e->inverse, inverse, n, UNIQUE_IT);
#undef UNIQUE_IT
  free(values);
  free(counts);
  free(first);
  free(inverse);
}

static void check(heddle_type type, enum sort_kind kind, size_t n) {
  static const unsigned choices[] = {0, 1, 7, 15, 3, 4, 13, 2};
  const size_t size = heddle_type_size(type);
  char *in = allocate(n * size + 8);
  sort_fill(kind, type, n * 5 + (size_t)kind, n, in + size % 8);
  struct expected e = expect(type, in + size % 8, n);
  for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, 2))
    for (size_t c = 0; c < COUNT(choices); c++)
      if (m == 0 || (c + m + n) % 4 == 0)
        check_call(&sort_on.of[m], type, kind, in + size % 8, n, &e, choices[c]);
  free_expected(&e);
  free(in);
}

static void lengths(void **state) {
  (void)state;
  static const size_t ns[] = {0, 1, 2, 3, 17, 64, 257, 3000};
  for (size_t t = 0; t < type_count; t++)
    for (size_t n = 0; n < COUNT(ns); n++)
      for (int k = 0; k < SORT_KINDS; k++)
        if ((t + n + (size_t)k) % 4 == 0 || k == SORT_ZEROS || k == SORT_NAN)
          check(all_types[t], (enum sort_kind)k, ns[n]);
}

static void long_arrays(void **state) {
  (void)state;
  if (lightness() > 1) return;
  check(HEDDLE_U8, SORT_ANY, 200000);
  check(HEDDLE_F16, SORT_BITS, 300000);
  check(HEDDLE_I64, SORT_CROWDS, 400001);
  check(HEDDLE_F32, SORT_FEW, 400000);
  check(HEDDLE_F64, SORT_ZEROS, 300000);
  check(HEDDLE_F32, SORT_BITS, 300000);
}

/* n integers from `start` on, the last of them range - 1 above it, by each choice of outputs in turn. */
static void check_close(heddle_type type, uint64_t start, uint64_t range, size_t n, size_t step) {
  static const unsigned choices[] = {0, 7, 4, 15, 1, 2, 3, 12};
  const size_t size = heddle_type_size(type);
  char *in = allocate(n * size);
  for (size_t i = 0; i < n; i++) {
    const uint64_t above = i == n / 2 ? range - 1 : i == n / 3 ? 0 : i * 7919 % range;
    const uint64_t e = start + above;
    const uint32_t narrow = (uint32_t)e;
    memcpy(in + i * size, size == 4 ? (const void *)&narrow : (const void *)&e, size);
  }
  struct expected e = expect(type, in, n);
  for (size_t m = 0, k = (size_t)range; m < sort_on.count;
       m = machines_after(&sort_on, m, step), k++)
    check_call(&sort_on.of[m], type, SORT_FEW, in, n, &e, choices[k % COUNT(choices)]);
  free_expected(&e);
  free(in);
}

/* Integers around the ends of their types, as close together as tables are for, marks or words, and a little further
 * apart. */
static void close_integers(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};
  static const uint64_t starts[] = {0, (uint64_t)-300, (uint64_t)1 << 31, (uint64_t)1 << 63, 12345};
  enum { N = 5000 };
  static const uint64_t ranges[] = {1, 20, 343, N - 1, N, N + 1, 4 * N - 1, 4 * N, 4 * N + 1};
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t s = 0; s < COUNT(starts); s++)
      for (size_t r = 0; r < COUNT(ranges); r++) check_close(types[t], starts[s], ranges[r], N, 3);
}

/* So many that threads have tables of their own, where there are several. */
static void many_close_integers(void **state) {
  (void)state;
  if (lightness() > 1) return;
  for (uint64_t range = 92; range < 94; range++)
    check_close(range % 2 ? HEDDLE_I32 : HEDDLE_U64, (uint64_t)-30, range, ((size_t)1 << 20) + 2000,
                1);
}

/* n elements of `values` values far apart; where `late` only the last tenth has more than one of the first five. Floats
 * among them are zeros of both signs and NaN of several. */
static void check_few(heddle_type type, size_t values, size_t n, int late) {
  static const unsigned choices[] = {7, 0, 4, 15, 1, 2};
  const size_t size = heddle_type_size(type);
  const uint64_t sign = (uint64_t)1 << (8 * size - 1);
  char *in = allocate(n * size);
  for (size_t i = 0; i < n; i++) {
    const uint64_t v = late && i < n - n / 10 ? i % 5 : i * 7919 % values;
    uint64_t e = v * UINT64_C(0x9e3779b97f4a7c15) >> (64 - 8 * size);
    if (v == 3) e = i % 2 ? sign : 0;
    if (v == 4) e = sign - 1 - i % 3 + (i % 2 ? sign : 0);
    const uint32_t narrow = (uint32_t)e;
    memcpy(in + i * size, size == 4 ? (const void *)&narrow : (const void *)&e, size);
  }
  struct expected e = expect(type, in, n);
  for (size_t m = 0, k = values + n; m < sort_on.count; m = machines_after(&sort_on, m, 4), k++)
    check_call(&sort_on.of[m], type, SORT_FEW, in, n, &e, choices[k % COUNT(choices)]);
  free_expected(&e);
  free(in);
}

/* Around the length and the number of values that a table by a hash is for. */
static void few_values(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_U64, HEDDLE_I32};
  static const size_t values[] = {5, 2048, 2049};
  enum { LEAST = 1 << 15 };
  if (lightness() > 1) return;
  for (size_t t = 0; t < COUNT(types); t++) {
    for (size_t v = 0; v < COUNT(values); v++) check_few(types[t], values[v], LEAST + v, 0);
    check_few(types[t], 1000, LEAST - 1, 0);
    check_few(types[t], 20000, 2 * LEAST, 1);
  }
}

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  double x[4] = {0, 1, 0, 3}, values[4];
  uint64_t counts[4], found = 9;
  same_status(HEDDLE_OK,
              heddle_unique(ctx, HEDDLE_F64, NULL, 0, NULL, NULL, NULL, HEDDLE_U64, NULL, &found),
              "nothing");
  assert_int_equal(found, 0);
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_unique(ctx, HEDDLE_F64, x, 4, x, NULL, NULL, HEDDLE_U64, NULL, &found),
              "in place");
  same_status(
      HEDDLE_BAD_ARGUMENT,
      heddle_unique(ctx, HEDDLE_F64, x, 4, values, counts, counts, HEDDLE_U64, NULL, &found),
      "counts that are first");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_unique(ctx, HEDDLE_F64, x, 4, values, NULL, NULL, HEDDLE_I32, counts, &found),
              "an index of i32");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_unique(ctx, HEDDLE_F64, x, 4, values, NULL, NULL, HEDDLE_U64, NULL, NULL),
              "nowhere to say how many");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_unique(ctx, HEDDLE_F64, x, (size_t)1 << 33, values, NULL, NULL, HEDDLE_U32,
                            counts, &found),
              "an index that is too narrow");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths),        cmocka_unit_test(long_arrays),
      cmocka_unit_test(close_integers), cmocka_unit_test(many_close_integers),
      cmocka_unit_test(few_values),     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
