/* saved.h - the form of a saved state: what stands before its content
 *
 *   "HEDDLE" 1a 53, u32 version of the form, u32 version of the order, u32 kind, u32 0
 *   fold, exact, scan:  u32 verb, operator, type, acc_type, out_type, nan, figures, kind of scan; f64 divisor;
 *                       u64 start, end, count; u32 bytes of a custom element, whether it is commutative,
 *                       bytes of init, 0; init
 *       fold            the totals of the run (order/runs.h); elements before it, of x and then y; behind it
 *       exact           u64 NaN, +inf, -inf; limbs of the span (order/exact/limbs.h): u32 each, the last i64
 *       scan            the totals of the run from 0; elements behind it
 *   histogram:          u32 type, channels, weights_type, kind of bins; i32 exponent, u32 exact; u64 bins; f64 lo,
 *                       hi; i64 first; u64 elements; edges, if they are given; u64 counters, a channel's bins,
 *                       under, over, NaN interleaved with the others'; with weights u64 low, high, u32 marks, 0 each,
 *                       or exact sums (hd_exact_pack)
 *   quantiles:          u32 type, method, nan, what the pass does, passes before it, 0 (1 where ranks are asked for,
 *                       and 2 if descending, 4 if NaN come first); u64 shares, bands, elements and
 *                       NaN of the passes before, elements and NaN of this one, its least and greatest key (behind the
 *                       first pass 0), keys it has kept; f64 shares or u64 ranks; a band's u64 low, width, below,
 *                       inside; u64
 *                       counters of the bands that have a width, or keys in order
 *   first elements:     u32 type, descending, nan_first, 0; u64 k, how many there are, least position that came,
 *                       behind the greatest, elements; u64 positions; elements
 *   weighted quantiles: u32 type, weights_type, nan, whether it is done, passes before this one, first limb and
 *                       limbs of a counter, 0; u64 shares, bands, elements and NaN of the passes before, of this one;
 *                       f64 shares; behind the first pass the sum of all weights, and a band's u64 low, width, the
 *                       sums below and inside: u32 limbs of the span; u32 limbs of counters
 *   u64 checksum of all before
 *
 * Little-endian, without padding. How long each part is follows from what stands before it. */
#ifndef HEDDLE_API_STATE_SAVED_H
#define HEDDLE_API_STATE_SAVED_H

#include "api/api.h"
#include "bins/index.h"
#include "order/exact/format.h"
#include "wire.h"

#define HD_SAVED_MAGIC "HEDDLE\x1aS"
enum { HD_SAVED_MAGIC_BYTES = 8, HD_SAVED_VERSION = 1, HD_SAVED_TAIL_BYTES = 8 };

enum hd_saved_kind {
  HD_SAVED_FOLD = 1,
  HD_SAVED_EXACT = 2,
  HD_SAVED_SCAN = 3,
  HD_SAVED_HISTOGRAM = 4,
  HD_SAVED_QUANTILES = 5,
  HD_SAVED_FIRSTS = 6,
  HD_SAVED_WEIGHED = 7
};

static inline enum hd_saved_kind hd_saved_kind_of(const heddle_state *state) {
  if (state->kind == HD_STATE_SCAN) return HD_SAVED_SCAN;
  if (state->kind == HD_STATE_HISTOGRAM) return HD_SAVED_HISTOGRAM;
  if (state->kind == HD_STATE_QUANTILES) return HD_SAVED_QUANTILES;
  if (state->kind == HD_STATE_FIRSTS) return HD_SAVED_FIRSTS;
  if (state->kind == HD_STATE_WEIGHED) return HD_SAVED_WEIGHED;
  return state->fold.fold.exact ? HD_SAVED_EXACT : HD_SAVED_FOLD;
}

static inline heddle_verb hd_saved_verb(enum hd_verb verb) {
  switch (verb) {
  case HD_ARGREDUCE: return HEDDLE_ARGREDUCE;
  case HD_DOT: return HEDDLE_DOT;
  case HD_FIGURE:
  case HD_DESCRIBE: return HEDDLE_DESCRIBE;
  case HD_REDUCE: break;
  }
  return HEDDLE_REDUCE;
}

/* The limbs that a job's sum has, init apart. */
static inline struct hd_exact_span hd_saved_span(const struct hd_fold *fold) {
  const bool products = fold->verb == HD_DOT || fold->op == HEDDLE_SUM_SQUARES;
  return hd_exact_span_of(hd_exact_format_of_type(fold->type), products);
}

/* Totals of a scan of integers in 32 bits have no more in memory either: results do not depend on the rest, as
 * floats made of them would. */
static inline void hd_saved_narrow(const struct hd_fold *fold, u32 kind, void *total) {
  u64 word;
  if (kind != HD_TOTAL_U64 || heddle_type_size(fold->out_type) > 4 || hd_is_float(fold->out_type))
    return;
  memcpy(&word, total, sizeof word);
  word &= 0xffffffffu;
  memcpy(total, &word, sizeof word);
}

static inline u64 hd_saved_counters(const struct hd_histogram *job) {
  return ((u64)job->bins.count + HD_EXTRA_SLOTS) * job->channels;
}

/* ---- load.c: what is wrong with the bytes ------------------------------------------------------- */

/* HEDDLE_BAD_DATA, and why. */
heddle_status hd_saved_bad(const char *why);
/* The same of a call that has refused what was saved: its words are kept. */
heddle_status hd_saved_refused(heddle_status status);

/* ---- histogram_bytes.c --------------------------------------------------------------------------- */

/* The state that the content of a saved histogram makes; *out is NULL if it makes none. */
heddle_status hd_saved_histogram(heddle_context *ctx, struct hd_reader *r, heddle_state **out);

#endif
