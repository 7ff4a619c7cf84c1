/* reference_verbs.c - reduce, scan, dot and argreduce in the words of reference.h
 *
 * Result    what the library must give, status included
 * Method    elements become accumulators (NaN that are skipped become the identity), the
 *           order folds them, init enters from the left, one rounding ends it */
#include "data.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const heddle_options defaults = HEDDLE_OPTIONS_INIT;

static int is_sum(heddle_op op) { return op == HEDDLE_SUM || op == HEDDLE_SUM_SQUARES; }
static int is_arithmetic(heddle_op op) { return ref_class_of(op) == REF_ARITHMETIC; }
static int is_logical(heddle_op op) { return ref_class_of(op) == REF_LOGICAL; }

heddle_type ref_acc_type(heddle_op op, heddle_type type, const heddle_options *options) {
  if (is_logical(op)) return HEDDLE_U8;
  if (type == HEDDLE_F16 || type == HEDDLE_BF16)
    return is_arithmetic(op) && options && options->acc_type == HEDDLE_F64 ? HEDDLE_F64
                                                                           : HEDDLE_F32;
  if (!is_arithmetic(op)) return type;
  if (!ref_is_float(type)) return ref_is_signed(type) ? HEDDLE_I64 : HEDDLE_U64;
  if (type == HEDDLE_F64 || (options && options->acc_type == HEDDLE_F64)) return HEDDLE_F64;
  return HEDDLE_F32;
}

heddle_type ref_out_type(heddle_op op, heddle_type type, const heddle_options *options) {
  if (options && options->out_type) return options->out_type;
  if (!is_arithmetic(op) && !is_logical(op)) return type;
  return ref_acc_type(op, type, options);
}

typedef struct job {
  heddle_op op;
  heddle_type type, acc, out;
  const heddle_options *options;
} job;

static void apply(void *acc, const void *x, const void *user) {
  const job *j = user;
  ref_value a, b;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, x, sizeof b);
  a = ref_apply(j->op, j->acc, a, b);
  memcpy(acc, &a, sizeof a);
}

static ref_order order_of(const job *j) {
  const size_t bytes = data_size(j->acc);
  return (ref_order){sizeof(ref_value), 512 / bytes, 0, apply, NULL, j};
}

static int is_true(heddle_type type, ref_value v) {
  return ref_is_float(type) ? v.f != 0.0 : v.u != 0; /* NaN is not equal to zero: true */
}

static ref_value element(const job *j, const void *in, size_t i) {
  ref_value v = ref_load(j->type, in, i);
  const int nan = ref_is_float(j->type) && isnan(v.f);
  if (nan && j->options->nan == HEDDLE_NAN_SKIP) return ref_identity(j->op, j->acc);
  if (is_logical(j->op)) return (ref_value){0, (uint64_t)is_true(j->type, v)};
  return j->op == HEDDLE_SUM_SQUARES ? ref_apply(HEDDLE_PROD, j->acc, v, v) : v;
}

static ref_value *elements(const job *j, const void *in, size_t count) {
  ref_value *x = malloc(count * sizeof *x + 1);
  if (!x) abort();
  for (size_t i = 0; i < count; i++) x[i] = element(j, in, i);
  return x;
}

/* The first operand, when there is one: one element of the output's type. */
static ref_value with_init(const job *j, ref_value total) {
  if (!j->options->init) return total;
  const ref_value given = ref_load(j->out, j->options->init, 0);
  unsigned char word[8];
  ref_store(j->out, given, j->acc, word, 0);
  ref_value init = ref_load(j->acc, word, 0);
  if (is_logical(j->op)) init.u = (uint64_t)is_true(j->out, given);
  return ref_apply(j->op, j->acc, init, total);
}

/* What no elements give: sum is +0.0, although the identity inside is -0.0 (rule 7). */
static ref_value nothing(const job *j) {
  if (is_sum(j->op) && !j->options->init) return (ref_value){0.0, 0};
  return ref_identity(j->op, j->acc);
}

static int has_a_value(const job *j, const void *in, size_t count) {
  if (j->options->nan != HEDDLE_NAN_SKIP || !ref_is_float(j->type)) return count > 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(ref_load(j->type, in, i).f)) return 1;
  return 0;
}

static heddle_status fold(const job *j, const ref_value *x, size_t count, void *out) {
  ref_value total = nothing(j);
  const ref_order order = order_of(j);
  if (count) ref_fold(&order, x, count, &total);
  ref_store(j->acc, with_init(j, total), j->out, out, 0);
  return HEDDLE_OK;
}

heddle_status ref_reduce(heddle_op op, heddle_type type, const void *in, size_t count, void *out,
                         const heddle_options *options) {
  if (!options) options = &defaults;
  if (!ref_reduces(op, type)) return HEDDLE_UNSUPPORTED;
  const job j = {op, type, ref_acc_type(op, type, options), ref_out_type(op, type, options),
                 options};
  const int picks = ref_class_of(op) == REF_MINMAX;
  if (picks && !options->init && !has_a_value(&j, in, count)) return HEDDLE_EMPTY;
  ref_value *x = elements(&j, in, count);
  const heddle_status status = fold(&j, x, count, out);
  free(x);
  return status;
}

heddle_status ref_scan(heddle_op op, heddle_scan_kind kind, heddle_type type, const void *in,
                       size_t count, void *out, const heddle_options *options) {
  if (!options) options = &defaults;
  if (!ref_scans(op, type)) return HEDDLE_UNSUPPORTED;
  const job j = {op, type, ref_acc_type(op, type, options),
                 options->out_type ? options->out_type : type, options};
  const ref_order order = order_of(&j);
  ref_value *x = elements(&j, in, count);
  ref_value *totals = malloc(count * sizeof *totals + 1);
  if (!totals) abort();
  ref_running(&order, x, count, totals);
  const size_t moved = kind == HEDDLE_EXCLUSIVE;
  for (size_t i = 0; i < count; i++) {
    const ref_value v = i < moved ? nothing(&j) : totals[i - moved];
    ref_store(j.acc, with_init(&j, v), j.out, out, i);
  }
  free(totals);
  free(x);
  return HEDDLE_OK;
}

heddle_status ref_dot(heddle_type type, const void *x, const void *y, size_t count, void *out,
                      const heddle_options *options) {
  if (!options) options = &defaults;
  const heddle_type acc = ref_acc_type(HEDDLE_SUM, type, options);
  const job j = {HEDDLE_SUM, type, acc, options->out_type ? options->out_type : acc, options};
  ref_value *products = malloc(count * sizeof *products + 1);
  if (!products) abort();
  for (size_t i = 0; i < count; i++) {
    products[i] = ref_apply(HEDDLE_PROD, acc, ref_load(type, x, i), ref_load(type, y, i));
    if (options->nan == HEDDLE_NAN_SKIP && isnan(products[i].f)) products[i].f = -0.0;
  }
  const heddle_status status = fold(&j, products, count, out);
  free(products);
  return status;
}

heddle_status ref_argreduce(heddle_extreme which, heddle_type type, const void *in, size_t count,
                            void *value, uint64_t *index, const heddle_options *options) {
  const int skip = options && options->nan == HEDDLE_NAN_SKIP;
  size_t best = count;
  ref_value b = {0, 0};
  for (size_t i = 0; i < count; i++) {
    const ref_value v = ref_load(type, in, i);
    if (ref_is_float(type) && isnan(v.f)) {
      if (skip) continue;
      best = i;
      break;
    }
    if (best == count) {
      best = i;
      b = v;
      continue;
    }
    int less = ref_is_float(type) ? v.f < b.f : v.u < b.u;
    int more = ref_is_float(type) ? v.f > b.f : v.u > b.u;
    if (ref_is_signed(type)) {
      less = (int64_t)v.u < (int64_t)b.u;
      more = (int64_t)v.u > (int64_t)b.u;
    }
    if (which == HEDDLE_ARGMIN ? !less : !more) continue;
    best = i;
    b = v;
  }
  if (best == count) return HEDDLE_EMPTY;
  if (value) data_put(type, value, 0, data_bits(type, in, best)); /* a NaN as it is */
  *index = best;
  return HEDDLE_OK;
}
