/* fold_tmpl.h - one fold kernel: order v1, rules 2, 3 and 5, for one type and operator
 *
 * Parameters  FOLD_NAME         the kernel's name
 *             FOLD_IN           element type
 *             FOLD_A            type of a lane; its vector type is FOLD_VA
 *             FOLD_W            type of a total, at least as wide as a lane
 *             FOLD_LANES(x,y,i) vector of the lanes that begin at element i; x, y are bytes
 *             FOLD_ONE(x,y,i)   element i alone, as a FOLD_W
 *             FOLD_OPV(a,b)     the operator on vectors, FOLD_OP1(a,b) on FOLD_W and FOLD_A
 *             FOLD_IDENTITY     a FOLD_W
 *             FOLD_TOTAL        enum hd_total
 *             FOLD_EVEN(a,b), FOLD_ODD(a,b)  where FOLD_A is FOLD_W: lanes of even and odd index
 *                               of two vectors; short chunks are folded by vectors then
 *             FOLD_AHEAD        bytes to fetch ahead: kernels that do more than one operation on
 *                               a vector outrun the processor's own prefetching; 0 for none
 * Method      A chunk is 16 rows of 512 bytes of lanes: rows are added to eight vectors at a
 *             time, which fit the registers of every ISA, then halves are folded on halves. A
 *             short chunk is folded in pairs, level by level; what is odd at a level is one of
 *             the aligned blocks that tile it.
 * Limits      Lanes of narrow integers hold a chunk's total without wrapping. */
#define FOLD_FN_(name, part) name##_##part
#define FOLD_FN__(name, part) FOLD_FN_(name, part)
#define FOLD_FN(part) FOLD_FN__(FOLD_NAME, part)

enum {
  FOLD_FN(ROW) = HD_LANE_BYTES / sizeof(FOLD_A),
  FOLD_FN(STEP) = VEC_BYTES / sizeof(FOLD_A),
  FOLD_FN(VECTORS) = HD_LANE_BYTES / VEC_BYTES,
  FOLD_FN(CHUNK) = HD_CHUNK_ROWS * FOLD_FN(ROW)
};

/* Rule 2. */
static inline FOLD_W FOLD_FN(chunk)(const char *x, const char *y) {
  enum { ROW = FOLD_FN(ROW), STEP = FOLD_FN(STEP), VECTORS = FOLD_FN(VECTORS), GROUP = 8 };
  FOLD_VA column[VECTORS];
  (void)y;
  for (int g = 0; g < VECTORS; g += GROUP) {
    FOLD_VA s[GROUP];
    for (int v = 0; v < GROUP; v++) s[v] = FOLD_LANES(x, y, (size_t)((g + v) * STEP));
    for (int r = 1; r < HD_CHUNK_ROWS; r++)
      for (int v = 0; v < GROUP; v++) {
        size_t i = (size_t)(r * ROW + (g + v) * STEP);
        if (FOLD_AHEAD && i * sizeof(FOLD_IN) % 64 == 0)
          __builtin_prefetch(x + i * sizeof(FOLD_IN) + FOLD_AHEAD);
        s[v] = FOLD_OPV(s[v], FOLD_LANES(x, y, i));
      }
    for (int v = 0; v < GROUP; v++) column[g + v] = s[v];
  }
  for (int h = VECTORS / 2; h; h /= 2)
    for (int j = 0; j < h; j++) column[j] = FOLD_OPV(column[j], column[j + h]);
  FOLD_VA s = column[0];
#if VEC_BYTES >= 64
  s = FOLD_OPV(s, (FOLD_VA)swap32((vu64)s));
#endif
#if VEC_BYTES >= 32
  s = FOLD_OPV(s, (FOLD_VA)swap16((vu64)s));
#endif
  s = FOLD_OPV(s, (FOLD_VA)swap8((vu64)s));
  if (sizeof(FOLD_A) <= 4) s = FOLD_OPV(s, (FOLD_VA)swap4((vu64)s));
  if (sizeof(FOLD_A) <= 2) s = FOLD_OPV(s, (FOLD_VA)swap2((vu64)s));
  if (sizeof(FOLD_A) <= 1) s = FOLD_OPV(s, (FOLD_VA)swap1((vu64)s));
  return (FOLD_W)s[0];
}

/* Rule 3. */
static heddle_status FOLD_FN(block)(const void *x, const void *y, u64 first, unsigned level,
                                    void *out, const heddle_custom *custom) {
  const size_t stride = (size_t)FOLD_FN(CHUNK) * sizeof(FOLD_IN);
  FOLD_W left[HD_BLOCK_LEVELS + 1];
  unsigned depth = 0;
  (void)first, (void)custom;
  for (u32 c = 0; c < 1u << level; c++) {
    FOLD_W t =
        FOLD_FN(chunk)((const char *)x + c * stride, y ? (const char *)y + c * stride : NULL);
    for (u32 odd = c; odd & 1; odd >>= 1) {
      depth--;
      t = (FOLD_W)FOLD_OP1(left[depth], t);
    }
    left[depth++] = t;
  }
  memcpy(out, &left[0], sizeof left[0]);
  return HEDDLE_OK;
}

#ifdef FOLD_EVEN

/* 1, 2, 4 and 8 neighbours from element i on. */
static inline FOLD_W FOLD_FN(two)(const char *x, const char *y, size_t i) {
  (void)y;
  FOLD_W a = FOLD_ONE(x, y, i), b = FOLD_ONE(x, y, i + 1);
  return FOLD_OP1(a, b);
}
static inline FOLD_W FOLD_FN(four)(const char *x, const char *y, size_t i) {
  return FOLD_OP1(FOLD_FN(two)(x, y, i), FOLD_FN(two)(x, y, i + 2));
}
static inline FOLD_W FOLD_FN(eight)(const char *x, const char *y, size_t i) {
  return FOLD_OP1(FOLD_FN(four)(x, y, i), FOLD_FN(four)(x, y, i + 4));
}

/* A power of two of vectors from element i on: two vectors of totals of neighbours give one of
 * totals twice as long, until the lanes of one vector are left. */
static inline FOLD_W FOLD_FN(vectors)(const char *x, const char *y, size_t i, size_t vectors) {
  (void)y;
  FOLD_VA left[8];
  unsigned depth = 0;
  for (size_t v = 0; v < vectors; v++) {
    FOLD_VA t = FOLD_LANES(x, y, i + v * FOLD_FN(STEP));
    for (size_t odd = v; odd & 1; odd >>= 1) {
      depth--;
      t = FOLD_OPV(FOLD_EVEN(left[depth], t), FOLD_ODD(left[depth], t));
    }
    left[depth++] = t;
  }
  FOLD_VA s = left[0];
  if (sizeof(FOLD_A) <= 4) s = FOLD_OPV(s, (FOLD_VA)swap4((vu64)s));
  s = FOLD_OPV(s, (FOLD_VA)swap8((vu64)s));
#if VEC_BYTES >= 32
  s = FOLD_OPV(s, (FOLD_VA)swap16((vu64)s));
#endif
#if VEC_BYTES >= 64
  s = FOLD_OPV(s, (FOLD_VA)swap32((vu64)s));
#endif
  return s[0];
}

/* Rule 5, from *acc on: the aligned blocks are the binary digits of n. */
static heddle_status FOLD_FN(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                   const heddle_custom *custom) {
  FOLD_W total;
  size_t i = 0;
  (void)first, (void)custom, (void)y;
  memcpy(&total, acc, sizeof total);
  for (size_t block = FOLD_FN(CHUNK) / 2; block >= FOLD_FN(STEP); block /= 2) {
    if (!(n & block)) continue;
    total = FOLD_OP1(total, FOLD_FN(vectors)(x, y, i, block / FOLD_FN(STEP)));
    i += block;
  }
  if (FOLD_FN(STEP) > 8 && n & 8) {
    total = FOLD_OP1(total, FOLD_FN(eight)(x, y, i));
    i += 8;
  }
  if (FOLD_FN(STEP) > 4 && n & 4) {
    total = FOLD_OP1(total, FOLD_FN(four)(x, y, i));
    i += 4;
  }
  if (FOLD_FN(STEP) > 2 && n & 2) {
    total = FOLD_OP1(total, FOLD_FN(two)(x, y, i));
    i += 2;
  }
  if (n & 1) total = FOLD_OP1(total, FOLD_ONE(x, y, i));
  memcpy(acc, &total, sizeof total);
  return HEDDLE_OK;
}

#else

/* Rule 5, from *acc on: pairs, level by level; what is odd at a level is an aligned block. */
static heddle_status FOLD_FN(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                   const heddle_custom *custom) {
  FOLD_W pair[FOLD_FN(CHUNK) / 2], odd[16], total;
  int level = 0;
  size_t m = n / 2;
  (void)first, (void)custom, (void)y;
  memcpy(&total, acc, sizeof total);
  if (n & 1) odd[0] = FOLD_ONE(x, y, n - 1);
  for (size_t i = 0; i < m; i++) {
    FOLD_W a = FOLD_ONE(x, y, 2 * i), b = FOLD_ONE(x, y, 2 * i + 1);
    pair[i] = (FOLD_W)FOLD_OP1(a, b);
  }
  for (level = 1; m; level++, m /= 2) {
    if (m & 1) odd[level] = pair[m - 1];
    for (size_t i = 0; i < m / 2; i++) pair[i] = (FOLD_W)FOLD_OP1(pair[2 * i], pair[2 * i + 1]);
  }
  while (level-- > 0)
    if (n >> level & 1) total = (FOLD_W)FOLD_OP1(total, odd[level]);
  memcpy(acc, &total, sizeof total);
  return HEDDLE_OK;
}

#endif

static heddle_status FOLD_FN(combine)(void *acc, const void *right, const heddle_custom *custom) {
  FOLD_W a, b;
  (void)custom;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, right, sizeof b);
  a = (FOLD_W)FOLD_OP1(a, b);
  memcpy(acc, &a, sizeof a);
  return HEDDLE_OK;
}

static void FOLD_FN(identity)(void *out, const heddle_custom *custom) {
  FOLD_W e = FOLD_IDENTITY;
  (void)custom;
  memcpy(out, &e, sizeof e);
}

static const struct hd_cpu_fold_kernel FOLD_NAME = {
    sizeof(FOLD_IN), sizeof(FOLD_W), FOLD_FN(CHUNK),   FOLD_TOTAL,
    FOLD_FN(block),  FOLD_FN(tail),  FOLD_FN(combine), FOLD_FN(identity)};

#undef FOLD_FN
#undef FOLD_FN_
#undef FOLD_FN__
#undef FOLD_NAME
#undef FOLD_LANES
#undef FOLD_ONE
#undef FOLD_OPV
#undef FOLD_OP1
#undef FOLD_IDENTITY
