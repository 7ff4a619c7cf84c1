/* histogram.c - hd.histogram of an array in C order, in one call from Python
 *
 * Method   Edges are those of edges.h. A few floats are counted by bins.c, all others, and weights, by the
 *          library
 * Limits   Up to MOST_COUNT elements, HEDDLE_PY_BINS bins; no bools, no densities of weights. Everything else,
 *          whatever is wrong and what NumPy warns of is declined */
#include <math.h>

#include "bins.h"
#include "call.h"
#include "edges.h"
#include "sums.h"
#include "target.h"

enum { MOST_COUNT = 1 << 18 };

struct job {
  struct array x, weights;
  bool weighted, density;
  heddle_type type; /* of the result */
};

/* Of the same shape, and numbers; without nulls, which leave out elements of both. */
static bool are_weights(const struct job *j) {
  const struct python_buffer *x = &j->x.buffer, *w = &j->weights.buffer;
  if (j->weights.is_bool || w->dims != x->dims || array_nulls(&j->x) || array_nulls(&j->weights))
    return false;
  for (int d = 0; d < x->dims; d++)
    if (w->shape[d] != x->shape[d]) return false;
  return true;
}

static void end(struct job *j) {
  if (j->weighted) array_end(&j->weights);
  array_end(&j->x);
}

static bool begin(struct job *j, python_object *a, python_object *weights, bool density) {
  if (!array_begin(&j->x, a, 0)) return false;
  j->density = density;
  j->weighted = !python_is_none(weights) && array_begin(&j->weights, weights, 0);
  j->type = j->weighted ? j->weights.type : density ? HEDDLE_F64 : HEDDLE_I64;
  const bool taken = j->weighted ? are_weights(j) && !density : python_is_none(weights);
  if (taken && j->x.count && j->x.count <= MOST_COUNT && !j->x.is_bool) return true;
  end(j);
  return false;
}

/* ---- counting ------------------------------------------------------------------------------------- */

/* By plain loops. False: the elements have no range. */
static bool count_few(const struct array *x, struct edges *e, int64_t *counts) {
  double lo, hi;
  if (e->bins.auto_range && !(bins_extent(x, &lo, &hi) && edges_found(e, x->type, lo, hi)))
    return false;
  bins_count(x, e, counts);
  return true;
}

/* Counts, or sums of weights. HEDDLE_BAD_DATA: the elements have no range. */
static heddle_status count_all(heddle_context *ctx, const struct job *j, struct edges *e,
                               void *table) {
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_histogram_result found = HEDDLE_HISTOGRAM_RESULT_INIT;
  double few[SUMS_FEW];
  options.sums = table;
  if (j->weighted) {
    if (!sums_are_exact(&j->weights)) return HEDDLE_UNSUPPORTED;
    const struct sums_weights w = sums_weights(&j->weights, few);
    options.weights = w.data;
    options.weights_type = w.type;
  }
  const heddle_status status =
      heddle_histogram(ctx, j->x.type, j->x.buffer.data, j->x.count, &e->bins,
                       j->weighted ? NULL : table, &found, j->weighted ? &options : NULL);
  if (status || !e->bins.auto_range) return status;
  const bool spans = !found.nan && !found.under && !found.over;
  return spans && edges_found(e, j->x.type, found.lo, found.hi) ? HEDDLE_OK : HEDDLE_BAD_DATA;
}

/* Counts become densities. False: NumPy warns of them. */
static bool to_density(const struct edges *e, const int64_t *counts, double *out) {
  int64_t total = 0;
  bool plain = e->type == HEDDLE_F32 || e->type == HEDDLE_F64;
  for (size_t i = 0; i < e->bins.count; i++) total += counts[i];
  for (size_t i = 0; i < e->bins.count; i++) {
    double width = e->at[i + 1] - e->at[i];
    if (e->type == HEDDLE_F32) width = (double)((float)e->at[i + 1] - (float)e->at[i]);
    plain = plain && width > 0 && isfinite(width);
    out[i] = (double)counts[i] / width / (double)total;
  }
  return plain && total > 0;
}

/* The values of the bins, in memory of the result's type. */
static heddle_status fill(heddle_context *ctx, const struct job *j, struct edges *e, void *out) {
  union {
    double sums[HEDDLE_PY_BINS];
    int64_t counts[HEDDLE_PY_BINS];
  } own;
  const bool is_own = j->density || (j->weighted && j->type != HEDDLE_F64);
  void *table = is_own ? own.sums : out;
  if (!j->weighted && bins_are_few(&j->x)) {
    if (!count_few(&j->x, e, table)) return HEDDLE_BAD_DATA;
  } else {
    python_thread *thread = call_leave(&j->x, ctx);
    const heddle_status status = count_all(ctx, j, e, table);
    call_come_back(thread);
    if (status) return status;
  }
  const bool done = !is_own      ? true
                    : j->density ? to_density(e, own.counts, out)
                                 : sums_convert(own.sums, e->bins.count, j->type, out);
  return done ? HEDDLE_OK : HEDDLE_UNSUPPORTED;
}

/* ---- the result ----------------------------------------------------------------------------------- */

/* The edges as the caller gets them: his own array, or a new one; beside a tensor a tensor. */
static python_object *edges_object(const struct edges *e, const struct array *x,
                                   python_object *given) {
  struct array a;
  if (e->are_given && !x->framework) {
    python.keep(given);
    return given;
  }
  python_object *made = target_line(&a, x, e->bins.count + 1, call_dtype(e->type));
  if (!made) return NULL;
  const heddle_status status =
      heddle_convert(HEDDLE_F64, e->at, e->type, a.buffer.data, e->bins.count + 1);
  array_end(&a);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return NULL;
}

/* The two of them, which are taken. */
static python_object *pair(python_object *hist, python_object *edges) {
  python_object *made = edges ? python.new_tuple(2) : NULL;
  if (made && python.put_in_tuple(made, 0, hist) == 0 && python.put_in_tuple(made, 1, edges) == 0)
    return made;
  if (!made) {
    python.drop(hist);
    if (edges) python.drop(edges);
    python.clear_error();
    return array_decline();
  }
  python.drop(made);
  return NULL;
}

python_object *heddle_py_histogram(python_object *a, python_object *bins, python_object *range,
                                   python_object *density, python_object *weights, int threads) {
  heddle_context *ctx = call_context(threads);
  double at[HEDDLE_PY_BINS + 1];
  struct job j;
  struct edges e;
  struct array out;
  heddle_status status = HEDDLE_UNSUPPORTED;
  if (!ctx || !begin(&j, a, weights, density == python.yes)) return array_decline();
  python_object *hist = NULL;
  e.at = at, e.most = HEDDLE_PY_BINS;
  if (python_is_int(bins) ? edges_even(&e, &j.x, bins, range) : edges_given(&e, bins))
    hist = target_line(&out, &j.x, e.bins.count, call_dtype(j.type));
  if (hist) {
    status = fill(ctx, &j, &e, out.buffer.data);
    array_end(&out);
  }
  python_object *edges = status == HEDDLE_OK ? edges_object(&e, &j.x, bins) : NULL;
  end(&j);
  if (status == HEDDLE_OK) return pair(hist, edges);
  if (hist) python.drop(hist);
  return call_failed(status);
}
