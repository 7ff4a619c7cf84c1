/* types.c - the widest type of each in one table, from which its kind follows
 *
 * Method  The kind of a type is told by its row of the table, never by its number. */
#include "types.h"

const heddle_type type_list[] = {
    HEDDLE_U8,  HEDDLE_U16, HEDDLE_U32, HEDDLE_U64,  HEDDLE_I8,  HEDDLE_I16,
    HEDDLE_I32, HEDDLE_I64, HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64,
};
const size_t type_count = sizeof type_list / sizeof *type_list;

const heddle_type type_widest_of[TYPE_ROOM] = {
    [HEDDLE_U8] = HEDDLE_U64,   [HEDDLE_U16] = HEDDLE_U64, [HEDDLE_U32] = HEDDLE_U64,
    [HEDDLE_U64] = HEDDLE_U64,  [HEDDLE_I8] = HEDDLE_I64,  [HEDDLE_I16] = HEDDLE_I64,
    [HEDDLE_I32] = HEDDLE_I64,  [HEDDLE_I64] = HEDDLE_I64, [HEDDLE_F16] = HEDDLE_F64,
    [HEDDLE_BF16] = HEDDLE_F64, [HEDDLE_F32] = HEDDLE_F64, [HEDDLE_F64] = HEDDLE_F64,
};
