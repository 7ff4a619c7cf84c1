/* rounds.h - quantiles of data that come in pieces: keys narrowed by passes over all of them
 *
 * Method   The first pass counts keys by their top bits. With the counts of all data the ranks of the quantiles are known,
 *          and which few keys each may have: a band. The next pass counts keys in bands, or keeps them where they
 *          are few, and so on until every band is one key. What one pass counts is merged by addition.
 * Source   Alabi et al. 2012 (radix select) */
#ifndef HEDDLE_API_STATE_ROUNDS_H
#define HEDDLE_API_STATE_ROUNDS_H

#include "api/api.h"
#include "order/quantile.h"

enum {
  HD_ROUND_SHARES_MOST = 1 << 16,
  HD_ROUND_SLOTS_MOST = 1 << 22, /* counters of all bands */
  HD_ROUND_KEEP_MOST = 1 << 20,  /* keys that are kept rather than counted */
  HD_ROUND_MOST = 64             /* passes: each takes a bit of a key at least */
};
#define HD_ROUND_ELEMENTS_MOST ((u64)1 << 53) /* what order/quantile.h is for */

enum hd_round_what { HD_ROUND_COUNT = 0, HD_ROUND_KEEP = 1, HD_ROUND_DONE = 2 };

struct hd_rounds {
  struct hd_quantiles job;
  size_t q_count;
  f64 *q;
  u64 *asked; /* in place of shares: ranks, where the state is `ranked` */
  bool ranked;
  enum hd_round_what what;         /* the pass that is under way does */
  u32 round;                       /* passes before it */
  u64 total, total_nan;            /* of each of them */
  u64 seen, seen_nan, least, most; /* of this one */
  u64 nan_key, most_key; /* the least key of a NaN, 0: none; the greatest key there may be */
  size_t band_count, open_count;
  struct hd_key_band *bands; /* of all ranks: room for two a share, and one */
  struct hd_key_band *open;  /* those of more than a key, with their counters */
  struct hd_key_band *next;
  u64 *ranks; /* room for two a share */
  void *memory;
  size_t memory_bytes;
  u64 *table; /* counters, or keys; NULL when done */
  size_t slots, kept;
};

/* A state of no elements; *out is to be freed by hd_rounds_free. What is asked for is checked: f64 shares, or,
 * `ranked`, u64 ranks. */
heddle_status hd_rounds_begin(heddle_context *ctx, const struct hd_quantiles *job, bool ranked,
                              const void *asked, size_t q_count, struct hd_rounds **out);
/* Elements that ranks are among, and whether all quantiles are NaN because some of them are. */
u64 hd_rounds_ranked(const struct hd_rounds *r);
bool hd_rounds_is_lost(const struct hd_rounds *r);
/* Ranks that are asked for, or of all shares, rising, each once, into r->ranks; how many. */
size_t hd_rounds_ranks(struct hd_rounds *r);
/* The open bands of r->bands, with counters; `what` if there are none, or few keys in them. */
void hd_rounds_open(struct hd_rounds *r);
/* The table for this pass, cleared. */
heddle_status hd_rounds_table(heddle_context *ctx, struct hd_rounds *r);
/* Its table, given back before what says how long it is changes. */
void hd_rounds_drop(heddle_context *ctx, struct hd_rounds *r);
/* Keys that the pass keeps: of all open bands. */
u64 hd_rounds_inside(const struct hd_rounds *r);
/* Ends the pass, and begins the next one; HEDDLE_BAD_DATA. */
heddle_status hd_rounds_close(const char *entry, heddle_context *ctx, struct hd_rounds *r);
/* Of a state that is done. */
u64 hd_rounds_element(const struct hd_rounds *r, u64 rank); /* its bits */
f64 hd_rounds_value(const struct hd_rounds *r, f64 q);
void hd_rounds_sort(u64 *keys, size_t n);

/* rounds_bytes.c: as bytes and back, and two as one. */
struct hd_writer;
struct hd_reader;
void hd_rounds_put_head(struct hd_writer *w, const struct hd_rounds *r);
size_t hd_rounds_table_bytes(const struct hd_rounds *r);
void hd_rounds_put_table(struct hd_writer *w, struct hd_rounds *r);
/* What is wrong with them, or NULL; *status where it is something else. */
const char *hd_rounds_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                          heddle_status *status);
heddle_status hd_rounds_merge(const char *entry, struct hd_rounds *into,
                              const struct hd_rounds *from);

/* ---- keys -------------------------------------------------------------------------------------- */

static inline u64 hd_rounds_mask(const struct hd_sort_map *map) {
  return map->bits < 64 ? ((u64)1 << map->bits) - 1 : HD_U64_MAX;
}
/* From an element's bits, and back (struct hd_sort_map). */
static inline u64 hd_rounds_key(const struct hd_sort_map *map, u64 bits) {
  const u64 mask = hd_rounds_mask(map), sign = (u64)1 << (map->bits - 1);
  if (!map->is_float) return bits ^ map->flip;
  return ((bits ^ (bits & sign ? mask : sign) ^ map->flip) + map->turn) & mask;
}
static inline u64 hd_rounds_bits(const struct hd_sort_map *map, u64 key) {
  const u64 mask = hd_rounds_mask(map), sign = (u64)1 << (map->bits - 1);
  if (!map->is_float) return key ^ map->flip;
  const u64 bits = ((key - map->turn) ^ map->flip) & mask;
  return bits ^ (bits & sign ? sign : mask);
}

#endif
