/* ranged.c - integers of 32 and 64 bits that lie close together, each once: a table of what lies between their ends
 *
 * Method   One read finds the ends. An element's pattern is what it is above the least. A second read, from the last
 *          element on, marks a pattern by a byte, counts it, or writes where it is, so that the first place is
 *          what is left. Marks become bits, bits become values. The inverse is one more read, by a table of
 *          numbers. Threads take slices, with a table each.
 * Memory   a pattern and thread: a byte, or 4 for counts and 4 for first places; 4 a pattern for the inverse
 * Limits   Places and counts of 32 bits: fewer than 2^32 elements. */
#include "cpu/select/kernels.h"
#include "host/status.h"
#include "unique.h"

enum {
  SLICE = 1 << 16,      /* elements between two polls */
  SHARE = 1 << 20,      /* elements that are worth a thread, and a few more for its table */
  LEAST = 1 << 12,      /* elements from which on it is asked how far they lie apart */
  MOST_MARKS = 1 << 24, /* patterns: a store that misses a cache is no reason to wait, */
  MOST_WORDS = 1 << 22, /* an addition is */
  MARKS_EACH = 4,       /* patterns an element that are worth a look at the end */
  BLOCK = 1 << 12 /* elements between two looks whether they are too far apart; patterns at once */
};
#define NOWHERE UINT32_MAX

struct ranged {
  const struct hd_unique *job;
  const char *in;
  size_t count, patterns, workers;
  u64 least;
  char *tables; /* a worker's: marks, or counts, then first places */
  size_t table_bytes;
  bool counts, first;
  u32 *numbers; /* of the inverse, by pattern */
  void *inverse;
  struct hd_cancellation *token;
};

/* ---- how far apart --------------------------------------------------------------------------- */

/* Keys, in the type's order, of n elements: the least and the most so far. */
static void extend(const struct hd_sort_map *map, const char *in, size_t n, u64 *least, u64 *most) {
  if (map->bits == 32) {
    u32 low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < n; i++) {
      const u32 key = element_u32(in, i) ^ (u32)map->flip;
      low = key < low ? key : low;
      high = key > high ? key : high;
    }
    *least = low < *least ? low : *least;
    *most = high > *most ? high : *most;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const u64 key = element_u64(in, i) ^ map->flip;
    *least = key < *least ? key : *least;
    *most = key > *most ? key : *most;
  }
}

bool hd_cpu_unique_range(const struct hd_unique *job, const void *in, size_t count, bool words,
                         u64 *least, size_t *patterns) {
  const struct hd_sort_map *map = &job->sort.map;
  const u64 each = words ? 1 : MARKS_EACH, most = words ? MOST_WORDS : MOST_MARKS;
  const u64 limit = count < most / each ? each * count : most;
  u64 low = HD_U64_MAX, high = 0;
  if (map->is_float || map->bits < 32 || count < LEAST || count >= NOWHERE) return false;
  for (size_t at = 0, n; at < count; at += n) {
    n = count - at < BLOCK ? count - at : BLOCK;
    extend(map, (const char *)in + at * (map->bits / 8), n, &low, &high);
    if (high - low >= limit) return false;
  }
  *least = low ^ map->flip;
  *patterns = (size_t)(high - low) + 1;
  return true;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static char *marks_of(const struct ranged *r, size_t worker) {
  return r->tables + worker * r->table_bytes;
}
static u32 *counts_of(const struct ranged *r, size_t worker) {
  return r->counts ? (u32 *)(void *)marks_of(r, worker) : NULL;
}
static u32 *first_of(const struct ranged *r, size_t worker) {
  u32 *words = (u32 *)(void *)marks_of(r, worker);
  return r->first ? words + (r->counts ? r->patterns : 0) : NULL;
}

/* bits is a constant in each caller. */
static inline __attribute__((always_inline)) u32 pattern_at(const struct ranged *r, size_t i,
                                                            u32 bits) {
  if (bits == 32) return element_u32(r->in, i) - (u32)r->least;
  return (u32)(element_u64(r->in, i) - r->least);
}

static inline __attribute__((always_inline)) void mark(const struct ranged *r, size_t worker,
                                                       size_t begin, size_t end, u32 bits) {
  char *marks = marks_of(r, worker);
  u32 *counts = counts_of(r, worker), *first = first_of(r, worker);
  if (counts && first)
    for (size_t i = end; i-- > begin;) {
      const u32 p = pattern_at(r, i, bits);
      counts[p]++;
      first[p] = (u32)i;
    }
  else if (counts)
    for (size_t i = begin; i < end; i++) counts[pattern_at(r, i, bits)]++;
  else if (first)
    for (size_t i = end; i-- > begin;) first[pattern_at(r, i, bits)] = (u32)i;
  else
    for (size_t i = begin; i < end; i++) marks[pattern_at(r, i, bits)] = 1;
}

static inline __attribute__((always_inline)) void number(const struct ranged *r, size_t begin,
                                                         size_t end, u32 bits) {
  for (size_t i = begin; i < end; i++)
    hd_cpu_unique_store(r->inverse, r->job->index_bytes, i, r->numbers[pattern_at(r, i, bits)]);
}

static void begin_end(const struct ranged *r, size_t worker, size_t *begin, size_t *end) {
  const size_t each = r->count / r->workers;
  *begin = each * worker;
  *end = worker + 1 < r->workers ? *begin + each : r->count;
}

static void mark_task(void *arg, size_t worker) {
  const struct ranged *r = arg;
  size_t begin, end;
  begin_end(r, worker, &begin, &end);
  memset(marks_of(r, worker), 0, r->table_bytes);
  if (r->first) memset(first_of(r, worker), 0xff, r->patterns * sizeof(u32));
  for (size_t at = end, n; at > begin; at -= n) { /* first places are found from the last on */
    n = at - begin < SLICE ? at - begin : SLICE;
    if (hd_poll(r->token)) return;
    if (r->job->sort.map.bits == 32)
      mark(r, worker, at - n, at, 32);
    else
      mark(r, worker, at - n, at, 64);
  }
}

static void number_task(void *arg, size_t worker) {
  const struct ranged *r = arg;
  size_t begin, end;
  begin_end(r, worker, &begin, &end);
  for (size_t at = begin, n; at < end; at += n) {
    n = end - at < SLICE ? end - at : SLICE;
    if (hd_poll(r->token)) return;
    if (r->job->sort.map.bits == 32)
      number(r, at, at + n, 32);
    else
      number(r, at, at + n, 64);
  }
}

/* Tables of all workers into the first. */
static void merge(const struct ranged *r) {
  char *marks = marks_of(r, 0);
  u32 *counts = counts_of(r, 0), *first = first_of(r, 0);
  for (size_t w = 1; w < r->workers; w++) {
    const char *more_marks = marks_of(r, w);
    const u32 *more = counts_of(r, w), *later = first_of(r, w);
    for (size_t p = 0; p < r->patterns; p++) {
      if (counts) counts[p] += more[p];
      if (first && first[p] == NOWHERE) first[p] = later[p];
      if (!counts && !first) marks[p] |= more_marks[p];
    }
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What belongs to the values whose bits are set, of which the first is value `u`, pattern `p` the first bit's. */
static void put(const struct ranged *r, const u64 *masks, size_t n, size_t p, size_t u,
                struct hd_unique_out out) {
  const u32 *counts = counts_of(r, 0), *first = first_of(r, 0);
  for (size_t i = 0; i < n; i += 64)
    for (u64 mask = masks[i / 64]; mask; mask &= mask - 1, u++) {
      const size_t at = p + i + hd_low_bit(mask);
      if (out.counts) out.counts[u] = counts[at];
      if (out.first) out.first[u] = first[at];
      if (r->numbers) r->numbers[at] = (u32)u;
    }
}

static size_t values(const struct ranged *r, const struct hd_cpu_select_kernels *kernels,
                     struct hd_unique_out out) {
  const size_t size = r->job->sort.map.bits / 8;
  const bool words = r->counts || r->first;
  const struct hd_cpu_key_range range = r->counts ? (struct hd_cpu_key_range){1, NOWHERE - 1, false}
                                        : r->first
                                            ? (struct hd_cpu_key_range){0, NOWHERE - 1, false}
                                            : (struct hd_cpu_key_range){1, 0, false};
  hd_cpu_masks_kernel *kernel = kernels->masks[words ? HEDDLE_U32 : HEDDLE_U8];
  u64 masks[BLOCK / 64];
  size_t found = 0;
  for (size_t p = 0, n; p < r->patterns; p += n) {
    n = r->patterns - p < BLOCK ? r->patterns - p : BLOCK;
    const char *table = marks_of(r, 0) + p * (words ? sizeof(u32) : 1);
    const size_t here = kernel(table, n, &range, masks);
    kernels->index[size == sizeof(u64)](r->least + p, n, masks, here,
                                        (char *)out.values + found * size);
    if (words || r->numbers) put(r, masks, n, p, found, out);
    found += here;
  }
  return found;
}

static void run(heddle_context *ctx, struct ranged *r, heddle_task *task) {
  if (r->workers > 1)
    hd_parallel(ctx, r->workers, task, r);
  else
    task(r, 0);
}

heddle_status hd_cpu_unique_ranged(heddle_context *ctx, const struct hd_unique *job, const void *in,
                                   size_t count, struct hd_unique_out out, u64 least,
                                   size_t patterns, struct hd_cancellation *token) {
  const size_t worth = count / (SHARE + 8 * patterns) + 1;
  struct ranged r = {.job = job,
                     .in = in,
                     .count = count,
                     .patterns = patterns,
                     .workers = worth < ctx->threads ? worth : ctx->threads,
                     .least = least,
                     .counts = out.counts != NULL,
                     .first = out.first != NULL,
                     .inverse = out.inverse,
                     .token = token};
  const size_t words = (size_t)r.counts + r.first;
  r.table_bytes = ((words ? words * sizeof(u32) : 1) * patterns + 63) & ~(size_t)63;
  const size_t tables_bytes = r.workers * r.table_bytes;
  const size_t bytes = tables_bytes + (out.inverse ? patterns * sizeof(u32) : 0);
  r.tables = hd_allocate(ctx, bytes);
  if (!r.tables) return HEDDLE_OUT_OF_MEMORY;
  hd_large_pages(r.tables, bytes);
  if (out.inverse) r.numbers = (u32 *)(void *)(r.tables + tables_bytes);
  run(ctx, &r, mark_task);
  heddle_status status = hd_cancellation_status(token, job->sort.entry);
  if (!status) {
    merge(&r);
    *out.found = values(&r, hd_cpu_select_kernels(ctx), out);
    if (out.inverse) run(ctx, &r, number_task);
    status = hd_cancellation_status(token, job->sort.entry);
  }
  hd_release(ctx, r.tables, bytes);
  return status;
}
