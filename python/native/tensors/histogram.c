/* histogram.c - counts of a tensor's elements in even bins, and their edges; bincount
 *
 * Method   Edges follow from a type, a range and a number of bins. Those of the first few that are met are kept on
 *          the device, and each call's are a copy of them there: the host's would have to be waited for. They are
 *          kept for good, since copies may still be under way on any stream.
 * Limits   histograms: up to HEDDLE_PY_BINS bins over a range that is given; no densities, no weights */
#include "call.h"
#include "device.h"
#include "histogram/edges.h"
#include "tensors.h"

enum { KEPT_MOST = 64, BINS_MOST = 1 << 26 };

/* Edges on a device, as a tensor that nobody else has. Guarded by the interpreter's lock. */
static struct kept {
  const struct framework *framework;
  python_object *tensor; /* NULL: nothing is kept here */
  void *at;
  int ordinal;
  heddle_type elements, type;
  size_t count;
  double lo, hi;
} kept[KEPT_MOST];

static bool is_of(const struct kept *k, const struct array *x, const struct edges *e) {
  return k->tensor && k->framework == x->framework && k->ordinal == x->ordinal &&
         k->elements == x->type && k->type == e->type && k->count == e->bins.count &&
         k->lo == e->bins.lo && k->hi == e->bins.hi;
}

static python_object *new_line(const struct array *like, heddle_type type, size_t count,
                               void **at) {
  const struct array_kind kind = {type, false,
                                  type == HEDDLE_F16 || type == HEDDLE_F32 || type == HEDDLE_F64};
  return exchange_new(like, kind, 1, &count, at);
}

/* The edges as a new tensor, copied from the host, for which the call waits. NULL: there is none. */
static python_object *copied(const struct device_call *c, const struct edges *e, void **at) {
  double converted[HEDDLE_PY_BINS + 1];
  const size_t count = e->bins.count + 1, bytes = count * heddle_type_size(e->type);
  python_object *made = new_line(&c->l.a, e->type, count, at);
  if (made && heddle_convert(HEDDLE_F64, e->at, e->type, converted, count) == HEDDLE_OK &&
      heddle_copy(c->ctx, *at, converted, bytes) == HEDDLE_OK)
    return made;
  if (made) python.drop(made);
  return NULL;
}

/* The edges on the device, which are kept from the first time on. NULL: there is no room, or no memory. */
static const struct kept *find(const struct device_call *c, const struct edges *e) {
  const struct array *x = &c->l.a;
  size_t i = 0;
  while (i < KEPT_MOST && kept[i].tensor && !is_of(&kept[i], x, e)) i++;
  if (i == KEPT_MOST || kept[i].tensor) return i == KEPT_MOST ? NULL : &kept[i];
  void *at;
  python_object *tensor = copied(c, e, &at);
  if (!tensor) return NULL;
  kept[i] = (struct kept){x->framework, tensor,        at,         x->ordinal, x->type,
                          e->type,      e->bins.count, e->bins.lo, e->bins.hi};
  return &kept[i];
}

/* The edges as a new tensor. NULL: there is none. */
static python_object *edges_of(const struct device_call *c, const struct edges *e) {
  void *at;
  const struct kept *found = find(c, e);
  if (!found) return copied(c, e, &at);
  const size_t bytes = (e->bins.count + 1) * heddle_type_size(e->type);
  python_object *made = new_line(&c->l.a, e->type, e->bins.count + 1, &at);
  if (made && heddle_copy(c->ctx, at, found->at, bytes) == HEDDLE_OK) return made;
  if (made) python.drop(made);
  return NULL;
}

/* Both, which are taken, in a tuple; NULL: an exception is set. */
static python_object *pair(python_object *counts, python_object *edges) {
  python_object *made = python.new_tuple(2);
  if (made && python.put_in_tuple(made, 0, counts) == 0 && python.put_in_tuple(made, 1, edges) == 0)
    return made;
  if (made) python.drop(made);
  return NULL;
}

static python_object *histogram(python_object *object, python_object *bins, python_object *range) {
  struct device_call c;
  struct edges e;
  if (!device_begin(&c, object)) return array_decline();
  const struct array *x = &c.l.a;
  c.l.copy = NULL, c.l.converted = NULL, c.l.mask = NULL;
  const bool taken = x->count && !x->is_bool && x->type != HEDDLE_BF16 && array_is_in_order(x) &&
                     edges_even(&e, x, bins, range) && !e.bins.auto_range;
  python_object *edges = taken ? edges_of(&c, &e) : NULL;
  c.l.result_dims = 1, c.l.result_shape[0] = taken ? e.bins.count : 0;
  if (!edges || !device_result(&c, HEDDLE_I64, false)) {
    if (edges) python.drop(edges);
    return device_none(&c);
  }
  const heddle_status status =
      heddle_histogram(c.ctx, x->type, x->buffer.data, x->count, &e.bins, c.at, NULL, NULL);
  python_object *counts = device_end(&c, status);
  if (status == HEDDLE_OK) return pair(counts, edges);
  python.drop(edges);
  return counts;
}

python_object *heddle_py_device_histogram(python_object *a, python_object *bins,
                                          python_object *range, python_object *density,
                                          python_object *weights, int threads) {
  python_object *made = heddle_py_histogram(a, bins, range, density, weights, threads);
  if (!array_is_declined(made)) return made;
  if (density == python.yes || !python_is_none(weights) || !python_is_int(bins) ||
      threads != HEDDLE_PY_DEFAULT)
    return array_decline();
  return histogram(a, bins, range);
}

/* ---- bincount ------------------------------------------------------------------------------------- */

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
  return x->count && !x->is_bool && !x->is_float && x->type != HEDDLE_BF16 &&
         x->buffer.dims == 1 && array_is_in_order(x);
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
  c->l.copy = NULL, c->l.converted = NULL, c->l.mask = NULL;
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
  python_object *made = is_exact ? array_decline()
                                 : heddle_py_bincount(object, weights, least, threads);
  struct device_call c;
  struct array w;
  if (!array_is_declined(made)) return made;
  if (threads != HEDDLE_PY_DEFAULT || least > BINS_MOST || (is_exact && least) ||
      !device_begin(&c, object))
    return array_decline();
  if (!is_weighted) return count(&c, NULL, least, length);
  if (!exchange_begin(&w, weights)) return c.l.copy = NULL, c.l.converted = NULL, device_none(&c);
  made = count(&c, &w, least, length);
  array_end(&w);
  return made;
}
