/* bins_tmpl.h - bins.c for elements of one type
 *
 * Takes     T, EXTENT, EVEN, SEARCHED */

/* The least and the greatest element; false: one is not finite. */
static bool EXTENT(const T *x, size_t count, double *least, double *most) {
  T lo = x[0], hi = x[0], sum = 0;
  for (size_t i = 0; i < count; i++) {
    lo = x[i] < lo ? x[i] : lo;
    hi = x[i] > hi ? x[i] : hi;
    sum += x[i] - x[i]; /* NaN, if one is not finite */
  }
  *least = (double)lo + 0.0; /* no -0.0, as the library finds them */
  *most = (double)hi + 0.0;
  return sum == 0;
}

/* Even bins: a guess of the bin, and steps to where the edges say. */
static void EVEN(const T *x, size_t count, const double *edges, size_t bins, int64_t *counts) {
  const double lo = edges[0], hi = edges[bins], scale = (double)bins / (hi - lo);
  const int last = (int)bins - 1;
  for (size_t i = 0; i < count; i++) {
    const double v = (double)x[i], guess = (v - lo) * scale;
    if (!(v >= lo && v <= hi)) continue;
    int b = (int)(guess < (double)last ? guess : (double)last);
    while (v < edges[b]) b--;
    while (b < last && v >= edges[b + 1]) b++;
    counts[b]++;
  }
}

/* Any edges: the last one that is not above the element, by halving. */
static void SEARCHED(const T *x, size_t count, const double *edges, size_t bins, int64_t *counts) {
  const double lo = edges[0], hi = edges[bins];
  for (size_t i = 0; i < count; i++) {
    const double v = (double)x[i];
    if (!(v >= lo && v <= hi)) continue;
    const double *at = edges;
    for (size_t n = bins; n > 1; n -= n / 2) at = at[n / 2] <= v ? at + n / 2 : at;
    counts[at - edges]++;
  }
}

#undef T
#undef EXTENT
#undef EVEN
#undef SEARCHED
