/* search.c - searchsorted and digitize, of arrays or a number of one type
 *
 * Limits   Arrays of two types, which NumPy makes one, and edges that fall are for Python's code. */
#include "call.h"
#include "elements.h"
#include "target.h"

#define NAME rises_i32
#define T int32_t
#include "rising_tmpl.h"
#define NAME rises_i64
#define T int64_t
#include "rising_tmpl.h"
#define NAME rises_f32
#define T float
#include "rising_tmpl.h"
#define NAME rises_f64
#define T double
#include "rising_tmpl.h"

/* False: they do not rise, or are of another type. */
static bool rises(const struct array *a) {
  const void *x = a->buffer.data;
  switch (a->type) {
  case HEDDLE_I32: return rises_i32(x, a->count);
  case HEDDLE_I64: return rises_i64(x, a->count);
  case HEDDLE_F32: return rises_f32(x, a->count);
  case HEDDLE_F64: return rises_f64(x, a->count);
  default: return false;
  }
}

/* ---- values of an array ---------------------------------------------------------------------------- */

/* Both are held. */
static python_object *search_array(heddle_context *ctx, const struct array *a,
                                   const struct array *v, heddle_side side) {
  const size_t dims = (size_t)v->buffer.dims;
  size_t shape[HEDDLE_MAX_DIMS];
  struct array out;
  if (a->type != v->type || a->is_bool || v->is_bool || dims > HEDDLE_MAX_DIMS)
    return array_decline();
  for (size_t d = 0; d < dims; d++) shape[d] = (size_t)v->buffer.shape[d];
  python_object *made = target_array(&out, dims, shape, call_index());
  if (!made) return array_decline();
  python_thread *thread = call_leave(v, ctx);
  const heddle_status status =
      heddle_search_sorted(ctx, a->type, a->buffer.data, a->count, v->buffer.data, v->count, side,
                           HEDDLE_U64, out.buffer.data);
  call_come_back(thread);
  array_end(&out);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return call_failed(status);
}

/* ---- one value ------------------------------------------------------------------------------------- */

/* A number of Python's as an element of the array's type. */
static bool number_of(const struct array *a, python_object *v, union number *n) {
  if (python_is(v, python.float_type) && a->type == HEDDLE_F64) {
    n->f64 = python.as_double(v);
    return true;
  }
  if (!python_is_int(v) || a->type != HEDDLE_I64) return false;
  n->i64 = python.as_signed(v);
  if (n->i64 == -1 && python.has_error()) {
    python.clear_error();
    return false;
  }
  return true;
}

static python_object *search_number(heddle_context *ctx, const struct array *a, const void *value,
                                    heddle_side side) {
  union number index = {0};
  const heddle_status status = heddle_search_sorted(ctx, a->type, a->buffer.data, a->count, value,
                                                    1, side, HEDDLE_U64, &index);
  if (status != HEDDLE_OK) return call_failed(status);
  return call_scalar(call_index(), HEDDLE_U64, &index);
}

/* A number of Python's, or of NumPy's by its buffer. */
static python_object *search_other(heddle_context *ctx, const struct array *a, python_object *v,
                                   heddle_side side) {
  union number n = {0};
  struct array value;
  if (number_of(a, v, &n)) return search_number(ctx, a, &n, side);
  if (!array_begin(&value, v, 0)) return array_decline();
  const bool fits = !value.buffer.dims && value.type == a->type && !value.is_bool && !a->is_bool &&
                    !value.framework;
  python_object *result = fits ? search_number(ctx, a, value.buffer.data, side) : array_decline();
  array_end(&value);
  return result;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

/* NULL, without an exception: no line of NumPy's in C order. */
static python_object *search_line(heddle_context *ctx, python_object *line, python_object *v,
                                  heddle_side side, bool edges) {
  struct array a, values;
  if (!array_begin_line(&a, line)) return array_decline();
  python_object *result = NULL;
  if (edges && !rises(&a)) {
    result = array_decline();
  } else if (array_begin(&values, v, 0)) {
    const bool many = values.by_fields && values.buffer.dims;
    if (many) result = search_array(ctx, &a, &values, side); /* NULL: with an exception */
    array_end(&values);
    if (!many) result = edges ? array_decline() : search_other(ctx, &a, v, side);
  } else {
    result = edges ? array_decline() : search_other(ctx, &a, v, side);
  }
  array_end(&a);
  return result;
}

python_object *heddle_py_searchsorted(python_object *a, python_object *v, python_object *side,
                                      int threads) {
  heddle_context *ctx = call_context(threads);
  if (!ctx || !target_can() || !python_is(side, python.text_type)) return array_decline();
  const bool right = !python.compare_text(side, "right");
  if (!right && python.compare_text(side, "left")) return array_decline();
  return search_line(ctx, a, v, right ? HEDDLE_RIGHT : HEDDLE_LEFT, false);
}

python_object *heddle_py_digitize(python_object *x, python_object *bins, int right, int threads) {
  heddle_context *ctx = call_context(threads);
  if (!ctx || !target_can()) return array_decline();
  return search_line(ctx, bins, x, right ? HEDDLE_LEFT : HEDDLE_RIGHT, true);
}
