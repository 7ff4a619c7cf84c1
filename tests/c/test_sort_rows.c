/* test_sort_rows.c - sorts of rows: each has the bits of the plain call on that row
 *
 * Method   Segments of every length, axes of strided arrays of one to three dimensions with steps that
 *          are zero and negative, rows beyond the cache; gathered by hand, sorted by the plain call, which
 *          test_sort.c compares with a reference, and put where the contract says. */
#include "sort_reference.h"

struct shape {
  size_t dims, axis, shape[3];
  ptrdiff_t strides[3];
  int dense;    /* C order without gaps */
  size_t first; /* element (0, 0, 0), from the array's start */
};

static const struct shape shapes[] = {{1, 0, {1000}, {1}, 1, 0},
                                      {1, 0, {333}, {-3}, 0, 996},
                                      {2, 1, {40, 25}, {25, 1}, 1, 0},
                                      {2, 0, {40, 25}, {25, 1}, 1, 0},
                                      {2, 1, {31, 17}, {1, 31}, 0, 0},
                                      {2, 0, {64, 9}, {-10, 1}, 0, 640},
                                      {2, 1, {5, 200}, {0, 1}, 0, 0},
                                      {3, 1, {4, 33, 7}, {231, 7, 1}, 1, 0},
                                      {3, 0, {4, 33, 7}, {300, 9, 1}, 0, 0},
                                      {3, 2, {6, 5, 20}, {1, 6, 31}, 0, 0},
                                      {2, 1, {300, 1}, {1, 1}, 1, 0},
                                      {2, 1, {3, 90000}, {90000, 1}, 1, 0},
                                      {2, 0, {90000, 3}, {3, 1}, 1, 0}};

enum { MOST = 1 << 19 };

static size_t place_in(const struct shape *s, const size_t *at) {
  ptrdiff_t place = (ptrdiff_t)s->first;
  for (size_t d = 0; d < s->dims; d++) place += (ptrdiff_t)at[d] * s->strides[d];
  return (size_t)place;
}
static size_t place_out(const struct shape *s, const size_t *at) {
  size_t place = 0;
  for (size_t d = 0; d < s->dims; d++) place = place * s->shape[d] + at[d];
  return place;
}

/* What each verb gives, row after row by the plain call. */
static void expect(heddle_context *ctx, const struct shape *s, heddle_type type, const char *keys,
                   const uint64_t *values, const heddle_sort_options *options, char *sorted,
                   char *keys_out, uint64_t *values_out, uint32_t *index) {
  const size_t size = data_size(type), n = s->shape[s->axis];
  char *row = allocate(n * size + 1), *to = allocate(n * size + 1);
  uint64_t *with = allocate(n * 8 + 8);
  uint32_t *where = allocate(n * 4 + 4);
  size_t at[3] = {0}, rows = 1;
  for (size_t d = 0; d < s->dims; d++)
    if (d != s->axis) rows *= s->shape[d];
  for (size_t r = 0; r < rows; r++) {
    for (at[s->axis] = 0; at[s->axis] < n; at[s->axis]++) {
      memcpy(row + at[s->axis] * size, keys + place_in(s, at) * size, size);
      with[at[s->axis]] = values[place_in(s, at)];
    }
    assert_int_equal(heddle_sort(ctx, type, row, n, to, options), HEDDLE_OK);
    assert_int_equal(heddle_argsort(ctx, type, row, n, HEDDLE_U32, where, options), HEDDLE_OK);
    for (at[s->axis] = 0; at[s->axis] < n; at[s->axis]++) {
      const size_t out = place_out(s, at), i = at[s->axis];
      memcpy(sorted + out * size, to + i * size, size);
      memcpy(keys_out + out * size, row + where[i] * size, size);
      values_out[out] = with[where[i]];
      index[out] = where[i];
    }
    at[s->axis] = 0;
    for (size_t d = s->dims; d-- > 0;) {
      if (d == s->axis) continue;
      if (++at[d] < s->shape[d]) break;
      at[d] = 0;
    }
  }
  free(row);
  free(to);
  free(with);
  free(where);
}

static void check_shape(const struct shape *s, heddle_type type, const machine *m,
                        const heddle_sort_options *options) {
  const size_t size = data_size(type);
  size_t n = 1;
  for (size_t d = 0; d < s->dims; d++) n *= s->shape[d];
  char *keys = allocate(MOST * size), *wanted = allocate(n * size), *pairs = allocate(n * size);
  uint64_t *values = allocate(MOST * 8), *with = allocate(n * 8), *out_values = allocate(n * 8);
  uint32_t *wanted_index = allocate(n * 4), *index = allocate(n * 4);
  char *out = allocate(n * size);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = s->dims;
  rows.axis = s->axis;
  rows.shape = s->shape;
  rows.strides = s->strides;
  const size_t filled = s->dense ? n : MOST;
  sort_fill(n % 2 ? SORT_BITS : SORT_FEW, type, n, filled, keys);
  for (size_t i = 0; i < filled; i++) values[i] = data_word(9, i);
  expect(m->ctx, s, type, keys, values, options, wanted, pairs, with, wanted_index);
  const char *in = keys + s->first * size;
  const uint64_t *in_values = values + s->first;
  const char *name = heddle_type_name(type);
  same_status(HEDDLE_OK, heddle_sort_rows(m->ctx, type, in, &rows, out, options), "rows");
  same_array(type, wanted, out, n, "rows of %zu %s on %s", n, name, m->label);
  same_status(HEDDLE_OK, heddle_argsort_rows(m->ctx, type, in, &rows, HEDDLE_U32, index, options),
              "argsort");
  same_array(HEDDLE_U32, wanted_index, index, n, "positions in rows of %zu %s on %s", n, name,
             m->label);
  same_status(
      HEDDLE_OK,
      heddle_sort_pairs_rows(m->ctx, type, in, 8, in_values, &rows, out, out_values, options),
      "pairs");
  same_array(type, pairs, out, n, "keys of rows of %zu %s on %s", n, name, m->label);
  same_array(HEDDLE_U64, with, out_values, n, "values of rows of %zu %s on %s", n, name, m->label);
  if (s->dense) {
    same_status(HEDDLE_OK, heddle_sort_rows(m->ctx, type, keys, &rows, keys, options), "in place");
    same_array(type, wanted, keys, n, "rows in place, of %zu %s on %s", n, name, m->label);
  } else {
    assert_int_equal(heddle_sort_rows(m->ctx, type, in, &rows, (void *)(uintptr_t)in, options),
                     HEDDLE_BAD_ARGUMENT);
  }
  free(keys);
  free(wanted);
  free(pairs);
  free(values);
  free(with);
  free(out_values);
  free(wanted_index);
  free(index);
  free(out);
}

static void axes(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t s = 0; s < COUNT(shapes); s++) {
      heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
      options.descending = (int)(turn % 2);
      options.nan_first = (int)(turn / 2 % 2);
      if (turn++ % lightness()) continue;
      for (size_t i = turn % 3; i < sort_on.count; i = machines_after(&sort_on, i, 3))
        check_shape(&shapes[s], all_types[t], &sort_on.of[i], &options);
    }
}

/* Rows that are sorted a row a lane, by a network each and beyond: as many as are taken at once and some more. */
static void short_rows(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t n = 1; n <= 530; n += n < 300 ? 1 : 23)
    for (size_t k = 0; k < 3; k++, turn++) {
      const size_t rows = turn % 5 ? 67 : 31;
      const struct shape s = {2, 1, {rows, n}, {(ptrdiff_t)n, 1}, 1, 0};
      heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
      options.descending = (int)(turn % 2);
      options.nan_first = (int)(turn / 2 % 2);
      if (turn % lightness()) continue;
      check_shape(&s, all_types[turn % type_count], &sort_on.of[turn / type_count % sort_on.count],
                  &options);
    }
}

static void segments(void **state) {
  (void)state;
  const uint64_t large = lightness() > 1 ? 9200 : 71200, end = lightness() > 1 ? 30000 : 400000;
  const uint64_t offsets[] = {5, 5, 6, 8, 30, 130, 130, 1200, large, end, end + 3};
  enum { SEGMENTS = COUNT(offsets) - 1 };
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = SEGMENTS;
  for (size_t t = 0; t < type_count; t += lightness()) {
    const heddle_type type = all_types[t];
    const size_t size = data_size(type), n = offsets[SEGMENTS];
    char *in = allocate(n * size), *out = allocate(n * size), *wanted = allocate(n * size);
    uint64_t *index = allocate(n * 8), *wanted_index = allocate(n * 8);
    sort_fill(SORT_BITS, type, 1, n, in);
    memset(out, 1, n * size);
    memset(wanted, 1, n * size);
    for (size_t i = t % 2; i < sort_on.count; i = machines_after(&sort_on, i, 2)) {
      const machine *m = &sort_on.of[i];
      for (size_t s = 0; s < SEGMENTS; s++) {
        const size_t first = offsets[s], length = offsets[s + 1] - first;
        assert_int_equal(
            heddle_sort(m->ctx, type, in + first * size, length, wanted + first * size, NULL),
            HEDDLE_OK);
        assert_int_equal(heddle_argsort(m->ctx, type, in + first * size, length, HEDDLE_U64,
                                        wanted_index + first, NULL),
                         HEDDLE_OK);
      }
      same_status(HEDDLE_OK, heddle_sort_rows(m->ctx, type, in, &rows, out, NULL), "segments");
      same_array(type, wanted, out, n, "segments on %s", m->label);
      same_status(HEDDLE_OK, heddle_argsort_rows(m->ctx, type, in, &rows, HEDDLE_U64, index, NULL),
                  "segments");
      same_bytes(wanted_index + 5, index + 5, (n - 5) * 8, "positions in segments on %s", m->label);
    }
    free(in);
    free(out);
    free(wanted);
    free(index);
    free(wanted_index);
  }
}

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  uint64_t falling[] = {0, 3, 2};
  const size_t shape[] = {2, 4};
  float x[16] = {0}, out[16];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = falling;
  rows.segments = 2;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sort_rows(ctx, HEDDLE_F32, x, &rows, out, NULL), "falls");
  rows.offsets = NULL;
  rows.dims = 2;
  rows.axis = 2;
  rows.shape = shape;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sort_rows(ctx, HEDDLE_F32, x, &rows, out, NULL), "axis");
  rows.axis = 1;
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sort_rows(ctx, HEDDLE_F32, x, &rows, x + 1, NULL),
              "overlap");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sort_rows(ctx, HEDDLE_F32, NULL, &rows, out, NULL),
              "NULL");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sort_rows(ctx, HEDDLE_F32, x, NULL, out, NULL), "rows");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes), cmocka_unit_test(short_rows),
                                     cmocka_unit_test(segments), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
