/* divide.h - totals to means */
#ifndef HEDDLE_PY_DIVIDE_H
#define HEDDLE_PY_DIVIDE_H

#include <stdbool.h>
#include <stddef.h>

/* x[i] /= by, for i < n. False: one of them was not finite. */
bool divide_all(double *x, size_t n, double by);

#endif
