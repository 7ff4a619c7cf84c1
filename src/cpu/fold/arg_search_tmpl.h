/* arg_search_tmpl.h - where the best of neighbours is, for arg_tmpl.h
 *
 * Parameters  those of arg_tmpl.h, and
 *             ARG_LANE        f32, f64 or the element type: what elements compare as; its vector is ARG_LANES
 *             ARG_LOAD(p, i)  vector of the values that begin at element i of the bytes p
 *             ARG_BEST(x, s)  of two vectors of values; s, where x is NaN
 *             ARG_BEATS(a, b)  a < b or a > b
 *             ARG_WORST       the value that none is worse than
 *             ARG_NANS(nans, a, b)  of vec/vec.h; undefined where NaN does not win
 * Result      ARG_NAME_scan, ARG_NAME_locate, ARG_NAME_in_row
 * Method      A group of vectors is folded to one, lane by lane; lanes hold the best value and the number of
 *             the group in which it came first. The least group of the best lanes is searched for its
 *             place. What elements are decides no branch but a NaN's, so that the processor works on
 *             several rows at once. The last group ends with the elements, and overlaps the one before. */
#define ARG_LEAST ((ARG_KEY)((u64)1 << (8 * sizeof(ARG_KEY) - 1)))
#define ARG_VECTOR ARG_V(ARG_KEY)

enum {
  ARG_FN(VECTORS) = 4,
  ARG_FN(GROUP) = ARG_FN(VECTORS) * ARG_FN(STEP),
  ARG_FN(LAST) = sizeof(ARG_KEY) == 1 ? INT8_MAX : INT16_MAX, /* the greatest number of a group */
  ARG_FN(MOST) = (ARG_FN(LAST) + 1) * ARG_FN(GROUP)           /* elements of one search */
};

/* What is known of elements: NaN: one is a NaN that wins. */
struct ARG_FN(bests) {
  ARG_LANES value;
  ARG_VECTOR group;
  vec_nans nans;
};

/* The best lanes of as many vectors. */
static inline __attribute__((always_inline)) ARG_LANES
ARG_FN(of_group)(const char *x, size_t i, size_t vectors, vec_nans *nans) {
  enum { STEP = ARG_FN(STEP) };
  const ARG_LANES x0 = ARG_LOAD(x, i), x1 = vectors > 1 ? ARG_LOAD(x, i + STEP) : x0;
  const ARG_LANES x2 = vectors > 1 ? ARG_LOAD(x, i + 2 * STEP) : x0;
  const ARG_LANES x3 = vectors > 1 ? ARG_LOAD(x, i + 3 * STEP) : x0;
#ifdef ARG_NONE
  const ARG_LANES s0 = ARG_BEST(x0, ARG_WORST - (ARG_LANES){0});
  const ARG_LANES s1 = vectors > 1 ? ARG_BEST(x1, s0) : s0,
                  s2 = vectors > 1 ? ARG_BEST(x2, s1) : s0;
  (void)nans;
  return vectors > 1 ? ARG_BEST(x3, s2) : s0;
#else
#ifdef ARG_NANS
  *nans = ARG_NANS(*nans, x0, x1);
  if (vectors > 1) *nans = ARG_NANS(*nans, x2, x3);
#else
  (void)nans;
#endif
  if (vectors == 1) return x0;
  const ARG_LANES a = ARG_BEST(x0, x1), b = ARG_BEST(x2, x3);
  return ARG_BEST(a, b);
#endif
}

/* Groups of one vector or of VECTORS; n elements are at least a group and at most MOST. */
static inline __attribute__((always_inline)) struct ARG_FN(bests)
    ARG_FN(scan)(const char *x, size_t n, size_t vectors) {
  const size_t group = vectors * ARG_FN(STEP);
  const vec_nans none = {0};
  struct ARG_FN(bests) s = {.group = {0}, .nans = none};
  ARG_VECTOR number = {0};
  s.value = ARG_FN(of_group)(x, 0, vectors, &s.nans);
  for (size_t i = group; i < n; i += group) {
    const ARG_LANES g = ARG_FN(of_group)(x, i + group <= n ? i : n - group, vectors, &s.nans);
    const ARG_VECTOR beats = (ARG_VECTOR)ARG_BEATS(g, s.value);
    number += 1;
    s.group = (beats & number) | (~beats & s.group);
    s.value = ARG_BEST(g, s.value);
  }
  return s;
}

/* The better of the halves of a vector, and of theirs, in every lane. */
static inline ARG_LANES ARG_FN(across)(ARG_LANES s) {
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
  return s;
}

static inline ARG_KEY ARG_FN(least_of)(ARG_VECTOR v) {
#if VEC_BYTES >= 64
  v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap32((vu64)v));
#endif
#if VEC_BYTES >= 32
  v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap16((vu64)v));
#endif
  v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap8((vu64)v));
  if (sizeof(ARG_KEY) <= 4) v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap4((vu64)v));
  if (sizeof(ARG_KEY) <= 2) v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap2((vu64)v));
  if (sizeof(ARG_KEY) <= 1) v = ARG_LESSER__(ARG_KEY)(v, (ARG_VECTOR)swap1((vu64)v));
  return v[0];
}

/* Where the first element with the lanes' value is in the group that begins at element i, which has one. */
static inline __attribute__((always_inline)) size_t
ARG_FN(in_group)(const char *x, size_t i, size_t vectors, ARG_LANES value) {
  enum { STEP = ARG_FN(STEP), AT_ONCE = ARG_FN(GROUP) <= 64 };
  u64 bits = 0;
  for (size_t v = 0; v < vectors; v++) {
    const ARG_VECTOR same = (ARG_VECTOR)(ARG_LOAD(x, i + v * STEP) == value);
    const u64 marks = ARG_MARKS__(ARG_KEY)(same);
    if (AT_ONCE)
      bits |= marks << (v * STEP % 64);
    else if (marks)
      return i + v * STEP + (size_t)__builtin_ctzll(marks);
  }
  return i + (size_t)__builtin_ctzll(bits);
}

/* Where the first of n elements is whose value is the best; n, if none is: all are NaN that are skipped. */
static inline __attribute__((always_inline)) size_t
ARG_FN(locate)(const char *x, size_t n, size_t vectors, const struct ARG_FN(bests) * s) {
  const size_t group = vectors * ARG_FN(STEP);
  const ARG_VECTOR last = (ARG_KEY)ARG_FN(LAST) - (ARG_VECTOR){0};
  if (nans_any(s->nans)) return ARG_FN(place)(x, n, ARG_LEAST);
  const ARG_LANES best = ARG_FN(across)(s->value);
#ifdef ARG_NONE
  if (best[0] == ARG_WORST) return ARG_FN(first_number)(x, n);
#endif
  const ARG_VECTOR is = (ARG_VECTOR)(best == s->value);
  const size_t i = (size_t)ARG_FN(least_of)((is & s->group) | (~is & last)) * group;
  return ARG_FN(in_group)(x, i + group <= n ? i : n - group, vectors, best);
}

/* The same of n elements alone, at least a vector and at most MOST. */
static inline size_t ARG_FN(in_row)(const char *x, size_t n) {
  if (n < ARG_FN(GROUP)) {
    const struct ARG_FN(bests) s = ARG_FN(scan)(x, n, 1);
    return ARG_FN(locate)(x, n, 1, &s);
  }
  const struct ARG_FN(bests) s = ARG_FN(scan)(x, n, ARG_FN(VECTORS));
  return ARG_FN(locate)(x, n, ARG_FN(VECTORS), &s);
}
