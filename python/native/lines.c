/* lines.c - an array as the rows of a call
 *
 * Method   Axes of length 1 are left out, and neighbouring ones that are one are merged. Of folded axes
 *          that are not one, those of a fold in any order are walked as memory has them, the nearest
 *          first; for others the elements are copied in order. Results of an array in Fortran order
 *          lie so, too. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "pieces.h"

enum { COPIED_MOST = 64 << 20 /* bytes; more is read in pieces, by Python's code */ };

/* Axes that are walked together, outermost first. */
struct axes {
  size_t count, n[HEDDLE_MAX_DIMS];
  ptrdiff_t stride[HEDDLE_MAX_DIMS];
};

static void axes_add(struct axes *x, size_t n, ptrdiff_t stride) {
  if (n == 1) return;
  if (x->count && x->stride[x->count - 1] == stride * (ptrdiff_t)n) {
    x->n[x->count - 1] *= n;
    x->stride[x->count - 1] = stride;
    return;
  }
  x->n[x->count] = n;
  x->stride[x->count++] = stride;
}

static size_t axes_product(const struct axes *x) {
  size_t product = 1;
  for (size_t i = 0; i < x->count; i++) product *= x->n[i];
  return product;
}

static ptrdiff_t distance(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

/* The axes in the order of memory, none backwards; *first moves by whole elements. */
static struct axes axes_sorted(const struct axes *x, ptrdiff_t *first) {
  struct axes by, merged;
  by.count = x->count, merged.count = 0;
  memcpy(by.n, x->n, x->count * sizeof *x->n);
  memcpy(by.stride, x->stride, x->count * sizeof *x->stride);
  for (size_t i = 0; i < by.count; i++) {
    if (by.stride[i] < 0) *first += (ptrdiff_t)(by.n[i] - 1) * by.stride[i];
    by.stride[i] = distance(by.stride[i]);
    for (size_t j = i; j && by.stride[j - 1] < by.stride[j]; j--) {
      const size_t n = by.n[j];
      const ptrdiff_t stride = by.stride[j];
      by.n[j] = by.n[j - 1], by.stride[j] = by.stride[j - 1];
      by.n[j - 1] = n, by.stride[j - 1] = stride;
    }
  }
  for (size_t i = 0; i < by.count; i++) axes_add(&merged, by.n[i], by.stride[i]);
  return merged;
}

/* ---- the argument `axis` ------------------------------------------------------------------------- */

static bool read_axis(python_object *number, int dims, bool *folded) {
  if (!python_is_int(number)) return false;
  const long axis = python.as_long(number);
  if (axis == -1) python.clear_error();
  if (axis < -dims || axis >= dims || folded[axis < 0 ? axis + dims : axis]) return false;
  folded[axis < 0 ? axis + dims : axis] = true;
  return true;
}

static bool read_axes(python_object *axis, int dims, bool *folded) {
  memset(folded, !axis || python_is_none(axis), HEDDLE_MAX_DIMS * sizeof *folded);
  if (folded[0]) return true;
  if (!python_is_tuple(axis)) return read_axis(axis, dims, folded);
  const ptrdiff_t count = python.tuple_size(axis);
  for (ptrdiff_t i = 0; i < count; i++)
    if (!read_axis(python.tuple_item(axis, i), dims, folded)) return false;
  return true;
}

/* ---- layouts ------------------------------------------------------------------------------------- */

static bool begin_buffer(struct lines *l, python_object *object, ptrdiff_t *strides) {
  if (!array_begin_strided(&l->a, object)) return false;
  const struct python_buffer *b = &l->a.buffer;
  bool fine = b->dims <= HEDDLE_MAX_DIMS && l->a.count;
  for (int d = 0; fine && d < b->dims; d++) {
    fine = b->strides[d] % b->item_bytes == 0;
    strides[d] = b->strides[d] / b->item_bytes;
  }
  if (!fine) array_end(&l->a);
  return fine;
}

/* Results are walked from the last kept axis on; where the first is the nearest, from that one. `longer`:
 * kept axes of more than one element, each of which is then its own. */
static struct axes kept_axes(struct lines *l, const struct axes *kept, size_t longer) {
  struct axes walked;
  walked.count = 0;
  if (kept->count < longer) return *kept;
  for (size_t i = 1; i < kept->count; i++)
    if (distance(kept->stride[i - 1]) >= distance(kept->stride[i])) return *kept;
  l->reversed = kept->count > 1;
  for (size_t i = kept->count; i-- > 0;) axes_add(&walked, kept->n[i], kept->stride[i]);
  return walked;
}

static void put_row(struct lines *l, size_t n, ptrdiff_t stride) {
  l->shape[l->rows.dims] = n;
  l->strides[l->rows.dims++] = stride;
}

static void make_rows(struct lines *l, const struct axes *kept, const struct axes *folded) {
  l->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  l->rows.shape = l->shape;
  l->rows.strides = l->strides;
  l->kept_dims = kept->count;
  for (size_t i = 0; i < kept->count; i++) put_row(l, kept->n[i], kept->stride[i]);
  for (size_t i = 0; i < folded->count; i++) put_row(l, folded->n[i], folded->stride[i]);
  if (!folded->count) put_row(l, 1, 1);
  l->rows.axis = l->rows.dims - 1;
  l->rest = l->length / l->shape[l->rows.axis];
}

static void find_block(struct lines *l, const struct axes *all) {
  ptrdiff_t first = 0;
  if (!l->a.is_bool && !l->any_order) return; /* nobody asks */
  const struct axes sorted = axes_sorted(all, &first);
  if (sorted.count > 1 || (sorted.count && sorted.stride[0] != 1)) return;
  l->block = (const char *)l->a.buffer.data + first * l->a.buffer.item_bytes;
}

/* Folded axes in any order: those of memory. */
static void fold_in_any_order(struct lines *l, const struct axes *kept, const struct axes *folded) {
  ptrdiff_t first = 0;
  const struct axes sorted = axes_sorted(folded, &first);
  make_rows(l, kept, &sorted);
  l->data += first * l->a.buffer.item_bytes;
}

bool lines_begin(struct lines *l, python_object *object, python_object *axis, bool keepdims,
                 enum lines_order order) {
  ptrdiff_t strides[HEDDLE_MAX_DIMS];
  bool folded[HEDDLE_MAX_DIMS];
  struct axes all, kept, gone;
  size_t longer = 0;
  all.count = kept.count = gone.count = 0; /* the rest is written before it is read */
  *l = (struct lines){.rest = 1};
  if (!begin_buffer(l, object, strides)) return false;
  const struct python_buffer *b = &l->a.buffer;
  if (!read_axes(axis, b->dims, folded)) {
    array_end(&l->a);
    return false;
  }
  for (int d = 0; d < b->dims; d++) {
    const size_t n = (size_t)b->shape[d];
    axes_add(&all, n, strides[d]);
    axes_add(folded[d] ? &gone : &kept, n, strides[d]);
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
  l->in_pieces = l->copied && pieces_fit(l);
  if (!l->copied || l->in_pieces || l->a.buffer.bytes <= COPIED_MOST) return true;
  array_end(&l->a);
  return false;
}

/* Whether the first axis is the nearest, and each further one is further. */
static bool is_reversed(const struct python_buffer *b, const ptrdiff_t *strides) {
  ptrdiff_t before = 0;
  int longer = 0;
  for (int d = 0; d < b->dims; d++) {
    if (b->shape[d] == 1) continue;
    if (distance(strides[d]) <= before) return false;
    before = distance(strides[d]);
    longer++;
  }
  return longer > 1;
}

bool lines_begin_whole(struct lines *l, python_object *object, python_object *axis) {
  ptrdiff_t strides[HEDDLE_MAX_DIMS];
  bool folded[HEDDLE_MAX_DIMS] = {false};
  struct axes all = {0};
  *l = (struct lines){.rest = 1};
  if (!begin_buffer(l, object, strides)) return false;
  const struct python_buffer *b = &l->a.buffer;
  if (!read_axis(axis, b->dims, folded)) {
    array_end(&l->a);
    return false;
  }
  l->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  l->rows.shape = l->shape;
  l->rows.strides = l->strides;
  l->reversed = is_reversed(b, strides);
  for (int d = 0; d < b->dims; d++) {
    const int e = l->reversed ? b->dims - 1 - d : d;
    if (folded[e]) l->rows.axis = (size_t)d;
    axes_add(&all, (size_t)b->shape[d], strides[d]);
    put_row(l, (size_t)b->shape[e], strides[e]);
    l->result_shape[l->result_dims++] = (size_t)b->shape[d];
  }
  l->data = b->data;
  l->results = l->a.count;
  find_block(l, &all);
  return true;
}

/* The folded axes in front of the kept ones, which are `kept`: rows are columns of the copy. */
static void turn(struct lines *l, size_t kept) {
  size_t shape[HEDDLE_MAX_DIMS + 1];
  ptrdiff_t strides[HEDDLE_MAX_DIMS + 1];
  const size_t dims = l->rows.dims;
  memcpy(shape, l->shape, sizeof shape);
  memcpy(strides, l->strides, sizeof strides);
  for (size_t d = 0; d < dims; d++) {
    const size_t to = d < kept ? d + dims - kept : d - kept;
    l->shape[to] = shape[d], l->strides[to] = strides[d];
  }
}

heddle_status lines_ready(struct lines *l) {
  const size_t bytes = (size_t)l->a.buffer.item_bytes, last = l->rows.dims - 1;
  const size_t kept = l->kept_dims;
  if (!l->copied || l->in_pieces) return HEDDLE_OK;
  l->copy = malloc(l->a.count * bytes);
  if (!l->copy) return HEDDLE_OUT_OF_MEMORY;
  const bool columns = kept && distance(l->strides[kept - 1]) < distance(l->strides[last]);
  if (columns) turn(l, kept);
  copy_in_order(l->copy, l->data, l->rows.dims, l->shape, l->strides, bytes);
  l->data = l->copy;
  l->shape[!columns] = l->length, l->strides[!columns] = columns ? (ptrdiff_t)l->results : 1;
  l->shape[columns] = l->results, l->strides[columns] = columns ? 1 : (ptrdiff_t)l->length;
  l->rows.dims = 2, l->rows.axis = !columns, l->rest = 1;
  return HEDDLE_OK;
}

void lines_end(struct lines *l) {
  free(l->copy);
  array_end(&l->a);
}
