/* fold_tmpl.h - one fold kernel: order v1, rules 2 and 5, for one type and operator
 *
 * Parameters  FOLD_NAME         the kernel's name
 *             FOLD_IN           element type
 *             FOLD_A            type of a lane; its vector type is FOLD_VA
 *             FOLD_W            type that totals are folded in, at least as wide as a lane
 *             FOLD_T            type of a total in memory (order/total.h), and how a FOLD_W becomes
 *                               one and is got back: FOLD_TO_TOTAL(w), FOLD_OF_TOTAL(t)
 *             FOLD_LANES(x,y,i) vector of the lanes that begin at element i; x, y are bytes
 *             FOLD_ONE(x,y,i)   element i alone, as a FOLD_W
 *             FOLD_OPV(a,b)     the operator on vectors, FOLD_OP1(a,b) on FOLD_W and FOLD_T
 *             FOLD_IDENTITY     a FOLD_W
 *             FOLD_NONE         the total of nothing; undefined if FOLD_IDENTITY is that
 *             FOLD_OPT(a,b)     the operator on FOLD_T; undefined if FOLD_OP1 does that, too
 *             FOLD_TOTAL        its kind
 *             FOLD_EVEN(a,b), FOLD_ODD(a,b)  where FOLD_A is FOLD_W: lanes of even and odd index
 *                               of two vectors; short chunks are folded by vectors then
 *             FOLD_AHEAD        bytes to fetch ahead: kernels that do more than one operation on
 *                               a vector outrun the processor's own prefetching; 0 for none
 *             FOLD_ANY_ORDER    defined where the order is free and lanes are totals: any_order_tmpl.h;
 *                               minmax_values_tmpl.h, if FOLD_VALUE is defined, too
 * Method      A chunk is 16 rows of 512 bytes of lanes: rows are added to eight vectors at a
 *             time, which fit the registers of every ISA, then halves are folded on halves. A
 *             short chunk is folded by the aligned blocks that tile it, or, where no order binds, as its
 *             vectors come.
 * Limits      Lanes of narrow integers hold a chunk's total without wrapping. */
#define FOLD_FN_(name, part) name##_##part
#define FOLD_FN__(name, part) FOLD_FN_(name, part)
#define FOLD_FN(part) FOLD_FN__(FOLD_NAME, part)
#ifndef FOLD_NONE
#define FOLD_NONE FOLD_TO_TOTAL(FOLD_IDENTITY)
#endif
#ifndef FOLD_OPT
#define FOLD_OPT(a, b) FOLD_OP1(a, b)
#endif

enum {
  FOLD_FN(ROW) = HD_ROW_BYTES / sizeof(FOLD_A),
  FOLD_FN(STEP) = VEC_BYTES / sizeof(FOLD_A),
  FOLD_FN(VECTORS) = HD_ROW_BYTES / VEC_BYTES,
  FOLD_FN(CHUNK) = HD_CHUNK_ROWS * FOLD_FN(ROW),
  FOLD_FN(NEAR) = NEIGHBOURS_IN_ORDER(FOLD_A) == 2 ? 16 : 8, /* vectors that are in order again */
  /* Narrow elements, and integers that are widened, are sooner moved together first, and those of short vectors
   * where what lies between them is folded, too. */
  FOLD_FN(IS_APART) =
      sizeof(FOLD_IN) >= 4 &&
      (HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL) ? sizeof(FOLD_IN) == sizeof(FOLD_A) && VEC_BYTES > 16
                                          : true)
};

static inline void FOLD_FN(put)(void *totals, size_t i, FOLD_W value) {
  const FOLD_T t = FOLD_TO_TOTAL(value);
  memcpy((char *)totals + i * sizeof t, &t, sizeof t);
}
static inline FOLD_W FOLD_FN(get)(const void *total) {
  FOLD_T t;
  memcpy(&t, total, sizeof t);
  return FOLD_OF_TOTAL(t);
}

/* Halves on halves, until every lane holds the same. */
static inline FOLD_VA FOLD_FN(across)(FOLD_VA s) {
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
  return s;
}

#ifdef FOLD_VALUE
#include "minmax_values_tmpl.h"
#elif defined FOLD_ANY_ORDER
#include "any_order_tmpl.h"
#else
#define FOLD_SETTLED NULL

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
  return (FOLD_W)FOLD_FN(across)(column[0])[0];
}

static heddle_status FOLD_FN(chunks)(const void *x, const void *y, u64 first, size_t n,
                                     void *totals, const heddle_custom *custom) {
  const size_t stride = (size_t)FOLD_FN(CHUNK) * sizeof(FOLD_IN);
  const char *px = x, *py = y;
  FOLD_W all = FOLD_FN(chunk)(px, py);
  (void)first, (void)custom;
  for (size_t c = 1; c < n; c++) {
    if (!HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL)) FOLD_FN(put)(totals, c - 1, all);
    px += stride;
    if (py) py += stride;
    const FOLD_W t = FOLD_FN(chunk)(px, py);
    all = HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL) ? (FOLD_W)FOLD_OP1(all, t) : t;
  }
  FOLD_FN(put)(totals, HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL) ? 0 : n - 1, all);
  return HEDDLE_OK;
}

#endif

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

/* Two vectors of totals of neighbours give one of totals twice as long. */
struct FOLD_FN(stack) {
  FOLD_VA left[9]; /* half a chunk is at most 2^8 vectors */
};
_Static_assert(HD_CHUNK_BYTES / 2 / VEC_BYTES <= 1 << 8, "slots of the stack");
#define BLOCKS_NAME FOLD_FN(stack)
#define BLOCKS_COUNTER struct FOLD_FN(stack)
#define BLOCKS_T FOLD_VA
#define BLOCKS_OP(k, a, b) FOLD_OPV(FOLD_EVEN(a, b), FOLD_ODD(a, b))
#define BLOCKS_SLOT(k, i) (k)->left[i]
#define BLOCKS_KEEP(k, i, t) ((k)->left[i] = (t))
#include "order/blocks_tmpl.h"

/* The same of 2 and 4 vectors from element i on, which stay in registers. */
static inline FOLD_VA FOLD_FN(vectors_two)(const char *x, const char *y, size_t i) {
  (void)y;
  const FOLD_VA a = FOLD_LANES(x, y, i), b = FOLD_LANES(x, y, i + FOLD_FN(STEP));
  return FOLD_OPV(FOLD_EVEN(a, b), FOLD_ODD(a, b));
}
static inline FOLD_VA FOLD_FN(vectors_four)(const char *x, const char *y, size_t i) {
  const FOLD_VA a = FOLD_FN(vectors_two)(x, y, i);
  const FOLD_VA b = FOLD_FN(vectors_two)(x, y, i + 2 * FOLD_FN(STEP));
  return FOLD_OPV(FOLD_EVEN(a, b), FOLD_ODD(a, b));
}

/* Of 2, 4, 8 and 16, by the moves of vec/neighbours.h: those at whose levels lanes are in order are the same. */
#define FOLD_LEVEL(k, a, b) FOLD_OPV(FOLD_LEFT(k)(a, b), FOLD_RIGHT(k)(a, b))
static inline __attribute__((always_inline)) FOLD_VA FOLD_FN(near_two)(const char *x, const char *y,
                                                                       size_t i) {
  (void)y;
  const FOLD_VA a = FOLD_LANES(x, y, i), b = FOLD_LANES(x, y, i + FOLD_FN(STEP));
  return FOLD_LEVEL(1, a, b);
}
static inline __attribute__((always_inline)) FOLD_VA FOLD_FN(near_four)(const char *x,
                                                                        const char *y, size_t i) {
  const FOLD_VA a = FOLD_FN(near_two)(x, y, i);
  const FOLD_VA b = FOLD_FN(near_two)(x, y, i + 2 * FOLD_FN(STEP));
  return FOLD_LEVEL(2, a, b);
}
static inline __attribute__((always_inline)) FOLD_VA FOLD_FN(near_eight)(const char *x,
                                                                         const char *y, size_t i) {
  const FOLD_VA a = FOLD_FN(near_four)(x, y, i);
  const FOLD_VA b = FOLD_FN(near_four)(x, y, i + 4 * FOLD_FN(STEP));
  return FOLD_LEVEL(3, a, b);
}
static inline FOLD_VA FOLD_FN(near_group)(const char *x, const char *y, size_t i) {
  const FOLD_VA a = FOLD_FN(near_eight)(x, y, i);
  if (FOLD_FN(NEAR) == 8) return a;
  const FOLD_VA b = FOLD_FN(near_eight)(x, y, i + 8 * FOLD_FN(STEP));
  return FOLD_LEVEL(4, a, b);
}
static inline FOLD_VA FOLD_FN(fours_two)(const char *x, const char *y, size_t i) {
  const FOLD_VA a = FOLD_FN(near_four)(x, y, i);
  const FOLD_VA b = FOLD_FN(near_four)(x, y, i + 4 * FOLD_FN(STEP));
  return FOLD_OPV(FOLD_EVEN(a, b), FOLD_ODD(a, b));
}
#undef FOLD_LEVEL

/* A power of two of vectors from element i on, until the lanes of one vector are left. A counter's question a
 * vector costs as much as the vector: it gets them in groups. */
static inline FOLD_W FOLD_FN(vectors)(const char *x, const char *y, size_t i, size_t vectors) {
  enum { GROUP = FOLD_FN(NEAR), FOURS = NEIGHBOURS_IN_ORDER(FOLD_A) < 3 };
  (void)y;
  struct FOLD_FN(stack) k;
  FOLD_VA s = {0};
  if (vectors == 1) s = FOLD_LANES(x, y, i);
  if (vectors == 2) s = FOLD_FN(vectors_two)(x, y, i);
  if (vectors == 4 && FOURS) s = FOLD_FN(near_four)(x, y, i);
  if (vectors == 4 && !FOURS) s = FOLD_FN(vectors_four)(x, y, i);
  if (vectors == 8 && GROUP > 8) s = FOLD_FN(fours_two)(x, y, i);
  if (vectors >= GROUP)
    for (size_t v = 0; v < vectors; v += GROUP)
      s = FOLD_FN(stack_push)(&k, v, GROUP > 8 ? 4 : 3,
                              FOLD_FN(near_group)(x, y, i + v * FOLD_FN(STEP)));
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
  FOLD_W total = FOLD_FN(get)(acc);
  size_t i = 0;
  (void)first, (void)custom, (void)y;
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
  FOLD_FN(put)(acc, 0, total);
  return HEDDLE_OK;
}

#else

/* Rule 5, from *acc on. No order binds: whole vectors, the last of which overlaps the one before, then
 * the lanes of one. */
static heddle_status FOLD_FN(tail)(const void *x, const void *y, u64 first, size_t n, void *acc,
                                   const heddle_custom *custom) {
  enum { STEP = FOLD_FN(STEP) };
  FOLD_W total = FOLD_FN(get)(acc);
  size_t i = 0;
  (void)first, (void)custom, (void)y;
  if (n >= STEP) {
    FOLD_VA s = FOLD_LANES(x, y, 0);
    i = STEP;
    if (n >= 8 * STEP) {
      FOLD_VA a = FOLD_LANES(x, y, i), b = FOLD_LANES(x, y, i + STEP);
      FOLD_VA c = FOLD_LANES(x, y, i + 2 * STEP);
      for (i = 4 * STEP; i + 4 * STEP <= n; i += 4 * STEP) {
        s = FOLD_OPV(s, FOLD_LANES(x, y, i));
        a = FOLD_OPV(a, FOLD_LANES(x, y, i + STEP));
        b = FOLD_OPV(b, FOLD_LANES(x, y, i + 2 * STEP));
        c = FOLD_OPV(c, FOLD_LANES(x, y, i + 3 * STEP));
      }
      s = FOLD_OPV(s, a), b = FOLD_OPV(b, c);
      s = FOLD_OPV(s, b);
    }
    for (; i + STEP <= n; i += STEP) s = FOLD_OPV(s, FOLD_LANES(x, y, i));
    if (i < n) {
      const vu8 unread = vec_last_bytes((n - i) * sizeof(FOLD_A));
      const FOLD_VA last = FOLD_LANES(x, y, n - STEP), none = (FOLD_A)FOLD_IDENTITY - (FOLD_VA){0};
      const FOLD_VA right = (FOLD_VA)(((vu8)last & unread) | ((vu8)none & ~unread));
      s = FOLD_OPV(s, right);
      i = n;
    }
    s = FOLD_FN(across)(s);
    total = (FOLD_W)FOLD_OP1(total, (FOLD_W)s[0]);
  }
  for (; i < n; i++) total = (FOLD_W)FOLD_OP1(total, FOLD_ONE(x, y, i));
  FOLD_FN(put)(acc, 0, total);
  return HEDDLE_OK;
}

#endif

/* What two totals become, in the type that they have in memory. */
static inline FOLD_T FOLD_FN(two_totals)(const void *left, const void *right) {
  FOLD_T a, b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  return (FOLD_T)FOLD_OPT(a, b);
}

static heddle_status FOLD_FN(pairs)(void *totals, size_t n, const heddle_custom *custom) {
  char *at = totals;
  (void)custom;
  for (size_t i = 0; i < n; i++) {
    const char *two = at + 2 * i * sizeof(FOLD_T);
    const FOLD_T t = FOLD_FN(two_totals)(two, two + sizeof(FOLD_T));
    memcpy(at + i * sizeof t, &t, sizeof t);
  }
  return HEDDLE_OK;
}

static heddle_status FOLD_FN(combine)(void *acc, const void *right, const heddle_custom *custom) {
  const FOLD_T t = FOLD_FN(two_totals)(acc, right);
  (void)custom;
  memcpy(acc, &t, sizeof t);
  return HEDDLE_OK;
}

static void FOLD_FN(identity)(void *out, const heddle_custom *custom) {
  const FOLD_T none = FOLD_NONE;
  (void)custom;
  memcpy(out, &none, sizeof none);
}

#include "apart_tmpl.h"
#include "cpu/fold/columns/lines_tmpl.h"

static const struct hd_cpu_fold_kernel FOLD_NAME = {
    sizeof(FOLD_IN),
    FOLD_FN(CHUNK),
    FOLD_TOTAL,
    {sizeof(FOLD_T), HD_TOTAL_IS_ORDER_FREE(FOLD_TOTAL), FOLD_FN(pairs), FOLD_FN(combine),
     FOLD_FN(identity)},
    FOLD_FN(chunks),
    FOLD_FN(tail),
    HD_TEXT(FOLD_NAME),
    "cpu/fold/fold_tmpl.h",
    &FOLD_FN(columns),
    NULL,
    FOLD_SETTLED,
    NULL,
    FOLD_FN(IS_APART) ? FOLD_FN(apart) : NULL};

#undef FOLD_FN
#undef FOLD_FN_
#undef FOLD_FN__
#undef FOLD_NAME
#undef FOLD_LANES
#undef FOLD_ONE
#undef FOLD_OPV
#undef FOLD_OP1
#undef FOLD_IDENTITY
#undef FOLD_NONE
#undef FOLD_OPT
#undef FOLD_SETTLED
#undef FOLD_ABSORBING
