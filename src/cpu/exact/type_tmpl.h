/* type_tmpl.h - the exact kernels of one float type, and their table
 *
 * Parameters  EXACT_T, EXACT_ENUM, EXACT_BITS  columns of types.def */
#define EXACT_JOIN_(a, b, c) a##b##c
#define EXACT_JOIN(a, b, c) EXACT_JOIN_(a, b, c)
#define EXACT_FORMAT EXACT_JOIN(HD_EXACT_, EXACT_ENUM, )
#define EXACT_IS_F64 (EXACT_BITS == 64)

#define EXACT_NAME EXACT_JOIN(exact_sum_, EXACT_T, )
#define EXACT_PRODUCTS 0
#define EXACT_SKIP 0
#include "exact_tmpl.h"
#define EXACT_NAME EXACT_JOIN(exact_sum_, EXACT_T, _skip)
#define EXACT_PRODUCTS 0
#define EXACT_SKIP 1
#include "exact_tmpl.h"
#define EXACT_NAME EXACT_JOIN(exact_dot_, EXACT_T, )
#define EXACT_PRODUCTS 1
#define EXACT_SKIP 0
#include "exact_tmpl.h"
#define EXACT_NAME EXACT_JOIN(exact_dot_, EXACT_T, _skip)
#define EXACT_PRODUCTS 1
#define EXACT_SKIP 1
#include "exact_tmpl.h"

static const struct hd_cpu_exact EXACT_JOIN(exact_, EXACT_T, ) = {
    .sum = {&EXACT_JOIN(exact_sum_, EXACT_T, ), &EXACT_JOIN(exact_sum_, EXACT_T, _skip)},
    .dot = {&EXACT_JOIN(exact_dot_, EXACT_T, ), &EXACT_JOIN(exact_dot_, EXACT_T, _skip)},
};
#undef EXACT_FORMAT
#undef EXACT_IS_F64
#undef EXACT_JOIN_
#undef EXACT_JOIN
