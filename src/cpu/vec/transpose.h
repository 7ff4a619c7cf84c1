/* transpose.h - short rows made lines, for elements of 1, 2, 4 and 8 bytes: transpose_u8 .. transpose_u64
 *
 * void transpose_T(rows, pitch, count, n, lines, width): element e of row r becomes element r of line e.
 * Rows begin `pitch` bytes apart, lines `width` elements; their elements are neighbours. */
#define TRANSPOSE_T u8
#define TRANSPOSE_LANES 16
#define TRANSPOSE_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define TRANSPOSE_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#include "transpose_tmpl.h"

#define TRANSPOSE_T u16
#define TRANSPOSE_LANES 8
#define TRANSPOSE_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define TRANSPOSE_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#include "transpose_tmpl.h"

#define TRANSPOSE_T u32
#define TRANSPOSE_LANES 4
#define TRANSPOSE_LOW 0, 4, 1, 5
#define TRANSPOSE_HIGH 2, 6, 3, 7
#include "transpose_tmpl.h"

#define TRANSPOSE_T u64
#define TRANSPOSE_LANES 2
#define TRANSPOSE_LOW 0, 2
#define TRANSPOSE_HIGH 1, 3
#include "transpose_tmpl.h"
