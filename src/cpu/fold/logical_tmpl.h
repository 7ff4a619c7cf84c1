/* logical_tmpl.h - any and all of one type, on its bits
 *
 * Parameters  FOLD_BITS   u8, u16, u32 or u64: the elements as unsigned integers
 *             FOLD_SIGN   bits to shift the sign out: 1 for floats, 0 for integers
 *             FOLD_INF    for floats: the bits of infinity, the sign shifted out
 *             FOLD_LABEL  names the kernels any_LABEL, all_LABEL, and for floats any_LABEL_skip;
 *                         all that skips NaN is all, since NaN is not zero
 * A total is a mask: 0 or all ones. */
#define FOLD_CAT_(a, b, c) a##b##c
#define FOLD_CAT(a, b, c) FOLD_CAT_(a, b, c)
#define FOLD_PAIR_(a, b) a##b##_##b
#define FOLD_PAIR(a, b) FOLD_PAIR_(a, b)
#define FOLD_IN FOLD_BITS
#define FOLD_A FOLD_BITS
#define FOLD_W FOLD_BITS
#define FOLD_VA FOLD_CAT(v, FOLD_BITS, )
#define FOLD_AHEAD 0
#define FOLD_TOTAL HD_TOTAL_BOOL
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(FOLD_BITS))
#define FOLD_LOAD(p, i) (FOLD_PAIR(load_, FOLD_BITS)(FOLD_AT(p, i)) << FOLD_SIGN)
#define FOLD_GET(p, i) ((FOLD_BITS)(FOLD_PAIR(one_, FOLD_BITS)(FOLD_AT(p, i)) << FOLD_SIGN))
#define FOLD_MASKV(condition) ((FOLD_VA)(condition))
#define FOLD_MASK1(condition) ((FOLD_BITS)((condition) ? -1 : 0))

#define FOLD_NAME FOLD_CAT(any_, FOLD_LABEL, )
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) != 0)
#define FOLD_ONE(x, y, i) FOLD_MASK1(FOLD_GET(x, i) != 0)
#define FOLD_OPV(a, b) ((a) | (b))
#define FOLD_OP1(a, b) ((a) | (b))
#define FOLD_IDENTITY 0
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(all_, FOLD_LABEL, )
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) != 0)
#define FOLD_ONE(x, y, i) FOLD_MASK1(FOLD_GET(x, i) != 0)
#define FOLD_OPV(a, b) ((a) & (b))
#define FOLD_OP1(a, b) ((a) & (b))
#define FOLD_IDENTITY ((FOLD_BITS)-1)
#include "fold_tmpl.h"

#ifdef FOLD_INF
/* Non-zero and not NaN: 1 .. FOLD_INF, by one comparison of what wraps below zero. */
#define FOLD_NAME FOLD_CAT(any_, FOLD_LABEL, _skip)
#define FOLD_LANES(x, y, i) FOLD_MASKV(FOLD_LOAD(x, i) - 1 < FOLD_INF)
#define FOLD_ONE(x, y, i) FOLD_MASK1((FOLD_BITS)(FOLD_GET(x, i) - 1) < FOLD_INF)
#define FOLD_OPV(a, b) ((a) | (b))
#define FOLD_OP1(a, b) ((a) | (b))
#define FOLD_IDENTITY 0
#include "fold_tmpl.h"
#endif

#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_PAIR_
#undef FOLD_PAIR
#undef FOLD_IN
#undef FOLD_A
#undef FOLD_W
#undef FOLD_VA
#undef FOLD_AHEAD
#undef FOLD_TOTAL
#undef FOLD_AT
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_MASKV
#undef FOLD_MASK1
#undef FOLD_BITS
#undef FOLD_SIGN
#undef FOLD_INF
#undef FOLD_LABEL
