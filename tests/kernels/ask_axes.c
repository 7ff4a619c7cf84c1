/* ask_axes.c - histograms of several dimensions
 *
 * Method   Types x axes x bins that all axes find alike or not x columns that are aligned alike or not x sizes of
 *          the grid, with points outside of axes counted, weights, and squares. */
#include <stdint.h>

#include "ask.h"
#include "lists.h"

enum { DIMS = 8, GRIDS = 4 };

/* Bins of each axis: even, of integers, of edges every other one or all, even between ends that are found. */
enum { EVEN, INTEGERS, MIXED, EDGES, AUTO, WAYS };

static const double edges[9] = {0, 1, 4, 9, 16, 25, 36, 49, 64};

static heddle_bins bins_of(size_t way, size_t d, size_t bins) {
  heddle_bins of = {sizeof of, HEDDLE_BINS_EVEN, bins, 0, 1, 0, NULL, 0};
  if (way == AUTO) of.auto_range = 1;
  if (way == INTEGERS) of.kind = HEDDLE_BINS_INTEGER;
  if (way == EDGES || (way == MIXED && d % 2))
    of.kind = HEDDLE_BINS_EDGES, of.count = 8, of.edges = edges;
  return of;
}

struct grid {
  heddle_type type;
  size_t dims, way, bins;
  int flow,
      apart; /* apart: 0 dense, 1 aligned in different ways, 2 elements apart from each other */
};

static void points(const struct grid *g, size_t n, heddle_type weights, int exact, int results) {
  heddle_histogram_nd_options o = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  heddle_histogram_result outside[DIMS];
  heddle_bins bins[DIMS];
  const void *columns[DIMS];
  ptrdiff_t strides[DIMS];
  for (size_t d = 0; d < g->dims; d++) {
    bins[d] = bins_of(g->way, d, g->bins);
    columns[d] = array[0] + (g->apart == 1 ? d * heddle_type_size(g->type) : 0);
    strides[d] = g->apart == 2 ? 2 : 1;
    outside[d] = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  }
  o.strides = strides;
  o.flow = g->flow;
  o.exact = exact;
  if (weights) {
    o.weights = array[1];
    o.weights_type = weights;
    o.sums = (double *)(void *)array[2];
    o.squares = (double *)(void *)(array[2] + HALF / 2);
  }
  uint64_t *counts = (uint64_t *)(void *)(array[2] + HALF);
  allow(heddle_histogram_nd(ctx, g->type, g->dims, columns, n, bins, counts,
                            results ? outside : NULL, &o),
        "histogram_nd");
}

void histograms_of_axes(void) {
  /* Along each axis: few, as many as shared memory holds in words and in halves, and more. */
  static const size_t shapes[DIMS + 1][GRIDS] = {{0},
                                                 {10, 40000, 90000, 1 << 20},
                                                 {10, 200, 300, 1000},
                                                 {10, 35, 45, 100},
                                                 {5, 13, 17, 30},
                                                 {3, 8, 9, 12},
                                                 {3, 5, 6, 8},
                                                 {2, 4, 5, 6},
                                                 {2, 3, 4, 5}};
  for (size_t t = 0; t < type_count; t++)
    for (size_t dims = 1; dims <= DIMS; dims++)
      for (size_t k = 0; k < GRIDS; k++)
        for (size_t way = 0; way < WAYS; way++) {
          struct grid g = {all_types[t], dims, way, shapes[dims][k], (k + way) % 2, 0};
          if (way == INTEGERS && is_float(g.type)) continue;
          if (reduced && (t + dims + k + way) % 5 && !(dims == 2 && way == EVEN)) continue;
          for (g.apart = 0; g.apart < 3; g.apart++)
            points(&g, sizes[1], 0, 0, (int)(t + k + (size_t)g.apart) % 2);
          g.apart = (int)(t + dims) % 3;
          points(&g, sizes[1], all_types[(t + dims) % type_count], (int)(k % 2), 0);
        }
}
