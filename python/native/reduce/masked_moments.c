/* masked_moments.c - means and variances of rows of which a mask lets some elements through
 *
 * Method   A mean is the total in which the others are 0, in f64, by the count of those that are let through.
 *          Of a variance the others are NaN, which the library leaves out. Integers are converted to f64, but
 *          for totals of up to 32 bits, which are exact. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bools.h"
#include "masked.h"
#include "moments.h"

/* Of rows that have one mask, along one axis: how many elements of each count. False: they differ. */
static bool count_alike(const struct lines *l, uint64_t *counts) {
  const size_t last = l->rows.dims - 1;
  if (!l->mask || l->kept_dims != last) return false;
  for (size_t d = 0; d < last; d++)
    if (l->mask_strides[d] && l->shape[d] > 1) return false;
  uint64_t count = 0;
  for (size_t i = 0; i < l->length; i++)
    count += l->mask[(ptrdiff_t)i * l->mask_strides[last]] != 0;
  for (size_t i = 0; i < l->results; i++) counts[i] = count;
  return true;
}

/* ---- means --------------------------------------------------------------------------------- */

struct totals {
  heddle_context *ctx;
  heddle_type type; /* of the elements */
  heddle_options options;
  double *total;
  uint64_t *count;
  bool counted; /* as count_alike has it */
  heddle_state *state;
};

static heddle_status total_rows(void *to, const struct masked_part *part) {
  const struct totals *t = to;
  heddle_options counting = HEDDLE_OPTIONS_INIT;
  counting.out_type = HEDDLE_U64;
  if (part->results == 1) {
    const heddle_status status = heddle_reduce(t->ctx, HEDDLE_SUM, t->type, part->data, part->count,
                                               t->total + part->first_row, &t->options);
    if (status != HEDDLE_OK || t->counted) return status;
    return bools_count(t->ctx, part->counting, part->count, t->count + part->first_row);
  }
  const heddle_status status =
      heddle_reduce_rows(t->ctx, HEDDLE_SUM, t->type, part->data, &part->rows,
                         t->total + part->first_row, &t->options);
  if (status != HEDDLE_OK || t->counted) return status;
  return heddle_reduce_rows(t->ctx, HEDDLE_SUM, HEDDLE_U8, part->counting, &part->rows,
                            t->count + part->first_row, &counting);
}

static heddle_status total_some(void *to, const struct masked_part *part) {
  const struct totals *t = to;
  uint64_t count;
  heddle_status status = bools_count(t->ctx, part->counting, part->count, &count);
  if (status == HEDDLE_OK) status = heddle_reduce_update(t->state, part->data, part->count);
  *t->count += count;
  return status;
}

static heddle_status total(struct masked *m, struct totals *t) {
  if (!masked_is_long(m->l)) return masked_each(m, total_rows, t);
  heddle_status status = heddle_reduce_begin(t->ctx, HEDDLE_SUM, t->type, &t->options, &t->state);
  if (status != HEDDLE_OK) return status;
  status = masked_stream(m, total_some, t);
  if (status == HEDDLE_OK) status = heddle_reduce_finish(t->state, t->total);
  heddle_state_free(t->state);
  return status;
}

/* Totals to means. False: a row has no element, or a total is beyond f64. */
static bool divide(const struct lines *l, double *totals, const uint64_t *counts) {
  bool fine = true;
  for (size_t i = 0; i < l->results; i++) {
    fine = fine && counts[i] && (l->a.type != HEDDLE_F64 || isfinite(totals[i]));
    totals[i] /= (double)counts[i];
  }
  return fine;
}

heddle_status moments_masked_means(heddle_context *ctx, const struct lines *l, bool skip,
                                   heddle_type type, void *out) {
  const bool wide = l->a.type == HEDDLE_U64 || l->a.type == HEDDLE_I64;
  struct masked m = {.l = l, .type = wide ? HEDDLE_F64 : l->a.type, .mask = MASKED_SEEN};
  struct totals t = {ctx, m.type, HEDDLE_OPTIONS_INIT, NULL, NULL, false, NULL};
  if (skip) m.mask = MASKED_WITH_NAN, m.without_nan = true;
  t.options.acc_type = wide || l->a.is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  t.options.out_type = HEDDLE_F64;
  t.options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  t.total = malloc(l->results * (sizeof *t.total + sizeof *t.count));
  if (!t.total) return HEDDLE_OUT_OF_MEMORY;
  t.count = (uint64_t *)(void *)(t.total + l->results);
  *t.count = 0;
  if (!skip && !masked_is_long(l)) t.counted = count_alike(l, t.count);
  if (t.counted) m.mask = MASKED_UNSEEN;
  heddle_status status = total(&m, &t);
  if (status == HEDDLE_OK && !divide(l, t.total, t.count)) status = HEDDLE_BAD_ARGUMENT;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, t.total, type, out, l->results);
  free(t.total);
  return status;
}

/* ---- variances ----------------------------------------------------------------------------- */

struct descriptions {
  heddle_context *ctx;
  heddle_type type;
  heddle_options options;
  heddle_description *found;
  heddle_state *state;
};

static heddle_status describe_rows(void *to, const struct masked_part *part) {
  const struct descriptions *d = to;
  heddle_description *found = d->found + part->first_row;
  if (part->results == 1)
    return heddle_describe(d->ctx, d->type, part->data, part->count, found, &d->options);
  return heddle_describe_rows(d->ctx, d->type, part->data, &part->rows, found, &d->options);
}

static heddle_status describe_some(void *to, const struct masked_part *part) {
  const struct descriptions *d = to;
  return heddle_describe_update(d->state, part->data, part->count);
}

static heddle_status describe(struct masked *m, struct descriptions *d) {
  if (!masked_is_long(m->l)) return masked_each(m, describe_rows, d);
  heddle_status status = heddle_describe_begin(d->ctx, d->type, &d->options, &d->state);
  if (status != HEDDLE_OK) return status;
  status = masked_stream(m, describe_some, d);
  if (status == HEDDLE_OK) status = heddle_describe_finish(d->state, d->found);
  heddle_state_free(d->state);
  return status;
}

/* What may be infinite, and what is one row of many parts, by all figures of the library's. */
static heddle_status by_figures(struct masked *m, struct descriptions *d, double ddof, bool root,
                                heddle_type type, void *out) {
  d->found = moments_descriptions(m->l->results);
  if (!d->found) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = describe(m, d);
  if (status == HEDDLE_OK)
    status = moments_variances(d->found, m->l->results, ddof, root, type, out);
  free(d->found);
  return status;
}

/* Variances of rows, and of how many elements each is. */
struct counted {
  heddle_context *ctx;
  heddle_type type;
  heddle_options options;
  double *variance;
  uint64_t *count;
  bool counted; /* as count_alike has it */
};

static heddle_status variances_of_rows(void *to, const struct masked_part *part) {
  const struct counted *c = to;
  heddle_options counting = HEDDLE_OPTIONS_INIT;
  counting.out_type = HEDDLE_U64;
  const heddle_status status = heddle_figure_rows(c->ctx, c->type, part->data, &part->rows,
                                                  c->variance + part->first_row, &c->options);
  if (status != HEDDLE_OK || c->counted) return status;
  return heddle_reduce_rows(c->ctx, HEDDLE_SUM, HEDDLE_U8, part->counting, &part->rows,
                            c->count + part->first_row, &counting);
}

/* The variance of n elements; of too few what is left of it, and the NaN that Python's code has. */
static double divided(double variance, double n, double divisor) {
  const double v = variance * (n / (divisor > 0 ? divisor : 0));
  return isnan(v) ? (double)NAN : v;
}

/* Of finite elements. alike: those that a mask lets through count, NaN or not. *few: a row has too few.
 * HEDDLE_BAD_ARGUMENT: then another's result is not finite. */
static heddle_status by_counts(struct masked *m, struct counted *c, bool alike, double ddof,
                               bool root, heddle_type type, void *out, bool *few) {
  const double most = type == HEDDLE_F64 ? DBL_MAX : type == HEDDLE_F32 ? (double)FLT_MAX : 0;
  const size_t results = m->l->results;
  bool fine = true;
  c->variance = malloc(results * (sizeof *c->variance + sizeof *c->count));
  if (!c->variance) return HEDDLE_OUT_OF_MEMORY;
  c->count = (uint64_t *)(void *)(c->variance + results);
  if (alike) c->counted = count_alike(m->l, c->count);
  heddle_status status = masked_each(m, variances_of_rows, c);
  for (size_t i = 0; status == HEDDLE_OK && i < results; i++) {
    const double n = (double)c->count[i], divisor = n - ddof;
    const double v = divided(c->variance[i], n, divisor);
    c->variance[i] = root ? sqrt(v) : v;
    if (!(divisor > 0))
      *few = true;
    else
      fine = fine && c->variance[i] <= most;
  }
  if (status == HEDDLE_OK && *few && !fine) status = HEDDLE_BAD_ARGUMENT;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, c->variance, type, out, results);
  free(c->variance);
  return status;
}

heddle_status moments_masked_variances(heddle_context *ctx, const struct lines *l, double ddof,
                                       bool root, bool skip, heddle_type type, void *out,
                                       bool *few) {
  const double none = (double)NAN;
  struct masked m = {.l = l, .type = l->a.is_float ? l->a.type : HEDDLE_F64, .without_nan = true};
  struct descriptions d = {ctx, m.type, HEDDLE_OPTIONS_INIT, NULL, NULL};
  heddle_status status = heddle_convert(HEDDLE_F64, &none, m.type, &m.fill, 1);
  if (status != HEDDLE_OK) return status;
  d.options.figures = HEDDLE_FIGURES_VARIANCE;
  d.options.nan = HEDDLE_NAN_SKIP;
  struct counted c = {ctx, m.type, d.options, NULL, NULL, false};
  const bool many = moments_are_short(l);
  m.mask = skip && !many ? MASKED_UNSEEN : MASKED_WITH_NAN;
  if (many) status = by_counts(&m, &c, !skip, ddof, root, type, out, few);
  if (!many || (m.found_infinite && (skip || !m.found_nan)))
    *few = false, status = by_figures(&m, &d, ddof, root, type, out);
  return status == HEDDLE_OK && !skip && m.found_nan ? HEDDLE_BAD_ARGUMENT : status;
}
