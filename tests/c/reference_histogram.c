/* reference_histogram.c - histograms by binary search and 128-bit sums; see the header */
#include "reference_histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_word;

/* The bin of x, or count for above, -1 for below. */
static ptrdiff_t search(const double *edges, size_t count, double x) {
  if (x < edges[0]) return -1;
  if (x > edges[count]) return (ptrdiff_t)count;
  size_t low = 0, high = count + 1; /* edges[low] <= x, and x < edges[high] if there is one */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (edges[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return (ptrdiff_t)(low < count ? low : count - 1);
}

/* HEDDLE_BINS_INTEGER: no rounding, so that 2^53 + 1 is not 2^53. */
static ptrdiff_t integer_bin(heddle_type type, const void *in, size_t i, const heddle_bins *bins) {
  const ref_value v = ref_load(type, in, i);
  const wide_int x = ref_is_signed(type) ? (wide_int)(int64_t)v.u : (wide_int)v.u;
  const wide_int bin = x - bins->first;
  if (bin < 0) return -1;
  return bin >= (wide_int)bins->count ? (ptrdiff_t)bins->count : (ptrdiff_t)bin;
}

/* ---- rule 14 ----------------------------------------------------------------------------- */

int ref_find_exponent(heddle_type type, const void *weights, size_t count) {
  int exponent = -2000, found;
  for (size_t i = 0; i < count; i++) {
    const double w = ref_double(type, weights, i);
    if (!isfinite(w) || w == 0) continue;
    (void)frexp(w, &found);
    if (found > exponent) exponent = found;
  }
  return exponent == -2000 ? 0 : exponent;
}

/* magnitude 2^-places, to the nearest integer, ties to even */
static wide_word shift_down(wide_word magnitude, int places) {
  if (places > 126) return 0;
  const wide_word one = 1, rest = magnitude & ((one << places) - 1), half = one << (places - 1);
  const wide_word whole = magnitude >> places;
  return whole + (rest > half || (rest == half && (whole & 1)));
}

/* A finite weight in units of 2^(exponent - 86). */
static wide_int in_units(heddle_type type, const void *weights, size_t i, int exponent) {
  const ref_value v = ref_load(type, weights, i);
  int power = 0;
  wide_word magnitude;
  int negative;
  if (ref_is_float(type)) {
    magnitude = (wide_word)ldexp(frexp(fabs(v.f), &power), 53);
    power -= 53;
    negative = v.f < 0;
  } else {
    negative = ref_is_signed(type) && (int64_t)v.u < 0;
    magnitude = negative ? (wide_word)(uint64_t)-v.u : (wide_word)v.u;
  }
  if (magnitude == 0) return 0; /* whose exponent says nothing */
  const int places = power - (exponent - 86);
  magnitude = places >= 0 ? magnitude << places : shift_down(magnitude, -places);
  return negative ? -(wide_int)magnitude : (wide_int)magnitude;
}

/* sum 2^unit, rounded once, denormal results too */
static double round_sum(wide_int sum, int unit) {
  wide_word magnitude = sum < 0 ? -(wide_word)sum : (wide_word)sum;
  int bits = 0;
  while (bits < 128 && magnitude >> bits) bits++;
  int drop = bits - 53;
  if (unit + drop < -1074) drop = -1074 - unit;
  if (drop > 0) {
    magnitude = shift_down(magnitude, drop);
    unit += drop;
  }
  const double value = ldexp((double)magnitude, unit);
  return sum < 0 ? -value : value;
}

/* ---- the histogram ------------------------------------------------------------------------ */

/* Found ranges are computed in the type of float input, as NumPy does. */
static double in_type(heddle_type type, double x) {
  if (!ref_is_float(type)) return x;
  uint64_t word = 0;
  ref_store(HEDDLE_F64, (ref_value){x, 0}, type, &word, 0);
  return ref_load(type, &word, 0).f;
}

void ref_find_range(heddle_type type, const void *in, size_t count, heddle_bins *bins) {
  const int log = bins->kind == HEDDLE_BINS_LOG;
  double lo = (double)INFINITY, hi = -(double)INFINITY;
  for (size_t i = 0; i < count; i++) {
    const double x = ref_double(type, in, i);
    if (!isfinite(x) || (log && x <= 0)) continue;
    if (x < lo) lo = x;
    if (x > hi) hi = x;
  }
  if (lo > hi) {
    lo = log ? 1 : 0;
    hi = log ? 10 : 1;
  }
  const int widened = !log && lo == hi;
  bins->lo = widened ? in_type(type, lo - 0.5) : lo;
  bins->hi = widened ? in_type(type, hi + 0.5) : hi;
}

static ptrdiff_t bin_of(heddle_type type, const void *in, size_t i, const heddle_bins *bins,
                        const double *edges) {
  if (bins->kind == HEDDLE_BINS_INTEGER) return integer_bin(type, in, i, bins);
  return search(edges, bins->count, ref_double(type, in, i));
}

static int is_nan(heddle_type type, const void *in, size_t i) {
  return ref_is_float(type) && isnan(ref_load(type, in, i).f);
}

typedef struct bin_sum {
  wide_int units;
  double mark; /* what NaN and infinite weights add up to; 0 if there is none */
} bin_sum;

void ref_histogram(heddle_type type, const void *in, size_t count, const heddle_bins *bins,
                   size_t channels, const ref_weights *weights, uint64_t *counts, double *sums,
                   heddle_histogram_result *results) {
  const size_t tables = channels * bins->count;
  double *edges = malloc((bins->count + 1) * sizeof *edges);
  bin_sum *totals = calloc(tables, sizeof *totals);
  if (!edges || !totals) abort();
  if (heddle_histogram_edges(type, bins, edges) != HEDDLE_OK) abort();
  int exponent = 0;
  if (weights)
    exponent = weights->exponent == HEDDLE_FIND_EXPONENT
                   ? ref_find_exponent(weights->type, weights->weights, count)
                   : weights->exponent;
  memset(counts, 0, tables * sizeof *counts);
  for (size_t c = 0; c < channels; c++)
    results[c] =
        (heddle_histogram_result){sizeof *results, 0, 0, 0, 0, edges[0], edges[bins->count]};
  for (size_t i = 0; i < count; i++) {
    heddle_histogram_result *r = &results[i % channels];
    r->count++;
    r->nan += (uint64_t)is_nan(type, in, i);
    if (is_nan(type, in, i)) continue;
    const ptrdiff_t bin = bin_of(type, in, i, bins, edges);
    r->under += bin < 0;
    r->over += bin == (ptrdiff_t)bins->count;
    if (bin < 0 || bin == (ptrdiff_t)bins->count) continue;
    const size_t place = i % channels * bins->count + (size_t)bin;
    counts[place]++;
    if (!weights) continue;
    const double w = ref_double(weights->type, weights->weights, i);
    if (isfinite(w))
      totals[place].units += in_units(weights->type, weights->weights, i, exponent);
    else
      totals[place].mark += w;
  }
  for (size_t b = 0; sums && b < tables; b++) {
    const bin_sum *t = &totals[b];
    const double sum = t->mark != 0 ? t->mark : round_sum(t->units, exponent - 86);
    ref_store(HEDDLE_F64, (ref_value){sum, 0}, HEDDLE_F64, sums, b);
  }
  free(edges);
  free(totals);
}
