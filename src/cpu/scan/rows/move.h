/* move.h - elements of a row that do not lie in one piece */
#ifndef HEDDLE_CPU_SCAN_ROWS_MOVE_H
#define HEDDLE_CPU_SCAN_ROWS_MOVE_H

#include "order/basic.h"

/* n elements of `size` bytes between `tight`, where they are neighbours, and `array`, where they lie `step` elements
 * apart. */
void hd_cpu_scan_move(char *tight, char *array, i64 step, size_t n, size_t size, bool gather);

#endif
