/* load.c - heddle_state_load: a state from bytes that may be anyone's
 *
 * Method   What stands before the content is turned into the arguments of the call that begins such a state, which
 *          checks them as it would the caller's; how long the content is follows, and has to be what is there. Nothing
 *          is allocated before. Then the new state is given what was saved. */
#include <stddef.h>
#include <stdio.h>

#include "firsts.h"
#include "rounds.h"
#include "saved.h"
#include "weighed.h"

heddle_status hd_saved_bad(const char *why) {
  return hd_fail(
      HEDDLE_BAD_DATA,
      "heddle_state_load: `from` holds no state that can be loaded: %s; give the bytes that "
      "heddle_state_save wrote",
      why);
}

heddle_status hd_saved_refused(heddle_status status) {
  char why[512];
  if (status != HEDDLE_BAD_ARGUMENT) return status;
  snprintf(why, sizeof why, "%s", heddle_message());
  return hd_saved_bad(why);
}

/* ---- before the content ------------------------------------------------------------------------ */

static heddle_status check_frame(const void *from, size_t bytes, struct hd_reader *r) {
  u64 sum;
  char why[160];
  *r = (struct hd_reader){from, bytes, false};
  const void *magic = hd_take(r, HD_SAVED_MAGIC_BYTES);
  if (!magic || memcmp(magic, HD_SAVED_MAGIC, HD_SAVED_MAGIC_BYTES) != 0)
    return hd_saved_bad("they do not begin as one");
  const u32 version = hd_get_u32(r), order = hd_get_u32(r);
  if (r->cut || r->left < HD_SAVED_TAIL_BYTES) return hd_saved_bad("they are cut short");
  if (version != HD_SAVED_VERSION || order != HEDDLE_ORDER) {
    snprintf(why, sizeof why,
             "it is of version %u of the form and order v%u, and this library has %d and v%d",
             version, order, (int)HD_SAVED_VERSION, HEDDLE_ORDER);
    return hd_saved_bad(why);
  }
  const size_t body = bytes - HD_SAVED_TAIL_BYTES;
  memcpy(&sum, (const unsigned char *)from + body, sizeof sum);
  if (sum != hd_checksum(from, body))
    return hd_saved_bad("the checksum is not theirs: they were changed or cut");
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
  return r->cut ? hd_saved_bad("they are cut short") : HEDDLE_OK;
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
    return hd_saved_bad("its extreme is none");
  if (verb == HEDDLE_DOT || verb == HEDDLE_DESCRIBE) op = HEDDLE_SUM;
  if (exact != (options->exact != 0)) return hd_saved_bad("it is exact and is not");
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
  HD_TRY(hd_saved_refused(job_with(ctx, f, exact, &options, fold)));
  if (fold->acc_type != f->acc_type) { /* what the result's type follows from */
    options.acc_type = (heddle_type)f->acc_type;
    HD_TRY(hd_saved_refused(job_with(ctx, f, exact, &options, fold)));
  }
  if (fold->out_type != f->out_type) options.out_type = (heddle_type)f->out_type;
  options.init = f->init;
  HD_TRY(hd_saved_refused(job_with(ctx, f, exact, &options, fold)));
  if (fold->acc_type != f->acc_type || fold->out_type != f->out_type)
    return hd_saved_bad("its types are not those of such a call");
  if (f->init && f->init_bytes != hd_fold_result_bytes(fold))
    return hd_saved_bad("its init has no such size");
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
      return hd_saved_bad("a logical value is neither 0 nor 1");
    if (piece->form.total.kind != HD_TOTAL_ARG) continue;
    memcpy(&arg, piece->totals + i * bytes, sizeof arg);
    if (arg.index != HD_U64_MAX && (arg.index < piece->start || arg.index >= piece->end))
      return hd_saved_bad("a place is not among its elements");
  }
  return HEDDLE_OK;
}

static heddle_status check_extent(const struct hd_fold_form *form, const struct saved_fold *f) {
  const bool ordered = !form->order_free;
  if (f->end < f->start || (ordered && f->end - f->start != f->count))
    return hd_saved_bad("its elements are not as many as their places");
  if (ordered && f->end > HD_U64_MAX - 2 * (u64)form->chunk)
    return hd_saved_bad("its places are beyond any");
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
    return hd_saved_bad("they are not as many as its elements ask for");
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
  if (r->cut || r->left) return hd_saved_bad("they are not as many as its limbs");
  if (sum.limb[span.end - 1] >> 32 != 0 && sum.limb[span.end - 1] >> 32 != -1)
    return hd_saved_bad("its sum is beyond any");
  state->fold.start = f->start, state->fold.end = f->end, state->fold.count = f->count;
  return state->ctx->backend->exact_add(state->fold.inner, &sum);
}

static heddle_status load_fold(heddle_context *ctx, enum hd_saved_kind kind, struct hd_reader *r,
                               const heddle_custom *custom, heddle_state **out) {
  struct saved_fold f;
  struct hd_fold fold;
  HD_TRY(get_fold(r, &f));
  const bool exact = kind == HD_SAVED_EXACT, scan = kind == HD_SAVED_SCAN;
  if (scan != (f.verb == HEDDLE_SCAN)) return hd_saved_bad("its verb is not its kind");
  HD_TRY(make_job(ctx, &f, exact, custom, &fold));
  if (scan) {
    if (f.start) return hd_saved_bad("it is of a scan that does not begin its array");
    HD_TRY(hd_saved_refused(
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

/* ---- by counts and ranks ---------------------------------------------------------------------- */

static heddle_status load_ranked(heddle_context *ctx, struct hd_reader *r, enum hd_saved_kind kind,
                                 heddle_state **out) {
  heddle_status status;
  const char *why = kind == HD_SAVED_FIRSTS    ? hd_firsts_get(ctx, r, out, &status)
                    : kind == HD_SAVED_WEIGHED ? hd_weighed_get(ctx, r, out, &status)
                                               : hd_rounds_get(ctx, r, out, &status);
  if (!why && !status) return HEDDLE_OK;
  heddle_state_free(*out);
  *out = NULL;
  return why ? hd_saved_bad(why) : hd_saved_refused(status);
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
  case HD_SAVED_HISTOGRAM: return hd_saved_histogram(ctx, &r, out);
  case HD_SAVED_QUANTILES:
  case HD_SAVED_FIRSTS:
  case HD_SAVED_WEIGHED: return load_ranked(ctx, &r, (enum hd_saved_kind)kind, out);
  default: return hd_saved_bad("it is of no kind that this library knows");
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
