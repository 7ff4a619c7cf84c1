/* op_tmpl.h - one scan kernel: order v1, rules 2, 4 and 6 within a chunk
 *
 * Parameters  SCAN_NAME         the kernel's name
 *             SCAN_A            lane type
 *             SCAN_LANES        lanes of a vector, a literal
 *             SCAN_OP(a, b)     the operator on lanes, SCAN_OPV(a, b) on vectors; commutative
 *             SCAN_IDENTITY     of SCAN_A
 *             SCAN_CLEAN(v)     makes NaN canonical, or v itself
 *             SCAN_ORDERED      1 where rules 2, 4 and 6 bind the operator; 0: any order gives the
 *                               same bits, and along lanes independent_tmpl.h is the method
 *             SCAN_NARROW       defined: f16 and bf16 past the caches are wanted, too
 * Method      Blelloch's tree. A block of SCAN_LANES vectors is summed in pairs: evens and odds
 *             are two vectors, so a level costs one operation and two moves for two vectors, and
 *             the evens, kept, are the left halves' totals. What is left is one vector of totals,
 *             whose own tree runs across its lanes: a swap by 1, 2, 4, 8 gives every lane its
 *             sibling's total. Going down, a right half's carry is the left's op the left's total.
 *             Above blocks, and above the vectors of a last short block, the counter of blocks gives
 *             the carry: the aligned blocks to the left, biggest first.
 * Limits      Lanes behind the end of a short chunk are computed on zeros and dropped.
 * Source      Blelloch 1990 */
#define SCAN_CAT_(a, b, c) a##b##c
#define SCAN_CAT(a, b, c) SCAN_CAT_(a, b, c)
#define SCAN_V SCAN_CAT(v, SCAN_A, )
#define SCAN_FN(part) SCAN_CAT(SCAN_NAME, _, part)
#define SCAN_MOVE(name) SCAN_CAT(name, _, SCAN_A)
#define SCAN_SPLAT(x) ((x) - (SCAN_V){0}) /* -0.0 - 0.0 is -0.0 */

enum { SCAN_FN(BLOCK) = SCAN_LANES * SCAN_LANES, SCAN_FN(CHUNK) = HD_CHUNK_BYTES / sizeof(SCAN_A) };

#if !SCAN_ORDERED

#include "independent_tmpl.h"
#define SCAN_STRIDED SCAN_FN(strided)

#else
#define SCAN_STRIDED NULL

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

/* ---- a block of SCAN_LANES vectors --------------------------------------------------------- */

/* 2 n vectors become n of pairs' totals; left keeps the left halves. */
static inline void SCAN_FN(pairs)(SCAN_V *t, SCAN_V *left, int n) {
  SCAN_UNROLL for (int i = 0; i < n; i++) {
    SCAN_V odd = SCAN_MOVE(odd)(t[2 * i], t[2 * i + 1]);
    left[i] = SCAN_MOVE(even)(t[2 * i], t[2 * i + 1]);
    t[i] = SCAN_OPV(left[i], odd);
  }
}

/* n vectors of carries become 2 n of the halves' carries. */
static inline void SCAN_FN(halves)(SCAN_V *c, const SCAN_V *left, int n) {
  SCAN_UNROLL for (int i = n - 1; i >= 0; i--) {
    SCAN_V l = c[i], r = SCAN_OPV(l, left[i]);
    c[2 * i] = SCAN_MOVE(low)(l, r);
    c[2 * i + 1] = SCAN_MOVE(high)(l, r);
  }
}

/* Two vectors of lanes, taken apart and put together. */
static inline void SCAN_FN(get)(const char *x, int i, SCAN_V *even, SCAN_V *odd) {
  SCAN_V a, b;
  memcpy(&a, x + (size_t)(2 * i) * VEC_BYTES, VEC_BYTES);
  memcpy(&b, x + (size_t)(2 * i + 1) * VEC_BYTES, VEC_BYTES);
  *even = SCAN_MOVE(even)(a, b), *odd = SCAN_MOVE(odd)(a, b);
}
static inline void SCAN_FN(put)(char *out, int i, SCAN_V even, SCAN_V odd) {
  const SCAN_V low = SCAN_MOVE(low)(even, odd), high = SCAN_MOVE(high)(even, odd);
  memcpy(out + (size_t)(2 * i) * VEC_BYTES, &low, VEC_BYTES);
  memcpy(out + (size_t)(2 * i + 1) * VEC_BYTES, &high, VEC_BYTES);
}
/* What goes down again. */
struct SCAN_FN(block) {
  SCAN_V left[SCAN_LANES];
  struct SCAN_FN(tree) tree;
};
#define BLOCK_FN(part) SCAN_FN(part##_block)
#define BLOCK_GET SCAN_FN(get)
#define BLOCK_PUT SCAN_FN(put)
#include "block_tmpl.h"

/* ---- a chunk ------------------------------------------------------------------------------- */

/* Fewer lanes than a block, vector by vector. */
static inline void SCAN_FN(rest)(const char *x, char *out, size_t n, SCAN_A carry, bool exclusive) {
  struct SCAN_FN(counter) k;
  k.start = carry;
  k.count = 0;
  for (size_t e = 0; e < n; e += SCAN_LANES) {
    size_t bytes = (n - e < SCAN_LANES ? n - e : SCAN_LANES) * sizeof(SCAN_A);
    const size_t at = e * sizeof(SCAN_A);
    SCAN_V t = {0};
    if (bytes == VEC_BYTES)
      memcpy(&t, x + at, VEC_BYTES);
    else
      memcpy(&t, x + at, bytes);
    struct SCAN_FN(tree) tree;
    SCAN_FN(up)(t, &tree);
    SCAN_V c = SCAN_FN(down)(&tree, carry);
    carry = SCAN_FN(next_carry)(&k, k.count++, tree.total);
    if (!exclusive) c = SCAN_MOVE(next)(c, SCAN_SPLAT(carry));
    c = SCAN_CLEAN(c);
    if (bytes == VEC_BYTES)
      memcpy(out + at, &c, VEC_BYTES);
    else
      memcpy(out + at, &c, bytes);
  }
}

/* A block goes up the tree before the one in front of it goes down, whose carry the processor then need
 * not wait for. */
static inline __attribute__((always_inline)) void
SCAN_FN(any)(const void *x, void *out, size_t n, const void *prefix, void *next, bool exclusive) {
  struct SCAN_FN(counter) k;
  SCAN_A carry, last = 0;
  size_t e = 0;
  memcpy(&carry, prefix, sizeof carry);
  if (n == SCAN_FN(CHUNK)) memcpy(&last, next, sizeof last);
  k.start = carry;
  k.count = 0;
  struct SCAN_FN(block) block[2];
  if (n >= SCAN_FN(BLOCK)) SCAN_FN(up_block)(x, &block[0]);
  for (; e + SCAN_FN(BLOCK) <= n; e += SCAN_FN(BLOCK)) {
    const size_t at = e * sizeof(SCAN_A), i = e / SCAN_FN(BLOCK);
    const char *behind = (const char *)x + at + SCAN_FN(BLOCK) * sizeof(SCAN_A);
    const SCAN_A before = carry;
    if (e + 2 * SCAN_FN(BLOCK) <= n) SCAN_FN(up_block)(behind, &block[(i + 1) % 2]);
    carry = e + SCAN_FN(BLOCK) == SCAN_FN(CHUNK)
                ? last
                : SCAN_FN(next_carry)(&k, k.count++, block[i % 2].tree.total);
    SCAN_FN(down_block)(&block[i % 2], before, carry, (char *)out + at, exclusive);
  }
  SCAN_FN(rest)
  ((const char *)x + e * sizeof(SCAN_A), (char *)out + e * sizeof(SCAN_A), n - e, carry, exclusive);
}

#endif

/* ---- the total of a chunk (rule 2) ---------------------------------------------------------- */

enum { SCAN_FN(COLUMNS) = HD_ROW_BYTES / VEC_BYTES };

/* Adds `bytes` of lanes from offset `at` of a chunk to its columns; the first row sets them. */
static inline void SCAN_FN(columns)(SCAN_V *column, const char *x, size_t at, size_t bytes) {
  SCAN_UNROLL for (size_t i = 0; i < bytes; i += VEC_BYTES) {
    SCAN_V v, *c = &column[(at + i) / VEC_BYTES % SCAN_FN(COLUMNS)];
    memcpy(&v, x + at + i, sizeof v);
    *c = at + i < HD_ROW_BYTES ? v : SCAN_OPV(*c, v);
  }
}

static inline void SCAN_FN(fold_columns)(SCAN_V *column, void *total) {
  for (int h = SCAN_FN(COLUMNS) / 2; h; h /= 2)
    for (int j = 0; j < h; j++) column[j] = SCAN_OPV(column[j], column[j + h]);
  SCAN_V t = column[0];
#if SCAN_LANES >= 16
  t = SCAN_OPV(t, SCAN_MOVE(swap8)(t));
#endif
#if SCAN_LANES >= 8
  t = SCAN_OPV(t, SCAN_MOVE(swap4)(t));
#endif
#if SCAN_LANES >= 4
  t = SCAN_OPV(t, SCAN_MOVE(swap2)(t));
#endif
  t = SCAN_OPV(t, SCAN_MOVE(swap1)(t));
  memcpy(total, &t, sizeof(SCAN_A));
}

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
  SCAN_FN(fold_columns)(column, out);
}

/* ---- the table's entries ------------------------------------------------------------------- */

static void SCAN_FN(inclusive)(const void *x, void *out, size_t n, const void *prefix, void *next) {
  SCAN_FN(any)(x, out, n, prefix, next, false);
}
static void SCAN_FN(exclusive)(const void *x, void *out, size_t n, const void *prefix, void *next) {
  SCAN_FN(any)(x, out, n, prefix, next, true);
}

#ifdef VEC_NONTEMPORAL
/* Lines follow the scan at a block's distance: a line whose stores are still on their way to the
 * cache could not be read back at once. Input is fetched ahead line by line, too, so that reads,
 * arithmetic and writes overlap. */
static inline __attribute__((always_inline)) void
SCAN_FN(past_caches)(const char *x, const struct hd_cpu_scan_nontemporal *to, const void *prefix,
                     void *next, bool exclusive) {
  enum { BYTES = SCAN_LANES * VEC_BYTES };
  SCAN_A carry;
  memcpy(&carry, prefix, sizeof carry);
#if SCAN_ORDERED
  struct SCAN_FN(counter) k = {.start = carry};
  struct SCAN_FN(block) block[2];
  SCAN_V column[SCAN_FN(COLUMNS)];
  SCAN_A last;
  memcpy(&last, next, sizeof last);
  SCAN_FN(up_block)(x, &block[0]);
#endif
  for (size_t at = 0; at < HD_CHUNK_BYTES; at += BYTES) {
    SCAN_UNROLL for (size_t i = 0; i < BYTES; i += HD_SCAN_LINE)
        __builtin_prefetch(to->ahead + at + i, 0, 2);
#if SCAN_ORDERED
    if (to->total) SCAN_FN(columns)(column, to->coming, at, BYTES);
    const struct SCAN_FN(block) *b = &block[at / BYTES % 2];
    const bool more = at + BYTES < HD_CHUNK_BYTES;
    if (more) SCAN_FN(up_block)(x + at + BYTES, &block[(at / BYTES + 1) % 2]);
    const SCAN_A behind = more ? SCAN_FN(next_carry)(&k, k.count++, b->tree.total) : last;
    SCAN_FN(down_block)(b, carry, behind, to->stage + to->skip + at, exclusive);
    carry = behind;
#else
    carry = SCAN_FN(piece)(x + at, to->stage + to->skip + at, SCAN_FN(BLOCK), carry, exclusive);
#endif
    if (at) nontemporal_lines(to->line + at - BYTES, to->stage + at - BYTES, BYTES);
  }
  nontemporal_lines(to->line + HD_CHUNK_BYTES - BYTES, to->stage + HD_CHUNK_BYTES - BYTES, BYTES);
#if SCAN_ORDERED
  if (to->total) SCAN_FN(fold_columns)(column, to->total);
#else
  memcpy(next, &carry, sizeof carry);
#endif
}

static void SCAN_FN(past_inclusive)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                    const void *prefix, void *next) {
  SCAN_FN(past_caches)(x, to, prefix, next, false);
}
static void SCAN_FN(past_exclusive)(const void *x, const struct hd_cpu_scan_nontemporal *to,
                                    const void *prefix, void *next) {
  SCAN_FN(past_caches)(x, to, prefix, next, true);
}
#define SCAN_PAST_CACHES \
  { SCAN_FN(past_inclusive), SCAN_FN(past_exclusive) }
#else
#define SCAN_PAST_CACHES \
  { NULL, NULL }
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

#ifdef SCAN_NARROW
#define NARROW_IN bf16
#include "narrow_tmpl.h"
#define NARROW_IN f16
#include "narrow_tmpl.h"
#endif

static const struct hd_cpu_scan_kernel SCAN_NAME = {sizeof(SCAN_A),
                                                    SCAN_FN(CHUNK),
                                                    SCAN_IDENTITY,
                                                    !SCAN_ORDERED,
                                                    SCAN_FN(total),
                                                    SCAN_FN(combine),
                                                    {SCAN_FN(inclusive), SCAN_FN(exclusive)},
                                                    SCAN_PAST_CACHES,
                                                    SCAN_STRIDED,
                                                    SCAN_FN(apply),
                                                    VEC_BYTES,
                                                    SCAN_COLUMNS,
                                                    HD_TEXT(SCAN_NAME)};

#undef SCAN_NARROW
#undef SCAN_COLUMNS
#undef SCAN_STRIDED
#undef SCAN_PAST_CACHES
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
