/* ends_tmpl.h - the extremes of chunks of one type, as keys of f64
 *
 * Parameters  those of describe_tmpl.h, which includes it
 * Result      struct DESC_NAME(ends): started, taking a chunk, giving its keys
 * Method      Elements are compared as what they are, in vectors of their own width, by the same lanes
 *             chunk after chunk. The instructions for floats leave NaN out and do not order zeros: if
 *             zero is the least of all, only zeros have a sign bit; if it is the greatest, all but the
 *             better zero have one (rule 10). The bits of a NaN that is skipped are not looked at. */
#if DESC_IS_INTEGER
#define ENDS_T DESC_IN
#else
#define ENDS_T DESC_VALUE
#endif
#define ENDS_V_(t) v##t
#define ENDS_V__(t) ENDS_V_(t)
#define ENDS_V ENDS_V__(ENDS_T)
#define ENDS_FN_(name, t) name##_##t
#define ENDS_FN(name, t) ENDS_FN_(name, t)
#define ENDS_LOAD(p) ENDS_FN(ENDS_FN(load, DESC_IN), ENDS_T)(p)

enum { DESC_FN(ends, BYTES) = sizeof(ENDS_T) };
struct DESC_NAME(ends) {
  ENDS_V least[2], most[2];
#if !DESC_IS_INTEGER
  ENDS_V__(DESC_KEY) any, all; /* sign bits */
#endif
};

static inline void DESC_FN(ends, start)(struct DESC_NAME(ends) * ends, const char *x) {
  ENDS_T first;
  (void)x;
#if DESC_IS_INTEGER
  memcpy(&first, x, sizeof first);
  for (int k = 0; k < 2; k++) ends->least[k] = ends->most[k] = (ENDS_V){0} + first;
#else
  first = (ENDS_T)INFINITY;
  for (int k = 0; k < 2; k++)
    ends->least[k] = (ENDS_V){0} + first, ends->most[k] = (ENDS_V){0} - first;
  ends->any = (ENDS_V__(DESC_KEY)){0}, ends->all = ~ends->any;
#endif
}

/* The vector of elements at x, by the k-th lanes. */
DESC_INLINE void DESC_FN(ends, take)(struct DESC_NAME(ends) * ends, const char *x, int k) {
  const ENDS_V e = ENDS_LOAD(x);
  ends->least[k] = ENDS_FN(lesser, ENDS_T)(e, ends->least[k]);
  ends->most[k] = ENDS_FN(greater, ENDS_T)(e, ends->most[k]);
#if !DESC_IS_INTEGER && DESC_SKIP
  const ENDS_V__(DESC_KEY) number = (ENDS_V__(DESC_KEY))(e == e);
  ends->any |= (ENDS_V__(DESC_KEY))e & number;
  ends->all &= (ENDS_V__(DESC_KEY))e | ~number;
#elif !DESC_IS_INTEGER
  ends->any |= (ENDS_V__(DESC_KEY))e;
  ends->all &= (ENDS_V__(DESC_KEY))e;
#endif
}

static void DESC_FN(ends, give)(const struct DESC_NAME(ends) * ends, struct hd_moments *out) {
  ENDS_T least = ends->least[0][0], most = ends->most[0][0];
  for (size_t j = 0; j < 2 * VEC_BYTES / sizeof(ENDS_T); j++) {
    const ENDS_T a = ends->least[j & 1][j / 2], b = ends->most[j & 1][j / 2];
    least = a < least ? a : least, most = b > most ? b : most;
  }
  struct hd_moments found;
  hd_moments_empty(&found);
  found.min_key = hd_key_of_f64((f64)least), found.max_key = hd_key_of_f64((f64)most);
#if !DESC_IS_INTEGER
  DESC_KEY any = 0, all = -1;
  for (size_t j = 0; j < VEC_BYTES / sizeof(ENDS_T); j++) any |= ends->any[j], all &= ends->all[j];
  if (least == 0) found.min_key = hd_key_of_f64(any < 0 ? -0.0 : 0.0);
  if (most == 0) found.max_key = hd_key_of_f64(all < 0 ? -0.0 : 0.0);
#endif
  hd_moments_count(out, &found);
}

#undef ENDS_V_
#undef ENDS_V__
#undef ENDS_V
#undef ENDS_FN_
#undef ENDS_FN
#undef ENDS_LOAD
#undef ENDS_T
