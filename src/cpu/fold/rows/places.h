/* places.h - rows of neighbours whose places of extremes are found several at a time, without totals */
#ifndef HEDDLE_CPU_FOLD_PLACES_H
#define HEDDLE_CPU_FOLD_PLACES_H

#include "cpu/fold/fold.h"

/* How many of `rows` neighbours of n elements each, which are neighbours, too, are taken at once; 0: none, by
 * this kernel. */
size_t hd_cpu_fold_places_rows(const struct hd_cpu_fold_kernel *kernel, u64 n, u64 rows);
/* The results of so many, which begin `pitch` bytes apart. */
void hd_cpu_fold_places_of(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                           const char *x, i64 pitch, size_t rows, size_t n, struct hd_fold_out out);

#endif
