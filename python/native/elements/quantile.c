/* quantile.c - quantiles along an axis of an array, or of all of it, by NumPy's default method
 *
 * Method   The library's quantiles are NumPy's of f64 and of integers. Of f32 NumPy's arithmetic is that of the
 *          elements (between.h), between elements that the library finds by their ranks.
 * Limits   at most SHARES_MOST shares */
#include <stdlib.h>

#include "between.h"
#include "call.h"
#include "elements.h"
#include "lines.h"
#include "shares.h"
#include "target.h"

enum { FEW = 64 };

/* Shares come in front of what is left of the shape. False: results would lie in another order, or have too
 * many dimensions. */
static bool add_axis(struct lines *l, const struct shares *s) {
  if (s->is_number) return true;
  if (l->reversed || l->result_dims == HEDDLE_MAX_DIMS) return false;
  for (size_t d = l->result_dims++; d > 0; d--) l->result_shape[d] = l->result_shape[d - 1];
  l->result_shape[0] = s->count;
  return true;
}

static heddle_status quantiles_f64(heddle_context *ctx, const struct lines *l,
                                   const struct shares *s, double *out) {
  const size_t rows = l->results, each = s->count;
  heddle_status status;
  if (lines_are_one(l))
    return heddle_quantiles(ctx, l->a.type, l->data, l->length, s->q, each, out, NULL);
  double *found = rows == 1 || each == 1 ? out : malloc(rows * each * sizeof *found);
  if (!found) return HEDDLE_OUT_OF_MEMORY;
  status = heddle_quantiles_rows(ctx, l->a.type, l->data, &l->rows, s->q, each, found, NULL);
  if (found == out) return status;
  for (size_t r = 0; status == HEDDLE_OK && r < rows; r++)
    for (size_t j = 0; j < each; j++) out[j * rows + r] = found[r * each + j];
  free(found);
  return status;
}

static void put(const struct lines *l, const struct shares *s, const struct place *places,
                const float *found, void *out) {
  const size_t rows = l->results, each = s->count;
  float *narrow = out;
  double *wide = out;
  for (size_t r = 0; r < rows; r++, found += 2 * each + 1)
    for (size_t j = 0; j < each; j++) {
      const float a = found[2 * j], b = found[2 * j + 1];
      const bool none = isnan(found[2 * each]);
      if (s->is_number)
        narrow[r] = none ? NAN : between_f32(a, b, places[j].t);
      else
        wide[j * rows + r] = none ? (double)NAN : between_f64(a, b, places[j].t);
    }
}

static heddle_status quantiles_f32(heddle_context *ctx, const struct lines *l,
                                   const struct shares *s, void *out) {
  const size_t count = 2 * s->count + 1, n = l->length;
  struct place places[SHARES_MOST];
  uint64_t ranks[2 * SHARES_MOST + 1];
  float few[FEW], *found = few;
  heddle_status status;
  for (size_t j = 0; j < s->count; j++) {
    places[j] = place_of(s->q[j], n);
    ranks[2 * j] = places[j].low, ranks[2 * j + 1] = places[j].high;
  }
  ranks[count - 1] = n - 1; /* which is NaN, where any is */
  if (l->results * count > FEW) found = malloc(l->results * count * sizeof *found);
  if (!found) return HEDDLE_OUT_OF_MEMORY;
  if (lines_are_one(l))
    status = heddle_nth(ctx, HEDDLE_F32, l->data, n, ranks, count, found, NULL);
  else
    status = heddle_nth_rows(ctx, HEDDLE_F32, l->data, &l->rows, ranks, count, found, NULL);
  if (status == HEDDLE_OK) put(l, s, places, found, out);
  if (found != few) free(found);
  return status;
}

python_object *heddle_py_quantile(python_object *object, python_object *q, python_object *axis,
                                  int keepdims, int most, int threads) {
  heddle_context *ctx = call_context(threads);
  struct shares s;
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || python_is_tuple(axis) || !shares_read(&s, q, most) ||
      !lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER))
    return array_decline();
  const bool own = l.a.type == HEDDLE_F32;
  const heddle_type type = own && s.is_number ? HEDDLE_F32 : HEDDLE_F64;
  if (l.in_pieces || l.in_parts || l.a.type == HEDDLE_F16 || l.a.type == HEDDLE_BF16 ||
      !add_axis(&l, &s) || !target_begin(&t, &l, call_type(type)))
    return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = lines_numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK)
    status = own ? quantiles_f32(ctx, &l, &s, t.at) : quantiles_f64(ctx, &l, &s, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}
