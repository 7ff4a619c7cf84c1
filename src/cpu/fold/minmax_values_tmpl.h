/* minmax_values_tmpl.h - the chunks of min or max of a float type by the instructions for floats
 *
 * Parameters  those of fold_tmpl.h, which includes this; a NaN propagates
 *             FOLD_ABSORBING     the key of NaN
 *             FOLD_VALUE         f32 or f64, with its vector FOLD_VV: what FOLD_LOAD gives; that of keys is FOLD_VK
 *             FOLD_LANE(v)       the lanes of values
 *             FOLD_BEST(x, s)    of two vectors of values; of equal ones, or with a NaN, any
 *             FOLD_WORST         the infinity that every number replaces
 *             FOLD_ZERO          the better of the two zeros, -0.0 or +0.0
 * Result      FOLD_NAME_chunks, FOLD_NAME_settled
 * Method      The instructions neither order zeros nor hand on NaN. Beside the best value it is kept whether
 *             there was a NaN, which ends the work (rule 10). A chunk after which zero may be the best,
 *             which is in L1 then, is searched for the better of the zeros. */
enum { FOLD_FN(GROUP) = 8, FOLD_FN(SPAN) = FOLD_FN(GROUP) * FOLD_FN(STEP) };

static bool FOLD_FN(settled)(const void *total) {
  FOLD_T t;
  memcpy(&t, total, sizeof t);
  return t == FOLD_ABSORBING;
}
#define FOLD_SETTLED FOLD_FN(settled)

struct FOLD_FN(bests) {
  FOLD_VV value[FOLD_FN(GROUP)];
  vec_nans nans;
};

/* Two vectors from element i on. */
static inline void FOLD_FN(pair_onto)(struct FOLD_FN(bests) * b, const char *p, size_t i, int v) {
  const FOLD_VV x0 = FOLD_LOAD(p, i), x1 = FOLD_LOAD(p, i + FOLD_FN(STEP));
  b->value[v] = FOLD_BEST(x0, b->value[v]);
  b->value[v + 1] = FOLD_BEST(x1, b->value[v + 1]);
  b->nans = FOLD_NANS(b->nans, x0, x1);
}

static inline FOLD_VV FOLD_FN(of_group)(const struct FOLD_FN(bests) * b) {
  const FOLD_VV v0 = FOLD_BEST(b->value[0], b->value[1]), v1 = FOLD_BEST(b->value[2], b->value[3]);
  const FOLD_VV v2 = FOLD_BEST(b->value[4], b->value[5]), v3 = FOLD_BEST(b->value[6], b->value[7]);
  const FOLD_VV left = FOLD_BEST(v0, v1), right = FOLD_BEST(v2, v3);
  return FOLD_BEST(left, right);
}

/* FOLD_ZERO in the lanes of a zero of the same bits in a chunk, with those of `zeros`. */
static __attribute__((noinline)) FOLD_VK FOLD_FN(zeros_of)(FOLD_VK zeros, const char *p) {
  enum { STEP = FOLD_FN(STEP) };
  const FOLD_VK zero = (FOLD_VK)(FOLD_ZERO - (FOLD_VV){0});
  for (size_t i = 0; i < FOLD_FN(CHUNK); i += 4 * STEP) {
    const FOLD_VK x0 = (FOLD_VK)FOLD_LOAD(p, i), x1 = (FOLD_VK)FOLD_LOAD(p, i + STEP);
    const FOLD_VK x2 = (FOLD_VK)FOLD_LOAD(p, i + 2 * STEP),
                  x3 = (FOLD_VK)FOLD_LOAD(p, i + 3 * STEP);
    zeros |= ((x0 == zero) | (x1 == zero)) | ((x2 == zero) | (x3 == zero));
  }
  return zeros;
}

/* The best lane, of which zeros are the better one where `zeros` are set. */
static inline FOLD_W FOLD_FN(best_lane)(FOLD_VV best, FOLD_VK zeros) {
  const FOLD_VK better = (FOLD_VK)(FOLD_ZERO - (FOLD_VV){0});
  const FOLD_VK worse = (FOLD_VK)(-FOLD_ZERO - (FOLD_VV){0}), is_zero = (FOLD_VK)(best == 0);
  const FOLD_VK zero = (better & zeros) | (worse & ~zeros);
  const FOLD_VV value = (FOLD_VV)(((FOLD_VK)best & ~is_zero) | (zero & is_zero));
  return FOLD_FN(across)(FOLD_LANE(value))[0];
}

static heddle_status FOLD_FN(chunks)(const void *x, const void *y, u64 first, size_t n,
                                     void *totals, const heddle_custom *custom) {
  enum { STEP = FOLD_FN(STEP), SPAN = FOLD_FN(SPAN) };
  const char *p = x;
  const FOLD_VV worst = FOLD_WORST - (FOLD_VV){0};
  struct FOLD_FN(bests) b = {.value = {worst, worst, worst, worst, worst, worst, worst, worst}};
  FOLD_VV best = worst;
  FOLD_VK zeros = {0};
  (void)y, (void)first, (void)custom;
  for (size_t c = 0; c < n && !nans_any(b.nans); c++) {
    for (size_t i = 0; i < FOLD_FN(CHUNK); i += SPAN) {
      FOLD_FN(pair_onto)(&b, p, i, 0);
      FOLD_FN(pair_onto)(&b, p, i + 2 * STEP, 2);
      FOLD_FN(pair_onto)(&b, p, i + 4 * STEP, 4);
      FOLD_FN(pair_onto)(&b, p, i + 6 * STEP, 6);
    }
    best = FOLD_FN(of_group)(&b);
    if (hist_any_i64((vi64)((FOLD_VK)(best == 0) & ~zeros))) zeros = FOLD_FN(zeros_of)(zeros, p);
    p += (size_t)FOLD_FN(CHUNK) * sizeof(FOLD_IN);
  }
  FOLD_FN(put)(totals, 0, nans_any(b.nans) ? (FOLD_W)NAN : FOLD_FN(best_lane)(best, zeros));
  return HEDDLE_OK;
}
