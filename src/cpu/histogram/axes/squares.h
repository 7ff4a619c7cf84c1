/* squares.h - the squares of weights */
#ifndef HEDDLE_CPU_HISTOGRAM_AXES_SQUARES_H
#define HEDDLE_CPU_HISTOGRAM_AXES_SQUARES_H

#include "order/types.h"

/* squares[i] = weights[i] as an f64, times itself, rounded once more. */
void hd_cpu_square(heddle_type type, const void *weights, size_t n, f64 *squares);

#endif
