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

/* The best values of a chunk; *nan: it has a NaN that wins, and they are any. */
static inline ARG_LANES ARG_FN(best)(const char *x, bool *nan) {
  enum { STEP = ARG_FN(STEP), GROUP = 8 };
  const ARG_LANES worst = ARG_WORST - (ARG_LANES){0};
  ARG_LANES s[GROUP] = {worst, worst, worst, worst, worst, worst, worst, worst};
  vec_nans nans = {0};
  for (size_t i = 0; i < ARG_FN(CHUNK); i += GROUP * STEP) {
    ARG_FN(pair_onto)(s, &nans, x, i);
    ARG_FN(pair_onto)(s + 2, &nans, x, i + 2 * STEP);
    ARG_FN(pair_onto)(s + 4, &nans, x, i + 4 * STEP);
    ARG_FN(pair_onto)(s + 6, &nans, x, i + 6 * STEP);
  }
  const ARG_LANES s0 = ARG_BEST(s[0], s[1]), s1 = ARG_BEST(s[2], s[3]);
  const ARG_LANES s2 = ARG_BEST(s[4], s[5]), s3 = ARG_BEST(s[6], s[7]);
  const ARG_LANES left = ARG_BEST(s0, s1), right = ARG_BEST(s2, s3);
  *nan = nans_any(nans);
  return ARG_BEST(left, right);
}

/* Where the first element of a chunk with a value is; the chunk's length, if none is. */
static inline size_t ARG_FN(find)(const char *x, ARG_LANE value) {
  enum { STEP = ARG_FN(STEP) };
  for (size_t i = 0; i < ARG_FN(CHUNK); i += STEP) {
    const ARG_LANES v = ARG_LOAD(x, i);
    if (!hist_any_i64((vi64)(v == value))) continue;
    for (size_t j = 0; j < STEP; j++)
      if (v[j] == value) return i + j;
  }
  return ARG_FN(CHUNK);
}

static heddle_status ARG_FN(chunks)(const void *x, const void *y, u64 first, size_t n, void *totals,
                                    const heddle_custom *custom) {
  enum { STEP = ARG_FN(STEP), CHUNK = ARG_FN(CHUNK) };
  struct hd_arg_total total;
  ARG_LANE best = ARG_WORST;
  (void)y, (void)custom;
  hd_arg_empty(&total);
  for (size_t c = 0; c < n; c++, first += CHUNK) {
    const char *p = (const char *)x + c * CHUNK * sizeof(ARG_IN);
    bool nan;
    const ARG_LANES s = ARG_FN(best)(p, &nan);
    if (nan) {
      ARG_FN(take)(&total, ARG_LEAST, p, first, ARG_FN(place)(p, CHUNK, ARG_LEAST));
      break;
    }
    if (total.index != HD_U64_MAX && !hist_any_i64((vi64)ARG_BEATS(s, best))) continue;
    for (size_t j = 0; j < STEP; j++)
      if (ARG_BEATS(s[j], best)) best = s[j];
    const size_t i = ARG_FN(find)(p, best);
    if (i < CHUNK) ARG_FN(take)(&total, ARG_ONE(p, i), p, first, i);
    if (total.index != HD_U64_MAX && total.key == ARG_LEAST) break;
  }
  if (total.index != HD_U64_MAX) total.key += ARG_WIDER;
  memcpy(totals, &total, sizeof total);
  return HEDDLE_OK;
}

#undef ARG_LEAST
