/* ranks.c - brackets around quartiles: counted below, kept between
 *
 * Method  A quartile's rank in a sample of m values strays by the root of q (1 - q) m; brackets are five times as wide
 *         to both sides, so that one in a million misses. Samples of neighbouring lines that are alike stray more:
 *         then the caller reads the file again (columns.c).
 * Source  Floyd and Rivest 1975 (samples) */
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

const double ranks_shares[QUARTILES] = {0.25, 0.5, 0.75};

static inline int64_t key_of(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

static double value_of(int64_t key) {
  const int64_t bits = key ^ (int64_t)((uint64_t)(key >> 63) >> 1);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void ranks_hold(struct ranks *r) {
  r->brackets = 1;
  r->bracket[0].low = INT64_MIN; /* both are keys of NaN */
  r->bracket[0].high = INT64_MAX;
}

int ranks_aim(struct ranks *r, heddle_context *ctx, const double *sample, size_t count,
              struct failure *why) {
  uint64_t ranks[2 * QUARTILES];
  double values[2 * QUARTILES];
  const double last = (double)(count - 1);
  for (size_t i = 0; i < QUARTILES; i++) {
    const double q = ranks_shares[i], at = q * last;
    const double stray = 5 * sqrt(q * (1 - q) * (double)count) + 3;
    ranks[2 * i] = at > stray ? (uint64_t)(at - stray) : 0;
    ranks[2 * i + 1] = at + stray < last ? (uint64_t)(at + stray) : count - 1;
  }
  if (command_check(heddle_nth(ctx, HEDDLE_F64, sample, count, ranks, 2 * QUARTILES, values, NULL),
                    NULL, why) != 0)
    return -1;
  r->brackets = QUARTILES;
  for (size_t i = 0; i < QUARTILES; i++) {
    r->bracket[i].low = key_of(values[2 * i]);
    r->bracket[i].high = key_of(values[2 * i + 1]);
  }
  return 0;
}

enum { TILE = 16 };

/* Two values at a time; what a comparison of them gives. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(int64_t))));

/* ---- values ------------------------------------------------------------------------------------------ */

static void give_up(struct ranks *r, size_t *budget) {
  for (size_t i = 0; i < QUARTILES; i++) {
    struct bracket *const b = &r->bracket[i];
    *budget += b->room * sizeof *b->inside;
    free(b->inside);
    b->inside = NULL;
    b->count = b->room = 0;
  }
  r->over = true;
}

/* Room for all that may come; false: the budget has none, or there is no memory. */
static bool make_room(struct bracket *b, size_t more, size_t *budget) {
  if (more <= b->room - b->count) return true;
  const size_t room = b->count + b->count / 4 + more, bytes = (room - b->room) * sizeof *b->inside;
  if (bytes > *budget) return false;
  double *const inside = realloc(b->inside, room * sizeof *inside);
  if (!inside) return false;
  *budget -= bytes;
  b->inside = inside;
  b->room = room;
  return true;
}

static void take_each(struct bracket *b, const double *values, size_t count) {
  const int64_t low = b->low, high = b->high;
  uint64_t below = 0, at_low = 0, at_high = 0;
  double *to = b->inside + b->count;
  for (size_t i = 0; i < count; i++) {
    const int64_t key = key_of(values[i]);
    below += key < low;
    at_low += key == low;
    at_high += key == high;
    *to = values[i];
    to += (key > low) & (key < high);
  }
  b->below += below;
  b->at_low += at_low;
  b->at_high += at_high;
  b->count = (size_t)(to - b->inside);
}

/* Whether none of so many values lies in the bracket or on its ends, which are no zeros: keys and numbers have one
 * order then. Those below are counted. */
static inline bool are_outside(const double values[TILE], double low, double high,
                               uint64_t *below) {
  const pair lows = {low, low}, highs = {high, high};
  pair_mask less = {0, 0}, inside = {0, 0}; /* of what holds all bits are set, which is -1 */
  for (size_t i = 0; i < TILE; i += 2) {
    pair two;
    memcpy(&two, values + i, sizeof two);
    less += two < lows;
    inside |= (two >= lows) & (two <= highs);
  }
  if ((inside[0] | inside[1]) != 0) return false;
  *below -= (uint64_t)(less[0] + less[1]);
  return true;
}

/* Most values are far from the bracket, and told to be so many at a time. */
static void take(struct bracket *b, const double *values, size_t count) {
  const double low = value_of(b->low), high = value_of(b->high);
  size_t i = 0;
  for (; i + TILE <= count && low != 0 && high != 0; i += TILE)
    if (!are_outside(values + i, low, high, &b->below)) take_each(b, values + i, TILE);
  take_each(b, values + i, count - i);
}

void ranks_add(struct ranks *r, const double *values, size_t count, size_t *budget) {
  for (size_t i = 0; i < r->brackets && !r->over; i++) {
    struct bracket *const b = &r->bracket[i];
    if (!make_room(b, count, budget)) {
      give_up(r, budget);
    } else if (r->brackets == 1) {
      memcpy(b->inside + b->count, values, count * sizeof *values);
      b->count += count;
    } else {
      take(b, values, count);
    }
  }
}

/* ---- quartiles --------------------------------------------------------------------------------------- */

/* The value of a rank: 1 where it is not in the bracket. */
static int find(const struct bracket *b, heddle_context *ctx, uint64_t rank, double *value,
                struct failure *why) {
  if (rank < b->below) return 1;
  rank -= b->below;
  if (rank < b->at_low) {
    *value = value_of(b->low);
    return 0;
  }
  rank -= b->at_low;
  if (rank < b->count)
    return command_check(heddle_nth(ctx, HEDDLE_F64, b->inside, b->count, &rank, 1, value, NULL),
                         NULL, why);
  rank -= b->count;
  if (b->low == b->high || rank >= b->at_high) return 1;
  *value = value_of(b->high);
  return 0;
}

int ranks_quartiles(const struct ranks *r, heddle_context *ctx, uint64_t count,
                    double found[QUARTILES], struct failure *why) {
  if (r->over) return 1;
  for (size_t i = 0; i < QUARTILES; i++) {
    const struct bracket *const b = &r->bracket[r->brackets == 1 ? 0 : i];
    const uint64_t quarters = (count - 1) * (i + 1), rank = quarters / 4;
    const double share = (double)(quarters % 4) / 4;
    double ends[2];
    int status = find(b, ctx, rank, &ends[0], why);
    ends[1] = ends[0];
    if (status == 0 && share > 0) status = find(b, ctx, rank + 1, &ends[1], why);
    if (status != 0) return status;
    /* Of two values the share between them is that of all: the library's own interpolation. */
    if (command_check(heddle_quantiles(ctx, HEDDLE_F64, ends, 2, &share, 1, &found[i], NULL), NULL,
                      why) != 0)
      return -1;
  }
  return 0;
}

void ranks_free(struct ranks *r) {
  for (size_t i = 0; i < QUARTILES; i++) free(r->bracket[i].inside);
}
