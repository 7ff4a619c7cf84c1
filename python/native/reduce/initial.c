/* initial.c - the argument `initial`: Python's own whole numbers for integers, either kind for floats,
 * which are rounded once */
#include "initial.h"

static bool is_float(python_object *object) { return python_is(object, python.float_type); }

bool initial_is_given(python_object *object) { return is_float(object) || python_is_int(object); }

static bool went_well(void) {
  if (!python.has_error()) return true;
  python.clear_error();
  return false;
}

static bool read_unsigned(python_object *object, heddle_type type, union number *number) {
  const uint64_t n = python.as_size(object);
  if (!went_well()) return false;
  switch (type) {
  case HEDDLE_U8: number->u8 = (uint8_t)n; return n <= UINT8_MAX;
  case HEDDLE_U16: number->u16 = (uint16_t)n; return n <= UINT16_MAX;
  case HEDDLE_U32: number->u32 = (uint32_t)n; return n <= UINT32_MAX;
  case HEDDLE_U64: number->u64 = n; return true;
  default: return false;
  }
}

static bool read_signed(python_object *object, heddle_type type, union number *number) {
  const int64_t n = python.as_long(object);
  if (n == -1 && !went_well()) return false;
  switch (type) {
  case HEDDLE_I8: number->i8 = (int8_t)n; return n >= INT8_MIN && n <= INT8_MAX;
  case HEDDLE_I16: number->i16 = (int16_t)n; return n >= INT16_MIN && n <= INT16_MAX;
  case HEDDLE_I32: number->i32 = (int32_t)n; return n >= INT32_MIN && n <= INT32_MAX;
  case HEDDLE_I64: number->i64 = n; return true;
  default: return false;
  }
}

bool initial_read(python_object *object, heddle_type type, bool of_floats, union number *number) {
  *number = (union number){0};
  if (of_floats) {
    const double n = python.as_double(object);
    if (n == -1 && !went_well()) return false;
    return heddle_convert(HEDDLE_F64, &n, type, number, 1) == HEDDLE_OK;
  }
  if (!python_is_int(object)) return false;
  switch (type) {
  case HEDDLE_U8:
  case HEDDLE_U16:
  case HEDDLE_U32:
  case HEDDLE_U64: return read_unsigned(object, type, number);
  default: return read_signed(object, type, number);
  }
}
