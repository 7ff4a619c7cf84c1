/* arg_chunks_tmpl.h - where the best element of full chunks is, for arg_tmpl.h
 *
 * Parameters  those of arg_tmpl.h, and
 *             ARG_LANE        f32, f64 or the element type: what elements compare as; its vector is ARG_LANES
 *             ARG_LOAD(p, i)  vector of the values that begin at element i of the bytes p
 *             ARG_BEST(x, s)  of two vectors of values; s, where x is NaN
 *             ARG_BEATS(a, b)  a < b or a > b
 *             ARG_WORST       the value that none is worse than
 *             ARG_NANS(nans, a, b)  of vec/vec.h; undefined where NaN does not win
 * Result      ARG_NAME_chunks, ARG_NAME_settled
 * Method      The best values of a chunk by vectors, lane by lane. Only if one beats all before it is the chunk
 *             searched for its place: it is in L1 then. A key that nothing is below, a NaN's among
 *             them, ends the work: places behind it lose. */
#define ARG_LEAST ((ARG_KEY)((u64)1 << (8 * sizeof(ARG_KEY) - 1)))

static bool ARG_FN(settled)(const void *total) {
  struct hd_arg_total t;
  memcpy(&t, total, sizeof t);
  return t.index != HD_U64_MAX && t.key == (i64)ARG_LEAST + ARG_WIDER;
}

/* Two vectors from element i on onto s and, where NaN wins, *nans. */
static inline void ARG_FN(pair_onto)(ARG_LANES *s, vec_nans *nans, const char *x, size_t i) {
  const ARG_LANES x0 = ARG_LOAD(x, i), x1 = ARG_LOAD(x, i + ARG_FN(STEP));
  s[0] = ARG_BEST(x0, s[0]);
  s[1] = ARG_BEST(x1, s[1]);
#ifdef ARG_NANS
  *nans = ARG_NANS(*nans, x0, x1);
#else
  (void)nans;
#endif
}

/* The better of the halves of a vector, and of theirs. */
static inline ARG_LANE ARG_FN(of_lanes)(ARG_LANES s) {
#if VEC_BYTES >= 64
  s = ARG_BEST(s, (ARG_LANES)swap32((vu64)s));
#endif
#if VEC_BYTES >= 32
  s = ARG_BEST(s, (ARG_LANES)swap16((vu64)s));
#endif
  s = ARG_BEST(s, (ARG_LANES)swap8((vu64)s));
  if (sizeof(ARG_LANE) <= 4) s = ARG_BEST(s, (ARG_LANES)swap4((vu64)s));
  if (sizeof(ARG_LANE) <= 2) s = ARG_BEST(s, (ARG_LANES)swap2((vu64)s));
  if (sizeof(ARG_LANE) <= 1) s = ARG_BEST(s, (ARG_LANES)swap1((vu64)s));
  return s[0];
}

/* The best values of n elements, at least a vector; *nan: one is a NaN that wins, and they are any. The
 * last vector overlaps the one before. */
static inline ARG_LANES ARG_FN(best)(const char *x, size_t n, bool *nan) {
  enum { STEP = ARG_FN(STEP), GROUP = 8 };
  const ARG_LANES worst = ARG_WORST - (ARG_LANES){0};
  ARG_LANES s[GROUP] = {worst, worst, worst, worst, worst, worst, worst, worst};
  vec_nans nans = {0};
  size_t i = 0;
  for (; i + GROUP * STEP <= n; i += GROUP * STEP) {
    ARG_FN(pair_onto)(s, &nans, x, i);
    ARG_FN(pair_onto)(s + 2, &nans, x, i + 2 * STEP);
    ARG_FN(pair_onto)(s + 4, &nans, x, i + 4 * STEP);
    ARG_FN(pair_onto)(s + 6, &nans, x, i + 6 * STEP);
  }
  for (; i + 2 * STEP <= n; i += 2 * STEP) ARG_FN(pair_onto)(s, &nans, x, i);
  if (i < n && n >= 2 * STEP) ARG_FN(pair_onto)(s, &nans, x, n - 2 * STEP);
  if (n < 2 * STEP) {
    const ARG_LANES x0 = ARG_LOAD(x, 0), x1 = ARG_LOAD(x, n - STEP);
    s[0] = ARG_BEST(x0, s[0]);
    s[1] = ARG_BEST(x1, s[1]);
#ifdef ARG_NANS
    nans = ARG_NANS(nans, x0, x1);
#endif
  }
  const ARG_LANES s0 = ARG_BEST(s[0], s[1]), s1 = ARG_BEST(s[2], s[3]);
  const ARG_LANES s2 = ARG_BEST(s[4], s[5]), s3 = ARG_BEST(s[6], s[7]);
  const ARG_LANES left = ARG_BEST(s0, s1), right = ARG_BEST(s2, s3);
  *nan = nans_any(nans);
  return ARG_BEST(left, right);
}

/* Where the first of n elements with a value is, n being at least a vector; n, if none is. */
static inline size_t ARG_FN(find)(const char *x, size_t n, ARG_LANE value) {
  enum { STEP = ARG_FN(STEP) };
  size_t i = 0;
  for (; i + 4 * STEP <= n; i += 4 * STEP) {
    const ARG_LANES x0 = ARG_LOAD(x, i), x1 = ARG_LOAD(x, i + STEP);
    const ARG_LANES x2 = ARG_LOAD(x, i + 2 * STEP), x3 = ARG_LOAD(x, i + 3 * STEP);
    const vi64 here = (vi64)((x0 == value) | (x1 == value)), next = (vi64)(x2 == value);
    if (hist_any_i64(here | next | (vi64)(x3 == value))) break;
  }
  for (; i < n; i += STEP) {
    const size_t at = i + STEP <= n ? i : n - STEP;
    const ARG_LANES v = ARG_LOAD(x, at);
    if (!hist_any_i64((vi64)(v == value))) continue;
    for (size_t j = 0; j < STEP; j++)
      if (v[j] == value) return at + j;
  }
  return n;
}

/* *total = the better of it and the elements, n of them, at least a vector; of `best`, their best
 * values, or a NaN that wins. */
static inline void ARG_FN(take_best)(struct hd_arg_total *total, const char *x, u64 first, size_t n,
                                     ARG_LANE best, bool nan) {
  const size_t i = nan ? ARG_FN(place)(x, n, ARG_LEAST) : ARG_FN(find)(x, n, best);
  if (i < n) ARG_FN(take)(total, ARG_ONE(x, i), x, first, i);
}

static heddle_status ARG_FN(chunks)(const void *x, const void *y, u64 first, size_t n, void *totals,
                                    const heddle_custom *custom) {
  enum { CHUNK = ARG_FN(CHUNK) };
  struct hd_arg_total total;
  ARG_LANE best = ARG_WORST;
  (void)y, (void)custom;
  hd_arg_empty(&total);
  for (size_t c = 0; c < n; c++, first += CHUNK) {
    const char *p = (const char *)x + c * CHUNK * sizeof(ARG_IN);
    bool nan;
    const ARG_LANES s = ARG_FN(best)(p, CHUNK, &nan);
    if (!nan && total.index != HD_U64_MAX && !hist_any_i64((vi64)ARG_BEATS(s, best))) continue;
    best = ARG_FN(of_lanes)(s);
    ARG_FN(take_best)(&total, p, first, CHUNK, best, nan);
    if (total.index != HD_U64_MAX && total.key == ARG_LEAST) break;
  }
  if (total.index != HD_U64_MAX) total.key += ARG_WIDER;
  memcpy(totals, &total, sizeof total);
  return HEDDLE_OK;
}
