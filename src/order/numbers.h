/* numbers.h - rule 1's figures: what a row and a chunk are, in bytes, lanes and elements
 *
 * C and CUDA C++ both read it, the preprocessor too. */
#ifndef HEDDLE_ORDER_NUMBERS_H
#define HEDDLE_ORDER_NUMBERS_H

#include "basic.h"

#define HD_ROW_BYTES 512 /* of accumulators: the lanes of a chunk */
#define HD_CHUNK_ROWS 16
#define HD_CHUNK_BYTES (HD_CHUNK_ROWS * HD_ROW_BYTES) /* of accumulators */

/* Lanes and elements of a chunk whose accumulators have so many bytes, a power of two up to 512. */
#define HD_LANES(bytes) (HD_ROW_BYTES / (bytes))
#define HD_CHUNK(bytes) (HD_CHUNK_ROWS * HD_LANES(bytes))

/* The same of elements of any size: the greatest power of two of them that fits a row, at least 1. */
HD_FUNCTION u32 hd_lanes_of(u64 element_bytes) {
  u32 lanes = 1;
  while (2 * lanes * element_bytes <= HD_ROW_BYTES) lanes *= 2;
  return lanes;
}
HD_FUNCTION u32 hd_chunk_of(u64 element_bytes) {
  return HD_CHUNK_ROWS * hd_lanes_of(element_bytes);
}

#endif
