/* minmax_float_tmpl.h - min and max of one float type
 *
 * Parameters  MINMAX_IN     element type
 *             MINMAX_VALUE  f32 or f64: what it is widened to, exactly
 *             MINMAX_KEY    i32 or i64: the type of keys, which order as the floats do
 *             MINMAX_LEAST, MINMAX_GREATEST  of the key's type; no number has them for a key
 * Rule 10. Totals are keys: NaN has the one that wins. Lanes are values, of max the negated ones, whose
 * least is looked for, and NaN stays NaN. Where NaN are skipped, lanes are keys, too, and it has the
 * identity's. */
#define FOLD_IN MINMAX_IN
#define FOLD_T MINMAX_KEY
#define FOLD_ANY_ORDER
#define FOLD_TOTAL FOLD_CAT(HD_TOTAL_OF_, MINMAX_KEY, , )
#define FOLD_CAT_(a, b, c, d) a##b##c##d
#define FOLD_CAT(a, b, c, d) FOLD_CAT_(a, b, c, d)
#define FOLD_W FOLD_A
#define FOLD_VA FOLD_CAT(v, FOLD_A, , )
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(FOLD_IN))
#define FOLD_LOAD(p, i) FOLD_CAT(load_, FOLD_IN, _, MINMAX_VALUE)(FOLD_AT(p, i))
#define FOLD_GET(p, i) FOLD_CAT(one_, FOLD_IN, _, MINMAX_VALUE)(FOLD_AT(p, i))
#define FOLD_VV FOLD_CAT(v, MINMAX_VALUE, , )
#define FOLD_VK FOLD_CAT(v, MINMAX_KEY, , )
#define FOLD_NANS FOLD_CAT(nans_, MINMAX_VALUE, , )
#define FOLD_KEYV FOLD_CAT(key_, MINMAX_VALUE, , )
#define FOLD_KEY1 FOLD_CAT(key1_, MINMAX_VALUE, , )
#define FOLD_VALUE1 FOLD_CAT(value1_, MINMAX_KEY, , )
#define FOLD_LESSER FOLD_CAT(lesser_, MINMAX_KEY, , )
#define FOLD_GREATER FOLD_CAT(greater_, MINMAX_KEY, , )

/* ---- NaN propagates ------------------------------------------------------------------------------ */

#define FOLD_A MINMAX_VALUE
#define FOLD_VALUE MINMAX_VALUE

#define FOLD_NAME FOLD_CAT(min_, FOLD_IN, , )
#define FOLD_VALUES FOLD_CAT(values_, MINMAX_VALUE, , )
#define FOLD_OF_TOTALS FOLD_CAT(lanes_least_, MINMAX_KEY, , )
#define FOLD_LANE(v) (v)
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) FOLD_CAT(least_, MINMAX_VALUE, , )(a, b)
#define FOLD_OP1(a, b) FOLD_CAT(least1_, MINMAX_VALUE, , )(a, b)
#define FOLD_OPT(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_IDENTITY ((MINMAX_VALUE)INFINITY)
#define FOLD_NONE MINMAX_GREATEST
#define FOLD_TO_TOTAL(w) FOLD_KEY1(w, MINMAX_LEAST)
#define FOLD_OF_TOTAL(t) FOLD_VALUE1(t, true)
#define FOLD_ABSORBING MINMAX_LEAST
#define FOLD_BEST(x, s) FOLD_CAT(lesser_, MINMAX_VALUE, , )(x, s)
#define FOLD_WORST ((MINMAX_VALUE)INFINITY)
#define FOLD_ZERO ((MINMAX_VALUE)-0.0)
#include "fold_tmpl.h"
#undef FOLD_VALUES
#undef FOLD_OF_TOTALS
#undef FOLD_LANE
#undef FOLD_TO_TOTAL
#undef FOLD_OF_TOTAL
#undef FOLD_BEST
#undef FOLD_WORST
#undef FOLD_ZERO

#define FOLD_NAME FOLD_CAT(max_, FOLD_IN, , )
#define FOLD_VALUES FOLD_CAT(values_negated_, MINMAX_VALUE, , )
#define FOLD_OF_TOTALS FOLD_CAT(lanes_greatest_, MINMAX_KEY, , )
#define FOLD_LANE(v) (-(v))
#define FOLD_LANES(x, y, i) (-FOLD_LOAD(x, i))
#define FOLD_ONE(x, y, i) (-FOLD_GET(x, i))
#define FOLD_OPV(a, b) FOLD_CAT(least_, MINMAX_VALUE, , )(a, b)
#define FOLD_OP1(a, b) FOLD_CAT(least1_, MINMAX_VALUE, , )(a, b)
#define FOLD_OPT(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_IDENTITY ((MINMAX_VALUE)INFINITY)
#define FOLD_NONE MINMAX_LEAST
#define FOLD_TO_TOTAL(w) FOLD_KEY1(-(w), MINMAX_GREATEST)
#define FOLD_OF_TOTAL(t) (-FOLD_VALUE1(t, false))
#define FOLD_ABSORBING MINMAX_GREATEST
#define FOLD_BEST(x, s) FOLD_CAT(greater_, MINMAX_VALUE, , )(x, s)
#define FOLD_WORST ((MINMAX_VALUE)-INFINITY)
#define FOLD_ZERO ((MINMAX_VALUE)0.0)
#include "fold_tmpl.h"
#undef FOLD_VALUES
#undef FOLD_OF_TOTALS
#undef FOLD_LANE
#undef FOLD_TO_TOTAL
#undef FOLD_OF_TOTAL
#undef FOLD_BEST
#undef FOLD_WORST
#undef FOLD_ZERO
#undef FOLD_VALUE
#undef FOLD_A

/* ---- NaN are skipped ----------------------------------------------------------------------------- */

#define FOLD_A MINMAX_KEY
#define FOLD_TO_TOTAL(w) (w)
#define FOLD_OF_TOTAL(t) (t)

#define FOLD_NAME FOLD_CAT(min_, FOLD_IN, _skip, )
#define FOLD_VALUES FOLD_CAT(values_least_, FOLD_A, , )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), MINMAX_GREATEST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), MINMAX_GREATEST)
#define FOLD_OPV(a, b) FOLD_LESSER(a, b)
#define FOLD_OP1(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_IDENTITY MINMAX_GREATEST
#include "fold_tmpl.h"
#undef FOLD_VALUES

#define FOLD_NAME FOLD_CAT(max_, FOLD_IN, _skip, )
#define FOLD_VALUES FOLD_CAT(values_greatest_, FOLD_A, , )
#define FOLD_LANES(x, y, i) FOLD_KEYV(FOLD_LOAD(x, i), MINMAX_LEAST)
#define FOLD_ONE(x, y, i) FOLD_KEY1(FOLD_GET(x, i), MINMAX_LEAST)
#define FOLD_OPV(a, b) FOLD_GREATER(a, b)
#define FOLD_OP1(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_IDENTITY MINMAX_LEAST
#include "fold_tmpl.h"
#undef FOLD_VALUES

#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_W
#undef FOLD_T
#undef FOLD_TO_TOTAL
#undef FOLD_OF_TOTAL
#undef FOLD_VA
#undef FOLD_AT
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_VV
#undef FOLD_VK
#undef FOLD_NANS
#undef FOLD_KEYV
#undef FOLD_KEY1
#undef FOLD_VALUE1
#undef FOLD_LESSER
#undef FOLD_GREATER
#undef FOLD_IN
#undef FOLD_A
#undef FOLD_ANY_ORDER
#undef FOLD_TOTAL
