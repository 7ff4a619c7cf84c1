/* figures.c - means, variances and their roots, and descriptions of a tensor
 *
 * Method   A variance is a call of the library's, and a mean a sum in f64 that it divides. Where there may be NaN to skip, and of f64 and integers
 *          of 64 bits, descriptions are left in memory of the framework's, and finish.h makes figures of them
 *          there. A mean of f64 is the sum of its description, which says what else it is where that is beyond
 *          f64. Of one row of f32 or f64 the result is a part of that memory.
 * Limits   No bools. Too few numbers for a variance of NaN that are skipped give NaN, or infinity, without a
 *          warning, for which the call would wait */
#include <math.h>

#include "call.h"
#include "device.h"
#include "finish.h"
#include "tensors.h"

struct figures {
  struct device_call c;
  struct exchange_work work;
  enum finish_what what; /* of a mean by descriptions */
  heddle_figures figure; /* ALL: a mean */
  double ddof;
  heddle_type type; /* of the results */
  bool by_totals, skip;
};

static bool is_float(heddle_type type) { return type == HEDDLE_F32 || type == HEDDLE_F64; }

/* Rows whose figures are of `dtype`. False: the tensor has ended. */
static bool begin(struct figures *f, python_object *object, python_object *axis, int keepdims,
                  int skip, python_object *dtype, bool is_mean) {
  if (!device_begin(&f->c, object)) return false;
  const struct array *a = &f->c.l.a;
  const bool wide = a->type == HEDDLE_U64 || a->type == HEDDLE_I64;
  f->skip = skip && a->is_float; /* no integer is NaN */
  f->by_totals = is_mean && !f->skip && !wide && a->type != HEDDLE_F64;
  if (a->is_bool || a->count >> 31 || !call_figure_type(a, dtype, &f->type)) {
    array_end(&f->c.l.a);
    return false;
  }
  if (f->type == HEDDLE_BF16) f->type = HEDDLE_F32;
  f->figure = HEDDLE_FIGURES_ALL, f->ddof = 0;
  f->what = wide ? FINISH_MEAN : FINISH_QUOTIENT;
  return device_lines(&f->c, axis, keepdims,
                      f->by_totals ? LINES_OF_FLOATS_IN_ORDER : LINES_IN_ORDER);
}

static heddle_status quotients(const struct figures *f) {
  const struct lines *l = &f->c.l;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = l->a.is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  options.out_type = f->type;
  options.divisor = l->length ? (double)l->length : NAN;
  if (lines_are_one(l))
    return heddle_reduce(f->c.ctx, HEDDLE_SUM, l->a.type, l->data, l->a.count, f->c.at, &options);
  return heddle_reduce_rows(f->c.ctx, HEDDLE_SUM, l->a.type, l->data, &l->rows, f->c.at, &options);
}

static heddle_status variances(const struct figures *f) {
  const struct lines *l = &f->c.l;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = f->skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  options.out_type = f->type;
  options.figures = f->figure, options.ddof = f->ddof;
  if (lines_are_one(l))
    return heddle_figure(f->c.ctx, l->a.type, l->data, l->a.count, f->c.at, &options);
  return heddle_figure_rows(f->c.ctx, l->a.type, l->data, &l->rows, f->c.at, &options);
}

static heddle_status describe(const struct device_call *c, bool skip, heddle_description *out) {
  const struct lines *l = &c->l;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (lines_are_one(l))
    return heddle_describe(c->ctx, l->a.type, l->data, l->a.count, out, &options);
  return heddle_describe_rows(c->ctx, l->a.type, l->data, &l->rows, out, &options);
}

static heddle_status figure(const struct figures *f, void *out) {
  const struct device_call *c = &f->c;
  const heddle_status status = describe(c, f->skip, (heddle_description *)f->work.at);
  if (status) return status;
  return finish_descriptions(c->ctx, f->work.at, c->l.results, f->what, f->type, out);
}

/* The results in memory of their own. */
static python_object *apart(struct figures *f) {
  if (!device_result(&f->c, f->type, false)) {
    exchange_give(&f->work);
    return device_none(&f->c);
  }
  const heddle_status status = figure(f, f->c.at);
  call_come_back(f->c.thread);
  f->c.thread = NULL;
  exchange_give(&f->work);
  return device_end(&f->c, status);
}

/* The one result as a part of the work. */
static python_object *within(struct figures *f) {
  const double *part = f->work.at + FINISH_DESCRIPTION_AT;
  python_thread *thread = python.save_thread();
  const heddle_status status = figure(f, NULL);
  call_come_back(thread);
  if (status != HEDDLE_OK) {
    exchange_give(&f->work);
    lines_end(&f->c.l);
    return call_failed(status);
  }
  python_object *made = exchange_part(&f->work, &f->c.l.a, f->type, f->c.l.result_dims, part);
  if (!made) return device_none(&f->c);
  lines_end(&f->c.l);
  return made;
}

static python_object *figures(struct figures *f) {
  const struct lines *l = &f->c.l;
  if (f->by_totals || f->figure) {
    if (!device_result(&f->c, f->type, false)) return device_none(&f->c);
    return device_end(&f->c, f->figure ? variances(f) : quotients(f));
  }
  if (!exchange_take(&f->work, &l->a, l->results * FINISH_DESCRIPTION)) return device_none(&f->c);
  const bool is_part = l->results == 1 && is_float(f->type);
  return is_part ? within(f) : apart(f);
}

python_object *heddle_py_device_mean(python_object *a, python_object *axis, int keepdims, int skip,
                                     python_object *dtype, python_object *where, int threads) {
  const bool says_more = where != python.yes || !python_is_none(dtype);
  struct figures f;
  python_object *made;
  if (says_more)
    made = heddle_py_mean_where(a, axis, keepdims, skip, dtype, where, threads);
  else if (!python_is_none(axis) || keepdims || skip)
    made = heddle_py_mean_axis(a, axis, keepdims, skip, threads);
  else
    made = heddle_py_mean(a, threads);
  if (!array_is_declined(made)) return made;
  if (where != python.yes || threads != HEDDLE_PY_DEFAULT ||
      !begin(&f, a, axis, keepdims, skip, dtype, true))
    return array_decline();
  return figures(&f);
}

python_object *heddle_py_device_variance(python_object *a, double ddof, int root,
                                         python_object *axis, int keepdims, int skip,
                                         python_object *dtype, python_object *where, int threads) {
  const bool says_more = where != python.yes || !python_is_none(dtype);
  struct figures f;
  python_object *made;
  if (says_more)
    made = heddle_py_variance_where(a, ddof, root, axis, keepdims, skip, dtype, where, threads);
  else if (!python_is_none(axis) || keepdims || skip)
    made = heddle_py_variance_axis(a, ddof, root, axis, keepdims, skip, threads);
  else
    made = heddle_py_variance(a, ddof, root, threads);
  if (!array_is_declined(made)) return made;
  if (where != python.yes || threads != HEDDLE_PY_DEFAULT ||
      !begin(&f, a, axis, keepdims, skip, dtype, false))
    return array_decline();
  if (!((double)f.c.l.length - ddof > 0))
    return device_none(&f.c); /* of which Python's code warns */
  f.figure = root ? HEDDLE_FIGURES_DEVIATION : HEDDLE_FIGURES_VARIANCE, f.ddof = ddof;
  return figures(&f);
}

/* ---- descriptions ---------------------------------------------------------------------------------- */

static bool put(python_object *tuple, ptrdiff_t at, python_object *taken) {
  return taken && python.put_in_tuple(tuple, at, taken) == 0;
}

static python_object *count_of(uint64_t n) {
  return call_scalar(call_type(HEDDLE_U64), HEDDLE_U64, &(union number){.u64 = n});
}

static python_object *double_of(double x) {
  return call_scalar(call_type(HEDDLE_F64), HEDDLE_F64, &(union number){.f64 = x});
}

/* In the order of hd.Description, without its nulls. */
static python_object *numbers_of(const heddle_description *d) {
  const uint64_t counts[] = {d->count, d->nan, d->infinite};
  const double figures[] = {d->min,     d->max, d->sum, d->mean, d->variance, sqrt(d->variance),
                            d->skewness};
  python_object *made = python.new_tuple(10);
  bool fine = made;
  for (ptrdiff_t i = 0; fine && i < 3; i++) fine = put(made, i, count_of(counts[i]));
  for (ptrdiff_t i = 0; fine && i < 7; i++) fine = put(made, 3 + i, double_of(figures[i]));
  if (fine) return made;
  if (made) python.drop(made);
  return NULL;
}

python_object *heddle_py_device_describe(python_object *object, int skip) {
  struct device_call c;
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  if (!device_begin(&c, object)) return array_decline();
  if (c.l.a.is_bool) {
    array_end(&c.l.a);
    return array_decline();
  }
  if (!device_lines(&c, python.none, false, LINES_IN_ORDER)) return array_decline();
  python_thread *thread = python.save_thread();
  const heddle_status status = describe(&c, skip, &d);
  call_come_back(thread);
  lines_end(&c.l);
  return status == HEDDLE_OK ? numbers_of(&d) : call_failed(status);
}
