/* find.c - keys of given ranks: by a sample and one read, and again in what that has kept
 *
 * Method   A sample says between which keys a rank lies, with room on both sides; a read counts what is below
 *          and keeps what is inside, a small part, in which the search goes on. Counts tell whether the rank was
 *          inside; where it was not, digits of the keys are counted. Few keys, and keys of very many ranks, are
 *          sorted.
 * Source   Floyd and Rivest 1975; Alabi et al. 2012 */
#include "find.h"

#include <string.h>

#include "cpu/isa/kernels.h"
#include "host/status.h"

/* ---- calls and sets -------------------------------------------------------------------------- */

void hd_cpu_rank_call_make(struct hd_cpu_rank_call *call, heddle_context *ctx,
                           const struct hd_sort *sort, u64 count, bool canonical) {
  struct hd_sort keys = *sort;
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  const u32 bits = sort->map.bits;
  keys.what = HD_SORT_KEYS;
  keys.value_bytes = 0;
  *call = (struct hd_cpu_rank_call){.ctx = ctx};
  hd_cpu_sort_call_make(&call->sort, ctx, &keys, count, false);
  call->sort.sort = sort; /* its name, and no scratch */
  call->sort.io.canonical = canonical && sort->map.is_float;
  call->kernel = &kernels->rank->of[bits > 32];
  call->key_bytes = bits > 32 ? 8 : 4;
  call->most = bits < 64 ? ((u64)1 << bits) - 1 : ~(u64)0;
  hd_cancellation_start(&call->sort.token, ctx);
}

void hd_cpu_rank_point(struct hd_cpu_rank_call *call, const void *in) {
  call->sort.io.keys = in;
  call->sort.io.keys_step = (i64)call->sort.io.map.bits / 8;
}

void *hd_cpu_rank_hold(struct hd_cpu_rank_call *call, size_t bytes) {
  const size_t whole = (bytes + 63) & ~(size_t)63;
  if (!call->room) return hd_allocate(call->ctx, bytes);
  if (whole > call->room_bytes - call->room_used) {
    (void)hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: a row takes more memory than it was given",
                  call->sort.sort->entry);
    return NULL;
  }
  call->room_used += whole;
  return call->room + call->room_used - whole;
}

void hd_cpu_rank_give(struct hd_cpu_rank_call *call, void *memory, size_t bytes) {
  if (!call->room)
    hd_release(call->ctx, memory, bytes);
  else if (memory)
    call->room_used -= (bytes + 63) & ~(size_t)63;
}

size_t hd_cpu_rank_room_bytes(const struct hd_cpu_rank_call *call, size_t n) {
  return n > HD_RANK_NEAR ? 2 * ((n * call->key_bytes + 63) & ~(size_t)63) : 0;
}

size_t hd_cpu_rank_workers(const struct hd_cpu_rank_call *call, size_t n) {
  return call->room ? 1 : hd_cpu_sort_workers(call->ctx, n);
}

const void *hd_cpu_rank_keys(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                             size_t first, size_t n, void *room) {
  if (set->keys) return (const char *)set->keys + first * call->key_bytes;
  call->sort.kernels->load(&call->sort.io, first, n, room);
  return room;
}

void hd_cpu_rank_expect(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                        size_t first, size_t n) {
  enum { LINE = 64 };
  const size_t size = call->sort.io.map.bits / 8;
  if (set->keys || call->sort.io.keys_step != (i64)size || first >= set->n) return;
  if (n > set->n - first) n = set->n - first;
  const char *at = call->sort.io.keys + first * size;
  for (size_t i = 0; i < n * size; i += LINE) __builtin_prefetch(at + i);
}

u64 hd_cpu_rank_key_at(const struct hd_cpu_rank_call *call, const void *keys, size_t i) {
  u64 wide;
  u32 narrow;
  if (call->key_bytes == 8) {
    memcpy(&wide, (const char *)keys + i * 8, sizeof wide);
    return wide;
  }
  memcpy(&narrow, (const char *)keys + i * 4, sizeof narrow);
  return narrow;
}

/* ---- sorted ---------------------------------------------------------------------------------- */

/* Of n keys in order. */
static void pick(const struct hd_cpu_rank_call *call, const void *sorted, size_t n,
                 struct hd_cpu_rank_query *query) {
  for (size_t j = 0; j < query->rank_count; j++)
    query->found[j] = hd_cpu_rank_key_at(call, sorted, (size_t)query->ranks[j]);
  if (!query->count) return;
  size_t low = 0, high = n; /* the first key that is `from` or greater is from low to high */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (hd_cpu_rank_key_at(call, sorted, middle) < query->from)
      low = middle + 1;
    else
      high = middle;
  }
  query->above = n - low;
}

/* By memory for the keys two times. */
static void find_within(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                        struct hd_cpu_rank_query *query, char *keys, char *room) {
  for (size_t i = 0, m; i < set->n; i += m) {
    m = set->n - i < HD_RANK_BLOCK ? set->n - i : HD_RANK_BLOCK;
    char *at = keys + i * call->key_bytes;
    const void *from = hd_cpu_rank_keys(call, set, i, m, at);
    if (from != at) memcpy(at, from, m * call->key_bytes);
  }
  const bool moved = call->sort.keys->sort(keys, room, set->n, call->most, call->sort.exponent);
  pick(call, moved ? room : keys, set->n, query);
}

static void find_near(const struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                      struct hd_cpu_rank_query *query) {
  u64 room[2][HD_RANK_NEAR];
  find_within(call, set, query, (char *)room[0], (char *)room[1]);
}

/* A row that is sorted in a cache. */
static heddle_status find_row(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                              struct hd_cpu_rank_query *query) {
  const size_t bytes = set->n * call->key_bytes;
  char *keys = hd_cpu_rank_hold(call, bytes), *room = hd_cpu_rank_hold(call, bytes);
  if (!keys || !room) return HEDDLE_OUT_OF_MEMORY;
  find_within(call, set, query, keys, room);
  hd_cpu_rank_give(call, room, bytes);
  hd_cpu_rank_give(call, keys, bytes);
  return HEDDLE_OK;
}

/* Keys of all elements of the set, in a copy. */
static heddle_status find_sorted(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                 struct hd_cpu_rank_query *query) {
  const size_t bytes = set->n * call->key_bytes;
  struct hd_sort job = {.entry = call->sort.sort->entry,
                        .what = HD_SORT_KEYS,
                        .type = call->key_bytes == 8 ? HEDDLE_U64 : HEDDLE_U32,
                        .bit_end = 8 * call->key_bytes,
                        .map = {.bits = 8 * call->key_bytes}};
  char *keys = set->keys;
  if (!keys) {
    keys = hd_cpu_rank_hold(call, bytes);
    if (!keys) return HEDDLE_OUT_OF_MEMORY;
    hd_large_pages(keys, bytes);
    for (size_t i = 0, m; i < set->n; i += m) {
      m = set->n - i < HD_RANK_BLOCK ? set->n - i : HD_RANK_BLOCK;
      (void)hd_cpu_rank_keys(call, set, i, m, keys + i * call->key_bytes);
    }
  }
  struct hd_cpu_sort_call sort;
  const struct hd_sort_arrays arrays = {keys, NULL, keys, NULL};
  hd_cpu_sort_call_start(&sort, call->ctx, &job, &arrays, set->n);
  sort.token = call->sort.token;
  const heddle_status status = hd_cpu_sort_array(&sort, set->n);
  hd_cpu_sort_call_end(&sort);
  if (!status) pick(call, keys, set->n, query);
  if (!set->keys) hd_cpu_rank_give(call, keys, bytes);
  return status;
}

/* ---- bands ----------------------------------------------------------------------------------- */

/* Ranks that a band has, from `first` on, and those of them that no band has before. */
static size_t behind(const struct hd_cpu_rank_query *query, size_t first, u64 rank) {
  while (first < query->rank_count && query->ranks[first] < rank) first++;
  return first;
}

static heddle_status find_in_band(struct hd_cpu_rank_call *call, struct hd_cpu_rank_band *band,
                                  const struct hd_cpu_rank_query *query, size_t first, size_t end,
                                  u64 *ranks, size_t n, u64 *counted) {
  const u64 below = band->below;
  if (first == end) return HEDDLE_OK;
  if (!band->room) {
    for (size_t j = first; j < end; j++) query->found[j] = band->low;
    *counted = below;
    return HEDDLE_OK;
  }
  for (size_t j = first; j < end; j++) ranks[j] = query->ranks[j] - below;
  struct hd_cpu_rank_query inner = {
      .ranks = ranks + first, .rank_count = end - first, .found = query->found + first};
  const struct hd_cpu_rank_set set = {band->region, band->used};
  /* Where a band has kept most of what was read, few keys are many: another sample tells no more. */
  return set.n > n / 2 ? find_sorted(call, &set, &inner) : hd_cpu_rank_find(call, set, &inner);
}

static heddle_status by_digits(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                               const struct hd_cpu_rank_query *query, size_t first, size_t end) {
  for (size_t j = first; j < end; j++)
    HD_TRY(hd_cpu_rank_by_digits(call, set, query->ranks[j], &query->found[j]));
  return HEDDLE_OK;
}

static heddle_status find_in_bands(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                   struct hd_cpu_rank_band *bands, size_t count,
                                   struct hd_cpu_rank_query *query, u64 *ranks) {
  size_t next = 0;
  for (size_t b = 0; b < count; b++) {
    if (bands[b].room && bands[b].used > bands[b].room) continue; /* their ranks are found below */
    const size_t first = behind(query, next, bands[b].below);
    const size_t end = behind(query, first, bands[b].below + bands[b].inside);
    HD_TRY(by_digits(call, set, query, next, first));
    HD_TRY(find_in_band(call, &bands[b], query, first, end, ranks, set->n, &query->below));
    next = end;
  }
  return by_digits(call, set, query, next, query->rank_count);
}

/* With memory for regions and for ranks in them. */
static heddle_status find_by_read(struct hd_cpu_rank_call *call, const struct hd_cpu_rank_set *set,
                                  struct hd_cpu_rank_band *bands, size_t count,
                                  struct hd_cpu_rank_query *query) {
  size_t keys = 0;
  for (size_t b = 0; b < count; b++) keys += bands[b].room;
  const size_t ranks_bytes = query->rank_count * sizeof(u64);
  const size_t bytes = ranks_bytes + keys * call->key_bytes + 1;
  char *memory = hd_cpu_rank_hold(call, bytes);
  if (!memory) return HEDDLE_OUT_OF_MEMORY;
  char *region = memory + ranks_bytes;
  for (size_t b = 0; b < count; region += bands[b++].room * call->key_bytes)
    bands[b].region = region;
  size_t all = count;
  if (query->count)
    bands[all++] = (struct hd_cpu_rank_band){.low = query->from, .width = call->most - query->from};
  heddle_status status = hd_cpu_rank_read(call, set, bands, all);
  if (!status && query->count) query->above = bands[count].inside;
  if (!status) status = find_in_bands(call, set, bands, count, query, (u64 *)(void *)memory);
  hd_cpu_rank_give(call, memory, bytes);
  return status;
}

heddle_status hd_cpu_rank_find(struct hd_cpu_rank_call *call, struct hd_cpu_rank_set set,
                               struct hd_cpu_rank_query *query) {
  struct hd_cpu_rank_band bands[HD_RANK_BANDS + 1];
  size_t count = 0;
  query->below = ~(u64)0;
  if (set.n <= HD_RANK_NEAR) {
    find_near(call, &set, query);
    return HEDDLE_OK;
  }
  if (call->room) return find_row(call, &set, query);
  if (hd_cpu_rank_is_counted(call, &set, query->rank_count))
    return hd_cpu_rank_by_counts(call, &set, query);
  if (hd_cpu_rank_ordered(call, &set, query)) return HEDDLE_OK;
  if (query->rank_count <= HD_RANK_RANKS_MOST)
    HD_TRY(hd_cpu_rank_bands(call, &set, query, bands, &count));
  return count || !query->rank_count ? find_by_read(call, &set, bands, count, query)
                                     : find_sorted(call, &set, query);
}
