/* load_lanes.h - every conversion from elements to lanes of a scan under one map, and their table
 *
 * Parameters  LOAD_TABLE        the table's name, [lane][type]
 *             LOAD_MAPPED(T, v) what elements v count as, where vectors and lanes of them are T
 *             LOAD_KEYS32, LOAD_KEYS64  rows of the lanes that floats are keys in, or nothing
 * A NaN is what the map makes NaN: it is replaced behind it. */
#define LOAD_NAMED_(table, in, a) table##_##in##_##a
#define LOAD_NAMED(table, in, a) LOAD_NAMED_(table, in, a)
#define LOAD_IN EACH(NAME)
#define LOAD_V(p) LOAD_MAPPED(v_of(LOAD_RAW), LOAD_CAT(load_, LOAD_IN, _, LOAD_A)(p))
#define LOAD_1(p) LOAD_MAPPED(LOAD_RAW, LOAD_CAT(one_, LOAD_IN, _, LOAD_A)(p))

#define LOAD_NAME LOAD_NAMED(LOAD_TABLE, LOAD_IN, 32)
#define LOAD_A LOAD_CAT(scan_int_, EACH(FAMILY), _, 32)
#define LOAD_RAW u32
#define EACH_WHERE !EACH_IS(FLOAT) && EACH(BITS) <= 32
#define EACH_TEMPLATE "cpu/scan/load_tmpl.h"
#include "order/each_type.h"
#undef LOAD_NAME
#undef LOAD_A
#undef LOAD_RAW

#define LOAD_NAME LOAD_NAMED(LOAD_TABLE, LOAD_IN, 64)
#define LOAD_A LOAD_CAT(scan_int_, EACH(FAMILY), _, 64)
#define LOAD_RAW u64
#define EACH_WHERE !EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/scan/load_tmpl.h"
#include "order/each_type.h"
#undef LOAD_NAME
#undef LOAD_A
#undef LOAD_RAW
#undef LOAD_V
#undef LOAD_1

#define LOAD_OF(T, part, p) LOAD_MAPPED(T, LOAD_CAT(part, LOAD_IN, _, LOAD_A)(p))
#define LOAD_KEPT(keep, v, n) LOAD_CAT(keep, LOAD_A, , )(v, n)
#define LOAD_V(p) \
  LOAD_KEPT(keep_, LOAD_OF(v_of(LOAD_A), load_, p), LOAD_CAT(scan_nan_, LOAD_A, , )(nan))
#define LOAD_1(p) LOAD_KEPT(scan_keep1_, LOAD_OF(LOAD_A, one_, p), nan)
#define LOAD_NAME LOAD_NAMED(LOAD_TABLE, LOAD_IN, LOAD_A)

#define LOAD_A f32
#define EACH_WHERE EACH_IS(FLOAT) && EACH(BITS) <= 32
#define EACH_TEMPLATE "cpu/scan/load_tmpl.h"
#include "order/each_type.h"
#undef LOAD_A

#define LOAD_A f64
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/scan/load_tmpl.h"
#include "order/each_type.h"
#undef LOAD_A
#undef LOAD_OF
#undef LOAD_KEPT
#undef LOAD_V
#undef LOAD_1
#undef LOAD_NAME
#undef LOAD_IN

#define LOAD_ROW(T, t, a) [HEDDLE_##T] = LOAD_NAMED(LOAD_TABLE, t, a),
#define LOAD_ROW_32(T, t, f, bits, ...) HD_BELOW_64(bits, LOAD_ROW(T, t, 32))
#define LOAD_ROW_64(T, t, ...) LOAD_ROW(T, t, 64)
#define LOAD_ROW_F32(T, t, f, bits, ...) HD_BELOW_64(bits, LOAD_ROW(T, t, f32))
#define LOAD_ROW_F64(T, t, ...) LOAD_ROW(T, t, f64)
static hd_cpu_scan_load *const LOAD_TABLE[HD_SCAN_LANES][HD_TYPE_COUNT] = {
    [HD_SCAN_U32] = {HD_INTEGER_TYPES(LOAD_ROW_32)},
    [HD_SCAN_U64] = {HD_INTEGER_TYPES(LOAD_ROW_64)},
    [HD_SCAN_I32] = {HD_INTEGER_TYPES(LOAD_ROW_32) LOAD_KEYS32},
    [HD_SCAN_I64] = {HD_INTEGER_TYPES(LOAD_ROW_64) LOAD_KEYS64},
    [HD_SCAN_F32] = {HD_FLOAT_TYPES(LOAD_ROW_F32)},
    [HD_SCAN_F64] = {HD_FLOAT_TYPES(LOAD_ROW_F64)},
};
#undef LOAD_ROW
#undef LOAD_ROW_32
#undef LOAD_ROW_64
#undef LOAD_ROW_F32
#undef LOAD_ROW_F64
#undef LOAD_NAMED_
#undef LOAD_NAMED
#undef LOAD_TABLE
#undef LOAD_MAPPED
#undef LOAD_KEYS32
#undef LOAD_KEYS64
