/* superaccumulator.h - an exact sum of f64 as textbooks have it, for bench_exact.c to compare with
 *
 * Result   the real sum of finite numbers, rounded once to nearest even
 * Method   Digits of 32 bits in 64, from the least bit of f64 on. Of a number, the leading bits of the exponent
 *          choose a digit, the other five shift the significand, whose halves go to that digit and the next one;
 *          after 2,048 numbers digits are carried.
 * Source   Neal 2015, "Fast exact summation using small and large superaccumulators": the small one */
#ifndef BENCH_SUPERACCUMULATOR_H
#define BENCH_SUPERACCUMULATOR_H

#include <stddef.h>

double superaccumulator_sum_f64(const double *x, size_t n);
double superaccumulator_sum_f32(const float *x, size_t n);

#endif
