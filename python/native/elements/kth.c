/* kth.c - kthvalue: an element by its rank, and where it is, in one line
 *
 * Method   The library finds the element; how many are below it says which of its equals has the rank. */
#include <string.h>

#include "call.h"
#include "elements.h"
#include "target.h"

#define VALUE(x) (x)
#define IS_NUMBER(x) true
#define NAME kth_u8
#define T uint8_t
#include "kth_tmpl.h"
#define NAME kth_u16
#define T uint16_t
#include "kth_tmpl.h"
#define NAME kth_u32
#define T uint32_t
#include "kth_tmpl.h"
#define NAME kth_u64
#define T uint64_t
#include "kth_tmpl.h"
#define NAME kth_i8
#define T int8_t
#include "kth_tmpl.h"
#define NAME kth_i16
#define T int16_t
#include "kth_tmpl.h"
#define NAME kth_i32
#define T int32_t
#include "kth_tmpl.h"
#define NAME kth_i64
#define T int64_t
#include "kth_tmpl.h"
#undef IS_NUMBER
#define IS_NUMBER(x) ((x) == (x))
#define NAME kth_f32
#define T float
#include "kth_tmpl.h"
#define NAME kth_f64
#define T double
#include "kth_tmpl.h"

#undef IS_NUMBER
#undef VALUE
/* Of float16, by its bits: both zeros are one. */
static inline int half_value(uint16_t x) {
  const int magnitude = x & 0x7fff;
  if (magnitude > 0x7c00) return 0x8000;
  return x & 0x8000 ? -magnitude : magnitude;
}
#define VALUE(x) half_value(x)
#define IS_NUMBER(x) (half_value(x) != 0x8000)
#define NAME kth_f16
#define T uint16_t
#include "kth_tmpl.h"
#undef IS_NUMBER
#undef VALUE

typedef size_t find_kth(const void *data, size_t count, const void *value, size_t rank);

/* NULL: of a type that C does not compare. */
static find_kth *finder(heddle_type type) {
  switch (type) {
  case HEDDLE_U8: return kth_u8;
  case HEDDLE_U16: return kth_u16;
  case HEDDLE_U32: return kth_u32;
  case HEDDLE_U64: return kth_u64;
  case HEDDLE_I8: return kth_i8;
  case HEDDLE_I16: return kth_i16;
  case HEDDLE_I32: return kth_i32;
  case HEDDLE_I64: return kth_i64;
  case HEDDLE_F16: return kth_f16;
  case HEDDLE_F32: return kth_f32;
  case HEDDLE_F64: return kth_f64;
  default: return NULL;
  }
}

static heddle_status find(heddle_context *ctx, const struct array *a, size_t rank, void *value,
                          uint64_t *place) {
  const uint64_t ranks[1] = {rank};
  heddle_status status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_nth(ctx, a->type, a->buffer.data, a->count, ranks, 1, value, NULL);
  if (status != HEDDLE_OK) return status;
  const size_t bytes = (size_t)a->buffer.item_bytes;
  *place = finder(a->type)(a->buffer.data, a->count, value, rank);
  memcpy(value, (const char *)a->buffer.data + *place * bytes, bytes); /* its own zero, or NaN */
  return HEDDLE_OK;
}

/* Both results in a tuple, which takes them. */
static python_object *both_of(python_object *value, python_object *place) {
  python_object *both = value && place ? python.new_tuple(2) : NULL;
  if (!both) {
    if (value) python.drop(value);
    if (place) python.drop(place);
    return array_decline();
  }
  (void)python.put_in_tuple(both, 0, value);
  (void)python.put_in_tuple(both, 1, place);
  return both;
}

/* An array of one number without dimensions. */
static python_object *array_of(python_object *dtype, const void *number) {
  struct array a;
  python_object *made = target_array(&a, 0, NULL, dtype);
  if (!made) return NULL;
  memcpy(a.buffer.data, number, (size_t)a.buffer.item_bytes);
  array_end(&a);
  return made;
}

python_object *heddle_py_kthvalue(python_object *object, int k, python_object *axis, int threads) {
  heddle_context *ctx = call_context(threads);
  const long along = python_is_int(axis) ? python.as_long(axis) : 1;
  struct array a;
  union number value = {0};
  uint64_t place = 0;
  if (along == -1 && python.has_error()) {
    python.clear_error();
    return array_decline();
  }
  if (!ctx || (along != 0 && along != -1) || !array_begin_line(&a, object)) return array_decline();
  if (k < 1 || (size_t)k > a.count || !finder(a.type)) {
    array_end(&a);
    return array_decline();
  }
  python_thread *thread = call_leave(&a, ctx);
  const heddle_status status = find(ctx, &a, (size_t)k - 1, &value, &place);
  call_come_back(thread);
  python_object *dtype = a.is_bool ? call_bool() : call_type(a.type);
  array_end(&a);
  if (status != HEDDLE_OK) return call_failed(status);
  return both_of(array_of(dtype, &value), array_of(call_index(), &place));
}
