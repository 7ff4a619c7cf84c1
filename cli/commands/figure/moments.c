/* moments.c - a piece's means first, then what is left of them; then the piece goes to those before it
 *
 * Order   Eight running sums, added up in pairs.
 * Source  Chan, Golub and LeVeque 1983 (merging of moments) */
#include "moments.h"

#include <math.h>

enum { LANES = 8 };

static double add_up(double lane[LANES]) {
  for (size_t width = LANES / 2; width > 0; width /= 2)
    for (size_t i = 0; i < width; i++) lane[i] += lane[i + width];
  return lane[0];
}

static double mean_of(const double *x, double shift, size_t count) {
  double lane[LANES] = {0};
  const size_t whole = count - count % LANES;
  for (size_t i = 0; i < whole; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += x[i + k] - shift;
  for (size_t i = whole; i < count; i++) lane[i - whole] += x[i] - shift;
  return add_up(lane) / (double)count;
}

/* The sum of ((x - s) - a) ((y - t) - b). */
static double product_of(const double *x, double s, double a, const double *y, double t, double b,
                         size_t count) {
  double lane[LANES] = {0};
  const size_t whole = count - count % LANES;
  for (size_t i = 0; i < whole; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += (x[i + k] - s - a) * (y[i + k] - t - b);
  for (size_t i = whole; i < count; i++) lane[i - whole] += (x[i] - s - a) * (y[i] - t - b);
  return add_up(lane);
}

void moments_add(struct moments *m, const double *x, const double *y, size_t count) {
  if (count == 0) return;
  if (m->count == 0) {
    m->shift[0] = x[0];
    m->shift[1] = y[0];
  }
  const double s = m->shift[0], t = m->shift[1];
  const double a = mean_of(x, s, count), b = mean_of(y, t, count);
  const double n = (double)count, before = (double)m->count, all = before + n;
  const double left[2] = {a - m->mean[0], b - m->mean[1]}, share = before * n / all;
  m->square[0] += product_of(x, s, a, x, s, a, count) + left[0] * left[0] * share;
  m->square[1] += product_of(y, t, b, y, t, b, count) + left[1] * left[1] * share;
  m->product += product_of(x, s, a, y, t, b, count) + left[0] * left[1] * share;
  m->mean[0] += left[0] * (n / all);
  m->mean[1] += left[1] * (n / all);
  m->count += count;
}

double moments_correlation(const struct moments *m) {
  const double squares = m->square[0] * m->square[1];
  /* One root, so that a column has exactly 1 with itself, but where it is out of range. */
  const double scale = isnormal(squares) ? sqrt(squares) : sqrt(m->square[0]) * sqrt(m->square[1]);
  if (!(scale > 0)) return NAN;
  const double r = m->product / scale;
  return r > 1 ? 1 : r < -1 ? -1 : r;
}
