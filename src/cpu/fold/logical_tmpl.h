/* logical_tmpl.h - any and all of one type, on its bits
 *
 * Parameters  LOGICAL_BITS   u8, u16, u32 or u64: the elements as unsigned integers
 *             LOGICAL_FLOAT  1 for floats, whose sign is shifted out, else 0
 *             LOGICAL_INF    for floats: the bits of infinity, the sign shifted out
 *             LOGICAL_LABEL  names the kernels any_LABEL, all_LABEL, and for floats any_LABEL_skip;
 *                            all that skips NaN is all, since NaN is not zero
 * Lanes are masks, 0 or all ones; a total is 0 or 1. */
#define FOLD_CAT_(a, b, c) a##b##c
#define FOLD_CAT(a, b, c) FOLD_CAT_(a, b, c)
#define FOLD_PAIR_(a, b) a##b##_##b
#define FOLD_PAIR(a, b) FOLD_PAIR_(a, b)
#define FOLD_IN LOGICAL_BITS
#define FOLD_A LOGICAL_BITS
#define FOLD_W LOGICAL_BITS
#define FOLD_T u32
#define FOLD_TO_TOTAL(w) ((FOLD_T)((w)&1))
#define FOLD_OF_TOTAL(t) FOLD_MASK1(t)
#define FOLD_VA FOLD_CAT(v, LOGICAL_BITS, )
#define FOLD_VALUES FOLD_CAT(masks_, LOGICAL_LABEL, )
#define FOLD_ANY_ORDER
#define FOLD_TOTAL HD_TOTAL_BOOL
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(LOGICAL_BITS))
#define FOLD_LOAD(p, i) (FOLD_PAIR(load_, LOGICAL_BITS)(FOLD_AT(p, i)) << LOGICAL_FLOAT)
#define FOLD_GET(p, i) \
  ((LOGICAL_BITS)(FOLD_PAIR(one_, LOGICAL_BITS)(FOLD_AT(p, i)) << LOGICAL_FLOAT))
#define FOLD_MASKS(p, i) FOLD_PAIR(load_, FOLD_IN)(FOLD_AT(p, i))
#define FOLD_MASKV(condition) ((FOLD_VA)(condition))
#define FOLD_MASK1(condition) ((LOGICAL_BITS)((condition) ? -1 : 0))

/* to[i] = 1 where accumulator i is true, else 0, for n at least a vector's: masks, or the totals that they are
 * made of where rows are folded one by one. */
static void FOLD_VALUES(const void *from, size_t n, void *to) {
  enum { STEP = VEC_BYTES / sizeof(LOGICAL_BITS) };
  size_t i = 0;
  for (; i + 4 * STEP <= n; i += 4 * STEP) FOLD_CAT(four_bytes_, LOGICAL_BITS, )
  ((const char *)from + i * sizeof(LOGICAL_BITS), (char *)to + i);
  for (; i < n; i += STEP) {
    const size_t at = i + STEP <= n ? i : n - STEP;
    FOLD_CAT(bytes_, LOGICAL_BITS, )(FOLD_MASKS(from, at), (char *)to + at);
  }
}

#define FOLD_NAME FOLD_CAT(any_, LOGICAL_LABEL, )
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) != 0)
#define FOLD_ONE(x, y, i) FOLD_MASK1(FOLD_GET(x, i) != 0)
#define FOLD_OPV(a, b) ((a) | (b))
#define FOLD_OP1(a, b) ((a) | (b))
#define FOLD_IDENTITY 0
#define FOLD_ABSORBING ((LOGICAL_BITS)-1)
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(all_, LOGICAL_LABEL, )
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) != 0)
#define FOLD_ONE(x, y, i) FOLD_MASK1(FOLD_GET(x, i) != 0)
#define FOLD_OPV(a, b) ((a) & (b))
#define FOLD_OP1(a, b) ((a) & (b))
#define FOLD_IDENTITY ((LOGICAL_BITS)-1)
#define FOLD_ABSORBING 0
#include "fold_tmpl.h"

#if LOGICAL_FLOAT
/* Non-zero and not NaN: 1 .. LOGICAL_INF, by one comparison of what wraps below zero. */
#define FOLD_NAME FOLD_CAT(any_, LOGICAL_LABEL, _skip)
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) - 1 < LOGICAL_INF)
#define FOLD_ONE(x, y, i) FOLD_MASK1((LOGICAL_BITS)(FOLD_GET(x, i) - 1) < LOGICAL_INF)
#define FOLD_OPV(a, b) ((a) | (b))
#define FOLD_OP1(a, b) ((a) | (b))
#define FOLD_IDENTITY 0
#define FOLD_ABSORBING ((LOGICAL_BITS)-1)
#include "fold_tmpl.h"
#endif

#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_PAIR_
#undef FOLD_PAIR
#undef FOLD_IN
#undef FOLD_A
#undef FOLD_W
#undef FOLD_T
#undef FOLD_TO_TOTAL
#undef FOLD_OF_TOTAL
#undef FOLD_VA
#undef FOLD_VALUES
#undef FOLD_ANY_ORDER
#undef FOLD_TOTAL
#undef FOLD_AT
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_MASKS
#undef FOLD_MASKV
#undef FOLD_MASK1
