/* each_type.h - a template, included once for every element type that it is meant for
 *
 * Parameters  EACH_TEMPLATE  the template's path in quotes, from src/
 *             EACH_WHERE     a condition of the preprocessor on the type at hand: EACH(BITS) > 8
 *             Both are undefined behind it, like the template's own parameters by whoever defined
 *             them: those are defined once, in columns of the type at hand: EACH(NAME).
 *
 * No include guard: it is a loop. A new type has its two lines here and its row in types.def. */
#include "types.def"

#define EACH(column) EACH_COLUMN(HD_TYPE_##column, EACH_TYPE)
#define EACH_COLUMN(get, type) EACH_OF_ROW(get, type)
#define EACH_OF_ROW(get, type) HD_ROW(get, HD_ROW_##type)
/* 1 if the type is of the family, UNSIGNED, SIGNED or FLOAT */
#define EACH_IS(family) EACH_SAME(EACH(FAMILY), family)
#define EACH_SAME(a, b) EACH_SAME_(a, b)
#define EACH_SAME_(a, b) (EACH_NUMBER_##a == EACH_NUMBER_##b)
#define EACH_NUMBER_UNSIGNED 1
#define EACH_NUMBER_SIGNED 2
#define EACH_NUMBER_FLOAT 3

#define EACH_TYPE U8
#include "each_type_one.h"
#define EACH_TYPE U16
#include "each_type_one.h"
#define EACH_TYPE U32
#include "each_type_one.h"
#define EACH_TYPE U64
#include "each_type_one.h"
#define EACH_TYPE I8
#include "each_type_one.h"
#define EACH_TYPE I16
#include "each_type_one.h"
#define EACH_TYPE I32
#include "each_type_one.h"
#define EACH_TYPE I64
#include "each_type_one.h"
#define EACH_TYPE F16
#include "each_type_one.h"
#define EACH_TYPE BF16
#include "each_type_one.h"
#define EACH_TYPE F32
#include "each_type_one.h"
#define EACH_TYPE F64
#include "each_type_one.h"

#undef EACH
#undef EACH_COLUMN
#undef EACH_OF_ROW
#undef EACH_IS
#undef EACH_SAME
#undef EACH_SAME_
#undef EACH_NUMBER_UNSIGNED
#undef EACH_NUMBER_SIGNED
#undef EACH_NUMBER_FLOAT
#undef EACH_TEMPLATE
#undef EACH_WHERE
