/* merge.c - heddle_state_merge and heddle_state_info: two states as one, and what a state is of
 *
 * Method   Both are brought to the form that every back end takes, so that their contexts may be of different devices;
 *          `into` then begins anew with what both held. */
#include <stdio.h>

#include "firsts.h"
#include "rounds.h"
#include "saved.h"
#include "weighed.h"

static const char entry[] = "heddle_state_merge";

/* ---- two jobs that are one --------------------------------------------------------------------- */

static heddle_status differ(const char *what, const char *into, const char *from) {
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `into` has %s %s and `from` %s; both have to be of the same call with the same "
      "types and options",
      entry, what, into, from);
}

static heddle_status differ_numbers(const char *what, f64 into, f64 from) {
  char a[32], b[32];
  snprintf(a, sizeof a, "%.17g", into);
  snprintf(b, sizeof b, "%.17g", from);
  return differ(what, a, b);
}

static const char *verb_name(const struct hd_fold *fold) {
  static const char *const names[] = {[HD_REDUCE] = "reduce",
                                      [HD_ARGREDUCE] = "argreduce",
                                      [HD_DOT] = "dot",
                                      [HD_DESCRIBE] = "describe"};
  return names[fold->verb];
}

static const char *op_name(const struct hd_fold *fold) {
  return fold->op == HEDDLE_OP_CUSTOM ? "a custom one" : hd_op_name(fold->op);
}

static heddle_status check_init(const struct hd_fold *a, const struct hd_fold *b) {
  if (!a->init != !b->init)
    return differ("init", a->init ? "given" : "none", b->init ? "given" : "none");
  if (!a->init || memcmp(a->init, b->init, hd_fold_result_bytes(a)) == 0) return HEDDLE_OK;
  return differ("init", "one value", "another");
}

static heddle_status check_custom(const heddle_custom *a, const heddle_custom *b) {
  if (!a || !b) return HEDDLE_OK;
  if (a->element_bytes != b->element_bytes)
    return differ_numbers("elements of bytes", (f64)a->element_bytes, (f64)b->element_bytes);
  if (!a->commutative != !b->commutative)
    return differ("an operator that is", a->commutative ? "commutative" : "not commutative",
                  b->commutative ? "commutative" : "not commutative");
  return HEDDLE_OK;
}

static heddle_status check_folds(const struct hd_fold *a, const struct hd_fold *b) {
  if (a->verb != b->verb) return differ("verb", verb_name(a), verb_name(b));
  if (a->op != b->op) return differ("operator", op_name(a), op_name(b));
  if (a->type != b->type)
    return differ("type", heddle_type_name(a->type), heddle_type_name(b->type));
  if (a->acc_type != b->acc_type)
    return differ("acc_type", heddle_type_name(a->acc_type), heddle_type_name(b->acc_type));
  if (a->out_type != b->out_type)
    return differ("out_type", heddle_type_name(a->out_type), heddle_type_name(b->out_type));
  if (a->nan != b->nan)
    return differ("nan", a->nan ? "HEDDLE_NAN_SKIP" : "HEDDLE_NAN_PROPAGATE",
                  b->nan ? "HEDDLE_NAN_SKIP" : "HEDDLE_NAN_PROPAGATE");
  if (a->exact != b->exact) return differ_numbers("exact", a->exact, b->exact);
  if (a->verb == HD_DESCRIBE && a->figures != b->figures)
    return differ_numbers("figures", a->figures, b->figures);
  if (memcmp(&a->divisor, &b->divisor, sizeof a->divisor) != 0)
    return differ_numbers("divisor", a->divisor, b->divisor);
  HD_TRY(check_custom(a->custom, b->custom));
  return check_init(a, b);
}

static heddle_status check_bins(const heddle_state *into, const heddle_state *from) {
  const struct hd_histogram *a = &into->histogram, *b = &from->histogram;
  if (a->type != b->type)
    return differ("type", heddle_type_name(a->type), heddle_type_name(b->type));
  if (a->channels != b->channels)
    return differ_numbers("channels", (f64)a->channels, (f64)b->channels);
  if (a->weights_type != b->weights_type)
    return differ("weights_type", heddle_type_name(a->weights_type),
                  heddle_type_name(b->weights_type));
  if (a->exact != b->exact) return differ_numbers("exact", a->exact, b->exact);
  if (a->weights_type && !a->exact && a->weight_exponent != b->weight_exponent)
    return differ_numbers("weight_exponent", a->weight_exponent, b->weight_exponent);
  if (a->bins.kind != b->bins.kind)
    return differ_numbers("bins of kind", a->bins.kind, b->bins.kind);
  if (a->bins.count != b->bins.count)
    return differ_numbers("so many bins:", (f64)a->bins.count, (f64)b->bins.count);
  if (into->edges) {
    for (size_t i = 0; i <= a->bins.count; i++)
      if (into->edges[i] != from->edges[i])
        return differ_numbers("an edge at", into->edges[i], from->edges[i]);
    return HEDDLE_OK;
  }
  if (a->bins.kind == HEDDLE_BINS_INTEGER && a->bins.first != b->bins.first)
    return differ_numbers("a first bin for", (f64)a->bins.first, (f64)b->bins.first);
  if (a->bins.kind == HEDDLE_BINS_INTEGER) return HEDDLE_OK;
  if (a->bins.lo != b->bins.lo) return differ_numbers("lo", a->bins.lo, b->bins.lo);
  return a->bins.hi == b->bins.hi ? HEDDLE_OK : differ_numbers("hi", a->bins.hi, b->bins.hi);
}

/* ---- merging ----------------------------------------------------------------------------------- */

static heddle_status too_many(u64 a, u64 b) {
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `into` has %llu elements and `from` %llu, together more than 2^64 - 1", entry,
                 (unsigned long long)a, (unsigned long long)b);
}

static heddle_status check_neighbours(const struct hd_fold_state *into,
                                      const struct hd_fold_state *from) {
  if (hd_fold_form_of(&into->fold).order_free || !into->count || !from->count) return HEDDLE_OK;
  if (into->end == from->start || from->end == into->start) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `into` holds elements %llu to %llu and `from` %llu to %llu, which do not meet; "
      "merge neighbours, and set options->start of pieces that do not begin the array",
      entry, (unsigned long long)into->start, (unsigned long long)into->end - 1,
      (unsigned long long)from->start, (unsigned long long)from->end - 1);
}

/* *left gains *right, and `into` holds it. */
static heddle_status install_both(heddle_state *into, struct hd_piece *left,
                                  const struct hd_piece *right) {
  left->fold = &into->fold.fold; /* whose context it is */
  HD_TRY(hd_piece_append(into->ctx, left, right));
  return hd_fold_state_install(into->ctx, &into->fold, left);
}

static heddle_status merge_folds(heddle_state *into, heddle_state *from) {
  struct hd_piece a, b;
  void *a_memory, *b_memory;
  HD_TRY(check_neighbours(&into->fold, &from->fold));
  if (!from->fold.count) return HEDDLE_OK;
  HD_TRY(hd_fold_state_piece(from->ctx, &from->fold, &b, &b_memory));
  heddle_status status = hd_fold_state_piece(into->ctx, &into->fold, &a, &a_memory);
  if (!status) {
    const bool first = !a.count || b.end == a.start; /* `from` comes first */
    status = a.form.order_free || !first ? install_both(into, &a, &b)
             : a.count                   ? install_both(into, &b, &a)
                                         : hd_fold_state_install(into->ctx, &into->fold, &b);
    hd_fold_state_piece_end(into->ctx, &into->fold, a_memory);
  }
  hd_fold_state_piece_end(from->ctx, &from->fold, b_memory);
  return status;
}

static heddle_status merge_exact(heddle_state *into, heddle_state *from) {
  struct hd_fold_state *s = &into->fold;
  const struct hd_fold_state *f = &from->fold;
  struct hd_exact sum;
  HD_TRY(from->ctx->backend->exact_export(f->inner, &sum));
  HD_TRY(into->ctx->backend->exact_add(s->inner, &sum));
  if (!f->count) return HEDDLE_OK;
  s->start = !s->count || f->start < s->start ? f->start : s->start;
  s->end = !s->count || f->end > s->end ? f->end : s->end;
  s->count += f->count;
  return HEDDLE_OK;
}

static heddle_status merge_histograms(heddle_state *into, heddle_state *from) {
  const size_t counters = (size_t)hd_saved_counters(&into->histogram);
  const size_t sum = hd_histogram_sum_bytes(&into->histogram);
  const size_t bytes = counters * (sizeof(u64) + sum);
  u64 seen, *counts = hd_allocate(into->ctx, bytes);
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  void *const sums = sum ? counts + counters : NULL;
  heddle_status status = from->ctx->backend->histogram_export(from->inner, &seen, counts, sums);
  if (!status) {
    status = into->ctx->backend->histogram_add(into->inner, seen, counts, sums);
    into->failed = status != HEDDLE_OK; /* some of it may be there */
  }
  if (!status) into->count += seen;
  hd_release(into->ctx, counts, bytes);
  return status;
}

static heddle_status merge(heddle_state *into, heddle_state *from) {
  if (into->rounds) return hd_rounds_merge(entry, into->rounds, from->rounds);
  if (into->firsts) return hd_firsts_merge(entry, into->ctx, into->firsts, from->firsts);
  if (into->weighed) return hd_weighed_merge(entry, into->ctx, into->weighed, from->weighed);
  const bool histogram = into->kind == HD_STATE_HISTOGRAM;
  const u64 a = histogram ? into->count : into->fold.count;
  const u64 b = histogram ? from->count : from->fold.count;
  if (b > HD_U64_MAX - a) return too_many(a, b);
  if (histogram) return merge_histograms(into, from);
  return into->fold.fold.exact ? merge_exact(into, from) : merge_folds(into, from);
}

static const char *kind_name(const heddle_state *state) {
  if (state->kind == HD_STATE_QUANTILES) return state->rounds->ranked ? "ranks" : "quantiles";
  if (state->kind == HD_STATE_FIRSTS) return "first elements";
  if (state->kind == HD_STATE_WEIGHED) return "quantiles by weights";
  return state->kind == HD_STATE_HISTOGRAM ? "a histogram" : "a fold";
}

static heddle_status check_kinds(const heddle_state *into, const heddle_state *from) {
  if (into->kind == HD_STATE_SCAN || from->kind == HD_STATE_SCAN)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `%s` is the state of a scan, whose outputs are written already; merge states of "
        "heddle_reduce_begin, and let the scan begin with one as options->prefix",
        entry, into->kind == HD_STATE_SCAN ? "into" : "from");
  if (into->kind != from->kind) return differ("the state of", kind_name(into), kind_name(from));
  if (into->rounds && into->rounds->ranked != from->rounds->ranked)
    return differ("the state of", kind_name(into), kind_name(from));
  /* their own merges check the rest */
  if (into->rounds || into->firsts || into->weighed) return HEDDLE_OK;
  if (into->kind == HD_STATE_HISTOGRAM) return check_bins(into, from);
  return check_folds(&into->fold.fold, &from->fold.fold);
}

heddle_status heddle_state_merge(heddle_state *into, heddle_state *from) {
  HD_TRY(hd_check_state_bytes(entry, "into", into));
  HD_TRY(hd_check_state_bytes(entry, "from", from));
  if (into == from)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `into` and `from` are one state; to count a piece twice, load it twice",
                   entry);
  HD_TRY(check_kinds(into, from));
  unsigned long saved = hd_float_enter();
  const heddle_status status = merge(into, from);
  hd_float_leave(saved);
  return status;
}

/* ---- what it is of ----------------------------------------------------------------------------- */

static void fold_details(const heddle_state *state, heddle_state_details *d) {
  const struct hd_fold *fold = &state->fold.fold;
  const bool scan = state->kind == HD_STATE_SCAN;
  d->verb = scan ? HEDDLE_SCAN : hd_saved_verb(fold->verb);
  d->op = fold->op, d->type = fold->type, d->exact = fold->exact;
  d->acc_type = fold->acc_type, d->out_type = fold->out_type;
  d->start = scan ? 0 : state->fold.start;
  d->count = scan ? state->count : state->fold.count;
}

heddle_status heddle_state_info(const heddle_state *state, heddle_state_details *out) {
  heddle_state_details d = HEDDLE_STATE_DETAILS_INIT;
  if (!state) return hd_fail(HEDDLE_BAD_ARGUMENT, "heddle_state_info: `state` is NULL");
  HD_TRY(hd_check_size("heddle_state_info", "out", out, sizeof *out));
  if (state->kind == HD_STATE_HISTOGRAM) {
    d.type = state->histogram.type;
    d.count = state->count;
    d.bins = state->histogram.bins.count, d.channels = state->histogram.channels;
    d.weights_type = state->histogram.weights_type;
    d.exact = state->histogram.exact;
  } else if (state->rounds) {
    const struct hd_rounds *r = state->rounds;
    d.type = r->job.type;
    d.count = r->seen;
    d.shares = r->ranked ? 0 : r->q_count, d.ranks = r->ranked ? r->q_count : 0;
    d.passes = r->round, d.whole = r->total;
    d.again = r->what != HD_ROUND_DONE;
  } else if (state->weighed) {
    const struct hd_weighed *w = state->weighed;
    d.type = w->job.type, d.weights_type = w->job.weights_type;
    d.count = w->seen;
    d.shares = w->q_count;
    d.passes = w->round, d.whole = w->total;
    d.again = !w->done;
  } else if (state->firsts) {
    const struct hd_firsts *f = state->firsts;
    d.type = f->sort.type;
    d.start = f->start, d.count = f->count;
    d.first = f->k;
  } else {
    fold_details(state, &d);
  }
  hd_return_sized(out, &d, sizeof d);
  return HEDDLE_OK;
}
