/* quantiles.c - quantiles, and elements of given ranks, of data that come in pieces: the entries
 *
 * Method   state/rounds.h. A CPU counts by its back end, with threads. Of a device the keys are counted here, on the
 *          calling thread; an array of the device's is copied to the host piece by piece. */
#include "api/rank/rank.h"
#include "rounds.h"
#include "weighed.h"

enum { PIECE = 1 << 16 }; /* elements that are copied, or counted between polls */

/* ---- beginning --------------------------------------------------------------------------------- */

/* `what`: shares or ranks, numbers of 8 bytes. */
static heddle_status check_begin(const char *entry, heddle_context *ctx, const char *what,
                                 const void *asked, size_t count, heddle_state **out) {
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  if (count > HD_ROUND_SHARES_MOST)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: %zu of `%s` are asked for; a state has at most %d",
                   entry, count, what, (int)HD_ROUND_SHARES_MOST);
  HD_TRY(hd_check_wanted(entry, ctx, what, asked, count, sizeof(u64)));
  if (!ctx->preparing) return HEDDLE_OK;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: `ctx` is being prepared, but what a pass is for follows from data; call it "
                 "before heddle_prepare_begin or after heddle_prepare_end",
                 entry);
}

static heddle_status begin(heddle_context *ctx, const struct hd_quantiles *job, bool ranked,
                           const void *asked, size_t count, heddle_state **out) {
  heddle_state *state;
  HD_TRY(hd_state_new(ctx, HD_STATE_QUANTILES, &state));
  const heddle_status status = hd_rounds_begin(ctx, job, ranked, asked, count, &state->rounds);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

heddle_status heddle_quantiles_begin(heddle_context *ctx, heddle_type type, const double *q,
                                     size_t q_count, const heddle_quantile_options *options,
                                     heddle_state **out) {
  static const char entry[] = "heddle_quantiles_begin";
  struct hd_quantiles job;
  const void *weights;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_quantile_job(entry, type, options, &job, &weights));
  if (weights)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: `options->weights` is given, but this state counts elements; begin one by "
                   "heddle_weighted_quantiles_begin",
                   entry);
  HD_TRY(check_begin(entry, ctx, "q", q, q_count, out));
  HD_TRY(hd_check_shares(entry, q, q_count));
  return begin(ctx, &job, false, q, q_count, out);
}

heddle_status heddle_nth_begin(heddle_context *ctx, heddle_type type, const uint64_t *ranks,
                               size_t rank_count, const heddle_sort_options *options,
                               heddle_state **out) {
  static const char entry[] = "heddle_nth_begin";
  struct hd_quantiles job = {.method = HEDDLE_QUANTILE_LINEAR, .nan = HEDDLE_NAN_PROPAGATE};
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_rank_job(entry, type, options, &job.sort));
  job.type = type;
  HD_TRY(check_begin(entry, ctx, "ranks", ranks, rank_count, out));
  return begin(ctx, &job, true, ranks, rank_count, out);
}

/* ---- counting for a device --------------------------------------------------------------------- */

static u64 bits_at(const void *in, size_t i, u32 bytes) {
  u64 bits = 0;
  memcpy(&bits, (const char *)in + i * bytes, bytes);
  return bits;
}

static const struct hd_key_band *band_of(const struct hd_key_count *job, u64 key) {
  size_t low = 0, high = job->band_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (job->bands[middle].low <= key)
      low = middle;
    else
      high = middle;
  }
  return &job->bands[low];
}

static void count_here(struct hd_key_count *job, const void *in, size_t n) {
  const struct hd_sort_map map = job->sort->map;
  for (size_t i = 0; i < n; i++) {
    const u64 key = hd_rounds_key(&map, bits_at(in, i, map.bits / 8));
    const struct hd_key_band *band = band_of(job, key);
    const u64 d = key - band->low;
    if (key < job->least) job->least = key;
    if (key > job->most) job->most = key;
    job->nan += job->nan_key && key >= job->nan_key;
    if (d > band->width) continue;
    if (job->counts)
      job->counts[band->first + (size_t)(d >> band->shift)]++;
    else if (job->kept++ < job->room)
      job->keys[job->kept - 1] = key;
  }
}

static heddle_status count_pieces(heddle_context *ctx, struct hd_key_count *job, const void *in,
                                  size_t n) {
  const size_t size = job->sort->map.bits / 8, bytes = (n < PIECE ? n : PIECE) * size;
  const bool away = hd_on_device(ctx, in);
  struct hd_cancellation token;
  void *room = away ? hd_allocate(ctx, bytes) : NULL;
  heddle_status status = away && !room ? HEDDLE_OUT_OF_MEMORY : HEDDLE_OK;
  hd_cancellation_start(&token, ctx);
  for (size_t i = 0, m; i < n && !status && !hd_poll(&token); i += m) {
    const char *at = (const char *)in + i * size;
    m = n - i < PIECE ? n - i : PIECE;
    if (away) status = ctx->backend->copy(ctx, room, at, m * size);
    if (!status && away) status = ctx->backend->sync(ctx, true);
    if (!status) count_here(job, away ? room : at, m);
  }
  if (room) hd_release(ctx, room, bytes);
  return status ? status : hd_cancellation_status(&token, job->sort->entry);
}

/* ---- a pass ------------------------------------------------------------------------------------ */

static heddle_status check_pass(const char *entry, const struct hd_rounds *r, u64 count) {
  if (r->what == HD_ROUND_DONE)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `state` takes no further pass: heddle_quantiles_round has said so; call "
                   "heddle_quantiles_finish",
                   entry);
  const u64 most = r->round ? r->total : HD_ROUND_ELEMENTS_MOST;
  if (count <= most - r->seen) return HEDDLE_OK;
  if (!r->round)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `state` has %llu elements and %llu come, more than 2^53", entry,
                   (unsigned long long)r->seen, (unsigned long long)count);
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: this pass has %llu elements, %llu more come, and the passes before have "
                 "%llu; every pass has to be over all of the same data",
                 entry, (unsigned long long)r->seen, (unsigned long long)count,
                 (unsigned long long)r->total);
}

static heddle_status update(heddle_context *ctx, struct hd_rounds *r, const void *in, size_t n) {
  const bool keep = r->what == HD_ROUND_KEEP;
  struct hd_key_count job = {.sort = &r->job.sort,
                             .bands = r->open,
                             .band_count = r->open_count,
                             .counts = keep ? NULL : r->table,
                             .slots = r->slots,
                             .keys = keep ? r->table : NULL,
                             .room = keep ? (size_t)hd_rounds_inside(r) : 0,
                             .kept = r->kept,
                             .nan_key = r->nan_key,
                             .least = r->least,
                             .most = r->most};
  HD_TRY(ctx->backend->count_keys ? ctx->backend->count_keys(ctx, &job, in, n)
                                  : count_pieces(ctx, &job, in, n));
  if (job.kept > job.room)
    return hd_fail(HEDDLE_BAD_DATA,
                   "%s: this pass has %zu elements between two values and the passes before %zu; "
                   "every pass has to be over all of the same data",
                   r->job.sort.entry, job.kept, job.room);
  r->kept = job.kept;
  r->seen += n, r->seen_nan += job.nan;
  r->least = job.least, r->most = job.most;
  return HEDDLE_OK;
}

heddle_status heddle_quantiles_update(heddle_state *state, const void *in, size_t count) {
  static const char entry[] = "heddle_quantiles_update";
  HD_TRY(hd_check_state(entry, state, HD_STATE_QUANTILES));
  struct hd_rounds *r = state->rounds;
  HD_TRY(hd_check_array(entry, "in", in, count, heddle_type_size(r->job.type)));
  HD_TRY(check_pass(entry, r, count));
  if (!count) return HEDDLE_OK;
  unsigned long saved = hd_float_enter();
  const heddle_status status = update(state->ctx, r, in, count);
  hd_float_leave(saved);
  state->failed = status != HEDDLE_OK;
  return status;
}

heddle_status heddle_quantiles_round(heddle_state *state, int *again) {
  static const char entry[] = "heddle_quantiles_round";
  if (state && state->kind == HD_STATE_WEIGHED) return hd_weighed_round(entry, state, again);
  HD_TRY(hd_check_state(entry, state, HD_STATE_QUANTILES));
  if (!again) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `again` is NULL", entry);
  struct hd_rounds *r = state->rounds;
  if (r->what != HD_ROUND_DONE) {
    unsigned long saved = hd_float_enter();
    const heddle_status status = hd_rounds_close(entry, state->ctx, r);
    hd_float_leave(saved);
    state->failed = status != HEDDLE_OK;
    if (status) return status;
  }
  *again = r->what != HD_ROUND_DONE;
  return HEDDLE_OK;
}

/* ---- results ----------------------------------------------------------------------------------- */

static heddle_status check_done(const char *entry, const struct hd_rounds *r) {
  if (r->what != HD_ROUND_DONE)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: `state` is in its pass %u; end it by heddle_quantiles_round, and where that "
        "asks for another pass give it all data once more",
        entry, r->round + 1);
  if (!r->q_count || hd_rounds_ranked(r)) return HEDDLE_OK;
  if (!r->total)
    return hd_fail(HEDDLE_EMPTY, "%s: no element came; a quantile takes at least one", entry);
  return hd_fail(HEDDLE_EMPTY,
                 "%s: all %llu elements are NaN, and are skipped; a quantile takes at least one",
                 entry, (unsigned long long)r->total);
}

/* A result each, of the host's memory. */
static void fill(const struct hd_rounds *r, void *out) {
  const size_t size = r->job.sort.map.bits / 8;
  for (size_t j = 0; j < r->q_count; j++) {
    if (!r->ranked) {
      ((f64 *)out)[j] = hd_rounds_value(r, r->q[j]);
      continue;
    }
    const u64 bits = hd_rounds_element(r, r->asked[j]);
    memcpy((char *)out + j * size, &bits, size); /* little-endian, as state/wire.h has it */
  }
}

static heddle_status finish(const char *entry, heddle_state *state, bool ranked, void *out) {
  HD_TRY(hd_check_state(entry, state, HD_STATE_QUANTILES));
  const struct hd_rounds *r = state->rounds;
  heddle_context *ctx = state->ctx;
  const size_t size = ranked ? r->job.sort.map.bits / 8 : sizeof(f64), bytes = r->q_count * size;
  if (r->ranked != ranked)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `state` was begun by another verb", entry);
  HD_TRY(hd_check_array(entry, "out", out, r->q_count, size));
  HD_TRY(check_done(entry, r));
  if (!bytes) return HEDDLE_OK;
  const bool away = hd_on_device(ctx, out);
  void *values = away ? hd_allocate(ctx, bytes) : out;
  if (!values) return HEDDLE_OUT_OF_MEMORY;
  unsigned long saved = hd_float_enter();
  fill(r, values);
  hd_float_leave(saved);
  if (!away) return HEDDLE_OK;
  heddle_status status = ctx->backend->copy(ctx, out, values, bytes);
  if (!status) status = ctx->backend->sync(ctx, true);
  hd_release(ctx, values, bytes);
  return status;
}

heddle_status heddle_quantiles_finish(heddle_state *state, double *out) {
  static const char entry[] = "heddle_quantiles_finish";
  if (state && state->kind == HD_STATE_WEIGHED) return hd_weighed_finish(entry, state, out);
  return finish(entry, state, false, out);
}

heddle_status heddle_nth_finish(heddle_state *state, void *out) {
  return finish("heddle_nth_finish", state, true, out);
}
