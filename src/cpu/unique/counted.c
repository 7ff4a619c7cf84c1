/* counted.c - values of 8 and 16 bits, and integers that lie close together, each once: a counter for each
 *
 * Method   One read counts patterns and keeps where each was first; patterns are walked in the order of their keys, in
 *          which equal ones are neighbours. Integers of 32 and 64 bits: a pattern is what an element is above the least
 *          of all, which one more read finds. The inverse is one more read. Threads take slices.
 * Memory   16 bytes a pattern and thread: 4 KiB or 1 MiB, or as much as the array at most */
#include "host/status.h"
#include "unique.h"

enum {
  SLICE = 1 << 16,   /* elements between two polls */
  SHARE_8 = 1 << 16, /* elements that are worth a thread */
  SHARE_16 = 1 << 20,
  RANGE_LEAST = 1 << 12,  /* elements from which on it is asked how far integers lie apart */
  RANGE_MOST = 1 << 22,   /* values of those, where a sort would move positions, */
  RANGE_CACHED = 1 << 16, /* and where it would not */
  BLOCK = 1 << 12         /* elements between two looks whether they are too far apart */
};

struct pattern {
  u64 count, first;
};

struct counted {
  const struct hd_unique *job;
  const unsigned char *in;
  size_t count, patterns, workers;
  bool by_range; /* an element's pattern is its bits less those of the least */
  u64 least;
  struct pattern *tables; /* a worker's own */
  const u32 *places;      /* u by pattern; NULL while counting */
  void *inverse;
  struct hd_cancellation *token;
};

static u32 pattern_at(const struct counted *c, size_t i) {
  const u32 bits = c->job->sort.map.bits;
  u16 wide;
  u32 element;
  u64 long_element;
  switch (bits) {
  case 8: return c->in[i];
  case 16: memcpy(&wide, c->in + 2 * i, sizeof wide); return wide;
  case 32: memcpy(&element, c->in + 4 * i, sizeof element); return element - (u32)c->least;
  default:
    memcpy(&long_element, c->in + 8 * i, sizeof long_element);
    return (u32)(long_element - c->least);
  }
}

static void slice_task(void *arg, size_t worker) {
  const struct counted *c = arg;
  const size_t a_worker = c->count / c->workers, begin = a_worker * worker;
  const size_t end = worker + 1 < c->workers ? begin + a_worker : c->count;
  struct pattern *table = c->tables + worker * c->patterns;
  for (size_t p = 0; p < c->patterns && !c->places; p++) table[p] = (struct pattern){0, SIZE_MAX};
  for (size_t at = begin, stop; at < end; at = stop) {
    stop = end - at < SLICE ? end : at + SLICE;
    if (hd_poll(c->token)) return;
    for (size_t i = at; i < stop && !c->places; i++) {
      struct pattern *p = &table[pattern_at(c, i)];
      if (!p->count++) p->first = i;
    }
    for (size_t i = at; i < stop && c->places; i++)
      hd_cpu_unique_store(c->inverse, c->job->index_bytes, i, c->places[pattern_at(c, i)]);
  }
}

/* Tables of all workers into the first. */
static void merge(const struct counted *c) {
  for (size_t w = 1; w < c->workers; w++) {
    const struct pattern *from = c->tables + w * c->patterns;
    for (size_t p = 0; p < c->patterns; p++) {
      if (from[p].count && !c->tables[p].count) c->tables[p].first = from[p].first;
      c->tables[p].count += from[p].count;
    }
  }
}

/* The pattern of a key: the map of struct hd_sort_map backwards. */
static u32 pattern_of_key(const struct hd_sort_map *map, u64 key) {
  const u64 sign = (u64)1 << (map->bits - 1), all = sign | (sign - 1);
  if (!map->is_float) return (u32)((key ^ map->flip) & all);
  const u64 turned = (key - map->turn) & all;
  const u64 flipped = (turned ^ map->flip) & all;
  return (u32)((flipped & sign ? flipped ^ sign : ~flipped) & all);
}

static void store(char *to, size_t bytes, u64 bits) {
  const u8 b8 = (u8)bits;
  const u16 b16 = (u16)bits;
  const u32 b32 = (u32)bits;
  const void *const from[] = {&b8, &b16, &b32, &bits};
  memcpy(to, from[hd_top_bit(bytes)], bytes);
}

/* Values in their order from the first table; *places of all patterns. Returns how many values there are. */
static size_t walk(const struct counted *c, struct hd_unique_out out, u32 *places) {
  const struct hd_sort_map *map = &c->job->sort.map;
  const size_t bytes = map->bits / 8;
  size_t found = 0;
  u64 before = 0, count = 0, first = 0;
  for (u64 key = 0; key < c->patterns; key++) {
    const u32 pattern = c->by_range ? (u32)key : pattern_of_key(map, key);
    const struct pattern *p = &c->tables[pattern];
    if (!p->count) continue;
    const u64 bits = c->by_range ? c->least + pattern : hd_cpu_unique_bits(map, pattern);
    if (!found || bits != before) {
      found++;
      count = 0, first = SIZE_MAX;
    }
    before = bits;
    count += p->count;
    if (p->first < first) {
      first = p->first;
      store((char *)out.values + (found - 1) * bytes, bytes, c->by_range ? bits : pattern);
    }
    if (out.counts) out.counts[found - 1] = count;
    if (out.first) out.first[found - 1] = first;
    places[pattern] = (u32)(found - 1);
  }
  return found;
}

static void run(heddle_context *ctx, struct counted *c) {
  if (c->workers > 1)
    hd_parallel(ctx, c->workers, slice_task, c);
  else
    slice_task(c, 0);
}

/* ---- integers that lie close together ---------------------------------------------------------------- */

/* Keys, in the type's order, of n elements from `first` on: the least and the most. */
static void extend(const struct hd_sort_map *map, const unsigned char *in, size_t first, size_t n,
                   u64 *least, u64 *most) {
  for (size_t i = first; i < first + n; i++) {
    u32 narrow;
    u64 key;
    if (map->bits == 32) {
      memcpy(&narrow, in + 4 * i, sizeof narrow);
      key = narrow ^ (u32)map->flip;
    } else {
      memcpy(&key, in + 8 * i, sizeof key);
      key ^= map->flip;
    }
    *least = key < *least ? key : *least;
    *most = key > *most ? key : *most;
  }
}

bool hd_cpu_unique_range(const struct hd_unique *job, const void *in, size_t count, bool positions,
                         u64 *least, size_t *patterns) {
  const struct hd_sort_map *map = &job->sort.map;
  const u64 most = positions ? RANGE_MOST : RANGE_CACHED;
  const u64 limit = count / 8 < most ? count / 8 : most;
  u64 low = HD_U64_MAX, high = 0;
  if (map->is_float || map->bits < 32 || count < RANGE_LEAST) return false;
  for (size_t at = 0, n; at < count; at += n) {
    n = count - at < BLOCK ? count - at : BLOCK;
    extend(map, in, at, n, &low, &high);
    if (high - low >= limit) return false;
  }
  *least = low ^ map->flip;
  *patterns = (size_t)(high - low) + 1;
  return true;
}

heddle_status hd_cpu_unique_counted(heddle_context *ctx, const struct hd_unique *job,
                                    const void *in, size_t count, struct hd_unique_out out,
                                    const u64 *least, size_t patterns,
                                    struct hd_cancellation *token) {
  const u32 bits = job->sort.map.bits;
  const size_t share = least ? SHARE_16 + 8 * patterns : bits == 8 ? SHARE_8 : SHARE_16;
  const size_t worth = count / share + 1;
  struct counted c = {.job = job,
                      .in = in,
                      .count = count,
                      .patterns = least ? patterns : (size_t)1 << bits,
                      .by_range = least != NULL,
                      .least = least ? *least : 0,
                      .workers = worth < ctx->threads ? worth : ctx->threads,
                      .inverse = out.inverse,
                      .token = token};
  const size_t tables_bytes = c.workers * c.patterns * sizeof *c.tables;
  const size_t bytes = tables_bytes + c.patterns * sizeof(u32);
  c.tables = hd_allocate(ctx, bytes);
  if (!c.tables) return HEDDLE_OUT_OF_MEMORY;
  u32 *places = (void *)((char *)c.tables + tables_bytes);
  run(ctx, &c);
  heddle_status status = hd_cancellation_status(token, job->sort.entry);
  if (!status) {
    merge(&c);
    *out.found = walk(&c, out, places);
    c.places = places;
    if (out.inverse) run(ctx, &c);
    status = hd_cancellation_status(token, job->sort.entry);
  }
  hd_release(ctx, c.tables, bytes);
  return status;
}
