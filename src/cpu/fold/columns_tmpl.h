/* columns_tmpl.h - one fold kernel down the columns of lines: order v1, by vectors of neighbouring
 * columns
 *
 * Parameters  those of fold_tmpl.h, which includes this. A column's accumulator is a FOLD_W.
 * Result      FOLD_NAME_columns, a struct hd_cpu_fold_columns
 * Method      A vector takes the same line of neighbouring columns, so that what fold_tmpl.h does with
 *             neighbours is done with whole lines. Two vectors stay in registers while `n` lines are
 *             folded on them. The last vector of a width that is not a multiple ends with the line and
 *             overlaps the one before: it starts from what `out` held before anything was written.
 * Limits      Nothing outside [0, width) of a line is read or written. */
enum { FOLD_FN(NARROW) = sizeof(FOLD_A) < sizeof(FOLD_W), FOLD_FN(PAIR) = 2 };

static inline FOLD_VA FOLD_FN(column_get)(const FOLD_W *at) {
  FOLD_VA v;
  memcpy(&v, at, sizeof v);
  return v;
}

/* Narrow lanes are widened by halves. */
static inline void FOLD_FN(column_put)(FOLD_W *at, FOLD_VA v) {
  typedef FOLD_A half __attribute__((vector_size(VEC_BYTES / 2)));
  typedef FOLD_W wide __attribute__((vector_size(VEC_BYTES / 2 / sizeof(FOLD_A) * sizeof(FOLD_W))));
  if (!FOLD_FN(NARROW)) {
    memcpy(at, &v, sizeof v);
    return;
  }
  for (size_t k = 0; k < 2; k++) {
    half h;
    memcpy(&h, (const char *)&v + k * sizeof h, sizeof h);
    const wide w = __builtin_convertvector(h, wide);
    memcpy((char *)at + k * sizeof w, &w, sizeof w);
  }
}

/* `count` vectors side by side, from column i on: n lines folded on s, or on the first of them. */
static inline void FOLD_FN(column)(const char *x, const char *y, i64 pitch, size_t n, size_t i,
                                   FOLD_VA *s, size_t count, bool onto) {
  size_t r = 0;
  (void)y;
  if (!onto) {
    for (size_t v = 0; v < count; v++) s[v] = FOLD_LANES(x, y, i + v * FOLD_FN(STEP));
    r = 1;
  }
  for (; r < n; r++) {
    const char *px = x + (i64)r * pitch, *py = y + (i64)r * pitch;
    (void)py;
    for (size_t v = 0; v < count; v++) {
      const FOLD_VA right = FOLD_LANES(px, py, i + v * FOLD_FN(STEP));
      s[v] = FOLD_OPV(s[v], right);
    }
  }
}

static void FOLD_FN(lines)(const void *x, const void *y, i64 pitch, size_t n, size_t width,
                           void *out, bool onto) {
  enum { STEP = FOLD_FN(STEP), PAIR = FOLD_FN(PAIR) };
  FOLD_W *to = out;
  FOLD_VA s[PAIR], end = {0};
  size_t i = 0;
  if (FOLD_FN(NARROW)) onto = false;
  if (onto) end = FOLD_FN(column_get)(to + width - STEP);
  for (; i + PAIR * STEP <= width; i += PAIR * STEP) {
    if (onto)
      for (size_t v = 0; v < PAIR; v++) s[v] = FOLD_FN(column_get)(to + i + v * STEP);
    FOLD_FN(column)(x, y, pitch, n, i, s, PAIR, onto);
    for (size_t v = 0; v < PAIR; v++) FOLD_FN(column_put)(to + i + v * STEP, s[v]);
  }
  for (; i < width; i += STEP) {
    const bool whole = i + STEP <= width;
    const size_t at = whole ? i : width - STEP;
    s[0] = onto && whole ? FOLD_FN(column_get)(to + at) : end;
    FOLD_FN(column)(x, y, pitch, n, at, s, 1, onto);
    FOLD_FN(column_put)(to + at, s[0]);
  }
}

#if HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL)
#define FOLD_EIGHT NULL
#else
#define FOLD_EIGHT FOLD_FN(lines_eight)
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
static void FOLD_FN(lines_eight)(const void *x, const void *y, i64 pitch, size_t width, void *out) {
  enum { STEP = FOLD_FN(STEP) };
  const char *px = x, *py = y;
  for (size_t i = 0; i < width; i += STEP) {
    const size_t at = i + STEP <= width ? i : width - STEP;
    const FOLD_VA a = FOLD_FN(lines_four)(px, py, pitch, at);
    const FOLD_VA b = FOLD_FN(lines_four)(px + 4 * pitch, py + 4 * pitch, pitch, at);
    FOLD_FN(column_put)((FOLD_W *)out + at, FOLD_OPV(a, b));
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

static const struct hd_cpu_fold_columns FOLD_FN(columns) = {
    sizeof(FOLD_W), FOLD_FN(STEP), FOLD_FN(lines), FOLD_EIGHT, FOLD_FN(each)};

#undef FOLD_EIGHT
