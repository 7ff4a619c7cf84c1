/* masked.c - the lines of an array of which a mask lets some elements through
 *
 * Method   What counts is copied to a buffer that stays in a cache, and the library takes it from there: whole
 *          rows as many as fit, along the first axis that is kept, or of one long row a piece. Rows and
 *          mask that lie in one line are selected from where they are; others are copied in order first. */
#include "masked.h"

#include <stdlib.h>
#include <string.h>

enum {
  PART_BYTES = 1 << 18,
  FEW = 256,        /* neighbours whose mask costs less to copy than to take by itself */
  LINE_BYTES = 256, /* of columns that are read together, at least */
};

/* A part of the array, of whole axes behind the first. */
struct box {
  const char *data, *mask;
  size_t dims, shape[HEDDLE_MAX_DIMS + 1];
  ptrdiff_t strides[HEDDLE_MAX_DIMS + 1], steps[HEDDLE_MAX_DIMS + 1];
};

/* Where a part's elements go: what was selected, and the way there. */
struct buffers {
  char *memory, *selected, *in_order, *converted;
  uint8_t *mask;
};

static size_t product(const size_t *n, size_t count) {
  size_t result = 1;
  for (size_t i = 0; i < count; i++) result *= n[i];
  return result;
}

/* ---- one box ------------------------------------------------------------------------------ */

/* Whether elements and mask of the last axis are neighbours, or its mask is one. */
static bool is_direct(const struct masked *m, const struct box *b) {
  const ptrdiff_t stride = b->strides[b->dims - 1], step = b->steps[b->dims - 1];
  return m->type == m->l->a.type && stride == 1 && (step == 0 || step == 1);
}

/* The last axes that are one as one. */
static struct box merged(const struct box *b) {
  struct box one = *b;
  for (size_t d = b->dims - 1; d; d--) {
    const ptrdiff_t n = (ptrdiff_t)one.shape[d];
    if (one.strides[d - 1] != n * one.strides[d] || one.steps[d - 1] != n * one.steps[d]) break;
    one.shape[d - 1] *= one.shape[d];
    one.strides[d - 1] = one.strides[d], one.steps[d - 1] = one.steps[d];
    one.dims--;
  }
  return one;
}

/* Elements that lie together, and their mask beside them. */
static void select_line(struct masked *m, const void *x, const uint8_t *mask, ptrdiff_t step,
                        size_t count, void *to, uint8_t *to_mask) {
  const size_t bytes = heddle_type_size(m->type);
  if (m->mask != MASKED_UNSEEN) {
    if (to_mask != mask)
      select_mask(to_mask, mask, step, count);
    else
      select_ones(to_mask, count);
    if (m->mask == MASKED_WITH_NAN && m->l->a.is_float) select_numbers(m, to_mask, x, count);
    mask = to_mask, step = 1;
  }
  select_some(to, x, mask, step, count, bytes, &m->fill,
              m->l->a.is_bool && m->type == m->l->a.type);
}

static void select_direct(struct masked *m, const struct box *b, const struct buffers *to) {
  size_t place[HEDDLE_MAX_DIMS + 1] = {0}, done = 0, d;
  const size_t last = b->dims - 1, n = b->shape[last];
  const size_t bytes = heddle_type_size(m->type);
  do {
    ptrdiff_t x = 0, step = 0;
    for (d = 0; d < last; d++)
      x += (ptrdiff_t)place[d] * b->strides[d], step += (ptrdiff_t)place[d] * b->steps[d];
    select_line(m, b->data + x * (ptrdiff_t)bytes, (const uint8_t *)b->mask + step, b->steps[last],
                n, to->selected + done * bytes, to->mask + done);
    done += n;
    for (d = last; d && ++place[d - 1] == b->shape[d - 1]; d--) place[d - 1] = 0;
  } while (d);
}

/* Whether all elements are neighbours, but not their mask beside them, by lines of a few. */
static bool is_one_line(const struct box *b) {
  size_t apart = 1;
  for (size_t d = b->dims; d-- > 0; apart *= b->shape[d])
    if (b->strides[d] != (ptrdiff_t)apart && b->shape[d] > 1) return false;
  return b->dims > 1 && b->shape[b->dims - 1] < FEW;
}

static heddle_status select_in_order(struct masked *m, const struct box *b,
                                     const struct buffers *to) {
  const size_t count = product(b->shape, b->dims);
  const heddle_type type = m->l->a.type;
  const char *x = to->in_order;
  heddle_status status = HEDDLE_OK;
  copy_in_order(to->in_order, b->data, b->dims, b->shape, b->strides, heddle_type_size(type));
  if (m->type != type) {
    if (m->l->a.is_bool) select_ones((uint8_t *)to->in_order, count);
    status = heddle_convert(type, to->in_order, m->type, to->converted, count);
    x = to->converted;
  }
  copy_in_order(to->mask, b->mask, b->dims, b->shape, b->steps, 1);
  select_line(m, x, to->mask, 1, count, to->selected, to->mask);
  return status;
}

static heddle_status fill(struct masked *m, const struct box *b, const struct buffers *to) {
  const struct box one = merged(b);
  if (!is_direct(m, b)) return select_in_order(m, &one, to);
  if (is_one_line(&one)) {
    copy_in_order(to->mask, one.mask, one.dims, one.shape, one.steps, 1);
    select_line(m, one.data, to->mask, 1, product(one.shape, one.dims), to->selected, to->mask);
  } else {
    select_direct(m, &one, to);
  }
  return HEDDLE_OK;
}

static bool reserve(const struct masked *m, bool direct, size_t count, struct buffers *to) {
  const size_t bytes = heddle_type_size(m->type), own = heddle_type_size(m->l->a.type);
  const size_t beside = m->type != m->l->a.type ? bytes : 0; /* converted */
  const size_t all = direct ? bytes + 1 : bytes + beside + own + 1;
  if (count > PTRDIFF_MAX / all) return false;
  to->memory = malloc(count * all);
  to->selected = to->memory;
  if (!to->memory) return false;
  to->converted = to->selected + count * bytes;
  to->in_order = to->converted + count * beside;
  to->mask = (uint8_t *)(direct ? to->converted : to->in_order + count * own);
  return true;
}

/* ---- parts of rows ------------------------------------------------------------------------ */

/* All axes, in the order in which they lie in the buffer. */
static struct box box_of(const struct lines *l, bool columns) {
  static const char all = 1;
  struct box b;
  b.data = l->data, b.mask = l->mask ? l->mask : &all, b.dims = l->rows.dims;
  lines_walk(l, columns, b.shape, b.strides, b.steps);
  return b;
}

/* Of the axis that is cut, how many a part takes. */
static size_t taken(const struct masked *m, size_t n, size_t results, bool columns) {
  const size_t bytes = heddle_type_size(m->type), one = results / n * m->l->length * bytes;
  size_t some = PART_BYTES / one;
  if (columns && some < LINE_BYTES / bytes) some = LINE_BYTES / bytes;
  return some < 1 ? 1 : some < n ? some : n;
}

static struct masked_part part_of(const struct masked *m, const struct buffers *to, size_t results,
                                  bool columns) {
  const size_t length = m->l->length;
  struct masked_part part = {to->selected,
                             m->mask != MASKED_UNSEEN ? to->mask : NULL,
                             results * length,
                             HEDDLE_ROWS_INIT,
                             {0},
                             0,
                             results};
  part.rows.dims = 2, part.rows.axis = !columns;
  part.shape[!columns] = length, part.shape[columns] = results;
  return part;
}

heddle_status masked_each(struct masked *m, masked_taker *take, void *to) {
  const struct lines *l = m->l;
  const bool columns = lines_are_columns(l);
  const size_t cut = columns ? l->rows.dims - l->kept_dims : 0;
  const size_t n = l->kept_dims ? l->shape[0] : 1, apart = l->results / n;
  const size_t some = taken(m, n, l->results, columns);
  struct box b = box_of(l, columns);
  struct buffers buffers = {0};
  heddle_status status = HEDDLE_OK;
  if (!reserve(m, is_direct(m, &b), some * apart * l->length, &buffers))
    return HEDDLE_OUT_OF_MEMORY;
  for (size_t at = 0; at < n && !status; at += some) {
    const size_t here = n - at < some ? n - at : some;
    if (l->kept_dims) {
      b.shape[cut] = here;
      b.data = l->data + (ptrdiff_t)at * b.strides[cut] * l->a.buffer.item_bytes;
      if (l->mask) b.mask = l->mask + (ptrdiff_t)at * b.steps[cut];
    }
    struct masked_part part = part_of(m, &buffers, here * apart, columns);
    part.rows.shape = part.shape;
    part.first_row = at * apart;
    status = fill(m, &b, &buffers);
    if (!status) status = take(to, &part);
  }
  free(buffers.memory);
  return status;
}

/* ---- one long row ------------------------------------------------------------------------- */

bool masked_is_long(const struct lines *l) {
  return l->results == 1 && l->length * (size_t)l->a.buffer.item_bytes > PART_BYTES;
}

heddle_status masked_stream(struct masked *m, masked_taker *take, void *to) {
  const struct lines *l = m->l;
  const size_t bytes = heddle_type_size(m->type);
  size_t place[HEDDLE_MAX_DIMS + 1] = {0}, cut = l->rows.dims - 1, run = 1, d;
  struct box whole = box_of(l, false), b = whole;
  struct buffers buffers = {0};
  heddle_status status = HEDDLE_OK;
  while (cut && run * l->shape[cut] * bytes <= PART_BYTES / 16) run *= l->shape[cut--];
  const size_t some = PART_BYTES / bytes / run;
  b.dims = l->rows.dims - cut;
  for (d = 0; d < b.dims; d++)
    b.shape[d] = whole.shape[cut + d], b.strides[d] = whole.strides[cut + d],
    b.steps[d] = whole.steps[cut + d];
  if (!reserve(m, is_direct(m, &b), some * run, &buffers)) return HEDDLE_OUT_OF_MEMORY;
  do {
    ptrdiff_t x = 0, step = 0;
    for (d = 0; d < cut; d++)
      x += (ptrdiff_t)place[d] * l->strides[d], step += (ptrdiff_t)place[d] * l->mask_strides[d];
    for (size_t at = 0; at < l->shape[cut] && !status; at += some) {
      b.shape[0] = l->shape[cut] - at < some ? l->shape[cut] - at : some;
      b.data = l->data + (x + (ptrdiff_t)at * b.strides[0]) * l->a.buffer.item_bytes;
      if (l->mask) b.mask = l->mask + step + (ptrdiff_t)at * b.steps[0];
      status = fill(m, &b, &buffers);
      const struct masked_part part = {buffers.selected,
                                       m->mask != MASKED_UNSEEN ? buffers.mask : NULL,
                                       b.shape[0] * run,
                                       HEDDLE_ROWS_INIT,
                                       {0},
                                       0,
                                       1};
      if (!status) status = take(to, &part);
    }
    for (d = cut; d && ++place[d - 1] == l->shape[d - 1]; d--) place[d - 1] = 0;
  } while (d && !status);
  free(buffers.memory);
  return status;
}
