/* reference_order.c - the order itself, for elements of any size under any operator
 *
 * Result    ref_fold (rules 4 and 5) and ref_running (rule 6)
 * Method    level[k] holds the totals of all aligned blocks of 2^k neighbours (rule 3); a
 *           prefix of m neighbours is folded from the blocks that the bits of m name
 * Limits    2 n elements of memory; aborts without it */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 16, LEVELS = 64 };

typedef struct levels {
  size_t depth;
  const char *level[LEVELS];
} levels;

static void *array_of(size_t n, size_t bytes) {
  void *memory = malloc(n * bytes + 1);
  if (!memory) abort();
  return memory;
}

static levels levels_build(const ref_order *order, const void *x, size_t n) {
  levels all = {1, {x}};
  for (; n >= 2; n /= 2) {
    const char *below = all.level[all.depth - 1];
    char *here = array_of(n / 2, order->bytes);
    for (size_t i = 0; i < n / 2; i++) {
      char *total = here + i * order->bytes;
      memcpy(total, below + 2 * i * order->bytes, order->bytes);
      order->op(total, below + (2 * i + 1) * order->bytes, order->user);
    }
    all.level[all.depth++] = here;
  }
  return all;
}

static void levels_free(levels *all) {
  for (size_t k = 1; k < all->depth; k++) free((void *)(size_t)all->level[k]);
}

/* Folds the first `count` neighbours onto acc, biggest blocks first; `started` says whether
 * acc holds anything yet. */
static void tile(const ref_order *order, const levels *all, size_t count, int started, void *acc) {
  size_t at = 0;
  for (size_t k = all->depth; k-- > 0;) {
    if (!(count >> k & 1)) continue;
    const char *block = all->level[k] + (at >> k) * order->bytes;
    if (started)
      order->op(acc, block, order->user);
    else
      memcpy(acc, block, order->bytes);
    started = 1;
    at += (size_t)1 << k;
  }
}

/* The total of the first m neighbours behind `prefix`, which may be NULL, into out[m - 1]. The last
 * block that the bits of m name is one of 2^k; what comes before it is the total of m - 2^k, which
 * out has. */
static void running(const ref_order *order, const levels *all, size_t m, const void *prefix,
                    char *out) {
  size_t k = 0;
  while (!(m >> k & 1)) k++;
  const size_t before = m - ((size_t)1 << k);
  const char *block = all->level[k] + (before >> k) * order->bytes;
  const void *left = before ? out + (before - 1) * order->bytes : prefix;
  char *here = out + (m - 1) * order->bytes;
  memcpy(here, left ? left : block, order->bytes);
  if (left) order->op(here, block, order->user);
}

void ref_fold_lanes(const ref_order *order, const void *x, void *total) {
  const size_t row_bytes = order->lanes * order->bytes;
  char *s = array_of(order->lanes, order->bytes);
  memcpy(s, x, row_bytes);
  for (size_t i = order->lanes; i < ROWS * order->lanes; i++)
    order->op(s + i % order->lanes * order->bytes, (const char *)x + i * order->bytes, order->user);
  for (size_t h = order->lanes / 2; h >= 1; h /= 2)
    for (size_t j = 0; j < h; j++)
      order->op(s + j * order->bytes, s + (j + h) * order->bytes, order->user);
  memcpy(total, s, order->bytes);
  free(s);
}

static void chunk_total(const ref_order *order, const void *x, void *total) {
  if (order->chunk_total) {
    order->chunk_total(total, x, order->user);
  } else if (order->neighbours) {
    levels all = levels_build(order, x, ROWS * order->lanes);
    memcpy(total, all.level[all.depth - 1], order->bytes);
    levels_free(&all);
  } else {
    ref_fold_lanes(order, x, total);
  }
}

static char *chunk_totals(const ref_order *order, const void *x, size_t chunks) {
  char *totals = array_of(chunks, order->bytes);
  const size_t chunk_bytes = ROWS * order->lanes * order->bytes;
  for (size_t b = 0; b < chunks; b++)
    chunk_total(order, (const char *)x + b * chunk_bytes, totals + b * order->bytes);
  return totals;
}

void ref_fold(const ref_order *order, const void *x, size_t n, void *total) {
  const size_t chunk = ROWS * order->lanes;
  const size_t full = n / chunk;
  char *totals = chunk_totals(order, x, full);
  levels above = levels_build(order, totals, full);
  levels rest = levels_build(order, (const char *)x + full * chunk * order->bytes, n % chunk);
  char *acc = array_of(1, order->bytes);
  tile(order, &above, full, 0, acc);
  tile(order, &rest, n % chunk, full > 0, acc);
  memcpy(total, acc, order->bytes);
  free(acc);
  levels_free(&above);
  levels_free(&rest);
  free(totals);
}

void ref_running(const ref_order *order, const void *x, size_t n, void *totals) {
  const size_t chunk = ROWS * order->lanes;
  const size_t full = n / chunk;
  char *ends = chunk_totals(order, x, full);
  levels above = levels_build(order, ends, full);
  char *prefix = array_of(1, order->bytes);
  for (size_t b = 0; b * chunk < n; b++) {
    const char *here = (const char *)x + b * chunk * order->bytes;
    char *out = (char *)totals + b * chunk * order->bytes;
    const size_t count = b < full ? chunk : n % chunk;
    levels within = levels_build(order, here, count);
    tile(order, &above, b, 0, prefix);
    for (size_t m = 1; m <= count; m++) running(order, &within, m, b > 0 ? prefix : NULL, out);
    if (b < full) tile(order, &above, b + 1, 0, out + (count - 1) * order->bytes);
    levels_free(&within);
  }
  free(prefix);
  levels_free(&above);
  free(ends);
}
