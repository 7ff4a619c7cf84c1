/* squares.c - the squares of weights; see squares.h */
#include "squares.h"

#include <string.h>

#include "order/convert.h"

void hd_cpu_square(heddle_type type, const void *weights, size_t n, f64 *squares) {
  const char *bytes = weights;
  const size_t element = heddle_type_size(type);
  f32 narrow;
  switch (type) {
  case HEDDLE_F64: memcpy(squares, weights, n * sizeof *squares); break;
  case HEDDLE_F32:
    for (size_t i = 0; i < n; i++) {
      memcpy(&narrow, bytes + i * sizeof narrow, sizeof narrow);
      squares[i] = narrow;
    }
    break;
  default:
    for (size_t i = 0; i < n; i++)
      hd_convert_one(type, bytes + i * element, HEDDLE_F64, &squares[i]);
  }
  for (size_t i = 0; i < n; i++) squares[i] *= squares[i];
}
