/* apart_tmpl.h - the chunks of elements a few apart, where they lie: for fold_tmpl.h, which includes this
 *
 * Parameters  those of fold_tmpl.h; FOLD_APART(second), .. the moves of vec/neighbours.h of that name
 * Result      FOLD_NAME_apart, the kernel's `apart`
 * Method      Lines of cache are read one after the other, as those of neighbours are: a copy to neighbours
 *             first would leave the memory idle meanwhile. Where an order binds, vectors become one of
 *             the elements by shuffles. Where none does, lanes fold what they read, and every step-th one
 *             counts at the end.
 * Limits      Steps of up to 4, of elements that are lanes as they are. */

/* The lowest of n elements `step` apart. */
static inline const char *FOLD_FN(lowest)(const void *x, i64 step, size_t n) {
  return (const char *)x + (step < 0 ? (i64)(n - 1) * step * (i64)sizeof(FOLD_IN) : 0);
}

#if HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL)

/* The total of every step-th element of `groups` groups of vectors. */
static inline __attribute__((always_inline)) FOLD_W FOLD_FN(every)(const char *p, size_t step,
                                                                   size_t groups, size_t vectors) {
  enum { STEP = FOLD_FN(STEP), MOST = 8, AHEAD = 4096 /* bytes */ };
  FOLD_VA s[MOST];
  FOLD_A lane[MOST * STEP];
  for (size_t v = 0; v < vectors; v++) s[v] = FOLD_LANES(p, p, v * STEP);
  for (size_t g = 1; g < groups; g++) {
    p += vectors * VEC_BYTES;
    for (size_t b = 0; b < vectors * VEC_BYTES; b += 64) __builtin_prefetch(p + AHEAD + b);
    for (size_t v = 0; v < vectors; v++) s[v] = FOLD_OPV(s[v], FOLD_LANES(p, p, v * STEP));
  }
  memcpy(lane, s, sizeof *s * vectors);
  FOLD_W all = (FOLD_W)lane[0];
  for (size_t l = step; l < vectors * STEP; l += step) all = (FOLD_W)FOLD_OP1(all, (FOLD_W)lane[l]);
  return all;
}

static void FOLD_FN(apart)(const void *x, i64 step, size_t n, void *totals) {
  const size_t elements = n * FOLD_FN(CHUNK), bytes = elements * sizeof(FOLD_IN);
  const char *p = FOLD_FN(lowest)(x, step, elements);
  FOLD_W all;
  switch (step < 0 ? -step : step) { /* as many vectors as have the same lanes in each group */
  case 1: all = FOLD_FN(every)(p, 1, bytes / VEC_BYTES / 8, 8); break;
  case 2: all = FOLD_FN(every)(p, 2, bytes / VEC_BYTES / 4, 8); break;
  case 3: all = FOLD_FN(every)(p, 3, bytes / VEC_BYTES / 2, 6); break;
  default: all = FOLD_FN(every)(p, 4, bytes / VEC_BYTES / 2, 8);
  }
  FOLD_FN(put)(totals, 0, all);
}

#else

/* Lanes that lie as second_T .. leave them. */
static inline __attribute__((always_inline)) FOLD_VA FOLD_FN(lanes_apart)(const char *x, size_t i,
                                                                          size_t step) {
  enum { STEP = FOLD_FN(STEP) };
  const char *p = x + i * step * sizeof(FOLD_IN);
  const FOLD_VA a = FOLD_LANES(p, p, 0);
  if (step == 1) return a;
  const FOLD_VA b = FOLD_LANES(p, p, STEP);
  if (step == 2) return FOLD_APART(second)(a, b);
  const FOLD_VA c = FOLD_LANES(p, p, 2 * STEP);
  if (step == 3) return FOLD_APART(third)(a, b, c);
  const FOLD_VA d = FOLD_LANES(p, p, 3 * STEP);
  return FOLD_APART(fourth)(a, b, c, d);
}

static inline FOLD_VA FOLD_FN(in_order)(FOLD_VA v, size_t step) {
  if (step == 2) return FOLD_APART(second_in_order)(v);
  if (step == 3) return FOLD_APART(third_in_order)(v);
  return step == 4 ? FOLD_APART(fourth_in_order)(v) : v;
}

/* Rule 2, of lines `pitch` bytes apart. Backwards a line's lanes lie the other way round: halves are folded on
 * the same ones. All vectors have their lanes in the same places: the last one alone is put in order. Lines are read
 * whole, one after the other, and some of them ahead: with half of the lanes at a time,
 * all of them in registers, more is fetched at once than the first cache has room for. */
static inline __attribute__((always_inline)) FOLD_W FOLD_FN(chunk_apart)(const char *x, i64 pitch,
                                                                         size_t step) {
  enum { STEP = FOLD_FN(STEP), VECTORS = FOLD_FN(VECTORS), AHEAD = 8 /* lines */ };
  const i64 bytes = (i64)step * HD_ROW_BYTES / (i64)sizeof(FOLD_A) * (i64)sizeof(FOLD_IN);
  FOLD_VA column[VECTORS];
  for (size_t v = 0; v < VECTORS; v++) column[v] = FOLD_FN(lanes_apart)(x, v * STEP, step);
  for (int r = 1; r < HD_CHUNK_ROWS; r++) {
    x += pitch;
    for (i64 b = 0; b < bytes; b += 64) __builtin_prefetch(x + AHEAD * pitch + b);
    for (size_t v = 0; v < VECTORS; v++) {
      const FOLD_VA line = FOLD_FN(lanes_apart)(x, v * STEP, step);
      column[v] = FOLD_OPV(column[v], line);
    }
  }
  for (int h = VECTORS / 2; h; h /= 2)
    for (int j = 0; j < h; j++) column[j] = FOLD_OPV(column[j], column[j + h]);
  return (FOLD_W)FOLD_FN(across)(FOLD_FN(in_order)(column[0], step))[0];
}

static void FOLD_FN(apart)(const void *x, i64 step, size_t n, void *totals) {
  const i64 pitch = step * FOLD_FN(ROW) * (i64)sizeof(FOLD_IN);
  const char *p = FOLD_FN(lowest)(x, step, FOLD_FN(ROW));
  for (size_t c = 0; c < n; c++, p += HD_CHUNK_ROWS * pitch) {
    FOLD_W total;
    switch (step < 0 ? -step : step) {
    case 1: total = FOLD_FN(chunk_apart)(p, pitch, 1); break;
    case 2: total = FOLD_FN(chunk_apart)(p, pitch, 2); break;
    case 3: total = FOLD_FN(chunk_apart)(p, pitch, 3); break;
    default: total = FOLD_FN(chunk_apart)(p, pitch, 4);
    }
    FOLD_FN(put)(totals, c, total);
  }
}

#endif
