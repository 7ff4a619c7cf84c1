/* any_order_tmpl.h - the chunks of a kernel whose lanes are totals and whose order is free
 *
 * Parameters  those of fold_tmpl.h, which includes this; FOLD_W is FOLD_A
 *             FOLD_ABSORBING  the total that no element changes; undefined if there is none
 * Result      FOLD_NAME_chunks, FOLD_NAME_settled
 * Method      Lanes are folded on each other once a call. After the first vectors and after each chunk a
 *             look at them shows whether what follows can still count. */
enum {
  FOLD_FN(FETCHED) = 4096,
  FOLD_FN(GROUP) = 8,
  FOLD_FN(SPAN) = FOLD_FN(GROUP) * FOLD_FN(STEP)
};

#ifdef FOLD_ABSORBING
static inline bool FOLD_FN(absorbed)(FOLD_VA s) {
  return hist_any_i64((vi64)(s == (FOLD_A)FOLD_ABSORBING));
}
static bool FOLD_FN(settled)(const void *total) { return FOLD_FN(get)(total) == FOLD_ABSORBING; }
#define FOLD_SETTLED FOLD_FN(settled)
#else
static inline bool FOLD_FN(absorbed)(FOLD_VA s) { return (void)s, false; }
#define FOLD_SETTLED NULL
#endif

/* The group of vectors from element i on onto s; written out, since a loop would keep s in memory. */
static inline void FOLD_FN(group_onto)(FOLD_VA *s, const char *p, size_t i) {
  enum { STEP = FOLD_FN(STEP) };
  s[0] = FOLD_OPV(s[0], FOLD_LANES(p, p, i));
  s[1] = FOLD_OPV(s[1], FOLD_LANES(p, p, i + STEP));
  s[2] = FOLD_OPV(s[2], FOLD_LANES(p, p, i + 2 * STEP));
  s[3] = FOLD_OPV(s[3], FOLD_LANES(p, p, i + 3 * STEP));
  s[4] = FOLD_OPV(s[4], FOLD_LANES(p, p, i + 4 * STEP));
  s[5] = FOLD_OPV(s[5], FOLD_LANES(p, p, i + 5 * STEP));
  s[6] = FOLD_OPV(s[6], FOLD_LANES(p, p, i + 6 * STEP));
  s[7] = FOLD_OPV(s[7], FOLD_LANES(p, p, i + 7 * STEP));
}

static inline FOLD_VA FOLD_FN(of_group)(const FOLD_VA *s) {
  const FOLD_VA a = FOLD_OPV(s[0], s[1]), b = FOLD_OPV(s[2], s[3]);
  const FOLD_VA c = FOLD_OPV(s[4], s[5]), d = FOLD_OPV(s[6], s[7]);
  const FOLD_VA ab = FOLD_OPV(a, b), cd = FOLD_OPV(c, d);
  return FOLD_OPV(ab, cd);
}

static heddle_status FOLD_FN(chunks)(const void *x, const void *y, u64 first, size_t n,
                                     void *totals, const heddle_custom *custom) {
  enum { GROUP = FOLD_FN(GROUP), SPAN = FOLD_FN(SPAN) };
  const char *p = x;
  const FOLD_VA none = (FOLD_A)FOLD_IDENTITY - (FOLD_VA){0};
  FOLD_VA s[GROUP] = {none, none, none, none, none, none, none, none}, all;
  (void)y, (void)first, (void)custom;
  FOLD_FN(group_onto)(s, p, 0);
  all = FOLD_FN(of_group)(s);
  for (size_t c = 0; c < n && !FOLD_FN(absorbed)(all); c++) {
    for (size_t i = c ? 0 : SPAN; i < FOLD_FN(CHUNK); i += SPAN) {
      for (size_t b = 0; b < SPAN * sizeof(FOLD_IN); b += 64)
        __builtin_prefetch(p + i * sizeof(FOLD_IN) + FOLD_FN(FETCHED) + b);
      FOLD_FN(group_onto)(s, p, i);
    }
    p += (size_t)FOLD_FN(CHUNK) * sizeof(FOLD_IN);
    all = FOLD_FN(of_group)(s);
  }
  FOLD_FN(put)(totals, 0, FOLD_FN(across)(all)[0]);
  return HEDDLE_OK;
}
