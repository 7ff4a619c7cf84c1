/* bins.c - histograms of a few floats, counted by their edges alone
 *
 * Method   Counts follow from the edges alone, so they are those of heddle_histogram
 * Limits   The interpreter's lock is kept: some microseconds */
#include "bins.h"

#include <string.h>

enum { MOST_COUNT = 512 };

#define T float
#define EXTENT extent_f32
#define EVEN even_f32
#define SEARCHED searched_f32
#include "bins_tmpl.h"

#define T double
#define EXTENT extent_f64
#define EVEN even_f64
#define SEARCHED searched_f64
#include "bins_tmpl.h"

bool bins_are_few(const struct array *x) {
  return (x->type == HEDDLE_F32 || x->type == HEDDLE_F64) && x->count <= MOST_COUNT &&
         (uintptr_t)x->buffer.data % (uintptr_t)x->buffer.item_bytes == 0;
}

bool bins_extent(const struct array *x, double *lo, double *hi) {
  return x->type == HEDDLE_F32 ? extent_f32(x->buffer.data, x->count, lo, hi)
                               : extent_f64(x->buffer.data, x->count, lo, hi);
}

void bins_count(const struct array *x, const struct edges *e, int64_t *counts) {
  const size_t bins = e->bins.count;
  const void *data = x->buffer.data;
  memset(counts, 0, bins * sizeof *counts);
  if (x->type == HEDDLE_F32)
    (e->are_given ? searched_f32 : even_f32)(data, x->count, e->at, bins, counts);
  else
    (e->are_given ? searched_f64 : even_f64)(data, x->count, e->at, bins, counts);
}
