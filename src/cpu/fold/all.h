/* all.h - every fold kernel of one ISA: which types each template is made for */
#include "shared.h"

/* ---- sum, prod, dot: in the type's own accumulator, and floats that are narrower in f64, too ----- */

#define ARITH_IN EACH(NAME)
#define ARITH_LANE EACH(LANE)
#define ARITH_ACC EACH(ACC)
#define ARITH_FLOAT EACH_IS(FLOAT)
#define EACH_WHERE 1
#define EACH_TEMPLATE "cpu/fold/arith_tmpl.h"
#include "order/each_type.h"
#undef ARITH_LANE
#undef ARITH_ACC

#define ARITH_LANE f64
#define ARITH_ACC f64
#define EACH_WHERE EACH_IS(FLOAT) && EACH(BITS) < 64
#define EACH_TEMPLATE "cpu/fold/arith_tmpl.h"
#include "order/each_type.h"
#undef ARITH_IN
#undef ARITH_LANE
#undef ARITH_ACC
#undef ARITH_FLOAT

/* ---- min, max, and, or, xor -------------------------------------------------------------- */

#define MINMAX_IN EACH(NAME)
#define MINMAX_LEAST EACH(LEAST)
#define MINMAX_GREATEST EACH(MOST)
#define EACH_WHERE !EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/fold/minmax_bits_tmpl.h"
#include "order/each_type.h"

#define MINMAX_VALUE EACH(VALUE)
#define MINMAX_KEY EACH(KEY)
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/fold/minmax_float_tmpl.h"
#include "order/each_type.h"
#undef MINMAX_IN
#undef MINMAX_LEAST
#undef MINMAX_GREATEST
#undef MINMAX_VALUE
#undef MINMAX_KEY

/* ---- any, all: of integers by size, since only zero counts ------------------------------------ */

#define LOGICAL_BITS EACH(NAME)
#define LOGICAL_LABEL EACH(NAME)
#define LOGICAL_FLOAT 0
#define EACH_WHERE EACH_IS(UNSIGNED)
#define EACH_TEMPLATE "cpu/fold/logical_tmpl.h"
#include "order/each_type.h"
#undef LOGICAL_BITS
#undef LOGICAL_FLOAT

#define LOGICAL_BITS EACH(RAW)
#define LOGICAL_INF EACH(INF)
#define LOGICAL_FLOAT 1
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/fold/logical_tmpl.h"
#include "order/each_type.h"
#undef LOGICAL_BITS
#undef LOGICAL_INF
#undef LOGICAL_FLOAT
#undef LOGICAL_LABEL
