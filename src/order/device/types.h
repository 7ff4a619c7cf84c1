/* types.h - types and operators for the preprocessor: numbers, rows of types.def, classes of ops.def
 *
 * Result   HD_F32, HD_OP_SUM ..  the numbers of heddle_type and heddle_op, as -D options name them
 *          TYPE_COLUMN(column)   what the row of HEDDLE_TYPE has there: TYPE_COLUMN(HD_TYPE_BITS)
 *          HD_TYPE_IS_FLOAT(t), _SIGNED, _INTEGER  of a macro t that is a number
 *          OP_CLASS              of HEDDLE_OP: HD_CLASS_ARITHMETIC ..; 0 of a custom one
 *          Of operators those that combine totals have numbers here: others are one of them and a map
 * Defines  HEDDLE_TYPE, HEDDLE_OP as total.h has them
 * Method   a number is pasted to the name of its row: nothing compares numbers but for equality
 * Limits   src/cuda/fold/plan.c asserts that the numbers are heddle.h's, row by row */
#ifndef HEDDLE_ORDER_DEVICE_TYPES_H
#define HEDDLE_ORDER_DEVICE_TYPES_H

#include "order/ops.def"
#include "order/types.def"

#define HD_U8 1
#define HD_U16 2
#define HD_U32 3
#define HD_U64 4
#define HD_I8 5
#define HD_I16 6
#define HD_I32 7
#define HD_I64 8
#define HD_F16 9
#define HD_BF16 10
#define HD_F32 11
#define HD_F64 12
#define HD_CUSTOM 13

#define HD_TYPE_ROW_1 HD_ROW_U8
#define HD_TYPE_ROW_2 HD_ROW_U16
#define HD_TYPE_ROW_3 HD_ROW_U32
#define HD_TYPE_ROW_4 HD_ROW_U64
#define HD_TYPE_ROW_5 HD_ROW_I8
#define HD_TYPE_ROW_6 HD_ROW_I16
#define HD_TYPE_ROW_7 HD_ROW_I32
#define HD_TYPE_ROW_8 HD_ROW_I64
#define HD_TYPE_ROW_9 HD_ROW_F16
#define HD_TYPE_ROW_10 HD_ROW_BF16
#define HD_TYPE_ROW_11 HD_ROW_F32
#define HD_TYPE_ROW_12 HD_ROW_F64
/* The custom text in front of a kernel defines heddle_element; its bits nobody asks for here. */
#define HD_TYPE_ROW_13 (CUSTOM, heddle_element, OPAQUE, 0, , , , , , , , , )

#define HD_TYPE_ROW(t) HD_TYPE_ROW_PASTE(t)
#define HD_TYPE_ROW_PASTE(t) HD_TYPE_ROW_##t
#define HD_TYPE_AT(column, t) HD_TYPE_CALL(column, HD_TYPE_ROW(t))
#define HD_TYPE_CALL(column, row) column row
#define TYPE_COLUMN(column) HD_TYPE_AT(column, HEDDLE_TYPE)

#define HD_FAMILY_UNSIGNED 1
#define HD_FAMILY_SIGNED 2
#define HD_FAMILY_FLOAT 3
#define HD_FAMILY_OPAQUE 4
#define HD_FAMILY(t) HD_FAMILY_CALL(HD_TYPE_AT(HD_TYPE_FAMILY, t))
#define HD_FAMILY_CALL(family) HD_FAMILY_PASTE(family)
#define HD_FAMILY_PASTE(family) HD_FAMILY_##family
#define HD_TYPE_IS_FLOAT(t) (HD_FAMILY(t) == HD_FAMILY_FLOAT)
#define HD_TYPE_IS_SIGNED(t) (HD_FAMILY(t) == HD_FAMILY_SIGNED) /* an integer */
#define HD_TYPE_IS_INTEGER(t) (HD_FAMILY(t) == HD_FAMILY_UNSIGNED || HD_TYPE_IS_SIGNED(t))

#define HD_OP_SUM 1
#define HD_OP_PROD 2
#define HD_OP_MIN 3
#define HD_OP_MAX 4
#define HD_OP_AND 5
#define HD_OP_OR 6
#define HD_OP_XOR 7
#define HD_OP_ANY 8
#define HD_OP_ALL 9
#define HD_OP_CUSTOM 10

#define HD_CLASS_ARITHMETIC 1
#define HD_CLASS_MINMAX 2
#define HD_CLASS_BITWISE 3
#define HD_CLASS_LOGICAL 4
#define HD_CLASS_TERM(op, name, class, combine, map) \
  +(HEDDLE_OP == HD_OP_##combine && HD_MAP_##map == HD_MAP_VALUE) * HD_CLASS_##class
#define OP_CLASS (0 HD_OPS(HD_CLASS_TERM))

#endif
