/* counted.c - values of 8 and 16 bits, each once: a counter for each
 *
 * Method   One read counts patterns and keeps where each was first; patterns are walked in the order of their keys, in
 *          which equal ones are neighbours. The inverse is one more read. Threads take slices.
 * Memory   16 bytes a pattern and thread: 4 KiB or 1 MiB */
#include "host/status.h"
#include "unique.h"

enum {
  SLICE = 1 << 16,   /* elements between two polls */
  SHARE_8 = 1 << 16, /* elements that are worth a thread */
  SHARE_16 = 1 << 20
};

struct pattern {
  u64 count, first;
};

struct counted {
  const struct hd_unique *job;
  const unsigned char *in;
  size_t count, patterns, workers;
  struct pattern *tables; /* a worker's own */
  const u32 *places;      /* u by pattern; NULL while counting */
  void *inverse;
  struct hd_cancellation *token;
};

static u32 pattern_at(const struct counted *c, size_t i) {
  u16 wide;
  if (c->job->sort.map.bits == 8) return c->in[i];
  memcpy(&wide, c->in + 2 * i, sizeof wide);
  return wide;
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

static void store(char *to, size_t bytes, u32 bits) {
  const u8 narrow = (u8)bits;
  const u16 wide = (u16)bits;
  memcpy(to, bytes == 1 ? (const void *)&narrow : &wide, bytes);
}

/* Values in their order from the first table; *places of all patterns. Returns how many values there are. */
static size_t walk(const struct counted *c, struct hd_unique_out out, u32 *places) {
  const struct hd_sort_map *map = &c->job->sort.map;
  const size_t bytes = map->bits / 8;
  size_t found = 0;
  u64 before = 0, count = 0, first = 0;
  for (u64 key = 0; key < c->patterns; key++) {
    const u32 pattern = pattern_of_key(map, key);
    const struct pattern *p = &c->tables[pattern];
    if (!p->count) continue;
    const u64 bits = hd_cpu_unique_bits(map, pattern);
    if (!found || bits != before) {
      found++;
      count = 0, first = SIZE_MAX;
    }
    before = bits;
    count += p->count;
    if (p->first < first) {
      first = p->first;
      store((char *)out.values + (found - 1) * bytes, bytes, pattern);
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

heddle_status hd_cpu_unique_counted(heddle_context *ctx, const struct hd_unique *job,
                                    const void *in, size_t count, struct hd_unique_out out,
                                    struct hd_cancellation *token) {
  const u32 bits = job->sort.map.bits;
  const size_t worth = count / (bits == 8 ? SHARE_8 : SHARE_16) + 1;
  struct counted c = {.job = job,
                      .in = in,
                      .count = count,
                      .patterns = (size_t)1 << bits,
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
