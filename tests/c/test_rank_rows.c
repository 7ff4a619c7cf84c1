/* test_rank_rows.c - order statistics of rows: each has the bits of the plain call on that row
 *
 * Method   Segments of every length, axes of strided arrays with steps that are zero and negative, rows beyond
 *          the cache; gathered by hand and given to the plain call, which test_rank.c compares with sorts. */
#include <math.h>

#include "sort_reference.h"

struct shape {
  size_t dims, axis, shape[3];
  ptrdiff_t strides[3];
  size_t first; /* element (0, 0, 0), from the array's start */
};

static const struct shape shapes[] = {{1, 0, {1000}, {1}, 0},
                                      {1, 0, {333}, {-3}, 996},
                                      {2, 1, {40, 25}, {25, 1}, 0},
                                      {2, 0, {40, 25}, {25, 1}, 0},
                                      {2, 0, {64, 9}, {-10, 1}, 640},
                                      {2, 1, {5, 200}, {0, 1}, 0},
                                      {3, 1, {4, 33, 7}, {231, 7, 1}, 0},
                                      {3, 0, {4, 33, 7}, {300, 9, 1}, 0},
                                      {2, 1, {300, 1}, {1, 1}, 0},
                                      {2, 1, {7, 9000}, {9000, 1}, 0},
                                      {2, 1, {2, 290000}, {290000, 1}, 0},
                                      {2, 0, {9000, 7}, {7, 1}, 0}};

enum { MOST = 1 << 20, RANKS = 4, K = 3, SHARES = 3 };
static const double q[SHARES] = {0.5, 0.9, 0};

/* What all calls on one row give. */
struct results {
  char nth[RANKS * 8], first[K * 8];
  uint32_t index[K];
  double quantile[SHARES];
};

static void expect(heddle_context *ctx, heddle_type type, const char *row, size_t n, size_t k,
                   const uint64_t *ranks, const heddle_sort_options *options, struct results *r) {
  heddle_quantile_options skip = HEDDLE_QUANTILE_OPTIONS_INIT;
  skip.nan = HEDDLE_NAN_SKIP;
  same_status(HEDDLE_OK, heddle_nth(ctx, type, row, n, ranks, RANKS, r->nth, options), "nth");
  same_status(HEDDLE_OK,
              heddle_partial_sort(ctx, type, row, n, k, r->first, HEDDLE_U32, r->index, options),
              "first");
  const heddle_status status = heddle_quantiles(ctx, type, row, n, q, SHARES, r->quantile, &skip);
  if (status == HEDDLE_EMPTY)
    for (size_t i = 0; i < SHARES; i++) r->quantile[i] = NAN;
  else
    same_status(HEDDLE_OK, status, "quantiles");
}

/* Weights of elements: some rows have none, others few. */
static double weight_of(size_t i) {
  const uint64_t x = data_word(6, i);
  return i / 64 % 5 == 4 || x % 3 == 0 ? 0 : ldexp((double)(x >> 30), (int)(i % 100) - 80);
}

static heddle_quantile_options by_weights(const double *weights, heddle_nan nan) {
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF, options.nan = nan;
  options.weights = weights;
  return options;
}

/* Quantiles by weights of rows, which are gathered as their elements are. */
static void check_weights(const machine *m, heddle_type type, const void *in,
                          const heddle_rows *rows, size_t count, const char *const *rows_at,
                          const size_t *lengths, const double *weights,
                          const double *const *weights_at) {
  const heddle_nan nan = count % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  const heddle_quantile_options all = by_weights(weights, nan);
  double *quantile = allocate(count * SHARES * sizeof *quantile), wanted[SHARES];
  same_status(HEDDLE_OK, heddle_quantiles_rows(m->ctx, type, in, rows, q, SHARES, quantile, &all),
              "by weights: %s", heddle_message());
  for (size_t r = 0; r < count; r++) {
    const heddle_quantile_options one = by_weights(weights_at[r], nan);
    const heddle_status status =
        heddle_quantiles(sort_on.of[0].ctx, type, rows_at[r], lengths[r], q, SHARES, wanted, &one);
    assert_true(!status || status == HEDDLE_EMPTY);
    for (size_t i = 0; status && i < SHARES; i++) wanted[i] = NAN;
    same_array(HEDDLE_F64, wanted, quantile + r * SHARES, SHARES,
               "by weights: row %zu of %zu %s on %s", r, lengths[r], heddle_type_name(type),
               m->label);
  }
  free(quantile);
}

/* All calls on rows; row r of n elements is at rows_at[r], gathered. */
static void check(const machine *m, heddle_type type, const void *in, const heddle_rows *rows,
                  size_t count, const char *const *rows_at, const size_t *lengths,
                  const heddle_sort_options *options) {
  const size_t size = data_size(type);
  size_t least = SIZE_MAX;
  for (size_t r = 0; r < count; r++) least = lengths[r] < least ? lengths[r] : least;
  const size_t k = least < K ? least : K;
  const uint64_t ranks[RANKS] = {least / 2, 0, least - 1, least / 3};
  char *nth = allocate(count * RANKS * size), *first = allocate(count * K * size + 1);
  uint32_t *index = allocate(count * K * 4 + 4);
  double *quantile = allocate(count * SHARES * sizeof *quantile);
  heddle_quantile_options skip = HEDDLE_QUANTILE_OPTIONS_INIT;
  skip.nan = HEDDLE_NAN_SKIP;
  same_status(HEDDLE_OK, heddle_nth_rows(m->ctx, type, in, rows, ranks, RANKS, nth, options),
              "nth");
  same_status(
      HEDDLE_OK,
      heddle_partial_sort_rows(m->ctx, type, in, rows, k, first, HEDDLE_U32, index, options),
      "first");
  same_status(HEDDLE_OK, heddle_quantiles_rows(m->ctx, type, in, rows, q, SHARES, quantile, &skip),
              "quantiles");
  for (size_t r = 0; r < count; r++) {
    struct results wanted;
    const char *name = heddle_type_name(type);
    expect(m->ctx, type, rows_at[r], lengths[r], k, ranks, options, &wanted);
    same_array(type, wanted.nth, nth + r * RANKS * size, RANKS, "nth of row %zu of %zu %s on %s", r,
               lengths[r], name, m->label);
    same_array(type, wanted.first, first + r * k * size, k, "first of row %zu of %zu %s on %s", r,
               lengths[r], name, m->label);
    same_array(HEDDLE_U32, wanted.index, index + r * k, k, "places of row %zu of %zu %s on %s", r,
               lengths[r], name, m->label);
    same_array(HEDDLE_F64, wanted.quantile, quantile + r * SHARES, SHARES,
               "quantiles of row %zu of %zu %s on %s", r, lengths[r], name, m->label);
  }
  free(nth);
  free(first);
  free(index);
  free(quantile);
}

static void check_shape(const struct shape *s, heddle_type type, const machine *m,
                        const heddle_sort_options *options) {
  const size_t size = data_size(type), n = s->shape[s->axis];
  size_t count = 1, at[3] = {0};
  for (size_t d = 0; d < s->dims; d++) count *= d == s->axis ? 1 : s->shape[d];
  char *keys = allocate(MOST * size), *gathered = allocate(count * n * size);
  double *weights = allocate(MOST * sizeof *weights), *weighed = allocate(count * n * 8);
  const double **weights_at = allocate(count * sizeof *weights_at);
  const char **rows_at = allocate(count * sizeof *rows_at);
  size_t *lengths = allocate(count * sizeof *lengths);
  sort_fill(n % 2 ? SORT_BITS : SORT_FEW, type, n, MOST, keys);
  for (size_t i = 0; i < MOST; i++) weights[i] = weight_of(i);
  for (size_t r = 0; r < count; r++) {
    rows_at[r] = gathered + r * n * size;
    weights_at[r] = weighed + r * n;
    lengths[r] = n;
    for (at[s->axis] = 0; at[s->axis] < n; at[s->axis]++) {
      ptrdiff_t place = (ptrdiff_t)s->first;
      for (size_t d = 0; d < s->dims; d++) place += (ptrdiff_t)at[d] * s->strides[d];
      memcpy(gathered + (r * n + at[s->axis]) * size, keys + place * (ptrdiff_t)size, size);
      weighed[r * n + at[s->axis]] = weights[place];
    }
    at[s->axis] = 0;
    for (size_t d = s->dims; d-- > 0;) {
      if (d == s->axis) continue;
      if (++at[d] < s->shape[d]) break;
      at[d] = 0;
    }
  }
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = s->dims;
  rows.axis = s->axis;
  rows.shape = s->shape;
  rows.strides = s->strides;
  check(m, type, keys + s->first * size, &rows, count, rows_at, lengths, options);
  if ((count + (size_t)type) % 4 == 0 || count < 8)
    check_weights(m, type, keys + s->first * size, &rows, count, rows_at, lengths,
                  weights + s->first, weights_at);
  free(weights);
  free(weighed);
  free(weights_at);
  free(keys);
  free(gathered);
  free(rows_at);
  free(lengths);
}

static void axes(void **state) {
  (void)state;
  size_t turn = 0;
  for (size_t s = 0; s < COUNT(shapes); s++)
    for (size_t t = 0; t < type_count; t++) {
      if (turn++ % (2 * lightness())) continue;
      const heddle_sort_options options = sort_options((int)turn / 2 % 2, (int)turn / 4 % 2);
      for (size_t i = 0; i < sort_on.cpus; i = machines_after(&sort_on, i, 4))
        check_shape(&shapes[s], all_types[t], &sort_on.of[i], &options);
    }
}

/* Lengths 1 to some hundreds, and one row that all threads take together. */
static void segments(void **state) {
  (void)state;
  enum { ROWS = 400, LONG = 700001 };
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_U8, HEDDLE_F64, HEDDLE_I16, HEDDLE_F16};
  uint64_t offsets[ROWS + 2] = {3};
  size_t lengths[ROWS + 1];
  for (size_t r = 0; r <= ROWS; r++) {
    lengths[r] = r == ROWS / 2 && lightness() == 1 ? LONG : r + 1;
    offsets[r + 1] = offsets[r] + lengths[r];
  }
  for (size_t t = 0; t < COUNT(types); t++) {
    const size_t size = data_size(types[t]), n = offsets[ROWS + 1];
    const heddle_sort_options options = sort_options((int)t % 2, (int)t / 2 % 2);
    char *in = allocate(n * size);
    const char *rows_at[ROWS + 1];
    const double *weights_at[ROWS + 1];
    double *weights = allocate(n * sizeof *weights);
    for (size_t i = 0; i < n; i++) weights[i] = weight_of(i);
    sort_fill(t % 2 ? SORT_FEW : SORT_BITS, types[t], t, n, in);
    for (size_t r = 0; r <= ROWS; r++) {
      rows_at[r] = in + offsets[r] * size;
      weights_at[r] = weights + offsets[r];
    }
    heddle_rows rows = HEDDLE_ROWS_INIT;
    rows.offsets = offsets;
    rows.segments = ROWS + 1;
    for (size_t i = 0; i < sort_on.cpus; i = machines_after(&sort_on, i, 4)) {
      check(&sort_on.of[i], types[t], in, &rows, ROWS + 1, rows_at, lengths, &options);
      check_weights(&sort_on.of[i], types[t], in, &rows, ROWS + 1, rows_at, lengths, weights,
                    weights_at);
    }
    free(in);
    free(weights);
  }
}

static void refused(void **state) {
  (void)state;
  heddle_context *ctx = sort_on.of[0].ctx;
  const uint64_t offsets[] = {0, 3, 3, 5}, ranks[] = {0};
  const size_t shape[] = {2, 0};
  float in[8] = {0}, out[8];
  double quantile[3], w[8] = {1, 0, 0, 0, -1};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = 3;
  const heddle_status bad = HEDDLE_BAD_ARGUMENT;
  same_status(bad, heddle_nth_rows(ctx, HEDDLE_F32, in, &rows, ranks, 1, out, NULL),
              "an empty row");
  same_status(bad,
              heddle_partial_sort_rows(ctx, HEDDLE_F32, in, &rows, 1, out, HEDDLE_U32, NULL, NULL),
              "an empty row");
  same_status(HEDDLE_OK, heddle_quantiles_rows(ctx, HEDDLE_F32, in, &rows, q, 1, quantile, NULL),
              "q");
  assert_true(quantile[0] == 0 && quantile[1] != quantile[1] && quantile[2] == 0);
  const heddle_quantile_options options = by_weights(w, HEDDLE_NAN_SKIP);
  quantile[0] = 7;
  same_status(HEDDLE_BAD_DATA,
              heddle_quantiles_rows(ctx, HEDDLE_F32, in, &rows, q, 1, quantile, &options), "w");
  assert_true(strstr(heddle_message(), "row 2 has a weight") && quantile[0] == 7);
  w[4] = 0;
  same_status(HEDDLE_OK,
              heddle_quantiles_rows(ctx, HEDDLE_F32, in, &rows, q, 1, quantile, &options), "w");
  assert_true(quantile[0] == 0 && quantile[1] != quantile[1] && quantile[2] != quantile[2]);
  same_status(bad, heddle_quantiles_rows(ctx, HEDDLE_F32, in, &rows, q, 1, w, &options), "overlap");
  rows.offsets = NULL;
  rows.dims = 2;
  rows.axis = 1;
  rows.shape = shape;
  same_status(HEDDLE_OK, heddle_quantiles_rows(ctx, HEDDLE_F32, NULL, &rows, q, 1, quantile, NULL),
              "q");
  assert_true(quantile[0] != quantile[0] && quantile[1] != quantile[1]);
  same_status(bad, heddle_nth_rows(ctx, HEDDLE_F32, in, &rows, ranks, 1, out, NULL), "no elements");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(axes), cmocka_unit_test(segments),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
