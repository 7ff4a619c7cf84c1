/* lines.c - an array as the rows of a call
 *
 * Method   Axes of length 1 are left out, and neighbouring ones that are one are merged. Of folded axes
 *          that are not one, those of a fold in any order are walked as memory has them, the nearest
 *          first; for others the elements are copied in order. Results of an array in Fortran order
 *          lie so, too. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "axes.h"
#include "bools.h"
#include "copies/parts.h"
#include "copies/pieces.h"
#include "fast.h"

enum {
  COPIED_MOST = 64 << 20,   /* bytes; more is read in pieces, by Python's code */
  CONVERTED_MOST = 1 << 20, /* bytes that are converted with the interpreter's lock */
};

/* ---- the argument `axis` ------------------------------------------------------------------------- */

static bool read_axis(python_object *number, int dims, bool *folded) {
  if (!python_is_int(number)) return false;
  const long axis = python.as_long(number);
  if (axis == -1 && python.has_error()) { /* out of bounds */
    python.clear_error();
    return false;
  }
  if (axis < -dims || axis >= dims || folded[axis < 0 ? axis + dims : axis]) return false;
  folded[axis < 0 ? axis + dims : axis] = true;
  return true;
}

static bool read_axes(python_object *axis, int dims, bool *folded) {
  const bool all = !axis || python_is_none(axis);
  memset(folded, all, (size_t)dims);
  if (all) return true;
  if (!python_is_tuple(axis)) return read_axis(axis, dims, folded);
  const ptrdiff_t count = python.tuple_size(axis);
  for (ptrdiff_t i = 0; i < count; i++)
    if (!read_axis(python.tuple_item(axis, i), dims, folded)) return false;
  return true;
}

/* ---- layouts ------------------------------------------------------------------------------------- */

/* Nothing yet: what lines.h has in front of its long arrays, one by one, which is sooner done than memset. */
static void clear(struct lines *l) {
  l->data = l->block = l->mask = NULL;
  l->copy = NULL, l->converted = NULL;
  l->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  l->kept_dims = l->results = l->length = l->result_dims = 0;
  l->rest = 1;
  l->reversed = l->copied = l->in_pieces = l->in_parts = l->any_order = false;
}

/* Strides in elements. False, and the array ends: it is empty, or has others. */
static bool read_strides(struct lines *l, ptrdiff_t *strides) {
  const struct python_buffer *b = &l->a.buffer;
  bool fine = b->dims <= HEDDLE_MAX_DIMS && l->a.count;
  for (int d = 0; fine && d < b->dims; d++) {
    fine = b->strides[d] % b->item_bytes == 0;
    strides[d] = b->strides[d] / b->item_bytes;
  }
  if (!fine) array_end(&l->a);
  return fine;
}

/* A mask: bools that broadcast to the array, whose steps it gives; 0 without one. */
static bool begin_mask(struct lines *l, python_object *where, ptrdiff_t *steps) {
  const struct python_buffer *b = &l->a.buffer, *m = &l->mask_array.buffer;
  memset(steps, 0, (size_t)b->dims * sizeof *steps);
  if (!where || where == python.yes) return true;
  if (!array_begin_strided(&l->mask_array, where)) return false;
  bool fine = l->mask_array.is_bool && m->dims <= b->dims;
  for (int d = 0; fine && d < m->dims; d++) {
    const int to = d + b->dims - m->dims;
    fine = m->shape[d] == b->shape[to] || m->shape[d] == 1;
    if (m->shape[d] != 1) steps[to] = m->strides[d];
  }
  l->mask = m->data;
  if (!fine) array_end(&l->mask_array);
  return fine;
}

/* Results are walked from the last kept axis on; where the first is the nearest, from that one. `longer`:
 * kept axes of more than one element, each of which is then its own. */
static struct axes kept_axes(struct lines *l, const struct axes *kept, size_t longer) {
  struct axes walked;
  walked.count = 0;
  if (kept->count < longer || l->a.framework) return *kept; /* frameworks make results in C order */
  for (size_t i = 1; i < kept->count; i++)
    if (axes_distance(kept->stride[i - 1]) >= axes_distance(kept->stride[i])) return *kept;
  l->reversed = kept->count > 1;
  for (size_t i = kept->count; i-- > 0;)
    axes_add(&walked, kept->n[i], kept->stride[i], kept->mask[i]);
  return walked;
}

static void put_row(struct lines *l, size_t n, ptrdiff_t stride, ptrdiff_t mask) {
  l->shape[l->rows.dims] = n, l->mask_strides[l->rows.dims] = mask;
  l->strides[l->rows.dims++] = stride;
}

static void make_rows(struct lines *l, const struct axes *kept, const struct axes *folded) {
  l->rows.shape = l->shape;
  l->rows.strides = l->strides;
  l->kept_dims = kept->count;
  for (size_t i = 0; i < kept->count; i++) put_row(l, kept->n[i], kept->stride[i], kept->mask[i]);
  for (size_t i = 0; i < folded->count; i++)
    put_row(l, folded->n[i], folded->stride[i], folded->mask[i]);
  if (!folded->count) put_row(l, 1, 1, l->mask != NULL);
  l->rows.axis = l->rows.dims - 1;
  l->rest = l->length / l->shape[l->rows.axis];
}

static void find_block(struct lines *l, const struct axes *all) {
  ptrdiff_t first = 0, mask = 0;
  if (l->mask || (!l->a.is_bool && !l->any_order)) return; /* nobody asks */
  const struct axes sorted = axes_sorted(all, &first, &mask);
  if (sorted.count > 1 || (sorted.count && sorted.stride[0] != 1)) return;
  l->block = (const char *)l->a.buffer.data + first * l->a.buffer.item_bytes;
}

/* Folded axes in any order: those of memory. */
static void fold_in_any_order(struct lines *l, const struct axes *kept, const struct axes *folded) {
  ptrdiff_t first = 0, mask = 0;
  const struct axes sorted = axes_sorted(folded, &first, &mask);
  make_rows(l, kept, &sorted);
  l->data += first * l->a.buffer.item_bytes;
  if (l->mask) l->mask += mask;
}

/* The rows of an array whose buffer is held, by its strides and its mask's. */
static void lay_out(struct lines *l, const ptrdiff_t *strides, const ptrdiff_t *steps,
                    const bool *folded, bool keepdims, enum lines_order order) {
  const struct python_buffer *b = &l->a.buffer;
  struct axes all, kept, gone;
  size_t longer = 0;
  all.count = kept.count = gone.count = 0; /* the rest is written before it is read */
  for (int d = 0; d < b->dims; d++) {
    const size_t n = (size_t)b->shape[d];
    axes_add(&all, n, strides[d], steps[d]);
    axes_add(folded[d] ? &gone : &kept, n, strides[d], steps[d]);
    longer += !folded[d] && n > 1;
    if (!folded[d] || keepdims) l->result_shape[l->result_dims++] = folded[d] ? 1 : n;
  }
  l->data = b->data;
  l->results = axes_product(&kept);
  l->length = l->a.count / l->results;
  if (order == LINES_OF_FLOATS_IN_ORDER && !l->a.is_float) order = LINES_IN_ANY_ORDER;
  l->any_order = order == LINES_IN_ANY_ORDER;
  find_block(l, &all);
  const struct axes walked = kept_axes(l, &kept, longer);
  l->copied = order != LINES_IN_ANY_ORDER && gone.count > 1;
  if (l->any_order)
    fold_in_any_order(l, &walked, &gone);
  else
    make_rows(l, &walked, &gone);
}

/* The same of one line of neighbours, which is sooner said. */
static void lay_out_line(struct lines *l, bool folded, bool keepdims, enum lines_order order) {
  const size_t count = l->a.count;
  const bool any_order = order == LINES_IN_ANY_ORDER;
  l->data = l->block = l->a.buffer.data;
  l->any_order = any_order || (order == LINES_OF_FLOATS_IN_ORDER && !l->a.is_float);
  l->rows.shape = l->shape, l->rows.strides = l->strides;
  l->rows.dims = 1, l->rows.axis = 0;
  l->shape[0] = count, l->strides[0] = 1;
  l->results = folded ? 1 : count, l->length = folded ? count : 1;
  l->result_dims = !folded || keepdims, l->result_shape[0] = folded ? 1 : count;
}

bool lines_begin_where(struct lines *l, python_object *object, python_object *where,
                       python_object *axis, bool keepdims, enum lines_order order) {
  return array_begin_strided(&l->a, object) && lines_of_held(l, where, axis, keepdims, order);
}

bool lines_of_held(struct lines *l, python_object *where, python_object *axis, bool keepdims,
                   enum lines_order order) {
  ptrdiff_t strides[HEDDLE_MAX_DIMS], steps[HEDDLE_MAX_DIMS];
  bool folded[HEDDLE_MAX_DIMS];
  clear(l);
  if (!read_strides(l, strides)) return false;
  if (!read_axes(axis, l->a.buffer.dims, folded) || !begin_mask(l, where, steps)) {
    array_end(&l->a);
    return false;
  }
  const struct python_buffer *b = &l->a.buffer;
  if (b->dims == 1 && strides[0] == 1 && folded[0] && !l->mask) {
    lay_out_line(l, true, keepdims, order);
    return true;
  }
  lay_out(l, strides, steps, folded, keepdims, order);
  if (l->mask) return true;
  l->in_pieces = l->copied && pieces_fit(l);
  l->in_parts = l->copied && parts_fit(l);
  if (!l->copied || l->in_pieces || l->in_parts || l->a.buffer.bytes <= COPIED_MOST) return true;
  array_end(&l->a);
  return false;
}

bool lines_begin(struct lines *l, python_object *object, python_object *axis, bool keepdims,
                 enum lines_order order) {
  return lines_begin_where(l, object, NULL, axis, keepdims, order);
}

/* Whether the first axis is the nearest, and each further one is further. */
static bool is_reversed(const struct python_buffer *b, const ptrdiff_t *strides) {
  ptrdiff_t before = 0;
  int longer = 0;
  for (int d = 0; d < b->dims; d++) {
    if (b->shape[d] == 1) continue;
    if (axes_distance(strides[d]) <= before) return false;
    before = axes_distance(strides[d]);
    longer++;
  }
  return longer > 1;
}

bool lines_begin_whole(struct lines *l, python_object *object, python_object *axis) {
  return array_begin_strided(&l->a, object) && lines_of_held_whole(l, axis);
}

bool lines_of_held_whole(struct lines *l, python_object *axis) {
  ptrdiff_t strides[HEDDLE_MAX_DIMS];
  bool folded[HEDDLE_MAX_DIMS];
  struct axes all;
  all.count = 0;
  clear(l);
  if (!read_strides(l, strides)) return false;
  const struct python_buffer *b = &l->a.buffer;
  memset(folded, false, (size_t)b->dims);
  if (!read_axis(axis, b->dims, folded)) {
    array_end(&l->a);
    return false;
  }
  if (b->dims == 1 && strides[0] == 1) {
    lay_out_line(l, false, false, LINES_IN_ORDER);
    return true;
  }
  l->rows.shape = l->shape;
  l->rows.strides = l->strides;
  l->reversed = !l->a.framework && is_reversed(b, strides);
  for (int d = 0; d < b->dims; d++) {
    const int e = l->reversed ? b->dims - 1 - d : d;
    if (folded[e]) l->rows.axis = (size_t)d;
    axes_add(&all, (size_t)b->shape[d], strides[d], 0);
    put_row(l, (size_t)b->shape[e], strides[e], 0);
    l->result_shape[l->result_dims++] = (size_t)b->shape[d];
  }
  l->data = b->data;
  l->results = l->a.count;
  find_block(l, &all);
  return true;
}

void lines_walk(const struct lines *l, bool columns, size_t *shape, ptrdiff_t *strides,
                ptrdiff_t *steps) {
  const size_t dims = l->rows.dims, kept = columns ? l->kept_dims : 0;
  for (size_t d = 0; d < dims; d++) {
    const size_t to = d < kept ? d + dims - kept : d - kept;
    shape[to] = l->shape[d], strides[to] = l->strides[d], steps[to] = l->mask_strides[d];
  }
}

bool lines_are_columns(const struct lines *l) {
  const size_t kept = l->kept_dims, last = l->rows.dims - 1;
  return kept && axes_distance(l->strides[kept - 1]) < axes_distance(l->strides[last]);
}

/* Its elements in order, which the rows become. */
static heddle_status copy_lines(struct lines *l) {
  size_t shape[HEDDLE_MAX_DIMS + 1] = {0};
  ptrdiff_t strides[HEDDLE_MAX_DIMS + 1] = {0}, steps[HEDDLE_MAX_DIMS + 1];
  const size_t bytes = (size_t)l->a.buffer.item_bytes;
  l->copy = copy_room(l->a.count * bytes);
  if (!l->copy) return HEDDLE_OUT_OF_MEMORY;
  const bool columns = lines_are_columns(l);
  lines_walk(l, columns, shape, strides, steps);
  copy_in_order(l->copy, l->data, l->rows.dims, shape, strides, bytes);
  l->data = l->copy;
  l->shape[!columns] = l->length, l->strides[!columns] = columns ? (ptrdiff_t)l->results : 1;
  l->shape[columns] = l->results, l->strides[columns] = columns ? 1 : (ptrdiff_t)l->length;
  l->rows.dims = 2, l->rows.axis = !columns, l->rest = 1;
  return HEDDLE_OK;
}

heddle_status lines_ready(struct lines *l) {
  return l->copied && !l->in_pieces && !l->in_parts ? copy_lines(l) : HEDDLE_OK;
}

heddle_status lines_numbers(heddle_context *ctx, const struct lines *l) {
  if (!l->a.is_bool) return HEDDLE_OK;
  return l->block ? bools_are_numbers(ctx, l->block, l->a.count) : bools_apart_are_numbers(ctx, l);
}

bool lines_as_f64(struct lines *l) {
  const struct python_buffer *b = &l->a.buffer;
  ptrdiff_t step = b->item_bytes;
  if (l->a.is_float || array_nulls(&l->a)) return false;
  if (step != sizeof(double) || b->bytes > CONVERTED_MOST) return false;
  for (int d = b->dims; d-- > 0; step *= b->shape[d])
    if (b->shape[d] != 1 && b->strides[d] != step) return false;
  l->converted = malloc((size_t)b->bytes);
  if (!l->converted ||
      heddle_convert(l->a.type, b->data, HEDDLE_F64, l->converted, l->a.count) != HEDDLE_OK)
    return false;
  l->data = (const char *)l->converted + (l->data - (const char *)b->data);
  l->a.type = HEDDLE_F64, l->a.is_float = true;
  return true;
}

void lines_end(struct lines *l) {
  free(l->converted);
  free(l->copy);
  if (l->mask) array_end(&l->mask_array);
  array_end(&l->a);
}
