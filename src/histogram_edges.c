/* histogram_edges.c - the edges of a histogram's bins, for every binning
 *
 * Result   even edges with the bits of numpy.linspace; logarithmic ones from log_edges.c; integer
 *          ones first, first + 1, ...; explicit ones as given. They never fall.
 * Method   linspace's own operations in its own order, each rounded to the type that NumPy
 *          computes in: f64 for a given range, the type of float input for a found one.
 * Limits   hi - lo may overflow; NumPy gives NaN then, we compute in halves.
 * Source   numpy/_core/function_base.py (linspace), numpy/lib/_histograms_impl.py. */
#include "histogram_edges.h"

#include <math.h>
#include <string.h>

#include "float_bits.h"

typedef f64 rounding(f64 x);

/* The result of one f64 operation on numbers of the type, rounded to the type. f64 has more than
 * twice the precision plus two bits of each, so that rounding twice is rounding once. */
static f64 to_f64(f64 x) { return x; }
static f64 to_f32(f64 x) { return (f32)x; }
static f64 to_f16(f64 x) {
  return hd_f32_from_f16(hd_f16_from_f64(x));
}
static f64 to_bf16(f64 x) {
  return hd_f32_from_bf16(hd_bf16_from_f64(x));
}

static rounding *rounding_of(heddle_type type) {
  switch (type) {
  case HEDDLE_F16: return to_f16;
  case HEDDLE_BF16: return to_bf16;
  case HEDDLE_F32: return to_f32;
  default: return to_f64;
  }
}

/* linspace rounds each operation by `round` and the result by `last`. What would pass hi, in the
 * last place or because the type cannot count so far, is hi. */
static void even_edges(f64 lo, f64 hi, size_t count, rounding *round, rounding *last, f64 *edges) {
  f64 div = round((f64)count), delta = round(hi - lo), scale = 1;
  if (isinf(delta)) { /* halves cannot overflow */
    scale = 2;
    lo = round(lo / 2), hi = round(hi / 2);
    delta = round(hi - lo);
  }
  f64 step = round(delta / div), stop = last(hi * scale);
  for (size_t i = 0; i < count; i++) {
    f64 y = round((f64)i);
    y = step == 0 ? round(round(y / div) * delta) : round(y * step);
    y = last(round(y + lo) * scale);
    edges[i] = y <= stop ? y : stop;
  }
  edges[count] = stop;
}

static void make_even_edges(heddle_type type, const heddle_bins *bins, f64 *edges) {
  rounding *last = rounding_of(type), *round = bins->auto_range ? last : to_f64;
  f64 lo = bins->lo, hi = bins->hi;
  if (lo == hi) {
    lo = round(lo - 0.5);
    hi = round(hi + 0.5);
  }
  even_edges(lo, hi, bins->count, round, last, edges);
}

void hd_histogram_edges(heddle_type type, const heddle_bins *bins, f64 *edges) {
  switch (bins->kind) {
  case HEDDLE_BINS_INTEGER:
    /* Integers beyond 2^53 round; counting itself compares integers. */
    for (size_t i = 0; i <= bins->count; i++) edges[i] = (f64)bins->first + (f64)i;
    return;
  case HEDDLE_BINS_EVEN: make_even_edges(type, bins, edges); return;
  case HEDDLE_BINS_LOG: hd_log_edges(bins->lo, bins->hi, bins->count, edges); return;
  case HEDDLE_BINS_EDGES: memcpy(edges, bins->edges, (bins->count + 1) * sizeof *edges); return;
  }
}
