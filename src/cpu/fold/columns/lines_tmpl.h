/* lines_tmpl.h - one fold kernel down the columns of lines: order v1, by vectors of neighbouring
 * columns
 *
 * Parameters  those of fold_tmpl.h, which includes this. A column's accumulator is a FOLD_W.
 *             FOLD_VALUES  of values.h, or NULL
 *             FOLD_OF_TOTALS  of values.h; undefined, where a FOLD_W begins with the bytes of its total
 * Result      FOLD_NAME_columns, a struct hd_cpu_fold_columns
 * Method      A vector takes the same line of neighbouring columns, so that what fold_tmpl.h does with
 *             neighbours is done with whole lines. Eight lines are read at a time without a loop: more
 *             loads are under way then. The last vector of a width that is not a multiple ends with the
 *             line and overlaps the one before, whose columns it folds again from what they were.
 * Limits      Nothing outside [0, width) of a line is read or written. */
enum { FOLD_FN(NARROW) = sizeof(FOLD_A) < sizeof(FOLD_W) };

/* Accumulators = v, or accumulators op v; narrow lanes are widened by halves. */
static inline void FOLD_FN(column_put)(FOLD_W *at, FOLD_VA v, bool onto) {
  typedef FOLD_A half __attribute__((vector_size(VEC_BYTES / 2)));
  typedef FOLD_W wide __attribute__((vector_size(VEC_BYTES / 2 / sizeof(FOLD_A) * sizeof(FOLD_W))));
  if (!FOLD_FN(NARROW)) {
    memcpy(at, &v, sizeof v);
    return;
  }
  for (size_t k = 0; k < 2; k++) {
    half h;
    wide w, before;
    memcpy(&h, (const char *)&v + k * sizeof h, sizeof h);
    w = __builtin_convertvector(h, wide);
    if (onto) {
      memcpy(&before, (const char *)at + k * sizeof before, sizeof before);
      w = before + w; /* of sums: no other has narrow lanes */
    }
    memcpy((char *)at + k * sizeof w, &w, sizeof w);
  }
}

/* s op the line after the one at *x, *y, where they move to. */
static inline FOLD_VA FOLD_FN(next)(FOLD_VA s, const char **x, const char **y, i64 pitch,
                                    size_t i) {
  *x += pitch, *y += pitch;
  const FOLD_VA right = FOLD_LANES(*x, *y, i);
  return FOLD_OPV(s, right);
}

/* 2, 4 and 8 neighbouring lines as a tree (rule 5). */
static inline FOLD_VA FOLD_FN(lines_two)(const char *x, const char *y, i64 pitch, size_t i) {
  const char *px = x + pitch, *py = y + pitch;
  const FOLD_VA a = FOLD_LANES(x, y, i), b = FOLD_LANES(px, py, i);
  (void)y, (void)py;
  return FOLD_OPV(a, b);
}
static inline FOLD_VA FOLD_FN(lines_four)(const char *x, const char *y, i64 pitch, size_t i) {
  const FOLD_VA a = FOLD_FN(lines_two)(x, y, pitch, i);
  const FOLD_VA b = FOLD_FN(lines_two)(x + 2 * pitch, y + 2 * pitch, pitch, i);
  return FOLD_OPV(a, b);
}

/* A vector of at most 8 lines, behind *at if `onto`: of 8, or where the order is free, one after the other;
 * of fewer the blocks that tile them. */
static inline FOLD_VA FOLD_FN(column)(const char *x, const char *y, i64 pitch, size_t n, size_t i,
                                      const FOLD_W *at, bool onto) {
  const bool before = onto && !FOLD_FN(NARROW);
  FOLD_VA s = {0};
  if (before) memcpy(&s, at, sizeof s);
  if (HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL) || n == 8) {
    const FOLD_VA first = FOLD_LANES(x, y, i);
    s = before ? FOLD_OPV(s, first) : first;
    n--;
    if (n & 1) s = FOLD_FN(next)(s, &x, &y, pitch, i);
    if (n & 2) {
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
    }
    if (n & 4) {
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
      s = FOLD_FN(next)(s, &x, &y, pitch, i);
    }
    return s;
  }
  bool any = before;
  if (n & 4) {
    const FOLD_VA four = FOLD_FN(lines_four)(x, y, pitch, i);
    s = any ? FOLD_OPV(s, four) : four;
    x += 4 * pitch, y += 4 * pitch, any = true;
  }
  if (n & 2) {
    const FOLD_VA two = FOLD_FN(lines_two)(x, y, pitch, i);
    s = any ? FOLD_OPV(s, two) : two;
    x += 2 * pitch, y += 2 * pitch, any = true;
  }
  if (n & 1) {
    const FOLD_VA one = FOLD_LANES(x, y, i);
    s = any ? FOLD_OPV(s, one) : one;
  }
  return s;
}

static inline __attribute__((always_inline)) void FOLD_FN(lines_as)(const char *x, const char *y,
                                                                    i64 pitch, size_t n,
                                                                    size_t width, FOLD_W *to,
                                                                    bool onto) {
  enum { STEP = FOLD_FN(STEP) };
  FOLD_W end[STEP];
  size_t i = 0;
  if (onto) memcpy(end, to + width - STEP, sizeof end);
  for (; i + STEP <= width; i += STEP)
    FOLD_FN(column_put)(to + i, FOLD_FN(column)(x, y, pitch, n, i, to + i, onto), onto);
  if (i == width) return;
  i = width - STEP;
  if (onto) memcpy(to + i, end, sizeof end);
  FOLD_FN(column_put)(to + i, FOLD_FN(column)(x, y, pitch, n, i, to + i, onto), onto);
}

/* One line or two, whose vectors are as much work as a loop's own: several of them a turn. */
static inline __attribute__((always_inline)) void
FOLD_FN(lines_few)(const char *x, const char *y, i64 pitch, size_t n, size_t width, FOLD_W *to) {
  enum { STEP = FOLD_FN(STEP), TURN = 4 * STEP };
  size_t i = 0;
  for (; i + TURN <= width; i += TURN)
    for (size_t v = i; v < i + TURN; v += STEP)
      FOLD_FN(column_put)(to + v, FOLD_FN(column)(x, y, pitch, n, v, to + v, false), false);
  for (; i + STEP <= width; i += STEP)
    FOLD_FN(column_put)(to + i, FOLD_FN(column)(x, y, pitch, n, i, to + i, false), false);
  if (i == width) return;
  i = width - STEP;
  FOLD_FN(column_put)(to + i, FOLD_FN(column)(x, y, pitch, n, i, to + i, false), false);
}

/* The numbers of lines that are most of the work of long columns and of the shortest have loops without a question
 * a vector. */
static void FOLD_FN(lines)(const void *x, const void *y, i64 pitch, size_t n, size_t width,
                           void *out, bool onto) {
  if (n == 8 && onto)
    FOLD_FN(lines_as)(x, y, pitch, 8, width, out, true);
  else if (n == 2 && !onto)
    FOLD_FN(lines_few)(x, y, pitch, 2, width, out);
  else if (n == 1 && !onto)
    FOLD_FN(lines_few)(x, y, pitch, 1, width, out);
  else
    FOLD_FN(lines_as)(x, y, pitch, n, width, out, onto);
}

#if HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL)
#define FOLD_BLOCK NULL
#else
#define FOLD_BLOCK FOLD_FN(lines_block)
static inline FOLD_VA FOLD_FN(lines_eight)(const char *x, const char *y, i64 pitch, size_t i) {
  const FOLD_VA a = FOLD_FN(lines_four)(x, y, pitch, i);
  const FOLD_VA b = FOLD_FN(lines_four)(x + 4 * pitch, y + 4 * pitch, pitch, i);
  return FOLD_OPV(a, b);
}
static void FOLD_FN(lines_block)(const void *x, const void *y, i64 pitch, bool both, size_t width,
                                 void *out) {
  enum { STEP = FOLD_FN(STEP) };
  const char *px = x, *py = y;
  for (size_t i = 0; i < width; i += STEP) {
    const size_t at = i + STEP <= width ? i : width - STEP;
    FOLD_VA s = FOLD_FN(lines_eight)(px, py, pitch, at);
    if (both) {
      const FOLD_VA right = FOLD_FN(lines_eight)(px + 8 * pitch, py + 8 * pitch, pitch, at);
      s = FOLD_OPV(s, right);
    }
    FOLD_FN(column_put)((FOLD_W *)out + at, s, false);
  }
}
#endif

static void FOLD_FN(each)(void *acc, const void *right, size_t n) {
  typedef FOLD_W wide __attribute__((vector_size(VEC_BYTES)));
  FOLD_W *a = acc;
  const FOLD_W *b = right;
  size_t i = 0;
  for (; i + VEC_BYTES / sizeof(FOLD_W) <= n; i += VEC_BYTES / sizeof(FOLD_W)) {
    wide va, vb;
    memcpy(&va, a + i, sizeof va);
    memcpy(&vb, b + i, sizeof vb);
    va = FOLD_OPV(va, vb);
    memcpy(a + i, &va, sizeof va);
  }
  for (; i < n; i++) a[i] = (FOLD_W)FOLD_OP1(a[i], b[i]);
}

#ifdef FOLD_OF_TOTALS
#define FOLD_OF_TOTALS_OR_NULL FOLD_OF_TOTALS
#else
#define FOLD_OF_TOTALS_OR_NULL NULL
#endif
static const struct hd_cpu_fold_columns FOLD_FN(columns) = {
    sizeof(FOLD_W), FOLD_FN(STEP), FOLD_FN(lines),        FOLD_BLOCK,
    FOLD_FN(each),  FOLD_VALUES,   FOLD_OF_TOTALS_OR_NULL};
#undef FOLD_OF_TOTALS_OR_NULL

#undef FOLD_BLOCK
