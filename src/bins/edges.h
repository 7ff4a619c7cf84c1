/* edges.h - the edges of a histogram's bins */
#ifndef HEDDLE_BINS_EDGES_H
#define HEDDLE_BINS_EDGES_H

#include "order/types.h"

/* The bins->count + 1 edges, never falling, that elements of `type` are compared with. bins is
 * checked; with auto_range its lo and hi hold what was found. */
void hd_histogram_edges(heddle_type type, const heddle_bins *bins, f64 *edges);

/* edges[i] = lo (hi / lo)^(i / count) for i <= count; 0 < lo <= hi, both finite. */
void hd_log_edges(f64 lo, f64 hi, size_t count, f64 *edges);

#endif
