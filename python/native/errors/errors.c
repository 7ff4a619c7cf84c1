/* errors.c - elements are looked at by their extremes: a NaN makes the greatest one NaN, and infinities are
 * extremes themselves */
#include "errors.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "call.h"
#include "copies/parts.h"
#include "copies/pieces.h"
#include "isa.h"

enum { LANES = 16, MANY = 4096, LONG = 64 * 1024, SHORT = 64, OVER = 1, INVALID = 2, FEW = 4 };

#define T uint16_t
#define EXPONENT ((T)0x7c00)
#define ODD odd_f16
#include "odd_tmpl.h"

#define T uint32_t
#define EXPONENT ((T)0x7f800000)
#define ODD odd_f32
#include "odd_tmpl.h"

#define T uint64_t
#define EXPONENT ((T)0x7ff0000000000000)
#define ODD odd_f64
#include "odd_tmpl.h"

static python_object *wanted, *report;

void heddle_py_errors(python_object *is_wanted, python_object *reports) {
  python.keep(is_wanted);
  python.keep(reports);
  wanted = is_wanted;
  report = reports;
}

bool errors_are_odd(heddle_type type, const void *x, size_t count) {
  switch (type) {
  case HEDDLE_F16: return odd_f16(x, count);
  case HEDDLE_F32: return odd_f32(x, count);
  case HEDDLE_F64: return odd_f64(x, count);
  default: return false;
  }
}

static double number_of(heddle_type type, const void *x) {
  double wide = 0;
  return heddle_convert(type, x, HEDDLE_F64, &wide, 1) == HEDDLE_OK ? wide : 0;
}

/* ---- the processor's flags ------------------------------------------------------------------------ */

/* Where denormals are taken for 0, or rounding is another, the library sets the mode, and what was before,
 * flags and all, comes back with its end. */
bool errors_begin(heddle_context *ctx, const struct array *a) {
  if ((a->type != HEDDLE_F32 && a->type != HEDDLE_F64) || a->buffer.bytes < LONG) return false;
  return call_is_alone(ctx) && isa_has_usual_mode() && !feclearexcept(FE_OVERFLOW | FE_INVALID);
}

bool errors_none(bool begun) { return begun && !fetestexcept(FE_OVERFLOW | FE_INVALID); }

/* ---- kinds ---------------------------------------------------------------------------------------- */

/* What a result says of elements between two. */
static unsigned kinds_of(double result, double least, double most) {
  const bool infinite = isinf(most) || isinf(least);
  if (isnan(most) || isfinite(result) || most < least) return 0; /* or there are no elements */
  if (isinf(result)) return infinite ? 0 : OVER;
  return infinite ? INVALID : INVALID | OVER;
}

/* 1: somebody wants to know; 0: nobody; -1: an exception is set. */
static int is_wanted(void) {
  python_object *said = wanted ? python.call(wanted, NULL) : NULL;
  if (said) python.drop(said);
  return !wanted ? 0 : !said ? -1 : said == python.yes;
}

static bool tell(unsigned kinds, enum errors_call call) {
  if (!kinds) return true;
  python_object *said = NULL, *what = python.from_unsigned(kinds),
                *name = python.from_unsigned(call);
  if (what && name) said = python.call(report, what, name, NULL);
  if (what) python.drop(what);
  if (name) python.drop(name);
  if (said) python.drop(said);
  return said != NULL;
}

bool errors_of_few(void) { return tell(FEW, ERRORS_REDUCE); }

/* ---- one result ----------------------------------------------------------------------------------- */

/* skip: NaN do not count. */
static heddle_status extremes_of(heddle_context *ctx, const struct array *a, bool skip,
                                 double *least, double *most) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  union number low = {0}, high = {0};
  if (skip) options.nan = HEDDLE_NAN_SKIP;
  heddle_status status = whole_reduce(ctx, HEDDLE_MAX, a, &high, &options);
  *most = *least = number_of(a->type, &high);
  if (status || isnan(*most) || isinf(*most)) return status;
  status = whole_reduce(ctx, HEDDLE_MIN, a, &low, &options);
  *least = number_of(a->type, &low);
  return status;
}

bool errors_of_whole(heddle_context *ctx, const struct array *a, const struct array *b,
                     heddle_type type, const void *result, enum errors_call call) {
  if (!errors_are_odd(type, result, 1)) return true;
  const int asked = is_wanted();
  if (asked <= 0) return asked == 0;
  double least, most, low, high;
  python_thread *thread = call_leave(a, ctx);
  heddle_status status = extremes_of(ctx, a, false, &least, &most);
  if (b && status == HEDDLE_OK) {
    status = extremes_of(ctx, b, false, &low, &high);
    most = isnan(most) || most > high ? most : high;
    least = least < low ? least : low;
  }
  call_come_back(thread);
  return status != HEDDLE_OK || tell(kinds_of(number_of(type, result), least, most), call);
}

/* ---- results of rows ------------------------------------------------------------------------------ */

/* Where the results of rows are: `inner` side by side, the last of `length` such groups, `outer` times. */
struct results {
  const char *at;
  size_t outer, length, inner, bytes;
};

static struct results results_of(const struct lines *l, heddle_type type, const void *at,
                                 enum errors_call call) {
  struct results r = {at, 1, 1, l->results, heddle_type_size(type)};
  const size_t axis = l->rows.axis;
  if (call != ERRORS_ACCUMULATE) return r;
  r.inner = 1;
  r.length = l->in_pieces ? l->a.count : l->shape[axis];
  if (l->in_pieces) return r;
  for (size_t d = 0; d < axis; d++) r.outer *= l->shape[d];
  for (size_t d = axis + 1; d < l->rows.dims; d++) r.inner *= l->shape[d];
  if (r.length == 1) r.inner *= r.outer, r.outer = 1; /* groups of one line are one */
  return r;
}

static const void *result_at(const struct results *r, size_t row) {
  return r->at + (((row / r->inner + 1) * r->length - 1) * r->inner + row % r->inner) * r->bytes;
}

/* The same of many, by the library's threads: a sum that is finite has finite terms alone. */
static bool any_odd_of_many(heddle_context *ctx, heddle_type type, const void *x, size_t count) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  double sum;
  options.out_type = HEDDLE_F64;
  if (heddle_reduce(ctx, HEDDLE_SUM, type, x, count, &sum, &options) == HEDDLE_OK && isfinite(sum))
    return false;
  return errors_are_odd(type, x, count);
}

static bool any_odd_result(heddle_context *ctx, const struct results *r, heddle_type type) {
  /* Of short rows all running totals are sooner looked at than every last one. */
  const size_t row = r->length * r->inner;
  if (r->length > 1 && row < SHORT && !errors_are_odd(type, r->at, r->outer * row)) return false;
  for (size_t o = 0; o < r->outer; o++) {
    const void *at = result_at(r, o * r->inner);
    if (r->inner < MANY ? errors_are_odd(type, at, r->inner)
                        : any_odd_of_many(ctx, type, at, r->inner))
      return true;
  }
  return false;
}

/* A call's rows, part by part. */
struct extremes_call {
  heddle_context *ctx;
  heddle_op op;
  heddle_type type;
  char *out;
  const heddle_options *options;
};

static heddle_status extremes_of_part(void *to, const char *data, const heddle_rows *rows,
                                      size_t first) {
  const struct extremes_call *c = to;
  void *out = c->out + first * heddle_type_size(c->type);
  return heddle_reduce_rows(c->ctx, c->op, c->type, data, rows, out, c->options);
}

/* The least or the greatest element of each row. */
static heddle_status extremes_of_rows(heddle_context *ctx, heddle_op op, const struct lines *l,
                                      bool skip, void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = l->a.type;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  struct extremes_call parts = {ctx, op, l->a.type, out, &options};
  if (l->in_pieces) return pieces_reduce(ctx, op, l, out, &options);
  if (l->in_parts) return parts_each(l, extremes_of_part, &parts);
  return heddle_reduce_rows(ctx, op, l->a.type, l->data, &l->rows, out, &options);
}

static heddle_status look(heddle_context *ctx, const struct lines *l, const struct results *r,
                          heddle_type type, bool skip, unsigned *kinds) {
  const size_t rows = r->outer * r->inner, bytes = heddle_type_size(l->a.type);
  char *least = malloc(rows * bytes), *most = malloc(rows * bytes);
  heddle_status status = least && most ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (status == HEDDLE_OK) status = extremes_of_rows(ctx, HEDDLE_MIN, l, skip, least);
  if (status == HEDDLE_OK) status = extremes_of_rows(ctx, HEDDLE_MAX, l, skip, most);
  for (size_t i = 0; status == HEDDLE_OK && i < rows; i++) {
    const void *result = result_at(r, i);
    if (errors_are_odd(type, result, 1))
      *kinds |= kinds_of(number_of(type, result), number_of(l->a.type, least + i * bytes),
                         number_of(l->a.type, most + i * bytes));
  }
  free(least);
  free(most);
  return status;
}

bool errors_are_possible(heddle_context *ctx, const struct lines *l, heddle_type type,
                         const void *results) {
  const struct results r = results_of(l, type, results, ERRORS_REDUCE);
  return l->a.is_float && any_odd_result(ctx, &r, type);
}

bool errors_of_lines(heddle_context *ctx, const struct lines *l, heddle_type type,
                     const void *results, bool skip, enum errors_call call) {
  const struct results r = results_of(l, type, results, call);
  unsigned kinds = 0;
  if (!l->a.is_float || !any_odd_result(ctx, &r, type)) return true;
  const int asked = is_wanted();
  if (asked <= 0) return asked == 0;
  python_thread *thread = call_leave(&l->a, ctx);
  const heddle_status status = look(ctx, l, &r, type, skip, &kinds);
  call_come_back(thread);
  return status != HEDDLE_OK || tell(kinds, call);
}

/* ---- results of segments -------------------------------------------------------------------------- */

/* What the result of one segment says of its elements. */
static unsigned kinds_of_segment(heddle_context *ctx, const struct errors_segments *s, size_t i) {
  const size_t first = s->rows->offsets[i], count = s->rows->offsets[i + 1] - first;
  const char *result = (const char *)s->results + i * heddle_type_size(s->type);
  struct array segment = {.type = s->a->type, .count = count};
  double least, most;
  segment.buffer.data = (char *)s->a->buffer.data + first * heddle_type_size(s->a->type);
  if (!count || !errors_are_odd(s->type, result, 1) ||
      extremes_of(ctx, &segment, s->skip, &least, &most) != HEDDLE_OK)
    return 0;
  return kinds_of(number_of(s->type, result), least, most);
}

heddle_status errors_of_segments(heddle_context *ctx, const struct errors_segments *s,
                                 enum errors_call call) {
  const size_t count = s->rows->segments;
  unsigned kinds = 0;
  if (!s->a->is_float || !errors_are_odd(s->type, s->results, count)) return HEDDLE_OK;
  if (s->has_initial) return HEDDLE_BAD_ARGUMENT;
  const int asked = is_wanted();
  if (asked <= 0) return asked ? HEDDLE_CALLBACK : HEDDLE_OK;
  python_thread *thread = call_leave(s->a, ctx);
  for (size_t i = 0; i < count && kinds != (OVER | INVALID); i++)
    kinds |= kinds_of_segment(ctx, s, i);
  call_come_back(thread);
  return tell(kinds, call) ? HEDDLE_OK : HEDDLE_CALLBACK;
}
