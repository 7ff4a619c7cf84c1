/* arg_type_tmpl.h - argmin and argmax of one type: what its keys are
 *
 * Parameters  ARG_TYPE      element type
 *             ARG_KEY_TYPE  type of its keys
 *             ARG_LOWEST, ARG_MOST  the least and the greatest of the type, of a float's keys
 *             ARG_IS_FLOAT  1 for floats: ARG_FLOAT is f32 or f64: what they are widened to
 *             ARG_IS_UNSIGNED  1 for unsigned integers, whose sign bit is flipped
 * The greatest element is the least of the inverted keys. Adding +0.0 makes -0.0 equal to it. */
#define ARG_CAT_(a, b, c, d) a##b##c##d
#define ARG_CAT(a, b, c, d) ARG_CAT_(a, b, c, d)
#define ARG_AT(p, i) ((const char *)(p) + (i) * sizeof(ARG_TYPE))

#define ARG_KEY ARG_KEY_TYPE
#if ARG_IS_FLOAT
#define ARG_LANE ARG_FLOAT
#define ARG_LANES ARG_CAT(v, ARG_FLOAT, , )
#define ARG_LOAD(p, i) ARG_CAT(load_, ARG_TYPE, _, ARG_FLOAT)(ARG_AT(p, i))
#define ARG_VALUES(p, i) (ARG_CAT(load_, ARG_TYPE, _, ARG_FLOAT)(ARG_AT(p, i)) + (ARG_FLOAT)0)
#define ARG_VALUE(p, i) (ARG_CAT(one_, ARG_TYPE, _, ARG_FLOAT)(ARG_AT(p, i)) + (ARG_FLOAT)0)
#define ARG_OFV ARG_CAT(key_, ARG_FLOAT, , )
#define ARG_OF1 ARG_CAT(key1_, ARG_FLOAT, , )

#define ARG_NAME ARG_CAT(argmin_, ARG_TYPE, , )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) ARG_OFV(ARG_VALUES(p, i), -ARG_MOST - 1)
#define ARG_ONE(p, i) ARG_OF1(ARG_VALUE(p, i), -ARG_MOST - 1)
#define ARG_WIDER 0
#define ARG_BEST(x, s) ARG_CAT(lesser_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) < (b))
#define ARG_WORST ((ARG_FLOAT)INFINITY)
#define ARG_NANS(nans, a, b) ARG_CAT(nans_, ARG_FLOAT, , )(nans, a, b)
#include "arg_tmpl.h"

#define ARG_KEY ARG_KEY_TYPE
#define ARG_NAME ARG_CAT(argmax_, ARG_TYPE, , )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) (~ARG_OFV(ARG_VALUES(p, i), ARG_MOST))
#define ARG_ONE(p, i) (~ARG_OF1(ARG_VALUE(p, i), ARG_MOST))
#define ARG_WIDER 0
#define ARG_BEST(x, s) ARG_CAT(greater_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) > (b))
#define ARG_WORST ((ARG_FLOAT)-INFINITY)
#define ARG_NANS(nans, a, b) ARG_CAT(nans_, ARG_FLOAT, , )(nans, a, b)
#include "arg_tmpl.h"

#define ARG_KEY ARG_KEY_TYPE
#define ARG_NAME ARG_CAT(argmin_, ARG_TYPE, _skip, )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) ARG_OFV(ARG_VALUES(p, i), ARG_MOST)
#define ARG_ONE(p, i) ARG_OF1(ARG_VALUE(p, i), ARG_MOST)
#define ARG_NONE ARG_MOST
#define ARG_WIDER 0
#define ARG_BEST(x, s) ARG_CAT(lesser_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) < (b))
#define ARG_WORST ((ARG_FLOAT)INFINITY)
#include "arg_tmpl.h"

#define ARG_KEY ARG_KEY_TYPE
#define ARG_NAME ARG_CAT(argmax_, ARG_TYPE, _skip, )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) (~ARG_OFV(ARG_VALUES(p, i), -ARG_MOST - 1))
#define ARG_ONE(p, i) (~ARG_OF1(ARG_VALUE(p, i), -ARG_MOST - 1))
#define ARG_NONE ARG_MOST
#define ARG_WIDER 0
#define ARG_BEST(x, s) ARG_CAT(greater_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) > (b))
#define ARG_WORST ((ARG_FLOAT)-INFINITY)
#include "arg_tmpl.h"

#undef ARG_VALUES
#undef ARG_VALUE
#undef ARG_OFV
#undef ARG_OF1
#else
#define ARG_LANE ARG_TYPE
#define ARG_LANES ARG_CAT(v, ARG_TYPE, , )
#define ARG_LOAD(p, i) ARG_CAT(load_, ARG_TYPE, _, ARG_TYPE)(ARG_AT(p, i))
/* the sign bit of an unsigned type's key, or 0 */
#define ARG_BIAS ((ARG_KEY_TYPE)((u64)ARG_IS_UNSIGNED << (8 * sizeof(ARG_KEY_TYPE) - 1)))
#define ARG_VALUES(p, i) (ARG_CAT(load_, ARG_KEY_TYPE, _, ARG_KEY_TYPE)(ARG_AT(p, i)) ^ ARG_BIAS)
#define ARG_VALUE(p, i) \
  ((ARG_KEY_TYPE)(ARG_CAT(one_, ARG_KEY_TYPE, _, ARG_KEY_TYPE)(ARG_AT(p, i)) ^ ARG_BIAS))

/* Of types that fit 32 bits with their sign, a total's key is the element. */
#define ARG_OWN_BIAS (sizeof(ARG_TYPE) < 4 ? (i64)ARG_BIAS : 0)

#define ARG_NAME ARG_CAT(argmin_, ARG_TYPE, , )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) ARG_VALUES(p, i)
#define ARG_ONE(p, i) ARG_VALUE(p, i)
#define ARG_WIDER (-ARG_OWN_BIAS)
#define ARG_BEST(x, s) ARG_CAT(lesser_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) < (b))
#define ARG_WORST ARG_MOST
#include "arg_tmpl.h"

#define ARG_KEY ARG_KEY_TYPE
#define ARG_NAME ARG_CAT(argmax_, ARG_TYPE, , )
#define ARG_IN ARG_TYPE
#define ARG_KEYS(p, i) (~ARG_VALUES(p, i))
#define ARG_ONE(p, i) ((ARG_KEY_TYPE)~ARG_VALUE(p, i))
#define ARG_WIDER ARG_OWN_BIAS
#define ARG_BEST(x, s) ARG_CAT(greater_, ARG_LANE, , )(x, s)
#define ARG_BEATS(a, b) ((a) > (b))
#define ARG_WORST ARG_LOWEST
#include "arg_tmpl.h"

#undef ARG_OWN_BIAS
#undef ARG_VALUES
#undef ARG_VALUE
#endif

#undef ARG_LANE
#undef ARG_LANES
#undef ARG_LOAD
#undef ARG_CAT_
#undef ARG_CAT
#undef ARG_AT
#undef ARG_BIAS
