/* segments.c - reductions of rows of any lengths, which offsets cut out of a line
 *
 * Method   The library takes the offsets as they are; those of reduceat, of which the last row ends with the
 *          line, are copied with that end behind them.
 * Limits   Rows whose result is not defined, or may not be, are for Python's code; so are offsets of other
 *          types than NumPy's own of indices, and columns with nulls, which count as elements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "errors/errors.h"
#include "initial.h"
#include "target.h"

/* A line, its offsets and how many rows they make. */
struct segments {
  struct lines l; /* of which the array, and the shape of results */
  struct array offsets;
  uint64_t *own; /* copied offsets */
  heddle_rows rows;
  bool has_empty;
};

/* Whether offsets stay in the line, if they do not fall; the library looks at that. */
static bool look_at(struct segments *s, const uint64_t *offsets) {
  s->rows.offsets = offsets;
  for (size_t i = 0; i < s->rows.segments; i++) s->has_empty |= offsets[i + 1] == offsets[i];
  return offsets[s->rows.segments] <= s->l.a.count;
}

/* to_end: the last row ends with the line. */
static bool cut(struct segments *s, bool to_end) {
  const struct array *o = &s->offsets;
  s->rows.segments = o->count - !to_end;
  s->l.results = s->rows.segments;
  s->l.result_dims = 1, s->l.result_shape[0] = s->rows.segments;
  if (!to_end) return look_at(s, o->buffer.data);
  s->own = malloc((o->count + 1) * sizeof *s->own);
  if (!s->own) return false;
  memcpy(s->own, o->buffer.data, o->count * sizeof *s->own);
  s->own[o->count] = s->l.a.count;
  return look_at(s, s->own);
}

static void end_segments(struct segments *s) {
  free(s->own);
  array_end(&s->offsets);
  lines_end(&s->l);
}

static bool begin_segments(struct segments *s, python_object *object, python_object *offsets,
                           bool to_end) {
  memset(s, 0, sizeof *s);
  s->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  if (!array_begin(&s->l.a, object, 0)) return false;
  if (!array_begin(&s->offsets, offsets, 0)) {
    lines_end(&s->l);
    return false;
  }
  const struct array *o = &s->offsets;
  const bool whole = o->type == HEDDLE_I64 || o->type == HEDDLE_U64;
  const bool lines = o->buffer.dims == 1 && s->l.a.buffer.dims == 1;
  const bool fine = whole && lines && s->l.a.count && o->count > !to_end && !array_nulls(&s->l.a);
  if (fine && cut(s, to_end)) return true;
  end_segments(s);
  return false;
}

/* Whether a float is an infinity, as a row of nothing but NaN gives where those are skipped. */
static bool has_infinity(const struct array *a, const char *x, size_t count) {
  const size_t bytes = (size_t)a->buffer.item_bytes;
  double n = 0;
  for (size_t i = 0; i < count; i++)
    if (heddle_convert(a->type, x + i * bytes, HEDDLE_F64, &n, 1) != HEDDLE_OK || isinf(n))
      return true;
  return false;
}

static python_object *reduce(struct segments *s, heddle_context *ctx, heddle_op op, bool skip,
                             const union number *initial, enum errors_call call) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const struct array *a = &s->l.a;
  struct target t;
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  const bool extreme = op == HEDDLE_MIN || op == HEDDLE_MAX;
  const heddle_type type = call_result_type(a, op);
  python_object *dtype = logical || (a->is_bool && extreme) ? call_bool() : call_type(type);
  options.out_type = type;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  options.init = initial;
  heddle_status status = extreme && !initial && s->has_empty ? HEDDLE_EMPTY : HEDDLE_OK;
  if (!target_begin(&t, &s->l, dtype)) {
    end_segments(s);
    python.clear_error();
    return array_decline();
  }
  python_thread *thread = call_leave(a, ctx);
  if (status == HEDDLE_OK && !logical) status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_reduce_rows(ctx, op, a->type, a->buffer.data, &s->rows, t.at, &options);
  if (status == HEDDLE_OK && extreme && skip && !initial && a->is_float &&
      has_infinity(a, t.at, s->rows.segments))
    status = HEDDLE_EMPTY;
  call_come_back(thread);
  const struct errors_segments found = {a, &s->rows, type, t.at, skip, initial != NULL};
  if (status == HEDDLE_OK && call_is_total(op)) status = errors_of_segments(ctx, &found, call);
  t.raised = status == HEDDLE_CALLBACK;
  end_segments(s);
  return target_end(&t, status, dtype, type);
}

python_object *heddle_py_segments(python_object *object, python_object *offsets, int op,
                                  python_object *initial, int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  const bool given = initial_is_given(initial);
  struct segments s;
  union number first;
  if (!ctx || !target_can() || !begin_segments(&s, object, offsets, false)) return array_decline();
  const heddle_type type = call_result_type(&s.l.a, (heddle_op)op);
  const bool counted = !s.l.a.is_bool || call_is_total((heddle_op)op);
  if (given && (!counted || !initial_read(initial, type, s.l.a.is_float, &first))) {
    end_segments(&s);
    return array_decline();
  }
  return reduce(&s, ctx, (heddle_op)op, skip, given ? &first : NULL, ERRORS_REDUCE);
}

python_object *heddle_py_reduceat(python_object *object, python_object *indices, int op,
                                  int threads) {
  heddle_context *ctx = call_context(threads);
  struct segments s;
  if (!ctx || !target_can() || !begin_segments(&s, object, indices, true)) return array_decline();
  if (s.has_empty) { /* such a row is one element */
    end_segments(&s);
    return array_decline();
  }
  return reduce(&s, ctx, (heddle_op)op, false, NULL, ERRORS_REDUCEAT);
}
