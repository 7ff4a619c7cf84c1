/* ticks.c - numbers on axes: where they stand and with how many digits
 *
 * Source  Heckbert 1990, "Nice numbers for graph labels" */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

struct ticks plot_ticks(double lo, double hi, size_t most) {
  struct ticks none = {0, 0, 0};
  if (!isfinite(hi - lo) || !(hi > lo) || most < 1) return none;
  double rough = (hi - lo) / (double)most, power = pow(10, floor(log10(rough)));
  if (!(power > 0)) return none;
  double multiple = rough / power;
  multiple = multiple <= 1 ? 1 : multiple <= 2 ? 2 : multiple <= 5 ? 5 : 10;
  struct ticks t = {0, multiple * power, 0};
  t.first = ceil(lo / t.step - 1e-9) * t.step;
  double steps = floor((hi - t.first) / t.step + 1e-9);
  t.count = steps < 0 ? 0 : (size_t)steps + 1;
  return t;
}

int plot_digits(const double *edges, size_t count) {
  for (int digits = 3; digits < 17; digits++) {
    bool close = true;
    for (size_t i = 0; i < count && close; i++) {
      char text[64];
      double width = INFINITY;
      if (!isfinite(edges[i])) continue;
      if (i > 0 && edges[i] > edges[i - 1]) width = edges[i] - edges[i - 1];
      if (i + 1 < count && edges[i + 1] > edges[i]) width = fmin(width, edges[i + 1] - edges[i]);
      if (!isfinite(width)) width = fabs(edges[i]);
      plot_edge(text, sizeof text, edges[i], digits);
      close = fabs(strtod(text, NULL) - edges[i]) <= 0.02 * width;
    }
    if (close) return digits;
  }
  return 17;
}

void plot_edge(char *text, size_t size, double edge, int digits) {
  double magnitude = fabs(edge);
  bool whole = edge == floor(edge) || magnitude >= pow(10, digits);
  if (whole && magnitude < 1e9) /* no exponent where it only confuses */
    (void)snprintf(text, size, "%.0f", edge == 0 ? 0 : edge);
  else
    (void)snprintf(text, size, "%.*g", digits, edge);
}

double plot_share(double value, double most) {
  if (!(value > 0) || !(most > 0 || isinf(value))) return 0;
  return value < most ? value / most : 1;
}

double plot_greater(double most, double value) {
  return isfinite(value) && value > most ? value : most;
}

double plot_scale(const struct plot *p, double most) {
  return p->infinite > 0 && most < DBL_MAX / 2 ? most * 4 / 3 : most;
}

void plot_value(char *text, size_t size, double value) {
  if (isnan(value))
    (void)snprintf(text, size, "nan");
  else if (value == floor(value) && fabs(value) < 1e15)
    (void)snprintf(text, size, "%.0f", value);
  else
    (void)snprintf(text, size, "%.4g", value);
}
