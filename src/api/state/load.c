/* load.c - heddle_state_load: a state from bytes that may be anyone's
 *
 * longer than 400 lines because all kinds but two are read here, each by its own checks
 *
 * Method   What stands before the content is turned into the arguments of the call that begins such a state, which
 *          checks them as it would the caller's; how long the content is follows, and has to be what is there. Nothing
 *          is allocated before. Then the new state is given what was saved. */
#include <stddef.h>
#include <stdio.h>

#include "firsts.h"
#include "rounds.h"
#include "saved.h"

static heddle_status bad(const char *why) {
  return hd_fail(
      HEDDLE_BAD_DATA,
      "heddle_state_load: `from` holds no state that can be loaded: %s; give the bytes that "
      "heddle_state_save wrote",
      why);
}

/* A call that refuses what was saved: its words are kept. */
static heddle_status refused(heddle_status status) {
  char why[512];
  if (status != HEDDLE_BAD_ARGUMENT) return status;
  snprintf(why, sizeof why, "%s", heddle_message());
  return bad(why);
}

/* ---- before the content ------------------------------------------------------------------------ */

static heddle_status check_frame(const void *from, size_t bytes, struct hd_reader *r) {
  u64 sum;
  char why[160];
  *r = (struct hd_reader){from, bytes, false};
  const void *magic = hd_take(r, HD_SAVED_MAGIC_BYTES);
  if (!magic || memcmp(magic, HD_SAVED_MAGIC, HD_SAVED_MAGIC_BYTES) != 0)
    return bad("they do not begin as one");
  const u32 version = hd_get_u32(r), order = hd_get_u32(r);
  if (r->cut || r->left < HD_SAVED_TAIL_BYTES) return bad("they are cut short");
  if (version != HD_SAVED_VERSION || order != HEDDLE_ORDER) {
    snprintf(why, sizeof why,
             "it is of version %u of the form and order v%u, and this library has %d and v%d",
             version, order, (int)HD_SAVED_VERSION, HEDDLE_ORDER);
    return bad(why);
  }
  const size_t body = bytes - HD_SAVED_TAIL_BYTES;
  memcpy(&sum, (const unsigned char *)from + body, sizeof sum);
  if (sum != hd_checksum(from, body))
    return bad("the checksum is not theirs: they were changed or cut");
  r->left -= HD_SAVED_TAIL_BYTES;
  return HEDDLE_OK;
}

struct saved_fold {
  u32 verb, op, type, acc_type, out_type, nan, figures, scan;
  f64 divisor;
  u64 start, end, count;
  u32 element_bytes, commutative, init_bytes;
  const void *init;
};

static heddle_status get_fold(struct hd_reader *r, struct saved_fold *f) {
  f->verb = hd_get_u32(r), f->op = hd_get_u32(r), f->type = hd_get_u32(r);
  f->acc_type = hd_get_u32(r), f->out_type = hd_get_u32(r), f->nan = hd_get_u32(r);
  f->figures = hd_get_u32(r), f->scan = hd_get_u32(r);
  f->divisor = hd_get_f64(r);
  f->start = hd_get_u64(r), f->end = hd_get_u64(r), f->count = hd_get_u64(r);
  f->element_bytes = hd_get_u32(r), f->commutative = hd_get_u32(r), f->init_bytes = hd_get_u32(r);
  (void)hd_get_u32(r);
  f->init = f->init_bytes ? hd_take(r, f->init_bytes) : NULL;
  return r->cut ? bad("they are cut short") : HEDDLE_OK;
}

/* ---- a fold's job ------------------------------------------------------------------------------ */

static heddle_status check_custom(const struct saved_fold *f, const heddle_custom *custom) {
  if (f->op != HEDDLE_OP_CUSTOM) return HEDDLE_OK;
  if (!custom)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "heddle_state_load: the state is of a custom operator on elements of %u bytes; give it "
        "in `options->custom`",
        f->element_bytes);
  HD_TRY(hd_check_size("heddle_state_load", "options->custom", custom, sizeof *custom));
  if (custom->element_bytes == f->element_bytes && (custom->commutative != 0) == f->commutative)
    return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "heddle_state_load: the state is of a %s operator on elements of %u bytes, and "
                 "`options->custom` of a %s one on %zu; give the one it was begun with",
                 f->commutative ? "commutative" : "non-commutative", f->element_bytes,
                 custom->commutative ? "commutative" : "non-commutative", custom->element_bytes);
}

static heddle_status job_with(heddle_context *ctx, const struct saved_fold *f, bool exact,
                              const heddle_options *options, struct hd_fold *fold) {
  const heddle_verb verb = (heddle_verb)f->verb;
  heddle_op op = (heddle_op)f->op;
  HD_TRY(hd_check_verb("heddle_state_load", "verb", verb));
  if (verb == HEDDLE_ARGREDUCE && op != HEDDLE_MIN && op != HEDDLE_MAX)
    return bad("its extreme is none");
  if (verb == HEDDLE_DOT || verb == HEDDLE_DESCRIBE) op = HEDDLE_SUM;
  if (exact != (options->exact != 0)) return bad("it is exact and is not");
  return hd_fold_job("heddle_state_load", ctx, verb, op, (heddle_type)f->type, options, fold);
}

/* Types that a call has of itself need not be asked for. */
static heddle_status make_job(heddle_context *ctx, const struct saved_fold *f, bool exact,
                              const heddle_custom *custom, struct hd_fold *fold) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = (heddle_nan)f->nan;
  options.figures = (heddle_figures)f->figures;
  options.divisor = f->divisor;
  options.exact = exact;
  options.custom = f->op == HEDDLE_OP_CUSTOM ? custom : NULL;
  HD_TRY(check_custom(f, options.custom));
  HD_TRY(refused(job_with(ctx, f, exact, &options, fold)));
  if (fold->acc_type != f->acc_type) options.acc_type = (heddle_type)f->acc_type;
  if (fold->out_type != f->out_type) options.out_type = (heddle_type)f->out_type;
  options.init = f->init;
  HD_TRY(refused(job_with(ctx, f, exact, &options, fold)));
  if (fold->acc_type != f->acc_type || fold->out_type != f->out_type)
    return bad("its types are not those of such a call");
  if (f->init && f->init_bytes != hd_fold_result_bytes(fold))
    return bad("its init has no such size");
  return HEDDLE_OK;
}

/* ---- content ----------------------------------------------------------------------------------- */

/* What any fold of so many elements may be. */
static heddle_status check_totals(const struct hd_piece *piece) {
  const size_t n = hd_piece_totals(piece), bytes = piece->form.bytes;
  for (size_t i = 0; i < n; i++) {
    struct hd_arg_total arg;
    u32 word;
    memcpy(&word, piece->totals + i * bytes, sizeof word);
    if (piece->form.total.kind == HD_TOTAL_BOOL && word > 1)
      return bad("a logical value is neither 0 nor 1");
    if (piece->form.total.kind != HD_TOTAL_ARG) continue;
    memcpy(&arg, piece->totals, sizeof arg);
    if (arg.index != HD_U64_MAX && (arg.index < piece->start || arg.index >= piece->end))
      return bad("a place is not among its elements");
  }
  return HEDDLE_OK;
}

static heddle_status check_extent(const struct hd_fold_form *form, const struct saved_fold *f) {
  const bool ordered = !form->order_free;
  if (f->end < f->start || (ordered && f->end - f->start != f->count))
    return bad("its elements are not as many as their places");
  if (ordered && f->end > HD_U64_MAX - 2 * (u64)form->chunk)
    return bad("its places are beyond any");
  return HEDDLE_OK;
}

static void get_elements(struct hd_reader *r, const struct hd_piece *piece, void *x, void *y,
                         u32 count) {
  const size_t bytes = (size_t)count * piece->form.element_bytes;
  hd_get(r, x, bytes);
  if (y) hd_get(r, y, bytes);
}

/* Sets the piece's extent: how many totals and elements there have to be. */
static void set_extent(struct hd_piece *piece, const struct saved_fold *f) {
  piece->start = f->start, piece->end = f->end, piece->count = f->count;
  if (piece->form.order_free) {
    piece->run = (struct hd_run){0, f->count};
    return;
  }
  const u64 first = piece->run.first, before = first - f->start;
  piece->head = (u32)(f->count < before ? f->count : before);
  piece->tail = (u32)((f->count - piece->head) % piece->form.chunk);
  piece->run.count = f->count - piece->head - piece->tail;
}

static heddle_status get_piece(struct hd_reader *r, const struct saved_fold *f,
                               struct hd_piece *piece) {
  set_extent(piece, f);
  const size_t totals = (size_t)hd_piece_totals(piece) * piece->form.bytes;
  const size_t elements = (size_t)(piece->head + piece->tail) * piece->form.element_bytes;
  if (r->left != totals + elements * (piece->tail_y ? 2 : 1))
    return bad("they are not as many as its elements ask for");
  hd_get(r, piece->totals, totals);
  get_elements(r, piece, piece->head_x, piece->head_y, piece->head);
  get_elements(r, piece, piece->tail_x, piece->tail_y, piece->tail);
  return check_totals(piece);
}

/* ---- the states -------------------------------------------------------------------------------- */

static heddle_status fill_fold(heddle_state *state, struct hd_reader *r,
                               const struct saved_fold *f) {
  const struct hd_fold *fold = &state->fold.fold;
  const size_t bytes = hd_piece_bytes(fold);
  struct hd_piece piece;
  void *memory = hd_allocate(state->ctx, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  hd_piece_begin(&piece, fold, f->start, memory);
  heddle_status status = check_extent(&piece.form, f);
  if (!status) status = get_piece(r, f, &piece);
  if (!status && state->kind == HD_STATE_SCAN)
    status = state->ctx->backend->scan_resume(state->inner, f->count, piece.totals, piece.tail_x);
  else if (!status)
    status = hd_fold_state_install(state->ctx, &state->fold, &piece);
  state->count = f->count;
  hd_release(state->ctx, memory, bytes);
  return status;
}

static heddle_status fill_limbs(heddle_state *state, struct hd_reader *r,
                                const struct saved_fold *f) {
  const struct hd_exact_span span = hd_saved_span(&state->fold.fold);
  struct hd_exact sum;
  memset(&sum, 0, sizeof sum);
  sum.nan = hd_get_u64(r), sum.plus = hd_get_u64(r), sum.minus = hd_get_u64(r);
  for (u32 i = span.first; i + 1 < span.end; i++) sum.limb[i] = hd_get_u32(r);
  sum.limb[span.end - 1] = (i64)hd_get_u64(r);
  if (r->cut || r->left) return bad("they are not as many as its limbs");
  if (sum.limb[span.end - 1] >> 32 != 0 && sum.limb[span.end - 1] >> 32 != -1)
    return bad("its sum is beyond any");
  state->fold.start = f->start, state->fold.end = f->end, state->fold.count = f->count;
  return state->ctx->backend->exact_add(state->fold.inner, &sum);
}

static heddle_status load_fold(heddle_context *ctx, enum hd_saved_kind kind, struct hd_reader *r,
                               const heddle_custom *custom, heddle_state **out) {
  struct saved_fold f;
  struct hd_fold fold;
  HD_TRY(get_fold(r, &f));
  const bool exact = kind == HD_SAVED_EXACT, scan = kind == HD_SAVED_SCAN;
  if (scan != (f.verb == HEDDLE_SCAN)) return bad("its verb is not its kind");
  HD_TRY(make_job(ctx, &f, exact, custom, &fold));
  if (scan) {
    if (f.start) return bad("it is of a scan that does not begin its array");
    HD_TRY(refused(
        hd_state_begin_scan("heddle_state_load", ctx, &fold, (heddle_scan_kind)f.scan, out)));
  } else {
    HD_TRY(hd_state_begin_fold(ctx, &fold, 0, out));
  }
  heddle_status status = exact ? fill_limbs(*out, r, &f) : fill_fold(*out, r, &f);
  if (!status) return HEDDLE_OK;
  heddle_state_free(*out);
  *out = NULL;
  return status;
}

/* ---- histograms -------------------------------------------------------------------------------- */

struct saved_histogram {
  heddle_bins bins;
  heddle_histogram_options options;
  u32 type;
  u64 seen;
};

static heddle_status get_histogram(struct hd_reader *r, struct saved_histogram *h) {
  static const heddle_bins no_bins = HEDDLE_BINS_INIT;
  static const heddle_histogram_options no_options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  h->bins = no_bins, h->options = no_options;
  h->type = hd_get_u32(r);
  h->options.channels = hd_get_u32(r);
  h->options.weights_type = (heddle_type)hd_get_u32(r);
  h->bins.kind = (heddle_binning)hd_get_u32(r);
  h->options.weight_exponent = (int)hd_get_u32(r);
  h->options.exact = (int)hd_get_u32(r);
  const u64 bins = hd_get_u64(r);
  h->bins.lo = hd_get_f64(r), h->bins.hi = hd_get_f64(r);
  h->bins.first = (i64)hd_get_u64(r);
  h->seen = hd_get_u64(r);
  if (bins > r->left / sizeof(u64)) return bad("they are fewer than its bins"); /* a counter each */
  h->bins.count = (size_t)bins;
  return r->cut ? bad("they are cut short") : HEDDLE_OK;
}

/* Copies that are aligned; every element was counted once. */
static heddle_status check_counts(const struct hd_histogram *job, const u64 *counts, u64 seen) {
  const u64 counters = hd_saved_counters(job);
  u64 sum[4] = {0};
  if (seen % job->channels) return bad("its elements are no whole groups");
  for (u64 i = 0; i < counters; i++) {
    u64 *channel = &sum[i % job->channels];
    if (counts[i] > seen - *channel) return bad("its counts are more than its elements");
    *channel += counts[i];
  }
  for (size_t c = 0; c < job->channels; c++)
    if (sum[c] != seen / job->channels) return bad("its counts are not its elements");
  return HEDDLE_OK;
}

/* Sums of weights are what back ends may export. */
static heddle_status check_sums(const struct hd_histogram *job, const unsigned char *sums) {
  const u32 known = HD_MARK_PLUS | HD_MARK_MINUS | HD_MARK_NAN;
  const size_t counters = (size_t)hd_saved_counters(job), bytes = hd_histogram_sum_bytes(job);
  for (size_t i = 0; i < counters && bytes; i++) {
    const unsigned char *at = sums + i * bytes;
    struct hd_weight_total total;
    u32 marks;
    i64 last;
    memcpy(&marks, at, sizeof marks);
    memcpy(&last, at + bytes - sizeof last, sizeof last);
    if (!job->exact) memcpy(&total, at, sizeof total);
    if (!job->exact && ((total.marks & ~known) || total.zero)) return bad("a sum has no such mark");
    if (job->exact && ((marks & ~known) || (last >> 32 != 0 && last >> 32 != -1)))
      return bad("a sum is beyond any");
  }
  return HEDDLE_OK;
}

static heddle_status fill_tables(heddle_state *state, struct hd_reader *r, u64 seen) {
  const size_t counters = (size_t)hd_saved_counters(&state->histogram), bytes = r->left;
  u64 *counts = hd_allocate(state->ctx, bytes);
  if (!counts) return HEDDLE_OUT_OF_MEMORY;
  void *const sums = hd_histogram_sum_bytes(&state->histogram) ? counts + counters : NULL;
  hd_get(r, counts, bytes);
  heddle_status status = check_counts(&state->histogram, counts, seen);
  if (!status) status = check_sums(&state->histogram, sums);
  if (!status) status = state->ctx->backend->histogram_add(state->inner, seen, counts, sums);
  state->count = seen;
  hd_release(state->ctx, counts, bytes);
  return status;
}

static heddle_status begin_histogram(heddle_context *ctx, struct saved_histogram *h,
                                     struct hd_reader *r, heddle_state **out) {
  const bool edges = h->bins.kind == HEDDLE_BINS_EDGES;
  const size_t bytes = edges ? (h->bins.count + 1) * sizeof(f64) : 0;
  const void *given = hd_take(r, bytes);
  if (!given) return bad("they are cut short");
  f64 *aligned = edges ? hd_allocate(ctx, bytes) : NULL;
  if (edges && !aligned) return HEDDLE_OUT_OF_MEMORY;
  if (edges) h->bins.edges = memcpy(aligned, given, bytes);
  heddle_status status =
      heddle_histogram_begin(ctx, (heddle_type)h->type, &h->bins, &h->options, out);
  hd_release(ctx, aligned, bytes);
  return refused(status);
}

/* Whether there are as many counters and sums as such bins have. */
static bool is_whole(const struct saved_histogram *h, const struct hd_reader *r) {
  const struct hd_histogram job = {.weights_type = h->options.weights_type,
                                   .exact = h->options.exact != 0};
  const size_t edges = h->bins.kind == HEDDLE_BINS_EDGES ? (h->bins.count + 1) * sizeof(f64) : 0;
  const size_t counters = (h->bins.count + HD_EXTRA_SLOTS) * h->options.channels;
  return r->left == edges + counters * (sizeof(u64) + hd_histogram_sum_bytes(&job));
}

static heddle_status load_histogram(heddle_context *ctx, struct hd_reader *r, heddle_state **out) {
  struct saved_histogram h;
  HD_TRY(get_histogram(r, &h));
  if (h.options.channels < 1 || h.options.channels > 4) return bad("it has no such channels");
  if (!is_whole(&h, r)) return bad("they are not as many as its counters ask for");
  HD_TRY(begin_histogram(ctx, &h, r, out));
  const bool same = (*out)->histogram.exact == (h.options.exact != 0);
  heddle_status status = same ? fill_tables(*out, r, h.seen) : bad("such sums are always exact");
  if (!status) return HEDDLE_OK;
  heddle_state_free(*out);
  *out = NULL;
  return status;
}

static heddle_status load_ranked(heddle_context *ctx, struct hd_reader *r, bool firsts,
                                 heddle_state **out) {
  heddle_status status;
  const char *why =
      firsts ? hd_firsts_get(ctx, r, out, &status) : hd_rounds_get(ctx, r, out, &status);
  if (!why && !status) return HEDDLE_OK;
  heddle_state_free(*out);
  *out = NULL;
  return why ? bad(why) : refused(status);
}

/* ---- the entry --------------------------------------------------------------------------------- */

static heddle_status load(heddle_context *ctx, const void *from, size_t bytes,
                          const heddle_custom *custom, heddle_state **out) {
  struct hd_reader r;
  HD_TRY(check_frame(from, bytes, &r));
  const u32 kind = hd_get_u32(&r);
  (void)hd_get_u32(&r);
  switch (kind) {
  case HD_SAVED_FOLD:
  case HD_SAVED_EXACT:
  case HD_SAVED_SCAN: return load_fold(ctx, (enum hd_saved_kind)kind, &r, custom, out);
  case HD_SAVED_HISTOGRAM: return load_histogram(ctx, &r, out);
  case HD_SAVED_QUANTILES:
  case HD_SAVED_FIRSTS: return load_ranked(ctx, &r, kind == HD_SAVED_FIRSTS, out);
  default: return bad("it is of no kind that this library knows");
  }
}

heddle_status heddle_state_load(heddle_context *ctx, const void *from, size_t bytes,
                                const heddle_options *options, heddle_state **out) {
  const char *entry = "heddle_state_load";
  const heddle_custom *custom = NULL;
  heddle_state *state = NULL;
  HD_TRY(hd_check_context(entry, ctx));
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  HD_TRY(hd_check_array(entry, "from", from, bytes, 1));
  if (options) HD_TRY(hd_check_size(entry, "options", options, sizeof *options));
  if (options && options->size > offsetof(heddle_options, custom)) custom = options->custom;
  if (ctx->preparing)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: the context is being prepared; load after "
                   "heddle_prepare_end",
                   entry);
  unsigned long saved = hd_float_enter();
  const heddle_status status = load(ctx, from, bytes, custom, &state);
  hd_float_leave(saved);
  if (!status) *out = state;
  return status;
}
