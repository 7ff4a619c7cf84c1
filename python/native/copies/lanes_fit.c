/* lanes_fit.c - when a total is folded by lanes (lanes.h) instead of copied */
#include "copy.h"
#include "isa.h"
#include "lanes.h"
#include "strips.h"

enum {
  LINE = 64,         /* bytes of a cache line */
  LEAST_CHUNKS = 4,  /* of columns that do not all begin with one */
  LEAST_BYTES = 160, /* of a line, where lines are not all as far apart, */
  LEAST_RUN = 32     /* and lines that are */
};

bool lanes_are_wide(const struct lines *l, const heddle_options *options) {
  return l->a.type == HEDDLE_F32 && options->acc_type == HEDDLE_F64;
}

size_t lanes_axis(const struct lines *l) {
  size_t d = l->rows.dims - 2;
  while (d && l->strides[d] != 1) d--;
  return d;
}

/* Of more columns than a strip has a line is read in parts far from each other: they are copied as long as a cache
 * line of each is no more than a piece. */
static bool is_copied(size_t columns, size_t length, size_t bytes) {
  return columns > LANES_STRIP && length * bytes <= COPY_MOST / (LINE / bytes);
}

bool lanes_fit(const struct lines *l, heddle_op op, const heddle_options *options) {
  const size_t dims = l->rows.dims,
               size = lanes_are_wide(l, options) || l->a.type == HEDDLE_F64 ? 8 : 4;
  if ((op != HEDDLE_SUM && op != HEDDLE_PROD) || options->exact || options->nan || options->init)
    return false;
  if ((l->a.type != HEDDLE_F32 && l->a.type != HEDDLE_F64) || dims < 2 || array_nulls(&l->a))
    return false;
  if (options->acc_type == HEDDLE_F32 && l->a.type == HEDDLE_F64) return false;
  const size_t chunk = LANES_CHUNK_ROWS * (LANES_BYTES / size), axis = lanes_axis(l);
  const size_t columns = l->shape[axis];
  size_t length = 1;
  for (size_t d = axis + 1; d < dims; d++) length *= l->shape[d];
  const size_t bytes = (size_t)l->a.buffer.item_bytes;
  if (axis < dims - 2 && (columns * bytes < LEAST_BYTES || l->shape[dims - 1] < LEAST_RUN))
    return false;
  return l->strides[axis] == 1 && columns >= VECTOR / size && !is_copied(columns, length, bytes) &&
         (length >= LEAST_CHUNKS * chunk || length % chunk == 0) && isa_has_usual_mode();
}
