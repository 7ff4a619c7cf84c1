/* weighed.h - quantiles by weights of data that come in pieces: keys narrowed by passes, whose weights are added exactly
 *
 * Method   The first pass adds the weights of elements by the top bits of their keys. With the sum of all, and the sums
 *          up to each counter, it is known in which counter every share is reached: a band. The next pass adds weights
 *          in bands, and so on until every band is one key. Sums are integers of limbs on the grid of order/exact: no
 *          order of pieces, and no tree of merges, changes a bit of them.
 * Limits   A counter has as many limbs as the weights that came ask for, from the least to the greatest. Both zeros are one
 *          key. */
#ifndef HEDDLE_API_STATE_WEIGHED_H
#define HEDDLE_API_STATE_WEIGHED_H

#include "api/api.h"
#include "order/exact/share.h"
#include "order/quantile.h"

enum {
  HD_WEIGHED_SHARES_MOST = 1 << 12,
  HD_WEIGHED_SLOTS_MOST = 1 << 17, /* counters of all bands */
  HD_WEIGHED_BITS = 16,            /* of a key, that a pass tells apart in one band */
  HD_WEIGHED_ROUNDS_MOST = 64,
  HD_WEIGHED_FIRST = 38, /* limbs of sums of f64: from the least subnormal */
  HD_WEIGHED_END = 108,  /* to 2^53 times the greatest number */
  HD_WEIGHED_ROOM = 5    /* limbs from that of a weight's least bit on that a sum of 2^53 takes */
};
#define HD_WEIGHED_ELEMENTS_MOST ((u64)1 << 53)

/* Keys from low to low + width, whose weights sum to `inside`, behind `below` of lesser keys. Counted, they have
 * (width >> shift) + 1 counters from `first` on. */
struct hd_weighed_band {
  u64 low, width;
  u32 shift;
  size_t first;
  struct hd_exact below, inside;
};

/* A share, and where it was asked for. */
struct hd_weighed_share {
  f64 q;
  size_t at;
};

struct hd_weighed {
  struct hd_quantiles job;
  size_t q_count;
  f64 *q;                         /* as they were asked for */
  struct hd_weighed_share *share; /* rising */
  bool done;
  u32 round;             /* passes before the one that is under way */
  u64 total, total_nan;  /* elements of each of them */
  u64 seen, seen_nan;    /* of this one */
  u64 nan_key, most_key; /* the least key of a NaN, 0: none; the greatest key there may be */
  struct hd_exact whole; /* of all numbers; behind the first pass */
  size_t band_count;
  struct hd_weighed_band *bands, *next; /* room for one a share, and one */
  void *memory;
  size_t memory_bytes;
  u32 *table; /* counters, of `limbs` each from limb `first_limb` on; NULL: no weight came */
  size_t slots;
  u32 first_limb, limbs;
};

heddle_status hd_weighed_begin(heddle_context *ctx, const struct hd_quantiles *job, const f64 *q,
                               size_t q_count, struct hd_weighed **out);
/* Counters have at least limbs first to end - 1. */
heddle_status hd_weighed_fit(heddle_context *ctx, struct hd_weighed *w, u32 first, u32 end);
/* *sum gains a counter, and is carried. */
void hd_weighed_sum(const struct hd_weighed *w, size_t slot, struct hd_exact *sum);
/* Whether nothing is looked for: there are no numbers, or a NaN makes all results NaN. */
bool hd_weighed_is_lost(const struct hd_weighed *w);
bool hd_weighed_is_nothing(const struct hd_weighed *w);
/* Counters for the bands, which hold nothing; `done` if none has a width. The old ones are given back. */
void hd_weighed_lay_out(heddle_context *ctx, struct hd_weighed *w);
/* The first band from *b on with which the share is reached; false: none is. */
bool hd_weighed_band_of(const struct hd_weighed *w, f64 q, size_t *b);
/* Numbers of this pass, and their weights, which are none below 0 and all finite. */
heddle_status hd_weighed_add(heddle_context *ctx, struct hd_weighed *w, const void *in,
                             const void *weights, size_t n);
/* Ends the pass, and begins the next one; HEDDLE_BAD_DATA. */
heddle_status hd_weighed_close(const char *entry, heddle_context *ctx, struct hd_weighed *w);
/* Of a state that is done; HEDDLE_EMPTY. */
heddle_status hd_weighed_values(const char *entry, const struct hd_weighed *w, f64 *out);

/* weighed_calls.c: what heddle_quantiles_round and heddle_quantiles_finish are of such a state. */
heddle_status hd_weighed_round(const char *entry, heddle_state *state, int *again);
heddle_status hd_weighed_finish(const char *entry, heddle_state *state, f64 *out);

/* weighed_bytes.c: as bytes and back, and two as one. */
struct hd_writer;
struct hd_reader;
void hd_weighed_put_head(struct hd_writer *to, const struct hd_weighed *w);
size_t hd_weighed_table_bytes(const struct hd_weighed *w);
void hd_weighed_put_table(struct hd_writer *to, const struct hd_weighed *w);
/* What is wrong with them, or NULL; *status where it is something else. */
const char *hd_weighed_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                           heddle_status *status);
heddle_status hd_weighed_merge(const char *entry, heddle_context *ctx, struct hd_weighed *into,
                               const struct hd_weighed *from);

static inline bool hd_weighed_is_zero(const struct hd_exact *sum) {
  for (u32 k = 0; k < HD_EXACT_LIMBS; k++)
    if (sum->limb[k]) return false;
  return true;
}

static inline size_t hd_weighed_slots_of(const struct hd_weighed_band *band) {
  return band->width ? (size_t)(band->width >> band->shift) + 1 : 0;
}

#endif
