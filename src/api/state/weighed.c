/* weighed.c - from the sums of one pass to the bands of the next
 *
 * Limits   Bands share HD_WEIGHED_SLOTS_MOST counters. What a pass has added is held against the pass before: sums that
 *          are not the same are of other data, and no key comes from anywhere but the state's own sums. */
#include "weighed.h"

#include <stdlib.h>
#include <string.h>

#include "order/convert.h"
#include "rounds.h"

static const struct hd_exact_span all = {0, HD_EXACT_LIMBS};

/* ---- memory ------------------------------------------------------------------------------------ */

size_t hd_weighed_table_bytes(const struct hd_weighed *w) {
  return w->table ? w->slots * w->limbs * sizeof *w->table : 0;
}

static void drop(heddle_context *ctx, struct hd_weighed *w) {
  if (w->table) hd_release(ctx, w->table, hd_weighed_table_bytes(w));
  w->table = NULL;
  w->first_limb = w->limbs = 0;
}

void hd_weighed_free(heddle_context *ctx, struct hd_weighed *w) {
  if (!w) return;
  drop(ctx, w);
  if (w->memory) hd_release(ctx, w->memory, w->memory_bytes);
  hd_release(ctx, w, sizeof *w);
}

heddle_status hd_weighed_fit(heddle_context *ctx, struct hd_weighed *w, u32 first, u32 end) {
  if (w->table) {
    if (first > w->first_limb) first = w->first_limb;
    if (end < w->first_limb + w->limbs) end = w->first_limb + w->limbs;
    if (end - first == w->limbs) return HEDDLE_OK;
  }
  const u32 limbs = end - first, before = w->first_limb - first;
  const size_t bytes = w->slots * limbs * sizeof *w->table;
  u32 *table = hd_allocate(ctx, bytes);
  if (!table) return HEDDLE_OUT_OF_MEMORY;
  memset(table, 0, bytes);
  for (size_t i = 0; w->table && i < w->slots; i++)
    memcpy(table + i * limbs + before, w->table + i * w->limbs, w->limbs * sizeof *table);
  drop(ctx, w);
  w->table = table, w->first_limb = first, w->limbs = limbs;
  return HEDDLE_OK;
}

/* ---- beginning --------------------------------------------------------------------------------- */

static int by_share(const void *a, const void *b) {
  const struct hd_weighed_share *x = a, *y = b;
  return (x->q > y->q) - (x->q < y->q);
}

heddle_status hd_weighed_begin(heddle_context *ctx, const struct hd_quantiles *job, const f64 *q,
                               size_t q_count, struct hd_weighed **out) {
  const size_t room = q_count + 1;
  struct hd_weighed *w = hd_allocate(ctx, sizeof *w);
  if (!w) return HEDDLE_OUT_OF_MEMORY;
  *w = (struct hd_weighed){.job = *job, .q_count = q_count};
  w->job.sort.entry = "heddle_weighted_quantiles_update";
  w->memory_bytes = q_count * (sizeof *w->share + sizeof *w->q) + 2 * room * sizeof *w->bands;
  w->memory = hd_allocate(ctx, w->memory_bytes);
  if (!w->memory) {
    hd_weighed_free(ctx, w);
    return HEDDLE_OUT_OF_MEMORY;
  }
  w->bands = w->memory, w->next = w->bands + room;
  w->share = (struct hd_weighed_share *)(void *)(w->next + room);
  w->q = (f64 *)(void *)(w->share + q_count);
  if (q_count) memcpy(w->q, q, q_count * sizeof *q);
  for (size_t j = 0; j < q_count; j++) w->share[j] = (struct hd_weighed_share){q[j], j};
  if (q_count) qsort(w->share, q_count, sizeof *w->share, by_share);
  w->most_key = hd_rounds_mask(&job->sort.map);
  if (job->sort.map.is_float)
    w->nan_key = hd_rounds_key(&job->sort.map, job->sort.map.infinity) + 1;
  w->bands[0] = (struct hd_weighed_band){.width = w->most_key};
  w->band_count = 1;
  hd_weighed_lay_out(ctx, w);
  *out = w;
  return HEDDLE_OK;
}

void hd_weighed_lay_out(heddle_context *ctx, struct hd_weighed *w) {
  size_t open = 0;
  u32 bits = HD_WEIGHED_BITS;
  drop(ctx, w);
  for (size_t b = 0; b < w->band_count; b++) open += w->bands[b].width != 0;
  while (open << bits > HD_WEIGHED_SLOTS_MOST) bits--;
  w->slots = 0;
  for (size_t b = 0; b < w->band_count; b++) {
    struct hd_weighed_band *band = &w->bands[b];
    const u32 wide = band->width ? 64 - (u32)__builtin_clzll(band->width) : 0;
    band->shift = wide > bits ? wide - bits : 0;
    band->first = w->slots;
    w->slots += hd_weighed_slots_of(band);
  }
  w->done = !open;
  w->seen = w->seen_nan = 0;
}

/* ---- adding ------------------------------------------------------------------------------------ */

static f64 weight_at(heddle_type type, const void *weights, size_t i) {
  f64 wide;
  f32 narrow;
  if (type == HEDDLE_F64) {
    memcpy(&wide, (const char *)weights + i * sizeof wide, sizeof wide);
    return wide;
  }
  memcpy(&narrow, (const char *)weights + i * sizeof narrow, sizeof narrow);
  return (f64)narrow;
}

/* The limb of a weight's least bit. */
static u32 limb_of(f64 weight) {
  i32 exponent;
  (void)hd_exact_integer(weight, &exponent);
  return (u32)(exponent + 32 * HD_EXACT_BELOW) >> 5;
}

/* A counter of `limbs` limbs, the first of which is `first`, gains a weight above 0. */
static void add(u32 *limb, u32 limbs, u32 first, f64 weight) {
  i32 exponent;
  const u64 integer = (u64)hd_exact_integer(weight, &exponent);
  const u32 bit = (u32)(exponent + 32 * HD_EXACT_BELOW), shift = bit & 31u;
  const u64 low = integer << shift, high = shift ? integer >> (64 - shift) : 0;
  const u32 part[] = {(u32)low, (u32)(low >> 32), (u32)high};
  u32 k = (bit >> 5) - first;
  u64 sum = 0;
  for (u32 i = 0; i < 3; i++, k++) {
    sum = (sum >> 32) + limb[k] + part[i];
    limb[k] = (u32)sum;
  }
  for (sum >>= 32; sum && k < limbs; sum >>= 32, k++) {
    sum += limb[k];
    limb[k] = (u32)sum;
  }
}

/* Weights are checked, and counters made for what they are. */
static heddle_status expect(heddle_context *ctx, struct hd_weighed *w, const void *weights,
                            size_t n) {
  u32 first = HD_WEIGHED_END, end = 0;
  for (size_t i = 0; i < n; i++) {
    const f64 weight = weight_at(w->job.weights_type, weights, i);
    if (!(weight >= 0 && weight - weight == 0))
      return hd_fail(
          HEDDLE_BAD_DATA,
          "%s: weight %zu is %g; weights are finite and not negative: mask such elements",
          w->job.sort.entry, i, weight);
    if (weight == 0) continue;
    const u32 limb = limb_of(weight);
    if (limb < first) first = limb;
    if (limb + HD_WEIGHED_ROOM > end) end = limb + HD_WEIGHED_ROOM;
  }
  return end ? hd_weighed_fit(ctx, w, first, end) : HEDDLE_OK;
}

static u64 key_at(const struct hd_weighed *w, const void *in, size_t i) {
  const struct hd_sort_map *map = &w->job.sort.map;
  const size_t bytes = map->bits / 8;
  u64 bits = 0;
  memcpy(&bits, (const char *)in + i * bytes, bytes);
  if (map->is_float && bits == (u64)1 << (map->bits - 1)) bits = 0; /* -0.0 */
  return hd_rounds_key(map, bits);
}

/* The last band that does not begin above the key. */
static const struct hd_weighed_band *band_at(const struct hd_weighed *w, u64 key) {
  const struct hd_weighed_band *band = w->bands;
  for (size_t n = w->band_count; n > 1;) {
    const size_t half = n / 2;
    band += key >= band[half].low ? half : 0;
    n -= half;
  }
  return band;
}

heddle_status hd_weighed_add(heddle_context *ctx, struct hd_weighed *w, const void *in,
                             const void *weights, size_t n) {
  HD_TRY(expect(ctx, w, weights, n));
  for (size_t i = 0; i < n; i++) {
    const f64 weight = weight_at(w->job.weights_type, weights, i);
    const u64 key = key_at(w, in, i);
    const struct hd_weighed_band *band = band_at(w, key);
    if (w->nan_key && key >= w->nan_key) {
      w->seen_nan++;
    } else if (weight > 0 && band->width && key - band->low <= band->width) {
      const size_t slot = band->first + (size_t)((key - band->low) >> band->shift);
      add(w->table + slot * w->limbs, w->limbs, w->first_limb, weight);
    }
  }
  w->seen += n;
  return HEDDLE_OK;
}

/* ---- sums -------------------------------------------------------------------------------------- */

void hd_weighed_sum(const struct hd_weighed *w, size_t slot, struct hd_exact *sum) {
  const u32 *limb = w->table + slot * w->limbs;
  const struct hd_exact_span above = {w->first_limb, HD_EXACT_LIMBS};
  for (u32 k = 0; k < w->limbs; k++) sum->limb[w->first_limb + k] += limb[k];
  hd_exact_carry(sum, above);
}

static bool is_empty(const struct hd_weighed *w, size_t slot) {
  const u32 *limb = w->table + slot * w->limbs;
  u32 any = 0;
  for (u32 k = 0; k < w->limbs; k++) any |= limb[k];
  return !any;
}

/* Of all counters of a band. */
static void sum_of(const struct hd_weighed *w, const struct hd_weighed_band *band,
                   struct hd_exact *sum) {
  const size_t slots = w->table ? hd_weighed_slots_of(band) : 0;
  hd_exact_clear(sum, all);
  for (size_t i = 0; i < slots; i++)
    if (!is_empty(w, band->first + i)) hd_weighed_sum(w, band->first + i, sum);
}

static void add_sums(const struct hd_exact *a, const struct hd_exact *b, struct hd_exact *sum) {
  *sum = *a;
  for (u32 k = 0; k < HD_EXACT_LIMBS; k++) sum->limb[k] += b->limb[k];
  hd_exact_carry(sum, all);
}

bool hd_weighed_band_of(const struct hd_weighed *w, f64 q, size_t *b) {
  struct hd_exact share, end;
  hd_exact_share(&w->whole, q, &share);
  for (; *b < w->band_count; ++*b) {
    add_sums(&w->bands[*b].below, &w->bands[*b].inside, &end);
    if (hd_exact_reaches(&end, &share)) return true;
  }
  return false;
}

/* ---- a pass against the one before ------------------------------------------------------------- */

static heddle_status changed(const char *entry, const char *what, u64 now, u64 before) {
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: this pass has %llu %s and the passes before %llu; every pass has to be over "
                 "all of the same data",
                 entry, (unsigned long long)now, what, (unsigned long long)before);
}

static heddle_status changed_weights(const char *entry) {
  return hd_fail(HEDDLE_BAD_DATA,
                 "%s: the weights of this pass are not those of the passes before; every pass has "
                 "to be over all "
                 "of the same data",
                 entry);
}

static heddle_status check_pass(const char *entry, const struct hd_weighed *w) {
  struct hd_exact sum;
  if (!w->round) return HEDDLE_OK;
  if (w->seen != w->total) return changed(entry, "elements", w->seen, w->total);
  if (w->seen_nan != w->total_nan)
    return changed(entry, "elements that are NaN", w->seen_nan, w->total_nan);
  for (size_t b = 0; b < w->band_count; b++) {
    if (!w->bands[b].width) continue;
    sum_of(w, &w->bands[b], &sum);
    if (memcmp(sum.limb, w->bands[b].inside.limb, sizeof sum.limb) != 0)
      return changed_weights(entry);
  }
  return HEDDLE_OK;
}

/* ---- narrowing --------------------------------------------------------------------------------- */

/* Where the walk over a band's counters stands, and the sum before it. */
struct walk {
  size_t at;
  struct hd_exact before;
};

/* The counter in which the share is reached, as a band; false: none. */
static bool narrow(const struct hd_weighed *w, const struct hd_weighed_band *band, f64 q,
                   struct walk *walk, struct hd_weighed_band *to) {
  const size_t slots = hd_weighed_slots_of(band);
  struct hd_exact share, after;
  hd_exact_share(&w->whole, q, &share);
  for (; walk->at < slots; walk->at++) {
    if (is_empty(w, band->first + walk->at)) continue;
    after = walk->before;
    hd_weighed_sum(w, band->first + walk->at, &after);
    if (hd_exact_reaches(&after, &share)) break;
    walk->before = after;
  }
  if (walk->at == slots) return false;
  const u64 from = (u64)walk->at << band->shift, step = (u64)1 << band->shift;
  const u64 left = band->width - from;
  *to = (struct hd_weighed_band){
      .low = band->low + from, .width = left < step - 1 ? left : step - 1, .below = walk->before};
  hd_weighed_sum(w, band->first + walk->at, &to->inside);
  return true;
}

/* The bands of all shares: those of one key stay. */
static heddle_status narrow_all(const char *entry, struct hd_weighed *w) {
  size_t next = 0, b = 0, walked = w->band_count;
  struct walk walk = {0};
  for (size_t j = 0; j < w->q_count; j++) {
    struct hd_weighed_band found;
    if (!hd_weighed_band_of(w, w->share[j].q, &b)) return changed_weights(entry);
    const struct hd_weighed_band *band = &w->bands[b];
    if (b != walked) walk.at = 0, walk.before = band->below;
    walked = b;
    if (!band->width)
      found = *band;
    else if (!w->table || !narrow(w, band, w->share[j].q, &walk, &found))
      return changed_weights(entry);
    if (!next || w->next[next - 1].low != found.low) w->next[next++] = found;
  }
  struct hd_weighed_band *const old = w->bands;
  w->bands = w->next, w->next = old;
  w->band_count = next;
  return HEDDLE_OK;
}

bool hd_weighed_is_lost(const struct hd_weighed *w) {
  return w->total_nan && w->job.nan == HEDDLE_NAN_PROPAGATE;
}

bool hd_weighed_is_nothing(const struct hd_weighed *w) {
  return !w->q_count || hd_weighed_is_lost(w) || w->total == w->total_nan ||
         hd_weighed_is_zero(&w->whole);
}

heddle_status hd_weighed_close(const char *entry, heddle_context *ctx, struct hd_weighed *w) {
  HD_TRY(check_pass(entry, w));
  if (!w->round) {
    w->total = w->seen, w->total_nan = w->seen_nan;
    sum_of(w, &w->bands[0], &w->whole);
    w->bands[0].inside = w->whole;
  }
  if (hd_weighed_is_nothing(w))
    w->band_count = 0;
  else
    HD_TRY(narrow_all(entry, w));
  w->round++;
  hd_weighed_lay_out(ctx, w);
  return HEDDLE_OK;
}

/* ---- results ----------------------------------------------------------------------------------- */

static f64 value_of(const struct hd_weighed *w, u64 key) {
  const u64 bits = hd_rounds_bits(&w->job.sort.map, key);
  f64 value;
  hd_convert_one(w->job.type, &bits, HEDDLE_F64,
                 &value); /* little-endian, as state/wire.h has it */
  return value;
}

heddle_status hd_weighed_values(const char *entry, const struct hd_weighed *w, f64 *out) {
  size_t b = 0;
  if (!w->q_count) return HEDDLE_OK;
  if (hd_weighed_is_lost(w)) {
    for (size_t j = 0; j < w->q_count; j++) out[j] = hd_f64_of_bits(HD_NAN_F64);
    return HEDDLE_OK;
  }
  if (!w->total)
    return hd_fail(HEDDLE_EMPTY, "%s: no element came; a quantile takes at least one", entry);
  if (w->total == w->total_nan)
    return hd_fail(HEDDLE_EMPTY,
                   "%s: all %llu elements are NaN, and are skipped; a quantile takes at least one",
                   entry, (unsigned long long)w->total);
  if (hd_weighed_is_nothing(w))
    return hd_fail(HEDDLE_EMPTY, "%s: the sum of weights is 0; a quantile takes a weight above 0",
                   entry);
  for (size_t j = 0; j < w->q_count; j++) {
    if (!hd_weighed_band_of(w, w->share[j].q, &b)) return changed_weights(entry);
    out[w->share[j].at] = value_of(w, w->bands[b].low);
  }
  return HEDDLE_OK;
}
