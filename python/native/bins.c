/* bins.c - histograms of a few floats, counted by their edges alone
 *
 * Method   Up to MOST_COUNT elements in up to MOST_BINS bins are counted here, by plain loops:
 *          setting up the library's histogram takes longer than that. Edges are the library's;
 *          counts follow from the edges alone, so they are those of heddle_histogram. Everything
 *          else, and whatever is wrong, is declined
 * Limits   The interpreter's lock is kept: some 100 us at most */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

enum { MOST_COUNT = 8 * 1024, MOST_BINS = 4 * 1024 };

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

static bool is_countable(const struct array *x) {
  return (x->type == HEDDLE_F32 || x->type == HEDDLE_F64) && x->count > 0 &&
         x->count <= MOST_COUNT && (uintptr_t)x->buffer.data % (uintptr_t)x->buffer.item_bytes == 0;
}

/* Whether no edge is below the one before, and none is NaN. */
static bool rise(const double *edges, size_t bins) {
  bool rising = true;
  for (size_t i = 0; i < bins; i++) rising &= edges[i] <= edges[i + 1];
  return rising;
}

/* Too many bins for the numbers of the type are an error, which the library reports. */
static bool differ(const double *edges, size_t bins) {
  bool different = true;
  for (size_t i = 0; i < bins; i++) different &= edges[i] != edges[i + 1];
  return different;
}

/* The edges of even bins over [lo, hi], or if lo is NaN over what the elements span. */
static bool even_edges(const struct array *x, struct heddle_py_span span, size_t bins,
                       double *edges) {
  heddle_bins even = HEDDLE_BINS_INIT;
  if (isnan(span.lo)) {
    even.auto_range = 1;
    if (x->type == HEDDLE_F32 ? !extent_f32(x->buffer.data, x->count, &span.lo, &span.hi)
                              : !extent_f64(x->buffer.data, x->count, &span.lo, &span.hi))
      return false;
  }
  even.count = bins;
  even.lo = span.lo;
  even.hi = span.hi;
  return span.lo <= span.hi && heddle_histogram_edges(x->type, &even, edges) == HEDDLE_OK &&
         isfinite(edges[0]) && isfinite(edges[bins]) && rise(edges, bins) && differ(edges, bins);
}

static void put_edges(const struct array *out, const double *edges, size_t bins) {
  if (out->type == HEDDLE_F64) {
    memcpy(out->buffer.data, edges, (bins + 1) * sizeof *edges);
    return;
  }
  float *to = out->buffer.data;
  for (size_t i = 0; i <= bins; i++) to[i] = (float)edges[i];
}

/* All three arrays are held, of fitting types and sizes. */
static bool count_even(const struct array *x, struct heddle_py_span span,
                       const struct array *counts, const struct array *edges) {
  double known[MOST_BINS + 1];
  const size_t bins = counts->count;
  if (!even_edges(x, span, bins, known)) return false;
  memset(counts->buffer.data, 0, bins * sizeof(int64_t));
  if (x->type == HEDDLE_F32)
    even_f32(x->buffer.data, x->count, known, bins, counts->buffer.data);
  else
    even_f64(x->buffer.data, x->count, known, bins, counts->buffer.data);
  put_edges(edges, known, bins);
  return true;
}

static bool count_between(const struct array *x, const struct array *counts,
                          const struct array *edges) {
  double known[MOST_BINS + 1];
  const size_t bins = counts->count;
  if (edges->type == HEDDLE_F64) {
    memcpy(known, edges->buffer.data, (bins + 1) * sizeof *known);
  } else {
    const float *from = edges->buffer.data;
    for (size_t i = 0; i <= bins; i++) known[i] = (double)from[i];
  }
  if (!rise(known, bins)) return false;
  memset(counts->buffer.data, 0, bins * sizeof(int64_t));
  if (x->type == HEDDLE_F32)
    searched_f32(x->buffer.data, x->count, known, bins, counts->buffer.data);
  else
    searched_f64(x->buffer.data, x->count, known, bins, counts->buffer.data);
  return true;
}

/* Three arrays held at once: elements, counts, edges. */
static bool hold(struct array held[3], python_object *const objects[3], int edges_flags) {
  const int flags[3] = {0, PYTHON_WRITABLE, edges_flags};
  for (int i = 0; i < 3; i++) {
    if (array_begin(&held[i], objects[i], flags[i])) continue;
    while (i-- > 0) array_end(&held[i]);
    return false;
  }
  return true;
}

static bool fit(const struct array *x, const struct array *counts, const struct array *edges) {
  return is_countable(x) && counts->type == HEDDLE_I64 && counts->count > 0 &&
         counts->count <= MOST_BINS && edges->count == counts->count + 1 &&
         edges->buffer.dims == 1 && (edges->type == HEDDLE_F32 || edges->type == HEDDLE_F64);
}

static python_object *answer(struct array held[3], bool done, python_object *counts) {
  for (int i = 0; i < 3; i++) array_end(&held[i]);
  if (!done) return array_decline();
  python.keep(counts);
  return counts;
}

python_object *heddle_py_even(python_object *x, double lo, double hi, python_object *counts,
                              python_object *edges) {
  python_object *const objects[3] = {x, counts, edges};
  struct array held[3];
  if (!hold(held, objects, PYTHON_WRITABLE)) return array_decline();
  const bool done = fit(&held[0], &held[1], &held[2]) && held[2].type == held[0].type &&
                    count_even(&held[0], (struct heddle_py_span){lo, hi}, &held[1], &held[2]);
  return answer(held, done, counts);
}

python_object *heddle_py_between(python_object *x, python_object *edges, python_object *counts) {
  python_object *const objects[3] = {x, counts, edges};
  struct array held[3];
  if (!hold(held, objects, 0)) return array_decline();
  const bool done =
      fit(&held[0], &held[1], &held[2]) && count_between(&held[0], &held[1], &held[2]);
  return answer(held, done, counts);
}
