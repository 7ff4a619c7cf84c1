/* bincount.c - counts of integers, or sums of their weights, of a tensor on a device
 *
 * Method   Without a length the call waits for the greatest element, and for nothing else
 * Limits   up to BINS_MOST counts */
#include "call.h"
#include "device.h"
#include "tensors.h"

enum { BINS_MOST = 1 << 26 };

/* The greatest element, for which the call waits; a negative one, read as unsigned, is too large. */
static heddle_status most_of(const struct device_call *c, uint64_t *most) {
  const struct array *x = &c->l.a;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const heddle_type type = x->buffer.item_bytes == 1   ? HEDDLE_U8
                           : x->buffer.item_bytes == 2 ? HEDDLE_U16
                           : x->buffer.item_bytes == 4 ? HEDDLE_U32
                                                       : HEDDLE_U64;
  options.out_type = HEDDLE_U64;
  *most = UINT64_MAX;
  return heddle_reduce(c->ctx, HEDDLE_MAX, type, x->buffer.data, x->count, most, &options);
}

static bool is_countable(const struct array *x) {
  return x->count && !x->is_bool && !x->is_float && x->type != HEDDLE_BF16 && x->buffer.dims == 1 &&
         array_is_in_order(x);
}

/* One more than the greatest element, at least so many; 0: for Python's code, as what is wrong is. */
static size_t bins_of(const struct device_call *c, size_t least) {
  const struct array *x = &c->l.a;
  const unsigned bits = 8 * (unsigned)x->buffer.item_bytes;
  const bool is_signed = x->type == HEDDLE_I8 || x->type == HEDDLE_I16 || x->type == HEDDLE_I32 ||
                         x->type == HEDDLE_I64;
  uint64_t most;
  python_thread *thread = python.save_thread();
  const heddle_status status = most_of(c, &most);
  call_come_back(thread);
  if (status != HEDDLE_OK || most >= BINS_MOST || (is_signed && most >> (bits - 1))) return 0;
  return most + 1 > least ? (size_t)most + 1 : least;
}

/* Whether w weighs the elements of x, one each, on their device. */
static bool weighs(const struct array *w, const struct array *x) {
  return w->ordinal == x->ordinal && w->framework == x->framework && w->count == x->count &&
         w->buffer.dims == 1 && !w->is_bool && array_is_in_order(w);
}

/* The counts, or the sums of weights, of a call that has begun and that this ends. w: NULL: none. */
static python_object *count(struct device_call *c, const struct array *w, size_t least,
                            python_object *length) {
  const struct array *x = &c->l.a;
  heddle_bins integers = HEDDLE_BINS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  c->l.result_dims = 1, c->l.result_shape[0] = 0;
  if (is_countable(x) && (!w || weighs(w, x)))
    c->l.result_shape[0] = python_is_none(length) ? bins_of(c, least) : python.as_size(length);
  integers.kind = HEDDLE_BINS_INTEGER;
  integers.count = c->l.result_shape[0];
  if (!integers.count || integers.count > BINS_MOST ||
      !device_result(c, w ? HEDDLE_F64 : HEDDLE_I64, false))
    return device_none(c);
  if (w) options.weights = w->buffer.data, options.weights_type = w->type, options.sums = c->at;
  return device_end(c, heddle_histogram(c->ctx, x->type, x->buffer.data, x->count, &integers,
                                        w ? NULL : c->at, NULL, &options));
}

python_object *heddle_py_device_bincount(python_object *object, python_object *weights,
                                         size_t least, python_object *length, int threads) {
  const bool is_exact = !python_is_none(length), is_weighted = !python_is_none(weights);
  python_object *made =
      is_exact ? array_decline() : heddle_py_bincount(object, weights, least, threads);
  struct device_call c;
  struct array w;
  if (!array_is_declined(made)) return made;
  if (threads != HEDDLE_PY_DEFAULT || least > BINS_MOST || (is_exact && least) ||
      !device_begin(&c, object))
    return array_decline();
  if (!is_weighted) return count(&c, NULL, least, length);
  if (!exchange_begin(&w, weights)) return device_none(&c);
  made = count(&c, &w, least, length);
  array_end(&w);
  return made;
}
