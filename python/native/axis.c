/* axis.c - calls along one axis of an array, which may lie in any order
 *
 * Method   NumPy makes the array of results, whose buffer the library writes to. Along the one axis of an
 *          array of one dimension there is one result, a scalar.
 * Limits   No empty arrays: what they give, or raise, is for Python's code. Bools that are counted lie in C
 *          order, where a look shows whether all are 0 or 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

static python_object *empty;

void heddle_py_arrays(python_object *make) {
  python.keep(make);
  empty = make;
}

/* An array as rows along an axis. */
struct lines {
  struct array a;
  size_t shape[HEDDLE_MAX_DIMS];
  ptrdiff_t strides[HEDDLE_MAX_DIMS]; /* of elements */
  heddle_rows rows;
  size_t results;
  bool in_order; /* C order without gaps */
};

static bool read_layout(struct lines *l, int axis) {
  const struct python_buffer *b = &l->a.buffer;
  if (b->dims < 1 || b->dims > HEDDLE_MAX_DIMS || axis < -b->dims || axis >= b->dims || !l->a.count)
    return false;
  l->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  l->rows.dims = (size_t)b->dims;
  l->rows.axis = (size_t)(axis < 0 ? axis + b->dims : axis);
  l->rows.shape = l->shape;
  l->rows.strides = l->strides;
  ptrdiff_t next = 1;
  l->in_order = true;
  for (size_t d = l->rows.dims; d-- > 0;) {
    l->shape[d] = (size_t)b->shape[d];
    if (b->strides[d] % b->item_bytes) return false;
    l->strides[d] = b->strides[d] / b->item_bytes;
    if (l->shape[d] != 1 && l->strides[d] != next) l->in_order = false;
    next *= b->shape[d];
  }
  l->results = l->a.count / l->shape[l->rows.axis];
  return true;
}

static bool lines_begin(struct lines *l, python_object *object, int axis) {
  if (!empty || !array_begin_strided(&l->a, object)) return false;
  if (axis == HEDDLE_PY_LINE) axis = l->a.buffer.dims == 1 ? 0 : HEDDLE_MAX_DIMS;
  if (read_layout(l, axis)) return true;
  array_end(&l->a);
  return false;
}

/* HEDDLE_OK, or bools that an operator would count are not known to be 0 and 1. */
static heddle_status numbers(heddle_context *ctx, const struct lines *l) {
  if (!l->a.is_bool) return HEDDLE_OK;
  return l->in_order ? call_numbers(ctx, &l->a) : HEDDLE_BAD_ARGUMENT;
}

/* ---- results -------------------------------------------------------------------------------------- */

/* An array of the results' shape, or with `whole` of the rows' own; NULL: an exception is set. */
static python_object *new_array(const struct lines *l, bool whole, python_object *dtype) {
  const size_t dims = l->rows.dims - !whole;
  python_object *shape = python.new_tuple((ptrdiff_t)dims), *made = NULL;
  bool complete = shape != NULL;
  for (size_t d = 0, at = 0; complete && d < l->rows.dims; d++) {
    if (!whole && d == l->rows.axis) continue;
    python_object *n = python.from_unsigned(l->shape[d]);
    complete = n && python.put_in_tuple(shape, (ptrdiff_t)at, n) == 0;
    at++;
  }
  if (complete) made = python.call(empty, shape, dtype, NULL);
  if (shape) python.drop(shape);
  return made;
}

/* Where results go: an array's buffer, or a number. */
struct target {
  python_object *object; /* NULL: a scalar */
  struct array array;
  union number number;
  void *at;
};

static bool target_begin(struct target *t, const struct lines *l, bool whole,
                         python_object *dtype) {
  *t = (struct target){.at = &t->number};
  if (l->rows.dims == 1 && !whole) return true;
  t->object = new_array(l, whole, dtype);
  if (!t->object) return false;
  if (array_begin(&t->array, t->object, PYTHON_WRITABLE)) {
    t->at = t->array.buffer.data;
    return true;
  }
  python.drop(t->object);
  return false;
}

/* The object that a call with a status gives. */
static python_object *target_end(struct target *t, heddle_status status, python_object *dtype,
                                 heddle_type type) {
  if (t->object) array_end(&t->array);
  if (status == HEDDLE_OK) return t->object ? t->object : call_scalar(dtype, type, &t->number);
  if (t->object) python.drop(t->object);
  return call_failed(status);
}

/* No array could be made: memory is short, or NumPy's dtype is none of the library's. */
static python_object *no_target(struct lines *l) {
  array_end(&l->a);
  python.clear_error();
  return array_decline();
}

/* ---- reductions ----------------------------------------------------------------------------------- */

static python_object *reduce(struct lines *l, heddle_context *ctx, heddle_op op) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct target t;
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  const heddle_type type = call_result_type(&l->a, op);
  const bool as_bool = logical || (l->a.is_bool && !call_is_total(op));
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.out_type = type;
  if (!target_begin(&t, l, false, dtype)) return no_target(l);
  python_thread *thread = call_leave(&l->a, ctx);
  if (as_bool && !logical) op = op == HEDDLE_MAX ? HEDDLE_ANY : HEDDLE_ALL; /* any byte is True */
  heddle_status status = as_bool ? HEDDLE_OK : numbers(ctx, l);
  if (status == HEDDLE_OK)
    status = heddle_reduce_rows(ctx, op, l->a.type, l->a.buffer.data, &l->rows, t.at, &options);
  call_come_back(thread);
  array_end(&l->a);
  return target_end(&t, status, dtype, type);
}

python_object *heddle_py_reduce_axis(python_object *object, int op, int axis, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  if (!ctx || !lines_begin(&l, object, axis)) return array_decline();
  return reduce(&l, ctx, (heddle_op)op);
}

python_object *heddle_py_argreduce_axis(python_object *object, int which, int axis, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !lines_begin(&l, object, axis)) return array_decline();
  if (!target_begin(&t, &l, false, call_index())) return no_target(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = numbers(ctx, &l);
  if (status == HEDDLE_OK)
    status = heddle_argreduce_rows(ctx, (heddle_extreme)which, l.a.type, l.a.buffer.data, &l.rows,
                                   NULL, t.at, NULL);
  call_come_back(thread);
  array_end(&l.a);
  return target_end(&t, status, call_index(), HEDDLE_U64);
}

/* ---- means and variances -------------------------------------------------------------------------- */

/* Totals, n of them, to means of the result's type. False: one is beyond f64, or an element is not
 * finite. */
static bool finish_means(const struct lines *l, heddle_type type, double *totals, void *out) {
  const double length = (double)l->shape[l->rows.axis];
  bool finite = true;
  for (size_t i = 0; i < l->results; i++) {
    finite = finite && isfinite(totals[i]);
    totals[i] /= length;
  }
  if (type == HEDDLE_F64) return finite;
  return heddle_convert(HEDDLE_F64, totals, type, out, l->results) == HEDDLE_OK;
}

/* Floats are added in f64, integers of up to 32 bits in 64: others, bools and what is not finite are for
 * Python's code. */
python_object *heddle_py_mean_axis(python_object *object, int axis, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct lines l;
  struct target t;
  if (!ctx || !lines_begin(&l, object, axis)) return array_decline();
  const heddle_type type = l.a.is_float ? l.a.type : HEDDLE_F64;
  const bool wide = l.a.type == HEDDLE_U64 || l.a.type == HEDDLE_I64 || l.a.count >> 31;
  if (wide || l.a.is_bool || !target_begin(&t, &l, false, call_type(type))) return no_target(&l);
  options.acc_type = l.a.is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  options.out_type = HEDDLE_F64;
  double *totals = type == HEDDLE_F64 ? t.at : malloc(l.results * sizeof *totals);
  heddle_status status = HEDDLE_OUT_OF_MEMORY;
  python_thread *thread = call_leave(&l.a, ctx);
  if (totals)
    status =
        heddle_reduce_rows(ctx, HEDDLE_SUM, l.a.type, l.a.buffer.data, &l.rows, totals, &options);
  if (status == HEDDLE_OK && !finish_means(&l, type, totals, t.at)) status = HEDDLE_BAD_ARGUMENT;
  call_come_back(thread);
  if (type != HEDDLE_F64) free(totals);
  array_end(&l.a);
  return target_end(&t, status, call_type(type), type);
}

/* NaN of infinities, as NumPy. */
static heddle_status finish_variances(const struct lines *l, double ddof, bool root,
                                      const heddle_description *d, heddle_type type, void *out) {
  const double length = (double)l->shape[l->rows.axis], factor = length / (length - ddof);
  const size_t size = heddle_type_size(type);
  for (size_t i = 0; i < l->results; i++) {
    double v = d[i].infinite ? (double)NAN : d[i].variance * factor;
    if (root) v = sqrt(v);
    const heddle_status status = heddle_convert(HEDDLE_F64, &v, type, (char *)out + i * size, 1);
    if (status != HEDDLE_OK) return status;
  }
  return HEDDLE_OK;
}

python_object *heddle_py_variance_axis(python_object *object, double ddof, int root, int axis,
                                       int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct lines l;
  struct target t;
  options.figures = HEDDLE_FIGURES_VARIANCE;
  if (!ctx || !lines_begin(&l, object, axis)) return array_decline();
  const heddle_type type = l.a.is_float ? l.a.type : HEDDLE_F64;
  const bool defined = (double)l.shape[l.rows.axis] - ddof > 0;
  if (!defined || !target_begin(&t, &l, false, call_type(type))) return no_target(&l);
  heddle_description *d = calloc(l.results, sizeof *d);
  heddle_status status = HEDDLE_OUT_OF_MEMORY;
  python_thread *thread = call_leave(&l.a, ctx);
  if (d) {
    d->size = sizeof *d;
    status = numbers(ctx, &l);
  }
  if (status == HEDDLE_OK)
    status = heddle_describe_rows(ctx, l.a.type, l.a.buffer.data, &l.rows, d, &options);
  if (status == HEDDLE_OK) status = finish_variances(&l, ddof, root, d, type, t.at);
  call_come_back(thread);
  free(d);
  array_end(&l.a);
  return target_end(&t, status, call_type(type), type);
}

/* ---- scans ----------------------------------------------------------------------------------------- */

python_object *heddle_py_scan_axis(python_object *object, int op, int axis, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct lines l;
  struct target t;
  if (!ctx || !lines_begin(&l, object, axis)) return array_decline();
  const heddle_type type = call_result_type(&l.a, (heddle_op)op);
  const bool as_bool = l.a.is_bool && !call_is_total((heddle_op)op);
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.out_type = type;
  if (!target_begin(&t, &l, true, dtype)) return no_target(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = numbers(ctx, &l);
  if (status == HEDDLE_OK)
    status = heddle_scan_rows(ctx, (heddle_op)op, HEDDLE_INCLUSIVE, l.a.type, l.a.buffer.data,
                              &l.rows, t.at, &options);
  call_come_back(thread);
  array_end(&l.a);
  return target_end(&t, status, dtype, type);
}
