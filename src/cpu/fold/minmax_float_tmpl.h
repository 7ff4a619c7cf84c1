/* minmax_float_tmpl.h - min and max of one float type, on keys that order as the floats do
 *
 * Parameters  FOLD_IN     element type
 *             FOLD_FLOAT  f32 or f64: what it is widened to, exactly
 *             FOLD_A      i32 or i64: the key's type
 *             FOLD_TOTAL  HD_TOTAL_KEY32 or HD_TOTAL_KEY64
 *             FOLD_LEAST, FOLD_GREATEST  of FOLD_A; no number has them for a key
 * Rule 10. A NaN that propagates takes the key that wins, one that is skipped the identity. */
#define FOLD_CAT_(a, b, c, d) a##b##c##d
#define FOLD_CAT(a, b, c, d) FOLD_CAT_(a, b, c, d)
#define FOLD_W FOLD_A
#define FOLD_AHEAD 4096
#define FOLD_VA FOLD_CAT(v, FOLD_A, , )
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(FOLD_IN))
#define FOLD_LOAD(p, i) FOLD_CAT(load_, FOLD_IN, _, FOLD_FLOAT)(FOLD_AT(p, i))
#define FOLD_GET(p, i) FOLD_CAT(one_, FOLD_IN, _, FOLD_FLOAT)(FOLD_AT(p, i))
#define FOLD_KEYV FOLD_CAT(key_, FOLD_FLOAT, , )
#define FOLD_KEY1 FOLD_CAT(key1_, FOLD_FLOAT, , )
#define FOLD_LESSER FOLD_CAT(lesser_, FOLD_A, , )
#define FOLD_GREATER FOLD_CAT(greater_, FOLD_A, , )

#define FOLD_NAME FOLD_CAT(min_, FOLD_IN, , )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), FOLD_LEAST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), FOLD_LEAST)
#define FOLD_OPV(a, b) FOLD_LESSER(a, b)
#define FOLD_OP1(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_IDENTITY FOLD_GREATEST
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(min_, FOLD_IN, _skip, )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), FOLD_GREATEST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), FOLD_GREATEST)
#define FOLD_OPV(a, b) FOLD_LESSER(a, b)
#define FOLD_OP1(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_IDENTITY FOLD_GREATEST
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(max_, FOLD_IN, , )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), FOLD_GREATEST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), FOLD_GREATEST)
#define FOLD_OPV(a, b) FOLD_GREATER(a, b)
#define FOLD_OP1(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_IDENTITY FOLD_LEAST
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(max_, FOLD_IN, _skip, )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), FOLD_LEAST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), FOLD_LEAST)
#define FOLD_OPV(a, b) FOLD_GREATER(a, b)
#define FOLD_OP1(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_IDENTITY FOLD_LEAST
#include "fold_tmpl.h"

#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_W
#undef FOLD_AHEAD
#undef FOLD_VA
#undef FOLD_AT
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_KEYV
#undef FOLD_KEY1
#undef FOLD_LESSER
#undef FOLD_GREATER
#undef FOLD_IN
#undef FOLD_FLOAT
#undef FOLD_A
#undef FOLD_TOTAL
#undef FOLD_LEAST
#undef FOLD_GREATEST
