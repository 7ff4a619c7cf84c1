/* weighed_bytes.c - a pass of weighted quantiles as bytes, and out of bytes that may be anyone's; two of a pass as one
 *
 * Method   What is read has to be what passes give: bands that rise and are apart, sums that rise up to the whole, each with
 *          a share that is asked for. Whatever loads then stays within its counters. */
#include <stdio.h>

#include "weighed.h"
#include "wire.h"

enum { SPAN_END = 106, SUM_BYTES = (SPAN_END - HD_WEIGHED_FIRST) * sizeof(u32) };
enum { BAND_BYTES = 2 * sizeof(u64) + 2 * SUM_BYTES };

static const struct hd_exact_span all = {0, HD_EXACT_LIMBS};

/* ---- to bytes ---------------------------------------------------------------------------------- */

static void put_sum(struct hd_writer *to, const struct hd_exact *sum) {
  for (u32 k = HD_WEIGHED_FIRST; k < SPAN_END; k++) hd_put_u32(to, (u32)sum->limb[k]);
}

void hd_weighed_put_head(struct hd_writer *to, const struct hd_weighed *w) {
  hd_put_u32(to, w->job.type);
  hd_put_u32(to, w->job.weights_type);
  hd_put_u32(to, w->job.nan);
  hd_put_u32(to, w->done);
  hd_put_u32(to, w->round);
  hd_put_u32(to, w->first_limb);
  hd_put_u32(to, w->limbs);
  hd_put_u32(to, 0);
  hd_put_u64(to, w->q_count);
  hd_put_u64(to, w->round ? w->band_count : 0);
  hd_put_u64(to, w->total);
  hd_put_u64(to, w->total_nan);
  hd_put_u64(to, w->seen);
  hd_put_u64(to, w->seen_nan);
  hd_put(to, w->q, w->q_count * sizeof *w->q);
  if (!w->round) return;
  put_sum(to, &w->whole);
  for (size_t b = 0; b < w->band_count; b++) {
    hd_put_u64(to, w->bands[b].low);
    hd_put_u64(to, w->bands[b].width);
    put_sum(to, &w->bands[b].below);
    put_sum(to, &w->bands[b].inside);
  }
}

void hd_weighed_put_table(struct hd_writer *to, const struct hd_weighed *w) {
  hd_put(to, w->table, hd_weighed_table_bytes(w));
}

/* ---- from bytes -------------------------------------------------------------------------------- */

struct saved_weighed {
  u32 type, weights_type, nan, done, round, first_limb, limbs;
  u64 q_count, band_count, total, total_nan, seen, seen_nan;
};

static void get_sum(struct hd_reader *from, struct hd_exact *sum) {
  hd_exact_clear(sum, all);
  for (u32 k = HD_WEIGHED_FIRST; k < SPAN_END; k++) sum->limb[k] = hd_get_u32(from);
}

static const char *get_head(struct hd_reader *from, struct saved_weighed *s) {
  s->type = hd_get_u32(from), s->weights_type = hd_get_u32(from), s->nan = hd_get_u32(from);
  s->done = hd_get_u32(from), s->round = hd_get_u32(from);
  s->first_limb = hd_get_u32(from), s->limbs = hd_get_u32(from);
  const u32 nothing = hd_get_u32(from);
  s->q_count = hd_get_u64(from), s->band_count = hd_get_u64(from);
  s->total = hd_get_u64(from), s->total_nan = hd_get_u64(from);
  s->seen = hd_get_u64(from), s->seen_nan = hd_get_u64(from);
  if (from->cut) return "they are cut short";
  if (nothing || s->done > 1 || s->round > HD_WEIGHED_ROUNDS_MOST) return "it is in no such pass";
  if (s->q_count > HD_WEIGHED_SHARES_MOST || s->q_count > from->left / sizeof(f64))
    return "they are fewer than its shares";
  if (s->band_count > s->q_count ||
      s->band_count > (from->left - s->q_count * sizeof(f64)) / BAND_BYTES)
    return "they are fewer than its values";
  if (s->total > HD_WEIGHED_ELEMENTS_MOST || s->seen > HD_WEIGHED_ELEMENTS_MOST ||
      s->total_nan > s->total || s->seen_nan > s->seen)
    return "its elements are more than there can be";
  if (s->round ? s->seen > s->total || (s->done && s->seen) : s->total || s->band_count || s->done)
    return "its pass is not behind those before it";
  if (s->limbs ? s->first_limb < HD_WEIGHED_FIRST || s->first_limb > HD_WEIGHED_END ||
                     s->limbs > HD_WEIGHED_END - s->first_limb || !s->seen
               : s->first_limb)
    return "its sums are beyond those of weights";
  return NULL;
}

/* Every band has a share, and every share a band. */
static const char *check_shares(const struct hd_weighed *w) {
  size_t b = 0, used = 0;
  for (size_t j = 0; j < w->q_count; j++) {
    if (!hd_weighed_band_of(w, w->share[j].q, &b))
      return "it has not all shares that are asked for";
    if (used < b) return "it is of values that are not asked for";
    used = b + 1;
  }
  return used == w->band_count ? NULL : "it is of values that are not asked for";
}

static const char *get_bands(struct hd_reader *from, struct hd_weighed *w, u64 count) {
  struct hd_exact before, end;
  u64 key = 0;
  get_sum(from, &w->whole);
  hd_exact_clear(&before, all);
  w->band_count = (size_t)count;
  if (hd_weighed_is_nothing(w)) return count ? "it looks for values among nothing" : NULL;
  for (size_t b = 0; b < count; b++) {
    struct hd_weighed_band *band = &w->bands[b];
    *band = (struct hd_weighed_band){.low = hd_get_u64(from)};
    band->width = hd_get_u64(from);
    get_sum(from, &band->below);
    get_sum(from, &band->inside);
    if (band->low > w->most_key || band->width > w->most_key - band->low || (b && band->low <= key))
      return "its values are between keys that are none";
    end = band->below;
    for (u32 k = 0; k < HD_EXACT_LIMBS; k++) end.limb[k] += band->inside.limb[k];
    hd_exact_carry(&end, all);
    if (hd_weighed_is_zero(&band->inside) || !hd_exact_reaches(&band->below, &before) ||
        !hd_exact_reaches(&w->whole, &end))
      return "its values are beyond its weights";
    key = band->low + band->width;
    before = end;
  }
  return check_shares(w);
}

/* No band has more than the pass before had in it. */
static const char *check_table(const struct hd_weighed *w) {
  struct hd_exact sum;
  for (size_t b = 0; w->round && b < w->band_count; b++) {
    const struct hd_weighed_band *band = &w->bands[b];
    hd_exact_clear(&sum, all);
    for (size_t i = 0; i < hd_weighed_slots_of(band); i++) hd_weighed_sum(w, band->first + i, &sum);
    if (!hd_exact_reaches(&band->inside, &sum)) return "its weights are more than were added";
  }
  return NULL;
}

static const char *fill(heddle_context *ctx, struct hd_reader *from, const struct saved_weighed *s,
                        struct hd_weighed *w, heddle_status *status) {
  const char *why;
  if (!w->nan_key && (s->total_nan || s->seen_nan)) return "it counts NaN, but has none";
  w->round = s->round, w->total = s->total, w->total_nan = s->total_nan;
  if (s->round) {
    if ((why = get_bands(from, w, s->band_count))) return why;
    hd_weighed_lay_out(ctx, w);
  }
  if (w->done != (s->done != 0)) return "its pass is not the one that follows";
  if (s->seen_nan > s->total_nan && s->round) return "its NaN are more than were counted";
  w->seen = s->seen, w->seen_nan = s->seen_nan;
  if (from->left != (s->limbs ? w->slots * s->limbs * sizeof *w->table : 0) ||
      (w->done && s->limbs))
    return "they are not as many as its counters ask for";
  if (!s->limbs) return NULL;
  *status = hd_weighed_fit(ctx, w, s->first_limb, s->first_limb + s->limbs);
  if (*status) return NULL;
  hd_get(from, w->table, hd_weighed_table_bytes(w));
  return check_table(w);
}

const char *hd_weighed_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                           heddle_status *status) {
  struct saved_weighed s;
  const char *why = get_head(from, &s);
  *status = HEDDLE_OK;
  if (why) return why;
  const size_t bytes = (size_t)s.q_count * sizeof(f64);
  f64 *q = hd_allocate(ctx, bytes + 1);
  if (!q) {
    *status = HEDDLE_OUT_OF_MEMORY;
    return NULL;
  }
  hd_get(from, q, bytes);
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.nan = (heddle_nan)s.nan;
  options.weights_type = (heddle_type)s.weights_type;
  *status = heddle_weighted_quantiles_begin(ctx, (heddle_type)s.type, q, (size_t)s.q_count,
                                            &options, out);
  hd_release(ctx, q, bytes + 1);
  return *status ? NULL : fill(ctx, from, &s, (*out)->weighed, status);
}

/* ---- two as one -------------------------------------------------------------------------------- */

static heddle_status differ(const char *entry, const char *what) {
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `into` and `from` differ in %s; both have to be of the same call with the "
                 "same types and "
                 "options, and of the same pass",
                 entry, what);
}

static bool are_same_sums(const struct hd_exact *a, const struct hd_exact *b) {
  return memcmp(a->limb, b->limb, sizeof a->limb) == 0;
}

static heddle_status check_same(const char *entry, const struct hd_weighed *a,
                                const struct hd_weighed *b) {
  if (a->job.type != b->job.type) return differ(entry, "the type of elements");
  if (a->job.weights_type != b->job.weights_type) return differ(entry, "the type of weights");
  if (a->job.nan != b->job.nan) return differ(entry, "what NaN are");
  if (a->q_count != b->q_count ||
      (a->q_count && memcmp(a->q, b->q, a->q_count * sizeof *a->q) != 0))
    return differ(entry, "their shares");
  if (a->round != b->round) return differ(entry, "the passes behind them");
  if (a->total != b->total || a->total_nan != b->total_nan || a->band_count != b->band_count ||
      !are_same_sums(&a->whole, &b->whole))
    return differ(entry, "what the passes before have seen");
  for (size_t i = 0; a->round && i < a->band_count; i++) {
    const struct hd_weighed_band *x = &a->bands[i], *y = &b->bands[i];
    if (x->low != y->low || x->width != y->width || !are_same_sums(&x->below, &y->below) ||
        !are_same_sums(&x->inside, &y->inside))
      return differ(entry, "what the passes before have seen");
  }
  return HEDDLE_OK;
}

static void add_counters(struct hd_weighed *into, const struct hd_weighed *from) {
  const u32 first = from->first_limb - into->first_limb;
  for (size_t i = 0; i < from->slots; i++) {
    u32 *to = into->table + i * into->limbs;
    const u32 *limb = from->table + i * from->limbs;
    u64 sum = 0;
    for (u32 k = first; k < into->limbs; k++, sum >>= 32) {
      sum += (u64)to[k] + (k - first < from->limbs ? limb[k - first] : 0);
      to[k] = (u32)sum;
    }
  }
}

heddle_status hd_weighed_merge(const char *entry, heddle_context *ctx, struct hd_weighed *into,
                               const struct hd_weighed *from) {
  const u64 most = into->round ? into->total : HD_WEIGHED_ELEMENTS_MOST;
  HD_TRY(check_same(entry, into, from));
  if (into->done) return HEDDLE_OK;
  if (from->seen > most - into->seen)
    return hd_fail(
        into->round ? HEDDLE_BAD_DATA : HEDDLE_BAD_ARGUMENT,
        "%s: `into` has %llu elements of this pass and `from` %llu, together more than %llu; merge "
        "every piece once",
        entry, (unsigned long long)into->seen, (unsigned long long)from->seen,
        (unsigned long long)most);
  if (from->table) {
    HD_TRY(hd_weighed_fit(ctx, into, from->first_limb, from->first_limb + from->limbs));
    add_counters(into, from);
  }
  into->seen += from->seen, into->seen_nan += from->seen_nan;
  return HEDDLE_OK;
}
