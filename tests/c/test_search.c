/* test_search.c - search_sorted and gather against plain loops
 *
 * Method   Every type and distribution of sorted values, lengths around blocks, levels and tables, both sides, both
 *          index types, values at random, in order and equal to elements; comparisons of the test's own,
 *          by value. Rows of 1 byte to a few hundred, by positions of every type, a bad one at every kind of place. */
#include <math.h>

#include "sort_reference.h"

/* Below 0: a comes before b, as heddle_argsort has it. */
static int compare(heddle_type type, const void *a, const void *b) {
  if (ref_is_float(type)) {
    const double x = ref_load(type, a, 0).f, y = ref_load(type, b, 0).f;
    if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
    return (x > y) - (x < y);
  }
  uint64_t x = data_bits(type, a, 0), y = data_bits(type, b, 0);
  if (ref_is_signed(type)) {
    const uint64_t top = (uint64_t)1 << (8 * data_size(type) - 1);
    x ^= top;
    y ^= top;
  }
  return (x > y) - (x < y);
}

/* How many elements are below the value, or not above. */
static uint64_t place(heddle_type type, const char *sorted, size_t n, const void *value,
                      heddle_side side) {
  const size_t size = heddle_type_size(type);
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int c = compare(type, sorted + middle * size, value);
    if (side == HEDDLE_RIGHT ? c <= 0 : c < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void check_search(heddle_type type, enum sort_kind kind, size_t n, size_t count, int rise) {
  const size_t size = heddle_type_size(type);
  const heddle_sort_options options = sort_options(0, 0);
  struct sort_job j = sort_job_new(type, kind, n, &options);
  char *values = allocate(count * size + 1), *shifted = values + 1;
  uint64_t *expected = allocate(count * 8 + 8), *wide = allocate(count * 8 + 8);
  uint32_t *narrow = allocate(count * 4 + 4);
  sort_fill(SORT_BITS, type, n + 7 * count, count, shifted);
  for (size_t i = 0; i < count && n; i++)
    if (i % 2) memcpy(shifted + i * size, j.in + i * 31 % n * size, size);
  if (rise) {
    heddle_context *ctx = sort_on.of[0].ctx;
    char *in = allocate(count * size + 1);
    memcpy(in, shifted, count * size);
    same_status(HEDDLE_OK, heddle_sort(ctx, type, in, count, in, NULL), "sorting values");
    memcpy(shifted, in, count * size);
    free(in);
  }
  static const heddle_side sides[] = {HEDDLE_LEFT, HEDDLE_RIGHT};
  for (size_t s = 0; s < COUNT(sides); s++) {
    for (size_t i = 0; i < count; i++)
      expected[i] = place(type, j.sorted, n, shifted + i * size, sides[s]);
    for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, 2)) {
      const machine *on = &sort_on.of[m];
      same_status(HEDDLE_OK,
                  heddle_search_sorted(on->ctx, type, j.sorted, n, shifted, count, sides[s],
                                       HEDDLE_U64, wide),
                  "search on %s", on->label);
      same_array(HEDDLE_U64, expected, wide, count, "%zu in %zu %s of %s, side %d, on %s", count, n,
                 sort_name(kind), heddle_type_name(type), (int)sides[s], on->label);
      same_status(HEDDLE_OK,
                  heddle_search_sorted(on->ctx, type, j.sorted, n, shifted, count, sides[s],
                                       HEDDLE_U32, narrow),
                  "search on %s", on->label);
      for (size_t i = 0; i < count; i++) wide[i] = narrow[i];
      same_array(HEDDLE_U64, expected, wide, count, "u32 %zu in %zu %s of %s, side %d, on %s",
                 count, n, sort_name(kind), heddle_type_name(type), (int)sides[s], on->label);
    }
  }
  free(values);
  free(expected);
  free(wide);
  free(narrow);
  sort_job_free(&j);
}

static void lengths(void **state) {
  (void)state;
  static const size_t ns[] = {0, 1, 2, 3, 15, 16, 17, 255, 256, 257, 1000};
  static const size_t counts[] = {1, 255, 256, 257, 513};
  for (size_t t = 0; t < type_count; t++)
    for (size_t n = 0; n < COUNT(ns); n++) {
      const size_t some = (t + n) % COUNT(counts);
      check_search(all_types[t], (enum sort_kind)((t * 5 + n * 3) % SORT_KINDS), ns[n],
                   counts[some], (int)(n % 2));
      if (n % 4 == t % 4) check_search(all_types[t], SORT_BITS, ns[n], 300, 0);
      if (n % 4 == 1) check_search(all_types[t], SORT_NAN, ns[n], 40, 0);
    }
}

/* Levels above the array; runs of values of which all threads have some; a table of 16 bits. */
static void long_arrays(void **state) {
  (void)state;
  const size_t light = lightness();
  for (size_t t = 0; t < type_count; t++) {
    const size_t size = heddle_type_size(all_types[t]);
    if (size >= 4) check_search(all_types[t], SORT_BITS, 4096 * 17 + 5, 40000 / light, 0);
    if (size >= 4 && t % 2)
      check_search(all_types[t], SORT_CROWDS, 5000, 3000 / light, (int)(t & 2));
    if (size == 1) check_search(all_types[t], SORT_ANY, 3000, 5000, 0);
    if (size == 2 && light == 1) check_search(all_types[t], SORT_BITS, 1000, 270000, 0);
  }
  if (light == 1) check_search(HEDDLE_F32, SORT_ANY, 300000, 300000, 1);
}

/* ---- gather ------------------------------------------------------------------------------------- */

static const heddle_type id_types[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64, HEDDLE_U64};

static void store_id(heddle_type type, void *to, size_t i, uint64_t id) {
  const uint32_t narrow = (uint32_t)id;
  if (heddle_type_size(type) == 4)
    memcpy((char *)to + i * 4, &narrow, 4);
  else
    memcpy((char *)to + i * 8, &id, 8);
}

static void check_gather(size_t bytes, size_t n, size_t count, heddle_type type) {
  unsigned char *in = allocate(n * bytes + 1), *out = allocate(count * bytes + 1);
  unsigned char *expected = allocate(count * bytes + 1);
  char *index = allocate(count * 8 + 8);
  uint64_t seed = n * 31 + bytes;
  for (size_t i = 0; i < n * bytes; i++) in[i + 1] = (unsigned char)(i * 167 + i / 251);
  for (size_t i = 0; i < count; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint64_t at = (seed >> 33) % n;
    store_id(type, index, i, at);
    memcpy(expected + i * bytes, in + 1 + at * bytes, bytes);
  }
  for (size_t m = 0; m < sort_on.count; m = machines_after(&sort_on, m, 3)) {
    const machine *on = &sort_on.of[m];
    memset(out, 0, count * bytes);
    same_status(HEDDLE_OK, heddle_gather(on->ctx, bytes, in + 1, n, type, index, count, out),
                "gather on %s", on->label);
    same_bytes(expected, out, count * bytes, "%zu of %zu rows of %zu bytes by %s on %s", count, n,
               bytes, heddle_type_name(type), on->label);
    const size_t places[] = {0, count / 2, count - 1};
    for (size_t p = 0; p < 3; p++) {
      uint64_t kept = 0;
      const size_t id_bytes = heddle_type_size(type);
      memcpy(&kept, index + places[p] * id_bytes, id_bytes);
      store_id(type, index, places[p], p == 1 ? (uint64_t)-1 : n);
      same_status(HEDDLE_BAD_DATA,
                  heddle_gather(on->ctx, bytes, in + 1, n, type, index, count, out),
                  "a bad position at %zu on %s", places[p], on->label);
      char name[40];
      snprintf(name, sizeof name, "`index[%zu]`", places[p]);
      if (m < sort_on.cpus && !strstr(heddle_message(), name))
        fail_msg("%s is not in \"%s\"", name, heddle_message());
      memcpy(index + places[p] * id_bytes, &kept, id_bytes);
    }
  }
  free(in);
  free(out);
  free(expected);
  free(index);
}

static void gather(void **state) {
  (void)state;
  static const size_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 20, 64, 100, 513};
  static const size_t counts[] = {1, 31, 32, 33, 1000, 8192, 8193, 20000};
  for (size_t b = 0; b < COUNT(bytes); b++)
    for (size_t c = 0; c < COUNT(counts); c++)
      check_gather(bytes[b], c % 2 ? 5000 : 77, counts[c] / (bytes[b] > 16 ? 4 : 1) + 1,
                   id_types[(b + c) % 4]);
  if (lightness() == 1) check_gather(8, 100000, 300000, HEDDLE_U32);
}

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  double x[4] = {0, 1, 2, 3};
  uint64_t at[4] = {0};
  same_status(HEDDLE_OK,
              heddle_search_sorted(ctx, HEDDLE_F64, x, 4, x, 4, HEDDLE_LEFT, HEDDLE_U64, at),
              "values that are the sorted array");
  same_status(
      HEDDLE_OK,
      heddle_search_sorted(ctx, HEDDLE_F64, NULL, 0, NULL, 0, HEDDLE_LEFT, HEDDLE_U64, NULL),
      "nothing");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_search_sorted(ctx, HEDDLE_F64, x, 4, x, 4, HEDDLE_LEFT, HEDDLE_U64, (void *)x),
              "index is sorted");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_search_sorted(ctx, HEDDLE_F64, x, 4, x, 4, (heddle_side)2, HEDDLE_U64, at),
              "a side");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_search_sorted(ctx, HEDDLE_F64, x, 4, x, 4, HEDDLE_LEFT, HEDDLE_I64, at),
              "an index of i64");
  same_status(
      HEDDLE_BAD_ARGUMENT,
      heddle_search_sorted(ctx, HEDDLE_F64, x, (size_t)1 << 33, x, 4, HEDDLE_LEFT, HEDDLE_U32, at),
      "an index that is too narrow");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_gather(ctx, 0, x, 4, HEDDLE_U64, at, 4, x), "no bytes");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_gather(ctx, 8, x, 4, HEDDLE_F64, at, 4, x), "floats");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_gather(ctx, 8, x, 4, HEDDLE_U64, at, 4, x), "in place");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_gather(ctx, 8, x, 4, HEDDLE_U64, NULL, 4, at),
              "no index");
  same_status(HEDDLE_BAD_DATA, heddle_gather(ctx, 8, NULL, 0, HEDDLE_U64, at, 1, x), "of nothing");
  same_status(HEDDLE_OK, heddle_gather(ctx, 8, NULL, 0, HEDDLE_U64, NULL, 0, NULL), "nothing");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(long_arrays),
                                     cmocka_unit_test(gather), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
