/* bands.c - between which keys ranks lie, by a sample
 *
 * Method   Elements at fixed positions, one in each of as many equal parts of the set: a place that is a hash of
 *          its number, so that no period of the data meets one of the sample. About 4 sqrt(n) of them; the rank of
 *          an element of the sample, scaled, is off by less than four standard deviations of a binomial
 *          count but for one in 10^4 ranks, and a read tells when it is more. A key that many elements have is a
 *          band of its own where a band would begin or end with it: such are only counted. */
#include <string.h>

#include "find.h"
#include "host/status.h"
#include "order/basic.h"

enum { SAMPLE_MOST = 1 << 14, DEVIATIONS = 4, MARGIN = 6 };

static u64 hash(u64 x) { /* splitmix64: Steele, Lea and Flood 2014 */
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

struct sample {
  const struct hd_cpu_rank_call *call;
  const void *keys; /* in order */
  size_t count, n;  /* of the sample, of the set */
};

static size_t sample_count(size_t n) {
  const size_t count = (size_t)(4 * hd_sqrt((f64)n));
  return count < SAMPLE_MOST ? count : SAMPLE_MOST;
}

static size_t place_of(size_t i, size_t part) { return i * part + (size_t)(hash(i) % part); }

/* Keys of the sample at `keys`, as they come. */
static void take(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                 size_t count, char *keys) {
  const size_t part = set->n / count, size = call->sort.io.map.bits / 8;
  char raw[HD_RANK_BLOCK * sizeof(u64)];
  struct hd_cpu_sort_io io = call->sort.io;
  if (set->keys) {
    for (size_t i = 0; i < count; i++)
      memcpy(keys + i * call->key_bytes,
             (const char *)set->keys + place_of(i, part) * call->key_bytes, call->key_bytes);
    return;
  }
  io.keys = raw;
  io.keys_step = (i64)size;
  for (size_t i = 0, m; i < count; i += m) {
    m = count - i < HD_RANK_BLOCK ? count - i : HD_RANK_BLOCK;
    for (size_t k = 0; k < m; k++)
      memcpy(raw + k * size,
             call->sort.io.keys + (i64)place_of(i + k, part) * call->sort.io.keys_step, size);
    call->sort.kernels->load(&io, 0, m, keys + i * call->key_bytes);
  }
}

static u64 key_of(const struct sample *s, i64 i) {
  if (i < 0) return 0;
  if (i >= (i64)s->count) return s->call->most;
  return hd_cpu_rank_key_at(s->call, s->keys, (size_t)i);
}

/* Keys between which a rank lies, as numbers in the sample: below the first and above the last. */
static void ends_of(const struct sample *s, u64 rank, i64 *first, i64 *last) {
  const f64 share = ((f64)rank + 0.5) / (f64)s->n, at = share * (f64)s->count;
  const f64 wide = DEVIATIONS * hd_sqrt(at * (1 - share)) + MARGIN;
  *first = (i64)(at - wide) - 1;
  *last = (i64)(at + wide) + 1;
}

/* Whether key i of the sample is that of many more on its other side. */
static bool is_many(const struct sample *s, i64 i, i64 side, i64 more) {
  const i64 other = i + side * more;
  if (i < 0 || i >= (i64)s->count || other < 0 || other >= (i64)s->count) return false;
  return key_of(s, i) == key_of(s, other);
}

static void set_band(struct hd_cpu_rank_band *band, u64 low, u64 high, size_t room) {
  *band = (struct hd_cpu_rank_band){.low = low, .width = high - low, .room = room};
}

/* Bands of keys first to last of the sample; how many, at most three, or `left` and more. */
static size_t cut(const struct sample *s, i64 first, i64 last, struct hd_cpu_rank_band *bands,
                  size_t left) {
  const f64 each = (f64)s->n / (f64)s->count, wide = (f64)(last - first + 2);
  const i64 more = MARGIN + (i64)(wide / 8);
  const f64 keys = (wide + DEVIATIONS * hd_sqrt(wide) + 2 * (f64)more) * each + HD_RANK_BLOCK;
  const size_t room = keys < (f64)s->n ? (size_t)keys : s->n;
  u64 low = key_of(s, first), high = key_of(s, last);
  size_t count = 0;
  if (left < 3) return left + 1;
  if (is_many(s, first, -1, more)) {
    set_band(&bands[count++], low, low, 0);
    if (low == high) return count;
    low++;
  }
  const bool ends = is_many(s, last, 1, more);
  if (ends && low == high) {
    set_band(&bands[count++], high, high, 0);
    return count;
  }
  if (ends) high--;
  set_band(&bands[count++], low, high, room);
  if (ends) set_band(&bands[count++], high + 1, high + 1, 0);
  return count;
}

static size_t make(const struct sample *s, const struct hd_cpu_rank_query *query,
                   struct hd_cpu_rank_band *bands) {
  size_t count = 0, keys = 0;
  i64 first, last, next_first = 0, next_last = 0;
  ends_of(s, query->ranks[0], &first, &last);
  for (size_t j = 1; j <= query->rank_count; j++) {
    if (j < query->rank_count) {
      ends_of(s, query->ranks[j], &next_first, &next_last);
      if (next_first <= last || key_of(s, next_first) == key_of(s, last)) {
        last = next_last;
        continue;
      }
    }
    count += cut(s, first, last, bands + count, HD_RANK_BANDS - count);
    if (count > HD_RANK_BANDS) return 0;
    first = next_first, last = next_last;
  }
  for (size_t b = 0; b < count; b++) keys += bands[b].room;
  return keys <= s->n ? count : 0;
}

/* *memory: of `bytes`, the caller's to release. */
static heddle_status sample_of(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                               struct sample *s, char **memory, size_t *bytes) {
  const size_t n = sample_count(set->n), half = n * call->key_bytes;
  *bytes = 2 * half;
  *memory = hd_cpu_rank_hold(call, *bytes);
  if (!*memory) return HEDDLE_OUT_OF_MEMORY;
  take(call, set, n, *memory);
  const bool moved =
      call->sort.keys->sort(*memory, *memory + half, n, call->most, call->sort.exponent);
  *s = (struct sample){call, *memory + (moved ? half : 0), n, set->n};
  return HEDDLE_OK;
}

heddle_status hd_cpu_rank_bands(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                const struct hd_cpu_rank_query *query,
                                struct hd_cpu_rank_band *bands, size_t *count) {
  struct sample s;
  char *memory;
  size_t bytes;
  *count = 0;
  if (!query->rank_count) return HEDDLE_OK;
  HD_TRY(sample_of(call, set, &s, &memory, &bytes));
  *count = make(&s, query, bands);
  hd_cpu_rank_give(call, memory, bytes);
  return HEDDLE_OK;
}

heddle_status hd_cpu_rank_limit(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                u64 rank, u64 *limit, size_t *room) {
  struct sample s;
  char *memory;
  size_t bytes;
  i64 first, last;
  HD_TRY(sample_of(call, set, &s, &memory, &bytes));
  ends_of(&s, rank, &first, &last);
  const f64 each = (f64)s.n / (f64)s.count, wide = (f64)last + 2;
  const f64 keys = (wide + DEVIATIONS * hd_sqrt(wide) + MARGIN) * each + HD_RANK_BLOCK;
  *limit = key_of(&s, last);
  *room = is_many(&s, last, 1, MARGIN + last / 8) ? 0 : keys < (f64)s.n ? (size_t)keys : s.n;
  hd_cpu_rank_give(call, memory, bytes);
  return HEDDLE_OK;
}
