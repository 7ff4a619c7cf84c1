/* op_tmpl.h - one scan kernel: order v1, rules 2, 4 and 6 within a chunk
 *
 * Parameters  SCAN_NAME         the kernel's name
 *             SCAN_A            lane type
 *             SCAN_LANES        lanes of a vector, a literal
 *             SCAN_OP(a, b)     the operator on lanes, SCAN_OPV(a, b) on vectors; commutative
 *             SCAN_IDENTITY     of SCAN_A, as bits
 *             SCAN_CLEAN(v)     makes NaN canonical, or v itself
 *             SCAN_ORDERED      1 where rules 2, 4 and 6 bind the operator; 0: any order gives the
 *                               same bits, and along lanes independent_tmpl.h is the method
 *             SCAN_NARROW       defined: f16 and bf16 are to be scanned as they lie, too
 * Method      Blelloch's tree, by chunk_tmpl.h: two vectors become one of totals of pairs, and so on until
 *             one is left, whose own tree runs across its lanes: a swap by 1, 2, 4, 8 gives every lane
 *             its sibling's total. Pairs lie within 16 bytes first, then 16 bytes apart, so that
 *             totals end up in order. Above blocks, and above the vectors of a last short block, the
 *             counter of blocks gives the carry: the aligned blocks to the left, biggest first.
 * Limits      Lanes behind the end of a short chunk are computed on zeros and dropped.
 * Source      Blelloch 1990 */
#define SCAN_CAT_(a, b, c) a##b##c
#define SCAN_CAT(a, b, c) SCAN_CAT_(a, b, c)
#define SCAN_V SCAN_CAT(v, SCAN_A, )
#define SCAN_FN(part) SCAN_CAT(SCAN_NAME, _, part)
#define SCAN_MOVE(name) SCAN_CAT(name, _, SCAN_A)
#define SCAN_SPLAT(x) ((x) - (SCAN_V){0}) /* -0.0 - 0.0 is -0.0 */

enum {
  SCAN_FN(CHUNK) = HD_CHUNK_BYTES / sizeof(SCAN_A),
  SCAN_FN(COLUMNS) = HD_ROW_BYTES / VEC_BYTES
};

#if SCAN_ORDERED

/* ---- across the lanes of one vector ------------------------------------------------------ */

struct SCAN_FN(tree) {
  SCAN_V sibling[4]; /* the total of the neighbouring block of 1, 2, 4, 8 lanes */
  SCAN_A total;
};

static inline void SCAN_FN(up)(SCAN_V t, struct SCAN_FN(tree) * tree) {
  tree->sibling[0] = SCAN_MOVE(swap1)(t);
  t = SCAN_OPV(t, tree->sibling[0]);
#if SCAN_LANES >= 4
  tree->sibling[1] = SCAN_MOVE(swap2)(t);
  t = SCAN_OPV(t, tree->sibling[1]);
#endif
#if SCAN_LANES >= 8
  tree->sibling[2] = SCAN_MOVE(swap4)(t);
  t = SCAN_OPV(t, tree->sibling[2]);
#endif
#if SCAN_LANES >= 16
  tree->sibling[3] = SCAN_MOVE(swap8)(t);
  t = SCAN_OPV(t, tree->sibling[3]);
#endif
  tree->total = t[0];
}

/* The exclusive carry of every lane. */
static inline SCAN_V SCAN_FN(down)(const struct SCAN_FN(tree) * tree, SCAN_A carry) {
  SCAN_V c = SCAN_SPLAT(carry);
#if SCAN_LANES >= 16
  c = SCAN_MOVE(right8)(c, SCAN_OPV(c, tree->sibling[3]));
#endif
#if SCAN_LANES >= 8
  c = SCAN_MOVE(right4)(c, SCAN_OPV(c, tree->sibling[2]));
#endif
#if SCAN_LANES >= 4
  c = SCAN_MOVE(right2)(c, SCAN_OPV(c, tree->sibling[1]));
#endif
  return SCAN_MOVE(right1)(c, SCAN_OPV(c, tree->sibling[0]));
}

/* ---- above vectors or blocks --------------------------------------------------------------- */

struct SCAN_FN(counter) {
  SCAN_A start;    /* the carry before the first */
  SCAN_A total[9]; /* of the aligned block of 2^i that bit i of their number stands for */
  SCAN_A carry[9]; /* start op the blocks down to this one */
  u32 count;       /* totals so far */
};

/* SCAN_FN(next_carry) takes the next total and gives the carry behind it. */
#define BLOCKS_NAME SCAN_FN(next)
#define BLOCKS_COUNTER struct SCAN_FN(counter)
#define BLOCKS_T SCAN_A
#define BLOCKS_OP(k, a, b) ((SCAN_A)SCAN_OP(a, b))
#define BLOCKS_SLOT(k, i) (k)->total[i]
#define BLOCKS_KEEP(k, i, t) ((k)->total[i] = (t))
#define BLOCKS_CARRY(k, i) (k)->carry[i]
#define BLOCKS_START(k) (k)->start
#include "order/blocks_tmpl.h"

/* ---- levels of vectors ----------------------------------------------------------------------- */

/* 2 n vectors become n of pairs' totals; left keeps the left halves. Where n are as many as a vector has 16
 * bytes, or more, pairs lie within these. */
static inline __attribute__((always_inline)) void SCAN_FN(pairs)(SCAN_V *t, SCAN_V *left, int n) {
  SCAN_UNROLL for (int i = 0; i < n; i++) {
    const SCAN_V a = t[2 * i], b = t[2 * i + 1];
    SCAN_V odd = SCAN_MOVE(odd_in16)(a, b);
    left[i] = SCAN_MOVE(even_in16)(a, b);
#if VEC_BYTES > 16
    if (n < VEC_BYTES / 16) odd = SCAN_MOVE(odd_of16)(a, b), left[i] = SCAN_MOVE(even_of16)(a, b);
#endif
    t[i] = SCAN_OPV(left[i], odd);
  }
}

/* n vectors of carries become 2 n of the halves' carries. */
static inline __attribute__((always_inline)) void SCAN_FN(halves)(SCAN_V *c, const SCAN_V *left,
                                                                  int n) {
  SCAN_UNROLL for (int i = n - 1; i >= 0; i--) {
    const SCAN_V l = c[i], r = SCAN_OPV(l, left[i]);
    c[2 * i] = SCAN_MOVE(low_in16)(l, r), c[2 * i + 1] = SCAN_MOVE(high_in16)(l, r);
#if VEC_BYTES > 16
    if (n < VEC_BYTES / 16)
      c[2 * i] = SCAN_MOVE(low_of16)(l, r), c[2 * i + 1] = SCAN_MOVE(high_of16)(l, r);
#endif
  }
}

#endif

/* ---- the total of a chunk (rule 2) ---------------------------------------------------------- */

/* Folds the lanes of a vector by halves. */
static inline SCAN_V SCAN_FN(fold_lanes)(SCAN_V t) {
#if SCAN_LANES >= 16
  t = SCAN_OPV(t, SCAN_MOVE(swap8)(t));
#endif
#if SCAN_LANES >= 8
  t = SCAN_OPV(t, SCAN_MOVE(swap4)(t));
#endif
#if SCAN_LANES >= 4
  t = SCAN_OPV(t, SCAN_MOVE(swap2)(t));
#endif
  return SCAN_OPV(t, SCAN_MOVE(swap1)(t));
}

/* Folds columns by halves. Paired: two neighbours hold the lanes of even and of odd index of 2 * SCAN_LANES. */
static inline void SCAN_FN(columns_end)(SCAN_V *column, bool paired, void *total) {
  for (int h = SCAN_FN(COLUMNS) / 2; h > paired; h /= 2)
    for (int j = 0; j < h; j++) column[j] = SCAN_OPV(column[j], column[j + h]);
  SCAN_V t = SCAN_FN(fold_lanes)(column[0]);
  if (paired) t = SCAN_OPV(t, SCAN_FN(fold_lanes)(column[1]));
  memcpy(total, &t, sizeof(SCAN_A));
}

#if SCAN_ORDERED
static inline void SCAN_FN(columns_start)(SCAN_V *column) {
  const SCAN_RAW bits = SCAN_IDENTITY;
  SCAN_A identity;
  memcpy(&identity, &bits, sizeof identity);
  for (int j = 0; j < SCAN_FN(COLUMNS); j++) column[j] = SCAN_SPLAT(identity);
}
#endif

static void SCAN_FN(total)(const void *x, void *out) {
  enum { GROUP = 8 }; /* columns that stay in registers */
  SCAN_V column[SCAN_FN(COLUMNS)];
  for (size_t g = 0; g < SCAN_FN(COLUMNS); g += GROUP) {
    SCAN_V s[GROUP], v;
    memcpy(s, (const char *)x + g * VEC_BYTES, sizeof s);
    for (size_t at = HD_ROW_BYTES; at < HD_CHUNK_BYTES; at += HD_ROW_BYTES)
      SCAN_UNROLL for (size_t i = 0; i < GROUP; i++) {
        memcpy(&v, (const char *)x + at + (g + i) * VEC_BYTES, sizeof v);
        s[i] = SCAN_OPV(s[i], v);
      }
    memcpy(&column[g], s, sizeof s);
  }
  SCAN_FN(columns_end)(column, false, out);
}

/* ---- elements that are lanes, and narrower ones --------------------------------------------------- */

#if SCAN_ORDERED

static inline SCAN_V SCAN_FN(load)(const char *x) {
  SCAN_V v;
  memcpy(&v, x, sizeof v);
  return v;
}
static inline void SCAN_FN(store)(char *out, SCAN_V v) { memcpy(out, &v, sizeof v); }

/* `bytes`: a vector's or more. */
static inline void SCAN_FN(canonical)(char *x, size_t bytes) {
  for (size_t at = 0; at < bytes; at += VEC_BYTES) {
    char *p = x + (at + VEC_BYTES <= bytes ? at : bytes - VEC_BYTES);
    SCAN_FN(store)(p, SCAN_CLEAN(SCAN_FN(load)(p)));
  }
}

#define CHUNK_FN(part) SCAN_CAT(SCAN_FN(part), _, lanes)
#define CHUNK_E SCAN_A
#define CHUNK_LOAD SCAN_FN(load)
#define CHUNK_STORE SCAN_FN(store)
#define CHUNK_PACKED 0
#define CHUNK_CANONICAL SCAN_FN(canonical)
#include "chunk_tmpl.h"

#ifdef SCAN_NARROW
#define CHUNK_FN(part) SCAN_CAT(SCAN_FN(part), _, f16)
#define CHUNK_E f16
#define CHUNK_LOAD load_f16_f32
#define CHUNK_STORE store_f32_f16
#define CHUNK_PACKED 0
#define CHUNK_CANONICAL canonical_f16
#include "chunk_tmpl.h"

#define CHUNK_FN(part) SCAN_CAT(SCAN_FN(part), _, bf16)
#define CHUNK_E bf16
#define CHUNK_LOAD load_bf16_f32
#define CHUNK_STORE store_f32_bf16
#define CHUNK_PACKED 1
#define CHUNK_SPLIT split_bf16_f32
#define CHUNK_JOIN join_f32_bf16
#define CHUNK_CANONICAL canonical_bf16
#include "chunk_tmpl.h"
#endif
#define SCAN_STRIDED NULL

#else

#include "independent_tmpl.h"
#define SCAN_STRIDED SCAN_FN(strided)

#endif

static void SCAN_FN(combine)(void *acc, const void *right) {
  SCAN_A a, b;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, right, sizeof b);
  a = (SCAN_A)SCAN_OP(a, b);
  memcpy(acc, &a, sizeof a);
}

static void SCAN_FN(apply)(const void *left, void *x, size_t n) {
  SCAN_A a;
  memcpy(&a, left, sizeof a);
  SCAN_V l = SCAN_SPLAT(a), v = {0};
  for (size_t at = 0, end = n * sizeof(SCAN_A); at < end; at += VEC_BYTES) {
    size_t bytes = end - at < VEC_BYTES ? end - at : VEC_BYTES;
    memcpy(&v, (char *)x + at, bytes);
    v = SCAN_CLEAN(SCAN_OPV(l, v));
    memcpy((char *)x + at, &v, bytes);
  }
}

#include "columns_tmpl.h"

static const struct hd_cpu_scan_kernel SCAN_NAME = {
    sizeof(SCAN_A), SCAN_FN(CHUNK),   SCAN_IDENTITY,          !SCAN_ORDERED,
    SCAN_FN(total), SCAN_FN(combine), &SCAN_FN(format_lanes), SCAN_STRIDED,
    SCAN_FN(apply), VEC_BYTES,        SCAN_COLUMNS,           HD_TEXT(SCAN_NAME)};

#undef SCAN_COLUMNS
#undef SCAN_STRIDED
#undef SCAN_CAT_
#undef SCAN_CAT
#undef SCAN_V
#undef SCAN_FN
#undef SCAN_MOVE
#undef SCAN_SPLAT
#undef SCAN_NAME
#undef SCAN_OP
#undef SCAN_OPV
#undef SCAN_IDENTITY
#undef SCAN_CLEAN
#undef SCAN_ORDERED
