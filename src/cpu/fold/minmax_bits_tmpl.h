/* minmax_bits_tmpl.h - min, max, and, or, xor of one integer type
 *
 * Parameters  MINMAX_IN  the type; its lanes are of the same type, its totals at least 32 bits
 *             MINMAX_LEAST, MINMAX_GREATEST  of it */
#define FOLD_IN MINMAX_IN
#define FOLD_CAT_(a, b) a##b
#define FOLD_CAT(a, b) FOLD_CAT_(a, b)
#define FOLD_PAIR_(a, b) a##b##_##b
#define FOLD_PAIR(a, b) FOLD_PAIR_(a, b)
#define FOLD_A FOLD_IN
#define FOLD_W FOLD_IN
#define FOLD_T FOLD_CAT(total_, FOLD_IN)
#define FOLD_TO_TOTAL(w) ((FOLD_T)(w))
#define FOLD_OF_TOTAL(t) ((FOLD_W)(t))
#define FOLD_VA FOLD_CAT(v, FOLD_IN)
#define FOLD_VALUES NULL
#define FOLD_ANY_ORDER
#define FOLD_TOTAL HD_TOTAL_INPUT
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(FOLD_IN))
#define FOLD_LOAD(p, i) FOLD_PAIR(load_, FOLD_IN)(FOLD_AT(p, i))
#define FOLD_GET(p, i) FOLD_PAIR(one_, FOLD_IN)(FOLD_AT(p, i))

#define FOLD_NAME FOLD_CAT(min_, FOLD_IN)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) FOLD_CAT(lesser_, FOLD_IN)(a, b)
#define FOLD_OP1(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_IDENTITY MINMAX_GREATEST
#define FOLD_ABSORBING MINMAX_LEAST
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(max_, FOLD_IN)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) FOLD_CAT(greater_, FOLD_IN)(a, b)
#define FOLD_OP1(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_IDENTITY MINMAX_LEAST
#define FOLD_ABSORBING MINMAX_GREATEST
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(and_, FOLD_IN)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) ((a) & (b))
#define FOLD_OP1(a, b) ((a) & (b))
#define FOLD_IDENTITY ((FOLD_IN)-1)
#define FOLD_ABSORBING 0
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(or_, FOLD_IN)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) ((a) | (b))
#define FOLD_OP1(a, b) ((a) | (b))
#define FOLD_IDENTITY 0
#define FOLD_ABSORBING ((FOLD_IN)-1)
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(xor_, FOLD_IN)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) ((a) ^ (b))
#define FOLD_OP1(a, b) ((a) ^ (b))
#define FOLD_IDENTITY 0
#include "fold_tmpl.h"

#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_PAIR_
#undef FOLD_PAIR
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
#undef FOLD_IN
