/* arith_tmpl.h - sum, sum_squares, prod and dot of one input type in one accumulator, and their table
 *
 * Parameters  ARITH_IN     element type
 *             ARITH_LANE   lane type of sums: load_IN_LANE and one_IN_LANE exist
 *             ARITH_ACC    total type, and lane type of products, which are wider
 *             ARITH_FLOAT  1 for floats, which get kernels that skip NaN, too; else 0
 * Rule 8: a product, or a square, is rounded once to the accumulator; never fused. */
#define FOLD_IN ARITH_IN
#define FOLD_A ARITH_LANE
#define FOLD_W ARITH_ACC
#define FOLD_TOTAL FOLD_CAT(HD_TOTAL_OF_, ARITH_ACC, , , )
#define FOLD_CAT_(a, b, c, d, e) a##b##c##d##e
#define FOLD_CAT(a, b, c, d, e) FOLD_CAT_(a, b, c, d, e)
#define FOLD_V_(t) v##t
#define FOLD_V(t) FOLD_V_(t)
#define FOLD_AT(p, i) ((const char *)(p) + (i) * sizeof(FOLD_IN))
#define FOLD_LOAD(p, i) FOLD_CAT(load_, FOLD_IN, _, FOLD_A, )(FOLD_AT(p, i))
#define FOLD_GET(p, i) ((FOLD_W)FOLD_CAT(one_, FOLD_IN, _, FOLD_A, )(FOLD_AT(p, i)))
#define FOLD_VA FOLD_V(FOLD_A)
#define FOLD_AHEAD (sizeof(FOLD_IN) < sizeof(FOLD_A) ? 4096 : 0)

#define FOLD_T FOLD_W
#define FOLD_TO_TOTAL(w) (w)
#define FOLD_OF_TOTAL(t) (t)

#if ARITH_FLOAT
#define FOLD_VALUES FOLD_CAT(values_, ARITH_ACC, , , )
#define FOLD_EVEN FOLD_CAT(even_, FOLD_A, , , )
#define FOLD_ODD FOLD_CAT(odd_, FOLD_A, , , )
#define FOLD_LEFT(k) FOLD_CAT(left_, FOLD_A, _, k, )
#define FOLD_RIGHT(k) FOLD_CAT(right_, FOLD_A, _, k, )
#define FOLD_APART(nth) FOLD_CAT(nth, _, FOLD_A, , )
#else
#define FOLD_VALUES NULL
#endif

#define FOLD_NAME FOLD_CAT(sum_, FOLD_IN, _, FOLD_A, )
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#if ARITH_FLOAT
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#else
#define FOLD_IDENTITY 0
#endif
#include "fold_tmpl.h"

#if ARITH_FLOAT
#define FOLD_KEEPV(v, e) FOLD_CAT(keep_, FOLD_A, , , )(v, e)
#define FOLD_KEEP1(v, e) ((v) == (v) ? (v) : (e))

#define FOLD_NAME FOLD_CAT(sum_, FOLD_IN, _, FOLD_A, _skip)
#define FOLD_LANES(x, y, i) FOLD_KEEPV(FOLD_LOAD(x, i), (FOLD_A)-0.0)
#define FOLD_ONE(x, y, i) FOLD_KEEP1(FOLD_GET(x, i), (FOLD_A)-0.0)
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(prod_, FOLD_IN, _, FOLD_A, _skip)
#define FOLD_LANES(x, y, i) FOLD_KEEPV(FOLD_LOAD(x, i), (FOLD_A)1)
#define FOLD_ONE(x, y, i) FOLD_KEEP1(FOLD_GET(x, i), (FOLD_A)1)
#define FOLD_OPV(a, b) ((a) * (b))
#define FOLD_OP1(a, b) ((a) * (b))
#define FOLD_IDENTITY 1
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(dot_, FOLD_IN, _, FOLD_A, _skip)
#define FOLD_LANES(x, y, i) FOLD_KEEPV(FOLD_LOAD(x, i) * FOLD_LOAD(y, i), (FOLD_A)-0.0)
#define FOLD_ONE(x, y, i) FOLD_KEEP1(FOLD_GET(x, i) * FOLD_GET(y, i), (FOLD_A)-0.0)
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#include "fold_tmpl.h"
#define FOLD_NAME FOLD_CAT(sum_squares_, FOLD_IN, _, FOLD_A, _skip)
#define FOLD_LANES(x, y, i) FOLD_KEEPV(FOLD_LOAD(x, i) * FOLD_LOAD(x, i), (FOLD_A)-0.0)
#define FOLD_ONE(x, y, i) FOLD_KEEP1(FOLD_GET(x, i) * FOLD_GET(x, i), (FOLD_A)-0.0)
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#include "fold_tmpl.h"
#undef FOLD_KEEPV
#undef FOLD_KEEP1
#endif

/* Products of integers need wider lanes than sums. */
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_VA
#define FOLD_LOAD(p, i) FOLD_CAT(load_, FOLD_IN, _, ARITH_ACC, )(FOLD_AT(p, i))
#define FOLD_GET(p, i) ((FOLD_W)FOLD_CAT(one_, FOLD_IN, _, ARITH_ACC, )(FOLD_AT(p, i)))
#define FOLD_VA FOLD_V(ARITH_ACC)
#undef FOLD_A
#define FOLD_A ARITH_ACC

#define FOLD_NAME FOLD_CAT(prod_, FOLD_IN, _, ARITH_ACC, )
#define FOLD_LANES(x, y, i) FOLD_LOAD(x, i)
#define FOLD_ONE(x, y, i) FOLD_GET(x, i)
#define FOLD_OPV(a, b) ((a) * (b))
#define FOLD_OP1(a, b) ((a) * (b))
#define FOLD_IDENTITY 1
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(dot_, FOLD_IN, _, ARITH_ACC, )
#define FOLD_LANES(x, y, i) (FOLD_LOAD(x, i) * FOLD_LOAD(y, i))
#define FOLD_ONE(x, y, i) (FOLD_GET(x, i) * FOLD_GET(y, i))
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#if ARITH_FLOAT
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#else
#define FOLD_IDENTITY 0
#endif
#include "fold_tmpl.h"

#define FOLD_NAME FOLD_CAT(sum_squares_, FOLD_IN, _, ARITH_ACC, )
#define FOLD_LANES(x, y, i) (FOLD_LOAD(x, i) * FOLD_LOAD(x, i))
#define FOLD_ONE(x, y, i) (FOLD_GET(x, i) * FOLD_GET(x, i))
#define FOLD_OPV(a, b) ((a) + (b))
#define FOLD_OP1(a, b) ((a) + (b))
#if ARITH_FLOAT
#define FOLD_IDENTITY ((FOLD_W)-0.0)
#else
#define FOLD_IDENTITY 0
#endif
#include "fold_tmpl.h"

/* ---- the table: [skip] of integers has the same kernels in both rows ---------------------------- */

#define ARITH_KERNEL(name, lane) &FOLD_CAT(name, FOLD_IN, _, lane, )
#if ARITH_FLOAT
#define ARITH_SKIP(name, lane) &FOLD_CAT(name, FOLD_IN, _, lane, _skip)
#else
#define ARITH_SKIP(name, lane) ARITH_KERNEL(name, lane)
#endif
static const struct hd_cpu_arithmetic FOLD_CAT(arithmetic_, FOLD_IN, _, ARITH_ACC, ) = {
    .op = {{[HEDDLE_SUM] = ARITH_KERNEL(sum_, ARITH_LANE),
            [HEDDLE_PROD] = ARITH_KERNEL(prod_, ARITH_ACC),
            [HEDDLE_SUM_SQUARES] = ARITH_KERNEL(sum_squares_, ARITH_ACC)},
           {[HEDDLE_SUM] = ARITH_SKIP(sum_, ARITH_LANE),
            [HEDDLE_PROD] = ARITH_SKIP(prod_, ARITH_ACC),
            [HEDDLE_SUM_SQUARES] = ARITH_SKIP(sum_squares_, ARITH_ACC)}},
    .dot = {ARITH_KERNEL(dot_, ARITH_ACC), ARITH_SKIP(dot_, ARITH_ACC)},
};
#undef ARITH_KERNEL
#undef ARITH_SKIP

#undef FOLD_AHEAD
#undef FOLD_VALUES
#undef FOLD_EVEN
#undef FOLD_ODD
#undef FOLD_LEFT
#undef FOLD_RIGHT
#undef FOLD_APART
#undef FOLD_CAT_
#undef FOLD_CAT
#undef FOLD_V_
#undef FOLD_V
#undef FOLD_AT
#undef FOLD_LOAD
#undef FOLD_GET
#undef FOLD_VA
#undef FOLD_IN
#undef FOLD_A
#undef FOLD_W
#undef FOLD_T
#undef FOLD_TO_TOTAL
#undef FOLD_OF_TOTAL
#undef FOLD_TOTAL
