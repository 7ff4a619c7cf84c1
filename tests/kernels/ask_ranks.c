/* ask_ranks.c - asks for the kernels of order statistics: see ask.c */
#include "ask.h"
#include "lists.h"

static void by_weights(heddle_type type, size_t n) {
  const double q[] = {0.5, 0};
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.weights = array[2];
  for (size_t wide = 0; wide < 2; wide++) {
    options.weights_type = wide ? HEDDLE_F64 : HEDDLE_F32;
    allow(heddle_quantiles(ctx, type, array[0], n, q, 2, (double *)(void *)array[1], &options),
          "quantiles by weights");
  }
}

static void of_type(heddle_type type, const heddle_rows *rows, size_t n) {
  static const uint64_t ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  static const double q[] = {0.5, 0.25, 0.75, 0.1, 0.9, 0.01, 0.99, 0};
  const char *x = array[0];
  char *out = array[1], *with = array[2];
  double *results = (double *)(void *)out;
  if (rows) {
    allow(heddle_nth_rows(ctx, type, x, rows, ranks, 2, out, NULL), "nth_rows");
    allow(heddle_partial_sort_rows(ctx, type, x, rows, 3, out, HEDDLE_U32, with, NULL),
          "partial_sort_rows");
    allow(heddle_partial_sort_rows(ctx, type, x, rows, 40, out, HEDDLE_U64, with, NULL),
          "partial_sort_rows");
    allow(heddle_quantiles_rows(ctx, type, x, rows, q, 3, results, NULL), "quantiles_rows");
    return;
  }
  for (size_t count = 1; count <= 8; count++) {
    if (reduced && count != 1 && (count + type) % 4) continue;
    allow(heddle_nth(ctx, type, x, n, ranks, count, out, NULL), "nth");
    allow(heddle_quantiles(ctx, type, x, n, q, count, results, NULL), "quantiles");
  }
  by_weights(type, n);
  for (size_t wide = 0; wide < 2; wide++) {
    const heddle_type index = wide ? HEDDLE_U64 : HEDDLE_U32;
    if (wide || n < UINT32_MAX)
      allow(heddle_partial_sort(ctx, type, x, n, 1000, out, index, with, NULL), "partial_sort");
    if (wide || n < UINT32_MAX)
      allow(heddle_partial_sort(ctx, type, x, n, n / 2, out, index, with, NULL), "partial_sort");
  }
}

void order_statistics(void) {
  const size_t shape[2] = {300, 70};
  for (size_t t = 0; t < type_count; t++) {
    heddle_rows rows = HEDDLE_ROWS_INIT;
    for (size_t n = 0; n < 3; n++)
      if (!reduced || n == 1 || (t + n) % 4 == 0) of_type(all_types[t], NULL, sizes[n]);
    rows.dims = 2, rows.shape = shape, rows.axis = 1;
    of_type(all_types[t], &rows, 0);
  }
}
