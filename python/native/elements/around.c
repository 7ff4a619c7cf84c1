/* around.c - an array around one of its elements
 *
 * Method   The element of the place's rank, which takes a read or two; then what is less goes before the rest, in their
 *          order. Of the rest, the first that are the element come to its front for what is there; before +0.0 come
 *          all -0.0. Around a NaN, all numbers go before all NaN. */
#include "around.h"

#include <string.h>

enum {
  BLOCK = 64 /* elements that are compared at once */
};

/* Bits of infinity; 0: of no float. */
static uint64_t infinity_of(heddle_type type) {
  switch (type) {
  case HEDDLE_F16: return 0x7c00;
  case HEDDLE_BF16: return 0x7f80;
  case HEDDLE_F32: return 0x7f800000;
  case HEDDLE_F64: return (uint64_t)0x7ff0 << 48;
  default: return 0;
  }
}

#define AROUND_T uint16_t
#include "around_tmpl.h"
#define AROUND_T uint32_t
#include "around_tmpl.h"
#define AROUND_T uint64_t
#include "around_tmpl.h"

/* What place `place` has, as bits, in `value`. */
static heddle_status element_of(heddle_context *ctx, const struct array *a, size_t place,
                                uint64_t *value) {
  const uint64_t rank = place;
  uint64_t wide = 0;
  uint32_t narrow;
  uint16_t half;
  const heddle_status status =
      heddle_nth(ctx, a->type, a->buffer.data, a->count, &rank, 1, &wide, NULL);
  memcpy(&narrow, &wide, sizeof narrow);
  memcpy(&half, &wide, sizeof half);
  *value = a->buffer.item_bytes == 2 ? half : a->buffer.item_bytes == 4 ? narrow : wide;
  return status;
}

/* Elements `first` and behind, of which none is below the value: those of its bits come to first .. place. */
static void equals_first(const struct array *a, size_t first, size_t place, uint64_t value,
                         void *out) {
  switch (a->buffer.item_bytes) {
  case 2: equals_first_uint16_t(out, first, place, a->count, (uint16_t)value); break;
  case 4: equals_first_uint32_t(out, first, place, a->count, (uint32_t)value); break;
  default: equals_first_uint64_t(out, first, place, a->count, value);
  }
}

static size_t count_equals(const struct array *a, size_t first, uint64_t value, const void *out) {
  switch (a->buffer.item_bytes) {
  case 2: return count_uint16_t(out, first, a->count, (uint16_t)value);
  case 4: return count_uint32_t(out, first, a->count, (uint32_t)value);
  default: return count_uint64_t(out, first, a->count, value);
  }
}

heddle_status heddle_py_around(heddle_context *ctx, const struct array *a, size_t place,
                               void *out) {
  const void *in = a->buffer.data;
  const size_t bytes = (size_t)a->buffer.item_bytes;
  const uint64_t infinity = infinity_of(a->type), sign = (uint64_t)1 << (8 * bytes - 1);
  uint64_t value, less;
  if (a->count < HEDDLE_PY_AROUND_LEAST || bytes == 1)
    return heddle_sort(ctx, a->type, in, a->count, out, NULL);
  heddle_status status = element_of(ctx, a, place, &value);
  if (status) return status;
  const bool is_nan = infinity && (value & (sign - 1)) > infinity;
  const uint64_t limit = is_nan ? infinity : value;
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = is_nan ? HEDDLE_LESS_EQUAL : HEDDLE_LESS;
  where.type = a->type;
  where.of = in;
  where.value = &limit;
  status = heddle_partition(ctx, &where, bytes, in, a->count, out, &less);
  if (status || is_nan) return status;
  size_t first = (size_t)less;
  if (infinity && value == 0) {
    const size_t zeros = count_equals(a, first, sign, out);
    if (zeros) equals_first(a, first, first + zeros - 1, sign, out);
    first += zeros;
  }
  equals_first(a, first, place, value, out);
  return HEDDLE_OK;
}
