/* parts.c - the kept axes are cut at one of them: a part is some of its indices, and all of the axes behind */
#include "parts.h"

#include <stdlib.h>

enum {
  PART_BYTES = 24 << 10, /* with what is read, in the first cache */
  WHOLE_MOST = 64 << 10  /* bytes that are sooner copied at once */
};

/* So many indices of `axis` a part; each is `rows` rows. */
struct cut {
  size_t axis, count, rows;
};

static struct cut cut_of(const struct lines *l) {
  const size_t row = l->length * (size_t)l->a.buffer.item_bytes;
  struct cut c = {l->kept_dims - 1, 1, 1};
  while (c.axis && c.rows * l->shape[c.axis] * row <= PART_BYTES) c.rows *= l->shape[c.axis--];
  c.count = PART_BYTES / (c.rows * row);
  if (c.count > l->shape[c.axis]) c.count = l->shape[c.axis];
  if (!c.count) c.count = 1;
  return c;
}

bool parts_fit(const struct lines *l) {
  return l->results > 1 && l->a.buffer.bytes > WHOLE_MOST && !lines_are_columns(l);
}

/* The parts of one index of the axes in front, from x on. */
static heddle_status each_of_axis(const struct lines *l, const struct cut *c, const char *x,
                                  char *buffer, parts_taker *take, void *to, size_t *first) {
  const size_t bytes = (size_t)l->a.buffer.item_bytes, dims = l->rows.dims - c->axis;
  const ptrdiff_t *strides = l->strides + c->axis;
  size_t shape[HEDDLE_MAX_DIMS + 1], of_rows[2];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  heddle_status status = HEDDLE_OK;
  rows.dims = 2, rows.axis = 1, rows.shape = of_rows;
  for (size_t d = 1; d < dims; d++) shape[d] = l->shape[c->axis + d];
  for (size_t at = 0; at < l->shape[c->axis] && !status; at += c->count) {
    const size_t left = l->shape[c->axis] - at;
    shape[0] = left < c->count ? left : c->count;
    of_rows[0] = shape[0] * c->rows, of_rows[1] = l->length;
    copy_in_order(buffer, x + (ptrdiff_t)at * strides[0] * (ptrdiff_t)bytes, dims, shape, strides,
                  bytes);
    status = take(to, buffer, &rows, *first);
    *first += of_rows[0];
  }
  return status;
}

heddle_status parts_each(const struct lines *l, parts_taker *take, void *to) {
  const struct cut c = cut_of(l);
  const ptrdiff_t bytes = l->a.buffer.item_bytes;
  size_t place[HEDDLE_MAX_DIMS] = {0}, first = 0, d;
  char *buffer = copy_room(c.count * c.rows * l->length * (size_t)bytes);
  heddle_status status = buffer ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  do {
    ptrdiff_t from = 0;
    for (d = 0; d < c.axis; d++) from += (ptrdiff_t)place[d] * l->strides[d];
    if (!status) status = each_of_axis(l, &c, l->data + from * bytes, buffer, take, to, &first);
    for (d = c.axis; d && ++place[d - 1] == l->shape[d - 1]; d--) place[d - 1] = 0;
  } while (d && !status);
  free(buffer);
  return status;
}
