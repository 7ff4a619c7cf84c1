/* edges.c - the edges of a histogram's bins, for every binning
 *
 * Result   even edges with the bits of numpy.linspace; logarithmic ones from log_edges.c; integer
 *          ones first, first + 1, ...; explicit ones as given. They never fall.
 * Method   linspace's own operations in its own order, each rounded to the type that NumPy
 *          computes in: f64 for a given range, the type of float input for a found one.
 * Limits   hi - lo may overflow; NumPy gives NaN then, we compute in halves.
 * Source   numpy/_core/function_base.py (linspace), numpy/lib/_histograms_impl.py. */
#include "edges.h"

#include <math.h>
#include <string.h>

#include "order/float_bits.h"

/* The result of one f64 operation on numbers of the type, rounded to the type. f64 has more than
 * twice the precision plus two bits of each, so that rounding twice is rounding once. */
static f64 to_f64(f64 x) { return x; }
static f64 to_f32(f64 x) { return (f32)x; }
static f64 to_f16(f64 x) { return hd_f32_from_f16(hd_f16_from_f64(x)); }
static f64 to_bf16(f64 x) { return hd_f32_from_bf16(hd_bf16_from_f64(x)); }

/* linspace rounds each operation by `round` and the result by `last`. What would pass hi, in the
 * last place or because the type cannot count so far, is hi. */
static inline void even_edges(const struct heddle_bins *bins, f64 round(f64), f64 last(f64),
                              f64 *edges) {
  f64 lo = bins->lo, hi = bins->hi;
  const size_t count = bins->count;
  if (lo == hi) {
    lo = round(lo - 0.5);
    hi = round(hi + 0.5);
  }
  f64 div = round((f64)count), delta = round(hi - lo), scale = 1;
  if (isinf(delta)) { /* halves cannot overflow */
    scale = 2;
    lo = round(lo / 2), hi = round(hi / 2);
    delta = round(hi - lo);
  }
  f64 step = round(delta / div), stop = last(hi * scale);
  /* linspace divides first where the step vanishes; i * 1 is exact, so that one loop does both. */
  const f64 divisor = step == 0 ? div : 1, factor = step == 0 ? delta : step;
  for (u32 i = 0; i < count; i++) {
    f64 y = round(round(round(i) / divisor) * factor);
    y = last(round(y + lo) * scale);
    edges[i] = y <= stop ? y : stop;
  }
  edges[count] = stop;
}

/* Each call has its own copy of even_edges, with the roundings compiled in. */
static void make_even_edges(heddle_type type, const heddle_bins *bins, f64 *edges) {
  switch (type) {
  case HEDDLE_F16:
    if (bins->auto_range)
      even_edges(bins, to_f16, to_f16, edges);
    else
      even_edges(bins, to_f64, to_f16, edges);
    return;
  case HEDDLE_BF16:
    if (bins->auto_range)
      even_edges(bins, to_bf16, to_bf16, edges);
    else
      even_edges(bins, to_f64, to_bf16, edges);
    return;
  case HEDDLE_F32:
    if (bins->auto_range)
      even_edges(bins, to_f32, to_f32, edges);
    else
      even_edges(bins, to_f64, to_f32, edges);
    return;
  default: even_edges(bins, to_f64, to_f64, edges); return;
  }
}

void hd_histogram_edges(heddle_type type, const heddle_bins *bins, f64 *edges) {
  switch (bins->kind) {
  case HEDDLE_BINS_INTEGER:
    /* Integers beyond 2^53 round; counting itself compares integers. */
    for (size_t i = 0; i <= bins->count; i++) edges[i] = (f64)bins->first + (f64)i;
    return;
  case HEDDLE_BINS_EVEN: make_even_edges(type, bins, edges); return;
  case HEDDLE_BINS_LOG: hd_log_edges(bins->lo, bins->hi, bins->count, edges); return;
  case HEDDLE_BINS_EDGES: memmove(edges, bins->edges, (bins->count + 1) * sizeof *edges); return;
  }
}
