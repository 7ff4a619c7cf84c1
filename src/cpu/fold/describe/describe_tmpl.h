/* describe_tmpl.h - count, extremes, sum and moments of one type, or what a mean or a variance needs of
 * them (rule 9)
 *
 * Parameters  DESC_IN     element type: load_IN_f64 and one_IN_f64 exist
 *             DESC_IS_F64 1 if that is f64
 *             DESC_SKIP   1: NaN are left out, and the kernels' names end in _skip; else 0
 * Result      describe_IN, variance_IN, mean_IN; figures_IN, which names them
 * Method      Elements become f64 in a buffer, in L1; chunk.h, tail.h and columns.h do the rest for
 *             all types. */
#define DESC_CAT_(a, b, c) a##b##c
#define DESC_CAT(a, b, c) DESC_CAT_(a, b, c)
#if DESC_SKIP
#define DESC_NAME(kind) DESC_CAT(kind##_, DESC_IN, _skip)
#else
#define DESC_NAME(kind) DESC_CAT(kind##_, DESC_IN, )
#endif
#define DESC_FN_(name, part) name##_##part
#define DESC_FN__(name, part) DESC_FN_(name, part)
#define DESC_FN(kind, part) DESC_FN__(DESC_NAME(kind), part)

#if !DESC_SKIP
/* n elements become f64; *beyond gets a lane's bits set where a float is one that full nodes may not have. */
static inline void DESC_CAT(spread_, DESC_IN, )(const char *x, size_t n, f64 *to, vi64 *beyond) {
  const size_t whole = n - n % LANES64;
  for (size_t i = 0; i < whole; i += LANES64) {
    const vf64 e = DESC_CAT(load_, DESC_IN, _f64)(x + i * sizeof(DESC_IN));
    if (!DESC_IS_INTEGER) *beyond |= node_is_beyond(e);
    node_store(to + i, e);
  }
  if (whole == n) return;
  if (whole) {
    const size_t last = n - LANES64;
    const vf64 e = DESC_CAT(load_, DESC_IN, _f64)(x + last * sizeof(DESC_IN));
    if (!DESC_IS_INTEGER) *beyond |= node_is_beyond(e);
    node_store(to + last, e);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    to[i] = DESC_CAT(one_, DESC_IN, _f64)(x + i * sizeof(DESC_IN));
    if (!DESC_IS_INTEGER) *beyond |= node_is_beyond((vf64){0} + to[i]);
  }
}

static bool DESC_CAT(spread_lines_, DESC_IN, )(const char *x, i64 pitch, i64 apart, size_t n,
                                               size_t width, f64 *to, size_t wide, i64 ahead) {
  char made[HD_CHUNK_ROWS * STRIP_MOST * sizeof(DESC_IN)];
  vi64 beyond = {0};
  if (apart != sizeof(DESC_IN)) {
    strip_make(x, pitch, apart, n, width, made, sizeof(DESC_IN));
    x = made, pitch = (i64)(width * sizeof(DESC_IN)), ahead = 0;
  }
  for (size_t r = 0; r < n; r++, x += pitch) {
    if (ahead) strip_fetch(x + ahead, width * sizeof(DESC_IN), n <= STRIP_EIGHT);
    DESC_CAT(spread_, DESC_IN, )(x, width, to + r * wide, &beyond);
    for (size_t c = width; c < wide; c++) to[r * wide + c] = 0;
  }
  return DESC_IS_INTEGER || !hist_any_i64(beyond);
}
#endif

#include "ends_tmpl.h"

/* The sum of a chunk's columns; elements that are no f64 become them in `to`. Counts NaN to skip, and takes
 * the extremes if they are wanted. */
DESC_INLINE f64 DESC_FN(chunk, sum_as)(const char *x, f64 *to, struct chunk_ahead ahead, u64 *nans,
                                       struct DESC_NAME(ends) * ends, bool rest) {
  enum { VECTORS = sizeof(f64) / DESC_FN(ends, BYTES) }; /* of f64, to one of the extremes' */
  vf64 sum[DESC_VECTORS];
  vi64 nan = {0};
  struct DESC_NAME(ends) found;
  if (rest) found = *ends;
  for (int g = 0; g < DESC_VECTORS; g += DESC_GROUP) {
    vf64 own[DESC_GROUP];
    for (int v = 0; v < DESC_GROUP; v++) own[v] = -(vf64){0};
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      if (!g) chunk_fetch(&ahead);
      for (int v = 0; v < DESC_GROUP; v++) {
        const size_t i = (size_t)(r * DESC_ROW + (g + v) * LANES64);
        const char *at = x + i * sizeof(DESC_IN);
        if (rest && v % VECTORS == 0) DESC_FN(ends, take)(&found, at, v / VECTORS % 2);
        vf64 e = DESC_CAT(load_, DESC_IN, _f64)(at);
        if (!DESC_IS_F64) node_store(to + i, e);
        if (DESC_SKIP) nan += e != e;
        if (DESC_SKIP) e = keep_f64(e, -0.0);
        own[v] += e;
      }
    }
    for (int v = 0; v < DESC_GROUP; v++) sum[g + v] = own[v];
  }
  if (rest) *ends = found;
  *nans = DESC_SKIP ? chunk_nans(nan) : 0;
  return fold_columns_f64(sum);
}

static __attribute__((noinline)) f64 DESC_FN(chunk, sum)(const char *x, f64 *to,
                                                         struct chunk_ahead ahead, u64 *nans,
                                                         struct DESC_NAME(ends) * ends) {
  return ends ? DESC_FN(chunk, sum_as)(x, to, ahead, nans, ends, true)
              : DESC_FN(chunk, sum_as)(x, to, ahead, nans, ends, false);
}

/* A chunk's sum is taken before the powers of the one in front of it, which the processor then need not
 * wait for. Of the memory DESC_AHEAD bytes on, each pass fetches its half. */
static heddle_status DESC_FN(describe, each_chunk)(const char *x, size_t n, bool squares, bool rest,
                                                   void *totals) {
  enum { BYTES = DESC_CHUNK * sizeof(DESC_IN), LINES = BYTES / 64 / HD_CHUNK_ROWS };
  struct hd_moments *out = totals;
  const size_t lines = squares ? (LINES + 1) / 2 : LINES;
#if !DESC_IS_F64
  _Alignas(64) f64 room[2][DESC_CHUNK];
#endif
  struct DESC_NAME(ends) ends;
  struct chunk_ahead ahead = {x + DESC_AHEAD, lines};
  DESC_FN(ends, start)(&ends, x);
  const char *before = NULL;
  for (size_t c = 0; c < n; c++, x += BYTES) {
    u64 nans;
#if DESC_IS_F64
    const char *own = x;
    const f64 sum = DESC_FN(chunk, sum)(x, NULL, ahead, &nans, rest ? &ends : NULL);
#else
    const char *own = (const char *)room[c & 1];
    const f64 sum = DESC_FN(chunk, sum)(x, room[c & 1], ahead, &nans, rest ? &ends : NULL);
#endif
    chunk_center(own, sum, nans, DESC_SKIP, rest, &out[c]);
    ahead.from += BYTES / 2;
    if (c && squares) chunk_powers(before, DESC_SKIP, rest, ahead, &out[c - 1]);
    ahead.from += BYTES / 2;
    before = own;
  }
  if (n && squares) chunk_powers(before, DESC_SKIP, rest, ahead, &out[n - 1]);
  if (n && rest) DESC_FN(ends, give)(&ends, &out[n - 1]);
  return HEDDLE_OK;
}

static heddle_status DESC_FN(describe, short_chunk)(const char *x, size_t n, tail_function *moments,
                                                    void *acc) {
  struct tail_level t;
  vi64 beyond = {0};
  struct hd_moments total;
  DESC_CAT(spread_, DESC_IN, )(x, n, t.mean, &beyond);
  memset(t.mean + n, 0, TAIL_EIGHT * sizeof(f64));
  memcpy(&total, acc, sizeof total);
  moments(&t, n, DESC_IS_INTEGER || !hist_any_i64(beyond), DESC_SKIP, &total);
  memcpy(acc, &total, sizeof total);
  return HEDDLE_OK;
}

#define DESC_KIND mean
#include "kind_tmpl.h"
#define DESC_KIND variance
#include "kind_tmpl.h"
#define DESC_KIND describe
#include "kind_tmpl.h"

static const struct hd_cpu_describe DESC_NAME(figures) = {
    {[HEDDLE_FIGURES_ALL] = &DESC_NAME(describe),
     [HEDDLE_FIGURES_MEAN] = &DESC_NAME(mean),
     [HEDDLE_FIGURES_VARIANCE] = &DESC_NAME(variance)}};

#undef DESC_FN_
#undef DESC_FN__
#undef DESC_FN
#undef DESC_CAT_
#undef DESC_CAT
#undef DESC_NAME
