/* rounds_bytes.c - a pass of quantiles as bytes, and out of bytes that may be anyone's; two of a pass as one
 *
 * Method   What is read has to be what passes give: bands that rise and are apart, each with a rank that is asked for,
 *          counts that are what was seen. Whatever loads then stays within its table. */
#include <stdio.h>

#include "api/rank/rank.h"
#include "rounds.h"
#include "wire.h"

enum { BAND_BYTES = 4 * sizeof(u64), RANKED = 1, DESCENDING = 2, NAN_FIRST = 4 };

/* ---- to bytes ---------------------------------------------------------------------------------- */

void hd_rounds_put_head(struct hd_writer *w, const struct hd_rounds *r) {
  hd_put_u32(w, r->job.type);
  hd_put_u32(w, r->job.method);
  hd_put_u32(w, r->job.nan);
  hd_put_u32(w, r->what);
  hd_put_u32(w, r->round);
  hd_put_u32(w, !r->ranked ? 0
                           : RANKED | (r->job.sort.descending ? DESCENDING : 0) |
                                 (r->job.sort.nan_first ? NAN_FIRST : 0));
  hd_put_u64(w, r->q_count);
  hd_put_u64(w, r->band_count);
  hd_put_u64(w, r->total);
  hd_put_u64(w, r->total_nan);
  hd_put_u64(w, r->seen);
  hd_put_u64(w, r->seen_nan);
  hd_put_u64(w, r->round ? 0 : r->least);
  hd_put_u64(w, r->round ? 0 : r->most);
  hd_put_u64(w, r->kept);
  hd_put(w, r->asked, r->q_count * sizeof *r->asked);
  for (size_t b = 0; b < r->band_count; b++) {
    hd_put_u64(w, r->bands[b].low);
    hd_put_u64(w, r->bands[b].width);
    hd_put_u64(w, r->bands[b].below);
    hd_put_u64(w, r->bands[b].inside);
  }
}

size_t hd_rounds_table_bytes(const struct hd_rounds *r) {
  if (r->what == HD_ROUND_DONE) return 0;
  return (r->what == HD_ROUND_KEEP ? r->kept : r->slots) * sizeof *r->table;
}

void hd_rounds_put_table(struct hd_writer *w, struct hd_rounds *r) {
  if (r->what == HD_ROUND_KEEP) hd_rounds_sort(r->table, r->kept);
  hd_put(w, r->table, hd_rounds_table_bytes(r));
}

/* ---- from bytes -------------------------------------------------------------------------------- */

struct saved_rounds {
  u32 type, what, round, order;
  heddle_quantile_options options;
  u64 q_count, band_count, total, total_nan, seen, seen_nan, least, most, kept;
};

static const char *get_head(struct hd_reader *from, struct saved_rounds *s) {
  static const heddle_quantile_options defaults = HEDDLE_QUANTILE_OPTIONS_INIT;
  s->options = defaults;
  s->type = hd_get_u32(from);
  s->options.method = (heddle_quantile_method)hd_get_u32(from);
  s->options.nan = (heddle_nan)hd_get_u32(from);
  s->what = hd_get_u32(from), s->round = hd_get_u32(from);
  s->order = hd_get_u32(from);
  s->q_count = hd_get_u64(from), s->band_count = hd_get_u64(from);
  s->total = hd_get_u64(from), s->total_nan = hd_get_u64(from);
  s->seen = hd_get_u64(from), s->seen_nan = hd_get_u64(from);
  s->least = hd_get_u64(from), s->most = hd_get_u64(from), s->kept = hd_get_u64(from);
  if (from->cut) return "they are cut short";
  const bool known =
      s->what == HD_ROUND_COUNT || s->what == HD_ROUND_KEEP || s->what == HD_ROUND_DONE;
  if (!known || s->round > HD_ROUND_MOST) return "it is in no such pass";
  if (s->order > (RANKED | DESCENDING | NAN_FIRST) || (s->order && !(s->order & RANKED)))
    return "it is in no such order";
  if (s->q_count > HD_ROUND_SHARES_MOST || s->q_count > from->left / sizeof(f64))
    return "they are fewer than its shares";
  if (s->band_count > 2 * s->q_count + 1 ||
      s->band_count > (from->left - s->q_count * sizeof(f64)) / BAND_BYTES)
    return "they are fewer than its ranks";
  if (s->total > HD_ROUND_ELEMENTS_MOST || s->seen > HD_ROUND_ELEMENTS_MOST ||
      s->total_nan > s->total || s->seen_nan > s->seen)
    return "its elements are more than there can be";
  if (s->round ? s->seen > s->total || (s->what == HD_ROUND_DONE && s->seen)
               : s->total || s->what != HD_ROUND_COUNT)
    return "its pass is not behind those before it";
  return NULL;
}

/* Bands of a pass behind the first: apart, rising, each with a rank, all ranks in them. */
static const char *get_bands(struct hd_reader *from, struct hd_rounds *r, u64 count) {
  const bool none = !hd_rounds_ranked(r) || hd_rounds_is_lost(r) || !r->q_count;
  if (r->ranked && r->q_count && !r->total) return "it has ranks of nothing";
  const size_t ranks = none ? 0 : hd_rounds_ranks(r);
  u64 key = 0, below = 0;
  size_t j = 0;
  for (size_t b = 0; b < count; b++) {
    struct hd_key_band *band = &r->bands[b];
    *band = (struct hd_key_band){.low = hd_get_u64(from)};
    band->width = hd_get_u64(from), band->below = hd_get_u64(from);
    band->inside = hd_get_u64(from);
    if (band->low > r->most_key || band->width > r->most_key - band->low || (b && band->low <= key))
      return "its ranks are between keys that are none";
    if (band->below < below || band->below > r->total || band->inside > r->total - band->below)
      return "its ranks are beyond its elements";
    const size_t first = j;
    while (j < ranks && r->ranks[j] >= band->below && r->ranks[j] - band->below < band->inside) j++;
    if (j == first) return "it is of ranks that are not asked for";
    key = band->low + band->width;
    below = band->below + band->inside;
  }
  r->band_count = (size_t)count;
  return j == ranks ? NULL : "it has not all ranks that are asked for";
}

/* The one band that a first pass has. */
static const char *get_first(struct hd_reader *from, struct hd_rounds *r, u64 count) {
  const u64 low = hd_get_u64(from), width = hd_get_u64(from);
  const u64 below = hd_get_u64(from), inside = hd_get_u64(from);
  if (count == 1 && !low && width == r->most_key && !below && !inside) return NULL;
  return "its first pass is not over all keys";
}

static const char *check_keys(const struct hd_rounds *r) {
  size_t i = 0;
  for (size_t b = 0; b < r->open_count; b++) {
    const size_t first = i;
    for (; i < r->kept && r->table[i] - r->open[b].low <= r->open[b].width; i++)
      if (i && r->table[i] < r->table[i - 1]) return "its keys are out of order";
    if (i - first > r->open[b].inside) return "its keys are more than were counted";
  }
  return i == r->kept ? NULL : "its keys are of no rank";
}

/* Of a first pass the keys seen, and those of NaN, are what its counters say. */
static const char *check_first(const struct hd_rounds *r, u64 sum) {
  const u32 shift = r->open->shift;
  const size_t nan = (size_t)(r->nan_key >> shift);
  size_t low = 0, high = r->slots;
  u64 sure = 0, all = 0;
  if (sum != r->seen) return "its counts are not its elements";
  if (!sum) return r->least == HD_U64_MAX && !r->most ? NULL : "it has seen keys without elements";
  while (!r->table[low]) low++;
  while (!r->table[high - 1]) high--;
  if (r->least > r->most || r->most > r->most_key || r->least >> shift != low ||
      r->most >> shift != high - 1)
    return "it has seen other keys than were counted";
  for (size_t i = nan; r->nan_key && i < r->slots; i++) {
    all += r->table[i];
    sure += i > nan ? r->table[i] : 0;
  }
  return r->seen_nan < sure || r->seen_nan > all ? "its NaN are not those counted" : NULL;
}

static const char *check_counts(const struct hd_rounds *r) {
  u64 sum = 0;
  for (size_t i = 0; i < r->slots; i++) {
    if (r->table[i] > r->seen - sum) return "its counts are more than its elements";
    sum += r->table[i];
  }
  return r->round ? NULL : check_first(r, sum);
}

static const char *get_table(struct hd_reader *from, struct hd_rounds *r) {
  const size_t bytes = hd_rounds_table_bytes(r);
  if (from->left != bytes) return "they are not as many as its counters ask for";
  if (bytes) hd_get(from, r->table, bytes);
  if (r->what == HD_ROUND_DONE) return NULL;
  return r->what == HD_ROUND_KEEP ? check_keys(r) : check_counts(r);
}

static const char *fill(heddle_context *ctx, struct hd_reader *from, const struct saved_rounds *s,
                        struct hd_rounds *r, heddle_status *status) {
  const char *why;
  if ((r->ranked || !hd_is_float(r->job.type)) && (s->total_nan || s->seen_nan))
    return "it counts NaN, but has none";
  if (s->round) {
    hd_rounds_drop(ctx, r);
    r->round = s->round, r->total = s->total, r->total_nan = s->total_nan;
    if ((why = get_bands(from, r, s->band_count))) return why;
    hd_rounds_open(r);
    if ((u32)r->what != s->what) return "its pass is not the one that follows";
    if (s->seen_nan > s->total_nan) return "its NaN are more than were counted";
    if (s->kept > (r->what == HD_ROUND_KEEP ? hd_rounds_inside(r) : 0))
      return "its keys are more than were counted";
    if (r->what == HD_ROUND_COUNT && from->left != r->slots * sizeof *r->table)
      return "they are not as many as its counters ask for";
    *status = hd_rounds_table(ctx, r);
    if (*status) return NULL;
  } else if (s->kept || (why = get_first(from, r, s->band_count))) {
    return s->kept ? "its first pass keeps keys" : why;
  }
  r->seen = s->seen, r->seen_nan = s->seen_nan, r->kept = (size_t)s->kept;
  r->least = s->least, r->most = s->most;
  return get_table(from, r);
}

static heddle_status begin(heddle_context *ctx, const struct saved_rounds *s, const void *asked,
                           heddle_state **out) {
  const heddle_type type = (heddle_type)s->type;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  if (!s->order)
    return heddle_quantiles_begin(ctx, type, asked, (size_t)s->q_count, &s->options, out);
  options.descending = (s->order & DESCENDING) != 0;
  options.nan_first = (s->order & NAN_FIRST) != 0;
  return heddle_nth_begin(ctx, type, asked, (size_t)s->q_count, &options, out);
}

const char *hd_rounds_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                          heddle_status *status) {
  struct saved_rounds s;
  const char *why = get_head(from, &s);
  *status = HEDDLE_OK;
  if (why) return why;
  const size_t bytes = (size_t)s.q_count * sizeof(f64);
  void *asked = hd_allocate(ctx, bytes + 1);
  if (!asked) *status = HEDDLE_OUT_OF_MEMORY;
  if (asked) hd_get(from, asked, bytes);
  if (asked) *status = begin(ctx, &s, asked, out);
  if (asked) hd_release(ctx, asked, bytes + 1);
  return *status ? NULL : fill(ctx, from, &s, (*out)->rounds, status);
}

/* ---- two as one -------------------------------------------------------------------------------- */

static heddle_status differ(const char *entry, const char *what, const char *into,
                            const char *from) {
  return hd_fail(
      HEDDLE_BAD_ARGUMENT,
      "%s: `into` has %s %s and `from` %s; both have to be of the same call with the same "
      "types and options, and of the same pass",
      entry, what, into, from);
}

static heddle_status differ_numbers(const char *entry, const char *what, f64 into, f64 from) {
  char a[32], b[32];
  snprintf(a, sizeof a, "%.17g", into);
  snprintf(b, sizeof b, "%.17g", from);
  return differ(entry, what, a, b);
}

static heddle_status check_jobs(const char *entry, const struct hd_rounds *a,
                                const struct hd_rounds *b) {
  if (a->job.type != b->job.type)
    return differ(entry, "type", heddle_type_name(a->job.type), heddle_type_name(b->job.type));
  if (a->job.method != b->job.method)
    return differ_numbers(entry, "method", a->job.method, b->job.method);
  if (a->job.nan != b->job.nan)
    return differ(entry, "nan", a->job.nan ? "HEDDLE_NAN_SKIP" : "HEDDLE_NAN_PROPAGATE",
                  b->job.nan ? "HEDDLE_NAN_SKIP" : "HEDDLE_NAN_PROPAGATE");
  if (a->q_count != b->q_count)
    return differ_numbers(entry, a->ranked ? "so many ranks:" : "so many shares:", (f64)a->q_count,
                          (f64)b->q_count);
  if (a->job.sort.descending != b->job.sort.descending)
    return differ_numbers(entry, "descending", a->job.sort.descending, b->job.sort.descending);
  if (a->job.sort.nan_first != b->job.sort.nan_first)
    return differ_numbers(entry, "nan_first", a->job.sort.nan_first, b->job.sort.nan_first);
  for (size_t j = 0; j < a->q_count; j++) {
    if (a->asked[j] == b->asked[j]) continue;
    if (!a->ranked) return differ_numbers(entry, "a share", a->q[j], b->q[j]);
    return differ_numbers(entry, "a rank", (f64)a->asked[j], (f64)b->asked[j]);
  }
  return HEDDLE_OK;
}

static heddle_status check_rounds(const char *entry, const struct hd_rounds *a,
                                  const struct hd_rounds *b) {
  if (a->round != b->round) return differ_numbers(entry, "passes behind it:", a->round, b->round);
  if (a->total != b->total)
    return differ_numbers(entry, "passes over so many elements:", (f64)a->total, (f64)b->total);
  if (a->total_nan != b->total_nan)
    return differ_numbers(entry, "passes over so many NaN:", (f64)a->total_nan, (f64)b->total_nan);
  if (a->band_count != b->band_count)
    return differ_numbers(entry, "so many values to find:", (f64)a->band_count, (f64)b->band_count);
  for (size_t i = 0; i < a->band_count; i++) {
    const struct hd_key_band *x = &a->bands[i], *y = &b->bands[i];
    if (x->low != y->low || x->width != y->width || x->below != y->below || x->inside != y->inside)
      return differ(entry, "counts of", "one set of data", "of another, in the passes before");
  }
  return HEDDLE_OK;
}

static heddle_status check_amounts(const char *entry, const struct hd_rounds *a,
                                   const struct hd_rounds *b) {
  const u64 most = a->round ? a->total : HD_ROUND_ELEMENTS_MOST;
  const u64 inside = a->what == HD_ROUND_KEEP ? hd_rounds_inside(a) : 0;
  if (a->what == HD_ROUND_DONE) return HEDDLE_OK;
  if (b->seen > most - a->seen)
    return hd_fail(
        a->round ? HEDDLE_BAD_DATA : HEDDLE_BAD_ARGUMENT,
        "%s: `into` has %llu elements of this pass and `from` %llu, together more than %s "
        "%llu; merge every piece once",
        entry, (unsigned long long)a->seen, (unsigned long long)b->seen,
        a->round ? "the passes before:" : "a state may have:", (unsigned long long)most);
  if (b->kept <= inside - a->kept) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_BAD_DATA,
      "%s: `into` has %zu elements between two values and `from` %zu, together more than "
      "the passes before: %llu; every pass has to be over all of the same data",
      entry, a->kept, b->kept, (unsigned long long)inside);
}

heddle_status hd_rounds_merge(const char *entry, struct hd_rounds *into,
                              const struct hd_rounds *from) {
  HD_TRY(check_jobs(entry, into, from));
  HD_TRY(check_rounds(entry, into, from));
  HD_TRY(check_amounts(entry, into, from));
  into->seen += from->seen, into->seen_nan += from->seen_nan;
  if (from->least < into->least) into->least = from->least;
  if (from->most > into->most) into->most = from->most;
  if (into->what == HD_ROUND_COUNT)
    for (size_t i = 0; i < into->slots; i++) into->table[i] += from->table[i];
  if (from->kept) memcpy(into->table + into->kept, from->table, from->kept * sizeof *from->table);
  into->kept += from->kept;
  return HEDDLE_OK;
}
