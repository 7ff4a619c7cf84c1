/* column.c - memory of a column where it lies; a copy of those that are not null, where some are, and of
 * booleans that are bits */
#include "column.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arrow.h"

enum { FREE_BYTES = 16 * 1024 };

struct column {
  struct arrow_column arrow;
  struct python_buffer values, mask; /* held if they have an owner */
  const uint8_t *nulls;              /* a byte each, of values and a mask */
  size_t length, valid;              /* elements; those that are not null */
  ptrdiff_t shape, stride;
  void *copy;
};

static bool bit(const uint8_t *bits, size_t i) { return bits[i / 8] >> i % 8 & 1; }

static bool is_valid(const struct column *c, size_t i) {
  if (c->nulls) return !c->nulls[i];
  return !c->arrow.validity || bit(c->arrow.validity, c->arrow.offset + i);
}

static size_t count_valid(const struct column *c) {
  size_t valid = 0;
  for (size_t i = 0; i < c->length; i++) valid += is_valid(c, i);
  return valid;
}

/* ---- the copy ------------------------------------------------------------------------------------- */

/* Those that are valid, a run of them at a time. */
static void copy_valid(const struct column *c, const char *from, size_t bytes, char *to) {
  for (size_t i = 0, first; i < c->length; i++) {
    for (first = i; i < c->length && is_valid(c, i);) i++;
    memcpy(to, from + first * bytes, (i - first) * bytes);
    to += (i - first) * bytes;
  }
}

/* The same of booleans, which are bits. */
static void copy_bits(const struct column *c, const uint8_t *bits, char *to) {
  for (size_t i = 0; i < c->length; i++)
    if (is_valid(c, i)) *to++ = bit(bits, c->arrow.offset + i);
}

/* The column's elements as a buffer: where they are, or copied. False: there is no memory. */
static bool make_line(struct column *c, struct python_buffer *buffer, const void *values,
                      bool are_bits) {
  const size_t bytes = (size_t)buffer->item_bytes;
  const bool is_long = c->length * bytes >= FREE_BYTES;
  python_thread *thread = is_long ? python.save_thread() : NULL;
  c->valid = c->nulls || c->arrow.validity ? count_valid(c) : c->length;
  if (are_bits || c->valid < c->length) {
    c->copy = malloc(c->valid * bytes + 1);
    if (c->copy && are_bits) copy_bits(c, values, c->copy);
    if (c->copy && !are_bits) copy_valid(c, values, bytes, c->copy);
    values = c->copy;
  }
  if (thread) python.restore_thread(thread);
  c->shape = (ptrdiff_t)c->valid;
  c->stride = buffer->item_bytes;
  memcpy(&buffer->data, &values, sizeof values); /* which is not written to */
  buffer->bytes = c->shape * c->stride;
  buffer->dims = 1;
  buffer->readonly = 1;
  buffer->shape = &c->shape;
  buffer->strides = &c->stride;
  return values != NULL;
}

/* ---- columns -------------------------------------------------------------------------------------- */

/* Arrow's letters of types, and those of CPython's buffers with the sizes that these have then. */
static bool set_format(struct python_buffer *buffer, char letter) {
  static char formats[][2] = {"?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d"};
  static const char letters[] = "bcCsSiIlLefg";
  static const ptrdiff_t bytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  const char *at = strchr(letters, letter);
  if (!at) return false;
  buffer->format = formats[at - letters];
  buffer->item_bytes = bytes[at - letters];
  return true;
}

static bool begin_arrow(struct column *c, struct python_buffer *buffer) {
  c->length = c->arrow.length;
  return set_format(buffer, c->arrow.letter) &&
         make_line(c, buffer, c->arrow.values, c->arrow.letter == 'b');
}

static bool begin_masked(struct column *c, struct python_buffer *buffer, python_object *values,
                         python_object *mask) {
  const int flags = PYTHON_FORMAT | PYTHON_C_ORDER;
  if (python.get_buffer(values, &c->values, flags) != 0) return false;
  if (python.get_buffer(mask, &c->mask, flags) != 0) return false;
  const char *format = c->mask.format;
  if (c->values.dims != 1 || c->mask.dims != 1 || c->mask.shape[0] != c->values.shape[0] ||
      !format || strcmp(format, "?") != 0)
    return false;
  *buffer = c->values;
  c->length = (size_t)c->values.shape[0];
  c->nulls = c->mask.data;
  return make_line(c, buffer, c->values.data, false);
}

static bool begin(struct column *c, struct python_buffer *buffer, python_object *object) {
  if (!python_is_tuple(object))
    return arrow_begin_stream(&c->arrow, object) && begin_arrow(c, buffer);
  if (python.tuple_size(object) != 2) return false;
  python_object *first = python.tuple_item(object, 0), *second = python.tuple_item(object, 1);
  if (arrow_begin_array(&c->arrow, first, second)) return begin_arrow(c, buffer);
  return begin_masked(c, buffer, first, second);
}

bool column_is(python_object *object) { return python_is_tuple(object) || arrow_is_stream(object); }

struct column *column_begin(struct python_buffer *buffer, python_object *object) {
  struct column *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (begin(c, buffer, object)) return c;
  column_end(c);
  python.clear_error();
  return NULL;
}

void column_end(struct column *c) {
  arrow_end(&c->arrow);
  if (c->values.owner) python.release_buffer(&c->values);
  if (c->mask.owner) python.release_buffer(&c->mask);
  free(c->copy);
  free(c);
}

size_t column_nulls(const struct column *c) { return c->length - c->valid; }

size_t column_place(const struct column *c, size_t index) {
  size_t i = 0;
  for (; i < c->length; i++)
    if (is_valid(c, i) && !index--) break;
  return i;
}

void column_spread(const struct column *c, void *values, size_t bytes, bool *valid) {
  char *x = values;
  for (size_t i = c->length, n = c->valid; i-- > 0;) {
    valid[i] = is_valid(c, i);
    if (valid[i])
      memmove(x + i * bytes, x + --n * bytes, bytes);
    else
      memset(x + i * bytes, 0, bytes);
  }
}
