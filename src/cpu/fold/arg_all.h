/* arg_all.h - every argmin, argmax and describe kernel of one ISA */
#include "describe/columns.h"

#define ARG_TYPE EACH(NAME)
#define ARG_KEY_TYPE EACH(KEY)
#define ARG_IS_FLOAT EACH_IS(FLOAT)
#define ARG_IS_UNSIGNED EACH_IS(UNSIGNED)
#define ARG_FLOAT EACH(VALUE)
#define ARG_LOWEST EACH(LEAST)
#define ARG_MOST EACH(MOST)
#define EACH_WHERE 1
#define EACH_TEMPLATE "cpu/fold/arg_type_tmpl.h"
#include "order/each_type.h"
#undef ARG_TYPE
#undef ARG_KEY_TYPE
#undef ARG_IS_FLOAT
#undef ARG_IS_UNSIGNED
#undef ARG_FLOAT
#undef ARG_LOWEST
#undef ARG_MOST

#define DESC_IN EACH(NAME)
#define DESC_VALUE EACH(VALUE)
#define DESC_KEY EACH(KEY)
#define DESC_IS_INTEGER !EACH_IS(FLOAT)
#define DESC_IS_F64 (EACH_IS(FLOAT) && EACH(BITS) == 64)
#define DESC_SKIP 0
#define EACH_WHERE 1
#define EACH_TEMPLATE "cpu/fold/describe/describe_tmpl.h"
#include "order/each_type.h"
#undef DESC_SKIP

#define DESC_SKIP 1
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/fold/describe/describe_tmpl.h"
#include "order/each_type.h"
#undef DESC_SKIP
#undef DESC_IN
#undef DESC_VALUE
#undef DESC_KEY
#undef DESC_IS_F64
#undef DESC_IS_INTEGER
