/* histogram.c - counts of a tensor's elements in bins, or sums of their weights, and the edges
 *
 * Method   A range that is to be found is the library's to find, and the call waits for it; every other one
 *          waits for nothing, once its edges are kept (edges.h). Sums of weights are made in f64 and rounded to
 *          the type of the weights on the device.
 * Limits   no densities; weights in C order as the tensor, floats, or integers of so few bits that f64 holds any sum of
 *          as many */
#include "call.h"
#include "edges.h"
#include "finish.h"
#include "histogram/sums.h"
#include "tensors.h"

struct histogram {
  struct device_call c;
  struct device_bins bins;
  struct array w;
  struct exchange_work sums; /* of weights of another type than f64 */
  bool weighted, rounded;
  heddle_type type; /* of the result */
};

static void end_weights(struct histogram *h) {
  if (h->weighted) array_end(&h->w);
}

/* One an element, on their device. */
static bool are_weights(const struct array *w, const struct array *x) {
  if (w->ordinal != x->ordinal || w->framework != x->framework || w->is_bool ||
      w->buffer.dims != x->buffer.dims || !array_is_in_order(w))
    return false;
  for (int d = 0; d < x->buffer.dims; d++)
    if (w->buffer.shape[d] != x->buffer.shape[d]) return false;
  return w->is_float || (w->buffer.item_bytes < 8 && sums_are_exact(w));
}

static bool begin(struct histogram *h, python_object *object, python_object *weights) {
  if (!device_begin(&h->c, object)) return false;
  const struct array *x = &h->c.l.a;
  h->type = HEDDLE_I64, h->rounded = false;
  h->weighted = !python_is_none(weights) && exchange_begin(&h->w, weights);
  bool fine = x->count && !x->is_bool && x->type != HEDDLE_BF16 && array_is_in_order(x) &&
              (h->weighted ? are_weights(&h->w, x) : python_is_none(weights));
  if (fine && h->weighted) {
    h->type = h->w.type == HEDDLE_BF16 ? HEDDLE_F32 : h->w.type;
    h->rounded = h->type != HEDDLE_F64;
  }
  if (fine) return true;
  end_weights(h);
  array_end(&h->c.l.a);
  return false;
}

static heddle_status count(struct histogram *h, heddle_histogram_result *found) {
  const struct device_call *c = &h->c;
  const struct array *x = &c->l.a;
  const size_t bins = h->bins.e.bins.count;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  if (h->weighted) {
    options.weights = h->w.buffer.data, options.weights_type = h->w.type;
    options.sums = h->rounded ? h->sums.at : c->at;
  }
  const heddle_status status =
      heddle_histogram(c->ctx, x->type, x->buffer.data, x->count, &h->bins.e.bins,
                       h->weighted ? NULL : c->at, found, &options);
  if (status || !h->rounded) return status;
  if (h->w.is_float) return finish_round(c->ctx, h->sums.at, bins, 1, h->type, c->at);
  return finish_whole(c->ctx, h->sums.at, bins, h->type, c->at);
}

/* The counts, and the edges if the range is one. The lines and the weights end. */
static python_object *counted(struct histogram *h, python_object **edges) {
  heddle_histogram_result found = HEDDLE_HISTOGRAM_RESULT_INIT;
  struct device_call *c = &h->c;
  heddle_status status = count(h, h->bins.e.bins.auto_range ? &found : NULL);
  call_come_back(c->thread);
  c->thread = NULL;
  if (h->rounded) exchange_give(&h->sums);
  if (status == HEDDLE_OK) {
    const bool spans = !found.nan && !found.under && !found.over;
    *edges = spans ? bins_edges(&h->bins, c, &found) : NULL;
    if (!*edges) status = HEDDLE_BAD_DATA;
  }
  end_weights(h);
  return device_end(c, status);
}

/* Both, which are taken, in a tuple; NULL: an exception is set. */
static python_object *pair(python_object *counts, python_object *edges) {
  python_object *made = python.new_tuple(2);
  if (made && python.put_in_tuple(made, 0, counts) == 0 && python.put_in_tuple(made, 1, edges) == 0)
    return made;
  if (made) python.drop(made);
  return NULL;
}

static python_object *histogram(struct histogram *h, python_object *bins, python_object *range) {
  struct lines *l = &h->c.l;
  python_object *edges = NULL;
  l->copy = NULL, l->converted = NULL, l->mask = NULL;
  const bool taken = bins_begin(&h->bins, &h->c, bins, range);
  const size_t count = taken ? h->bins.e.bins.count : 0;
  l->result_dims = 1, l->result_shape[0] = count;
  const bool has_sums = taken && h->rounded && exchange_take(&h->sums, &l->a, 2 * count);
  if (!taken || has_sums != h->rounded || !device_result(&h->c, h->type, false)) {
    if (has_sums) exchange_give(&h->sums);
    if (taken) bins_end(&h->bins);
    end_weights(h);
    return device_none(&h->c);
  }
  python_object *counts = counted(h, &edges);
  bins_end(&h->bins);
  return edges ? pair(counts, edges) : counts;
}

python_object *heddle_py_device_histogram(python_object *a, python_object *bins,
                                          python_object *range, python_object *density,
                                          python_object *weights, int threads) {
  python_object *made = heddle_py_histogram(a, bins, range, density, weights, threads);
  struct histogram h;
  if (!array_is_declined(made)) return made;
  if (density == python.yes || threads != HEDDLE_PY_DEFAULT || !begin(&h, a, weights))
    return array_decline();
  return histogram(&h, bins, range);
}
