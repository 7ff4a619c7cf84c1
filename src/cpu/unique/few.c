/* few.c - few values of 32 and 64 bits, each once: a table by a hash
 *
 * Method   A sample says whether values are few. Elements are looked up in turn in a table that stays in a near cache;
 *          a new one gets the next number, and is the first of its value. The values are sorted at the end. The
 *          inverse is of numbers at first, and becomes that of places in the order by one more read.
 * Memory   208 KiB
 * Limits   At most MOST values, none of which more than PROBES others stand before: else false, and somebody else does
 *          it. One thread, so that it is for contexts of few.
 * Source   open addressing with linear probing; the multiplier is Knuth's, of 2^64 */
#include "host/status.h"
#include "unique.h"

enum {
  LEAST = 1 << 15, /* elements that are worth a sample */
  SAMPLE = 4096,   /* elements, of which half at most may be different */
  SLOT_BITS = 13,
  SLOTS = 1 << SLOT_BITS,
  MOST = 2048, /* values */
  PROBES = 64,
  THREADS = 4,    /* that a sort has to have to be as fast */
  SLICE = 1 << 14 /* elements between two polls */
};

struct slot {
  u64 bits;
  u32 number, used; /* number: of the value, in the order of first occurrences */
};

struct few {
  const struct hd_unique *job;
  const char *in;
  size_t count;
  struct hd_unique_out out;
  u32 found;
  struct slot slots[SLOTS];
  u64 raw[MOST], counts[MOST], first[MOST];
  u32 order[MOST], places[MOST];
};

/* bits, of an element, and is_float are constants in each caller, here and below. */
static inline __attribute__((always_inline)) u64 raw_at(const struct few *f, size_t i, u32 bits) {
  return bits == 64 ? element_u64(f->in, i) : element_u32(f->in, i);
}

/* The number of element i's value; MOST: it has none and cannot get one. */
static inline __attribute__((always_inline)) u32
number_of(struct few *f, const struct hd_sort_map *map, size_t i, u32 bits, bool is_float) {
  const u64 raw = raw_at(f, i, bits), key = is_float ? hd_cpu_unique_bits(map, raw) : raw;
  size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
  for (u32 probe = 0; probe < PROBES; probe++, at = (at + 1) % SLOTS) {
    struct slot *slot = &f->slots[at];
    if (slot->used && slot->bits == key) return slot->number;
    if (slot->used) continue;
    if (f->found == MOST) return MOST;
    *slot = (struct slot){key, f->found, 1};
    f->raw[f->found] = raw;
    f->first[f->found] = i;
    f->counts[f->found] = 0;
    return f->found++;
  }
  return MOST;
}

/* Elements first .. end; false: their values are too many. */
static inline __attribute__((always_inline)) bool look_up(struct few *f, size_t first, size_t end,
                                                          u32 bits, bool is_float) {
  struct hd_sort_map map = f->job->sort.map;
  void *inverse = f->out.inverse;
  const bool counts = f->out.counts != NULL;
  map.bits = bits, map.is_float = is_float;
  for (size_t i = first; i < end; i++) {
    const u32 number = number_of(f, &map, i, bits, is_float);
    if (number == MOST) return false;
    if (counts) f->counts[number]++;
    if (inverse) hd_cpu_unique_store(inverse, f->job->index_bytes, i, number);
  }
  return true;
}

static bool look_up_any(struct few *f, size_t first, size_t end) {
  const struct hd_sort_map *map = &f->job->sort.map;
  if (map->bits == 32)
    return map->is_float ? look_up(f, first, end, 32, true) : look_up(f, first, end, 32, false);
  return map->is_float ? look_up(f, first, end, 64, true) : look_up(f, first, end, 64, false);
}

static bool are_few(struct few *f) {
  const struct hd_sort_map map = f->job->sort.map;
  const size_t apart = f->count / SAMPLE;
  for (size_t i = 0; i < SAMPLE; i++) { /* no period of the elements is that of the sample */
    const size_t at = i * apart + i * 5 % apart;
    if (number_of(f, &map, at, map.bits, map.is_float) == MOST || f->found > SAMPLE / 2)
      return false;
  }
  memset(f->slots, 0, sizeof f->slots);
  f->found = 0;
  return true;
}

/* order = numbers in the order of their values */
static heddle_status sort(heddle_context *ctx, struct few *f) {
  struct hd_sort sort = f->job->sort;
  u32 narrow[MOST];
  for (u32 u = 0; u < f->found; u++) narrow[u] = (u32)f->raw[u];
  const struct hd_sort_arrays arrays = {sort.map.bits == 64 ? (const void *)f->raw : narrow, NULL,
                                        NULL, f->order};
  sort.what = HD_SORT_POSITIONS;
  sort.value_bytes = sizeof *f->order;
  return hd_cpu_sort(ctx, &sort, &arrays, f->found);
}

static void put(struct few *f) {
  const bool wide = f->job->sort.map.bits == 64;
  for (u32 u = 0; u < f->found; u++) {
    const u32 number = f->order[u], narrow = (u32)f->raw[number];
    if (wide)
      memcpy((char *)f->out.values + u * sizeof(u64), &f->raw[number], sizeof(u64));
    else
      memcpy((char *)f->out.values + u * sizeof narrow, &narrow, sizeof narrow);
    if (f->out.counts) f->out.counts[u] = f->counts[number];
    if (f->out.first) f->out.first[u] = f->first[number];
    f->places[number] = u;
  }
  for (size_t i = 0; i < f->count && f->out.inverse; i++) {
    const u64 number =
        f->job->index_bytes == 8 ? element_u64(f->out.inverse, i) : element_u32(f->out.inverse, i);
    hd_cpu_unique_store(f->out.inverse, f->job->index_bytes, i, f->places[number]);
  }
  *f->out.found = f->found;
}

bool hd_cpu_unique_few(heddle_context *ctx, const struct hd_unique *job, const void *in,
                       size_t count, struct hd_unique_out out, struct hd_cancellation *token,
                       heddle_status *status) {
  if (count < LEAST || ctx->threads > THREADS) return false;
  struct few *f = hd_allocate(ctx, sizeof *f);
  *status = f ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (!f) return true;
  f->job = job, f->in = in, f->count = count, f->out = out, f->found = 0;
  memset(f->slots, 0, sizeof f->slots);
  bool few = are_few(f);
  for (size_t i = 0, n; i < count && few && !*status; i += n) {
    n = count - i < SLICE ? count - i : SLICE;
    few = look_up_any(f, i, i + n);
    if (hd_poll(token)) *status = hd_cancellation_status(token, job->sort.entry);
  }
  if (few && !*status) *status = sort(ctx, f);
  if (few && !*status) put(f);
  hd_release(ctx, f, sizeof *f);
  return few;
}
