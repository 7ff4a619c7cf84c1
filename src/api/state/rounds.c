/* rounds.c - from the counts of one pass to the bands of the next
 *
 * Limits   A table has up to HD_ROUND_SLOTS_MOST counters, shared by its bands: many ranks that lie apart take more
 *          passes. What a pass has seen is held against the pass before: data that changed are noticed where a
 *          count did, and no key or index comes from anywhere but the state's own counts. */
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

#include "api/rank/rank.h"
#include "order/convert.h"

/* ---- memory ------------------------------------------------------------------------------------ */

static size_t table_bytes(const struct hd_rounds *r) {
  if (r->what == HD_ROUND_DONE) return 0;
  if (r->what == HD_ROUND_KEEP) return (size_t)hd_rounds_inside(r) * sizeof *r->table;
  return r->slots * sizeof *r->table;
}

void hd_rounds_drop(heddle_context *ctx, struct hd_rounds *r) {
  if (r->table) hd_release(ctx, r->table, table_bytes(r));
  r->table = NULL;
}

heddle_status hd_rounds_table(heddle_context *ctx, struct hd_rounds *r) {
  const size_t bytes = table_bytes(r);
  r->table = NULL;
  r->kept = 0;
  r->seen = r->seen_nan = 0;
  r->least = HD_U64_MAX, r->most = 0;
  if (!bytes) return HEDDLE_OK;
  r->table = hd_allocate(ctx, bytes);
  if (!r->table) return HEDDLE_OUT_OF_MEMORY;
  if (r->what == HD_ROUND_COUNT) memset(r->table, 0, bytes);
  return HEDDLE_OK;
}

void hd_rounds_free(heddle_context *ctx, struct hd_rounds *r) {
  if (!r) return;
  hd_rounds_drop(ctx, r);
  if (r->memory) hd_release(ctx, r->memory, r->memory_bytes);
  hd_release(ctx, r, sizeof *r);
}

/* ---- beginning --------------------------------------------------------------------------------- */

heddle_status hd_rounds_begin(heddle_context *ctx, const struct hd_quantiles *job, bool ranked,
                              const void *asked, size_t q_count, struct hd_rounds **out) {
  const size_t room = 2 * q_count + 1;
  struct hd_rounds *r = hd_allocate(ctx, sizeof *r);
  if (!r) return HEDDLE_OUT_OF_MEMORY;
  *r = (struct hd_rounds){.job = *job, .q_count = q_count, .ranked = ranked};
  r->job.sort.entry = "heddle_quantiles_update";
  r->memory_bytes = q_count * sizeof *r->asked + room * (sizeof *r->ranks + 3 * sizeof *r->bands);
  r->memory = hd_allocate(ctx, r->memory_bytes);
  heddle_status status = r->memory ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (!status) {
    r->q = r->memory, r->asked = r->memory;
    r->ranks = r->asked + q_count;
    r->bands = (struct hd_key_band *)(void *)(r->ranks + room);
    r->open = r->bands + room, r->next = r->open + room;
    if (q_count) memcpy(r->memory, asked, q_count * sizeof *r->asked);
    r->most_key = hd_rounds_mask(&job->sort.map);
    if (job->sort.map.is_float && !r->ranked) /* among ranks they are elements like others */
      r->nan_key = hd_rounds_key(&job->sort.map, job->sort.map.infinity) + 1;
    r->bands[0] = (struct hd_key_band){.width = r->most_key};
    r->band_count = 1;
    hd_rounds_open(r);
    status = hd_rounds_table(ctx, r);
  }
  if (status)
    hd_rounds_free(ctx, r);
  else
    *out = r;
  return status;
}

/* ---- ranks ------------------------------------------------------------------------------------- */

u64 hd_rounds_ranked(const struct hd_rounds *r) {
  return r->job.nan == HEDDLE_NAN_SKIP ? r->total - r->total_nan : r->total;
}

bool hd_rounds_is_lost(const struct hd_rounds *r) {
  return r->total_nan && r->job.nan == HEDDLE_NAN_PROPAGATE;
}

static int by_value(const void *a, const void *b) {
  const u64 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

void hd_rounds_sort(u64 *keys, size_t n) {
  if (n > 1) qsort(keys, n, sizeof *keys, by_value);
}

size_t hd_rounds_ranks(struct hd_rounds *r) {
  const u64 n = hd_rounds_ranked(r);
  size_t kept = 0;
  for (size_t j = 0; j < r->q_count; j++) {
    struct hd_quantile_place place;
    if (r->ranked) {
      r->ranks[2 * j] = r->ranks[2 * j + 1] = r->asked[j];
      continue;
    }
    hd_quantile_place((u32)r->job.method, n, r->q[j], &place);
    r->ranks[2 * j] = place.lower;
    r->ranks[2 * j + 1] = place.upper;
  }
  hd_rounds_sort(r->ranks, 2 * r->q_count);
  for (size_t i = 0; i < 2 * r->q_count; i++)
    if (!kept || r->ranks[kept - 1] != r->ranks[i]) r->ranks[kept++] = r->ranks[i];
  return kept;
}

/* ---- counters ---------------------------------------------------------------------------------- */

static u32 bits_of(u64 x) { return x ? 64 - (u32)__builtin_clzll(x) : 0; }

void hd_rounds_open(struct hd_rounds *r) {
  u32 bits = r->job.sort.map.bits > 32 ? 18 : 16;
  r->open_count = 0;
  for (size_t b = 0; b < r->band_count; b++)
    if (r->bands[b].width) r->open[r->open_count++] = r->bands[b];
  while ((u64)r->open_count << bits > HD_ROUND_SLOTS_MOST) bits--;
  r->slots = 0;
  for (size_t b = 0; b < r->open_count; b++) {
    struct hd_key_band *band = &r->open[b];
    const u32 wide = bits_of(band->width);
    band->shift = wide > bits ? wide - bits : 0;
    band->first = r->slots;
    r->slots += (size_t)(band->width >> band->shift) + 1;
  }
  const bool few = r->round && hd_rounds_inside(r) <= HD_ROUND_KEEP_MOST;
  r->what = !r->open_count ? HD_ROUND_DONE : few ? HD_ROUND_KEEP : HD_ROUND_COUNT;
}

u64 hd_rounds_inside(const struct hd_rounds *r) {
  u64 inside = 0; /* of bands apart: no more than all elements */
  for (size_t b = 0; b < r->open_count; b++) inside += r->open[b].inside;
  return inside;
}

/* ---- a pass against the one before ------------------------------------------------------------- */

static heddle_status changed(const char *entry, const char *what, u64 now, u64 before) {
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: this pass has %llu %s and the passes before %llu; every pass has to be over "
                 "all of the same data",
                 entry, (unsigned long long)now, what, (unsigned long long)before);
}

static u64 found_in(const struct hd_rounds *r, const struct hd_key_band *band) {
  u64 sum = 0;
  if (r->what == HD_ROUND_KEEP) {
    for (size_t i = 0; i < r->kept; i++) sum += r->table[i] - band->low <= band->width;
    return sum;
  }
  const size_t slots = (size_t)(band->width >> band->shift) + 1;
  for (size_t i = 0; i < slots; i++) sum += r->table[band->first + i];
  return sum;
}

static heddle_status check_asked(const char *entry, const struct hd_rounds *r) {
  if (!r->ranked) return HEDDLE_OK;
  return hd_check_ranks(entry, r->asked, r->q_count, r->seen, "`state`");
}

static heddle_status check_pass(const char *entry, const struct hd_rounds *r) {
  if (!r->round) return check_asked(entry, r);
  if (r->seen != r->total) return changed(entry, "elements", r->seen, r->total);
  if (r->seen_nan != r->total_nan)
    return changed(entry, "elements that are NaN", r->seen_nan, r->total_nan);
  for (size_t b = 0; b < r->open_count; b++) {
    const u64 found = found_in(r, &r->open[b]);
    if (found != r->open[b].inside)
      return changed(entry, "elements between two values", found, r->open[b].inside);
  }
  return HEDDLE_OK;
}

/* ---- narrowing --------------------------------------------------------------------------------- */

/* Where the walk over a band's counters, or over its keys, stands. */
struct walk {
  size_t at;
  u64 below; /* keys before it */
};

/* The counter that holds the rank, as a band. */
static struct hd_key_band narrow_counts(const struct hd_rounds *r, const struct hd_key_band *band,
                                        u64 rank, struct walk *walk) {
  const u64 *counts = r->table + band->first;
  while (rank - walk->below >= counts[walk->at]) walk->below += counts[walk->at++];
  const u64 from = (u64)walk->at << band->shift, step = (u64)1 << band->shift;
  struct hd_key_band inner = {.low = band->low + from,
                              .width =
                                  band->width - from < step - 1 ? band->width - from : step - 1,
                              .below = walk->below,
                              .inside = counts[walk->at]};
  if (r->round) return inner;
  /* No key lies outside of those that were seen. */
  u64 high = inner.low + inner.width;
  if (high > r->most) high = r->most;
  if (inner.low < r->least) inner.low = r->least;
  inner.width = high - inner.low;
  return inner;
}

/* The key of the rank: keys are in order, the walk began with the band's first. */
static struct hd_key_band narrow_keys(const struct hd_rounds *r, u64 rank, struct walk *walk) {
  size_t end;
  for (;;) {
    end = walk->at + 1;
    while (end < r->kept && r->table[end] == r->table[walk->at]) end++;
    if (rank - walk->below < end - walk->at) break;
    walk->below += end - walk->at;
    walk->at = end;
  }
  return (struct hd_key_band){
      .low = r->table[walk->at], .below = walk->below, .inside = end - walk->at};
}

/* The bands of all ranks: those of one key stay, of the others what a rank is in now. */
static void narrow(struct hd_rounds *r, size_t rank_count) {
  size_t next = 0, open = 0, first = 0;
  for (size_t b = 0, j = 0; b < r->band_count; b++) {
    const struct hd_key_band *band = &r->bands[b];
    struct walk walk = {r->what == HD_ROUND_KEEP ? first : 0, band->below};
    if (!band->width) r->next[next++] = *band;
    for (; j < rank_count && (!r->round || r->ranks[j] < band->below + band->inside); j++) {
      const struct hd_key_band *last = next ? &r->next[next - 1] : NULL;
      if (last && r->ranks[j] < last->below + last->inside) continue;
      r->next[next++] = r->what == HD_ROUND_KEEP
                            ? narrow_keys(r, r->ranks[j], &walk)
                            : narrow_counts(r, &r->open[open], r->ranks[j], &walk);
    }
    if (band->width) open++, first += (size_t)band->inside;
  }
  struct hd_key_band *const old = r->bands;
  r->bands = r->next, r->next = old;
  r->band_count = next;
}

heddle_status hd_rounds_close(const char *entry, heddle_context *ctx, struct hd_rounds *r) {
  HD_TRY(check_pass(entry, r));
  if (!r->round) r->total = r->seen, r->total_nan = r->seen_nan;
  const bool none = !hd_rounds_ranked(r) || hd_rounds_is_lost(r) || !r->q_count;
  if (r->what == HD_ROUND_KEEP) hd_rounds_sort(r->table, r->kept);
  if (none)
    r->band_count = 0;
  else
    narrow(r, hd_rounds_ranks(r));
  hd_rounds_drop(ctx, r);
  r->round++;
  hd_rounds_open(r);
  return hd_rounds_table(ctx, r);
}

/* ---- results ----------------------------------------------------------------------------------- */

u64 hd_rounds_element(const struct hd_rounds *r, u64 rank) {
  size_t low = 0, high = r->band_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (r->bands[middle].below <= rank)
      low = middle;
    else
      high = middle;
  }
  return hd_rounds_bits(&r->job.sort.map, r->bands[low].low);
}

static f64 element(const struct hd_rounds *r, u64 rank) {
  const u64 bits = hd_rounds_element(r, rank);
  const u32 bits_32 = (u32)bits;
  const u16 bits_16 = (u16)bits;
  const u8 bits_8 = (u8)bits;
  const void *const from[] = {&bits_8, &bits_16, &bits_32, &bits};
  f64 value;
  hd_convert_one(r->job.type, from[hd_top_bit(r->job.sort.map.bits / 8)], HEDDLE_F64, &value);
  return value;
}

f64 hd_rounds_value(const struct hd_rounds *r, f64 q) {
  struct hd_quantile_place place;
  if (hd_rounds_is_lost(r)) return hd_f64_of_bits(HD_NAN_F64);
  hd_quantile_place((u32)r->job.method, hd_rounds_ranked(r), q, &place);
  return hd_quantile_value((u32)r->job.method, element(r, place.lower), element(r, place.upper),
                           place.t);
}
