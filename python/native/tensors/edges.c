/* edges.c - edges are made once, and kept on the device
 *
 * Method   Edges follow from a type, a range and a number of bins, or are an array of the caller's. Those of the first few
 *          that are met are kept on the device, and each call's are a copy of them there: the host's would have to
 *          be waited for. They are kept for good, since copies may still be under way on any stream. Those of a range
 *          that is found, for which the call has waited, are not.
 * Limits   BINS_MOST bins */
#include "edges.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { KEPT_MOST = 64, BINS_MOST = 1 << 17 };

/* Edges on a device, as a tensor that nobody else has. Guarded by the interpreter's lock. */
static struct kept_edges {
  const struct framework *framework;
  python_object *tensor; /* NULL: nothing is kept here */
  void *at;
  int ordinal;
  heddle_type elements, type;
  heddle_bins bins; /* their edges, where they were given, are kept here */
} kept[KEPT_MOST];

static bool same_bits(const double *a, const double *b, size_t count) {
  return !memcmp(a, b, count * sizeof *a); /* the edge -0.0 is not the edge +0.0 */
}

static bool is_of(const struct kept_edges *k, const struct array *x, const struct edges *e) {
  const heddle_bins *a = &k->bins, *b = &e->bins;
  if (k->framework != x->framework || k->ordinal != x->ordinal || k->type != e->type ||
      a->kind != b->kind || a->count != b->count)
    return false;
  if (e->are_given) return same_bits(a->edges, b->edges, a->count + 1);
  return k->elements == x->type && same_bits(&a->lo, &b->lo, 1) && same_bits(&a->hi, &b->hi, 1);
}

static python_object *new_line(const struct array *like, heddle_type type, size_t count,
                               void **at) {
  const struct array_kind kind = {type, false,
                                  type == HEDDLE_F16 || type == HEDDLE_F32 || type == HEDDLE_F64};
  return exchange_new(like, kind, 1, &count, at);
}

/* The edges as a new tensor, copied from the host, for which the call waits. NULL: there is none. */
static python_object *copied(const struct device_call *c, const struct edges *e, void **at) {
  const size_t count = e->bins.count + 1, bytes = count * heddle_type_size(e->type);
  double *converted = malloc(count * sizeof *converted);
  python_object *made = converted ? new_line(&c->l.a, e->type, count, at) : NULL;
  const bool fine = made &&
                    heddle_convert(HEDDLE_F64, e->at, e->type, converted, count) == HEDDLE_OK &&
                    heddle_copy(c->ctx, *at, converted, bytes) == HEDDLE_OK;
  free(converted);
  if (fine) return made;
  if (made) python.drop(made);
  return NULL;
}

/* Keeps edges in an empty place. NULL: there is no memory. */
static const struct kept_edges *keep(struct kept_edges *k, const struct device_call *c,
                                     const struct edges *e) {
  const struct array *x = &c->l.a;
  const size_t bytes = (e->bins.count + 1) * sizeof *e->at;
  double *own = e->are_given ? malloc(bytes) : NULL;
  void *at;
  if (e->are_given && !own) return NULL;
  python_object *tensor = copied(c, e, &at);
  if (!tensor) {
    free(own);
    return NULL;
  }
  *k = (struct kept_edges){x->framework, tensor, at, x->ordinal, x->type, e->type, e->bins};
  if (own) k->bins.edges = memcpy(own, e->at, bytes);
  return k;
}

/* Those that are kept, or from now on. NULL: there is no room, or no memory. `e` has its edges where they are given, else
 * from here on if none are kept. */
static const struct kept_edges *find(const struct device_call *c, struct edges *e, bool *fine) {
  const struct array *x = &c->l.a;
  size_t i = 0;
  while (i < KEPT_MOST && kept[i].tensor && !is_of(&kept[i], x, e)) i++;
  *fine = true;
  if (i < KEPT_MOST && kept[i].tensor) return &kept[i];
  *fine = e->are_given || edges_found(e, x->type, e->bins.lo, e->bins.hi);
  return *fine && i < KEPT_MOST ? keep(&kept[i], c, e) : NULL;
}

/* How many bins there are to be; 0: for Python's code. */
static size_t count_of(python_object *bins) {
  struct array given;
  if (python_is_int(bins)) {
    const long count = python.as_long(bins);
    if (count == -1) python.clear_error();
    return count < 1 || count > BINS_MOST ? 0 : (size_t)count;
  }
  if (!array_begin(&given, bins, 0)) return 0;
  const size_t count = given.count;
  array_end(&given);
  return count < 2 || count > BINS_MOST + 1 ? 0 : count - 1;
}

bool bins_begin(struct device_bins *b, const struct device_call *c, python_object *bins,
                python_object *range) {
  struct edges *e = &b->e;
  bool fine;
  b->kept = NULL, e->at = b->few;
  e->most = count_of(bins);
  if (!e->most) return false;
  if (e->most > HEDDLE_PY_BINS) e->at = malloc((e->most + 1) * sizeof *e->at);
  fine =
      e->at && (python_is_int(bins) ? edges_range(e, &c->l.a, bins, range) : edges_given(e, bins));
  if (fine && !e->bins.auto_range) b->kept = find(c, e, &fine);
  if (fine) return true;
  bins_end(b);
  return false;
}

python_object *bins_edges(struct device_bins *b, const struct device_call *c,
                          const heddle_histogram_result *found) {
  const struct array *x = &c->l.a;
  void *at;
  if (b->e.bins.auto_range && !edges_found(&b->e, x->type, found->lo, found->hi)) return NULL;
  if (!b->kept) return copied(c, &b->e, &at);
  const size_t count = b->e.bins.count + 1;
  python_object *made = new_line(x, b->e.type, count, &at);
  if (made &&
      heddle_copy(c->ctx, at, b->kept->at, count * heddle_type_size(b->e.type)) == HEDDLE_OK)
    return made;
  if (made) python.drop(made);
  return NULL;
}

void bins_end(struct device_bins *b) {
  if (b->e.at != b->few) free(b->e.at);
}
