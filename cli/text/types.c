/* types.c - the widest type of each in one table, from which its kind follows
 *
 * Method  The kind of a type is told by its row of the table, never by its number. */
#include "types.h"

const heddle_type type_list[] = {
    HEDDLE_U8,  HEDDLE_U16, HEDDLE_U32, HEDDLE_U64,  HEDDLE_I8,  HEDDLE_I16,
    HEDDLE_I32, HEDDLE_I64, HEDDLE_F16, HEDDLE_BF16, HEDDLE_F32, HEDDLE_F64,
};
const size_t type_count = sizeof type_list / sizeof *type_list;

static const heddle_type widest[] = {
    [HEDDLE_U8] = HEDDLE_U64,   [HEDDLE_U16] = HEDDLE_U64, [HEDDLE_U32] = HEDDLE_U64,
    [HEDDLE_U64] = HEDDLE_U64,  [HEDDLE_I8] = HEDDLE_I64,  [HEDDLE_I16] = HEDDLE_I64,
    [HEDDLE_I32] = HEDDLE_I64,  [HEDDLE_I64] = HEDDLE_I64, [HEDDLE_F16] = HEDDLE_F64,
    [HEDDLE_BF16] = HEDDLE_F64, [HEDDLE_F32] = HEDDLE_F64, [HEDDLE_F64] = HEDDLE_F64,
};

heddle_type type_widest(heddle_type type) {
  const size_t row = (size_t)type;
  return row < sizeof widest / sizeof *widest ? widest[row] : HEDDLE_TYPE_DEFAULT;
}

bool type_is_float(heddle_type type) { return type_widest(type) == HEDDLE_F64; }

bool type_is_signed(heddle_type type) { return type_widest(type) == HEDDLE_I64; }
