/* around.c - an array around one of its elements
 *
 * Method   The element of the place's rank, which takes a read or two; then what is less goes before the rest, in their
 *          order. Of the rest, the first that are the element come to its front for what is there. */
#include "around.h"

#include <string.h>

enum {
  LEAST = 4096,          /* elements, below which a sort is as fast */
  MOST_HALVES = 1 << 21, /* of 2 bytes, from which on it is: by counts, as of 1 byte */
  BLOCK = 64             /* elements that are compared at once */
};

/* Whether a float of so many bits is a NaN or a zero. */
static bool is_special(uint64_t bits, unsigned size, uint64_t infinity) {
  const uint64_t magnitude = bits & (((uint64_t)1 << (size - 1)) - 1);
  return magnitude == 0 || magnitude > infinity;
}

static bool needs_sort(heddle_type type, uint64_t bits) {
  switch (type) {
  case HEDDLE_F16: return is_special(bits, 16, 0x7c00);
  case HEDDLE_BF16: return is_special(bits, 16, 0x7f80);
  case HEDDLE_F32: return is_special(bits, 32, 0x7f800000);
  case HEDDLE_F64: return is_special(bits, 64, (uint64_t)0x7ff0 << 48);
  default: return false;
  }
}

#define AROUND_T uint16_t
#include "around_tmpl.h"
#define AROUND_T uint32_t
#include "around_tmpl.h"
#define AROUND_T uint64_t
#include "around_tmpl.h"

heddle_status heddle_py_around(heddle_context *ctx, const struct array *a, size_t place,
                               void *out) {
  const void *in = a->buffer.data;
  const size_t bytes = (size_t)a->buffer.item_bytes;
  const uint64_t rank = place;
  uint64_t value = 0, less;
  if (a->count < LEAST || bytes == 1 || (bytes == 2 && a->count >= MOST_HALVES))
    return heddle_sort(ctx, a->type, in, a->count, out, NULL);
  heddle_status status = heddle_nth(ctx, a->type, in, a->count, &rank, 1, &value, NULL);
  if (status) return status;
  uint16_t half;
  uint32_t narrow;
  memcpy(&half, &value, sizeof half);
  memcpy(&narrow, &value, sizeof narrow);
  const uint64_t bits = bytes == 2 ? half : bytes == 4 ? narrow : value;
  if (needs_sort(a->type, bits)) return heddle_sort(ctx, a->type, in, a->count, out, NULL);
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = HEDDLE_LESS;
  where.type = a->type;
  where.of = in;
  where.value = &value;
  status = heddle_partition(ctx, &where, bytes, in, a->count, out, &less);
  if (status) return status;
  switch (bytes) {
  case 2: equals_first_uint16_t(out, (size_t)less, place, a->count, &value); break;
  case 4: equals_first_uint32_t(out, (size_t)less, place, a->count, &value); break;
  default: equals_first_uint64_t(out, (size_t)less, place, a->count, &value);
  }
  return HEDDLE_OK;
}
