/* edges.c - bins are the library's even ones, or numbers that f64 holds exactly
 *
 * Limits   Numbers are Python's own, which are weak in NumPy's promotion, or NumPy's f64 where edges
 *          have that type; integers are below 2^53 */
#include "edges.h"

#include <math.h>

#include "call.h"

static const double EXACT = 9007199254740992; /* 2^53 */

/* Whether each edge is below the next one, or at it if `equal`; NaN is neither. */
static bool rise(const struct edges *e, bool equal) {
  const size_t bins = e->bins.count;
  bool falls = false, stays = false;
  for (size_t i = 0; i < bins; i++) {
    falls |= !(e->at[i] <= e->at[i + 1]);
    stays |= e->at[i] == e->at[i + 1];
  }
  return !falls && (equal || !stays);
}

static bool are_exact(const struct edges *e) {
  return fabs(e->at[0]) < EXACT && fabs(e->at[e->bins.count]) < EXACT;
}

bool edges_given(struct edges *e, python_object *bins) {
  struct array given;
  if (!array_begin(&given, bins, 0)) return false;
  bool taken =
      given.buffer.dims == 1 && given.count > 1 && given.count <= e->most + 1 && !given.is_bool &&
      heddle_convert(given.type, given.buffer.data, HEDDLE_F64, e->at, given.count) == HEDDLE_OK;
  const bool is_float = given.is_float;
  e->type = given.type;
  e->are_given = true;
  e->bins = (heddle_bins)HEDDLE_BINS_INIT;
  e->bins.kind = HEDDLE_BINS_EDGES;
  e->bins.count = given.count - 1;
  e->bins.edges = e->at;
  array_end(&given);
  return taken && rise(e, true) && (is_float || are_exact(e));
}

/* An end of a range. */
static bool number(python_object *given, bool may_be_f64, double *value) {
  if (python_is_int(given)) {
    *value = (double)python.as_signed(given);
    if (*value != -1 || !python.has_error()) return fabs(*value) < EXACT;
    python.clear_error(); /* out of bounds */
    return false;
  }
  python_object *type = python.type_of(given);
  python.drop(type);
  if (type != python.float_type && !(may_be_f64 && type == call_type(HEDDLE_F64))) return false;
  *value = python.as_double(given);
  return isfinite(*value);
}

static bool library_edges(struct edges *e, heddle_type elements) {
  return heddle_histogram_edges(elements, &e->bins, e->at) == HEDDLE_OK && rise(e, false);
}

bool edges_range(struct edges *e, const struct array *x, python_object *count,
                 python_object *range) {
  const long bins = python.as_long(count);
  if (bins == -1) python.clear_error();
  if (bins < 1 || (size_t)bins > e->most) return false;
  e->type = x->is_float ? x->type : HEDDLE_F64;
  e->are_given = false;
  e->bins = (heddle_bins)HEDDLE_BINS_INIT;
  e->bins.count = (size_t)bins;
  if (python_is_none(range)) {
    e->bins.auto_range = 1;
    return true;
  }
  const bool wide = e->type == HEDDLE_F64;
  double *lo = &e->bins.lo, *hi = &e->bins.hi;
  if (!python_is_tuple(range) || python.tuple_size(range) != 2 ||
      !number(python.tuple_item(range, 0), wide, lo) ||
      !number(python.tuple_item(range, 1), wide, hi) || *lo > *hi)
    return false;
  if (*lo == *hi) *lo -= 0.5, *hi += 0.5;
  return true;
}

bool edges_even(struct edges *e, const struct array *x, python_object *count,
                python_object *range) {
  return edges_range(e, x, count, range) && (e->bins.auto_range || library_edges(e, x->type));
}

bool edges_found(struct edges *e, heddle_type elements, double lo, double hi) {
  e->bins.lo = lo;
  e->bins.hi = hi;
  return library_edges(e, elements);
}
