/* column.c - memory of a column where it lies; a copy of those that are not null, where some are, and of
 * booleans that are bits; of many, pieces of that copy that stay in a cache */
#include "column.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrow.h"
#include "valid.h"

enum {
  FREE_BYTES = 16 * 1024,
  HUGE_BYTES = 2 << 20,
  PIECE_BYTES = 4 * 1024,   /* that stay in a first-level cache that others use, too */
  FILLED_BYTES = 16 * 1024, /* of elements that need not move */
  PIECES_LEAST = 16 /* fewer are copied whole: a state of the library's takes some time itself */
};

struct column {
  struct arrow_column arrow;
  struct python_buffer values, mask; /* held if they have an owner */
  struct valid which;                /* are not null */
  size_t valid;                      /* elements of those */
  ptrdiff_t shape, stride;
  bool is_cut;        /* into pieces, of */
  const void *source; /* which is not copied */
  void *copy;
};

/* In huge pages where it fills some: memory that is new costs a fault a page. NULL: there is none. */
static void *memory_of(size_t bytes) {
  if (bytes < 2 * HUGE_BYTES) return malloc(bytes);
  void *memory = aligned_alloc(HUGE_BYTES, (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES);
  if (memory) (void)madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

/* The column's elements as a buffer: where they are, or copied. False: there is no memory. */
static bool make_line(struct column *c, struct python_buffer *buffer, const void *values,
                      bool are_bits) {
  const size_t bytes = (size_t)buffer->item_bytes;
  const bool is_long = c->which.length * bytes >= FREE_BYTES;
  python_thread *thread = is_long ? python.save_thread() : NULL;
  c->valid = valid_count(&c->which);
  const bool is_bool = !strcmp(buffer->format, "?"); /* whose bytes are looked at first */
  c->is_cut = c->is_cut && !is_bool && c->valid < c->which.length &&
              c->which.length * bytes >= (size_t)PIECES_LEAST * PIECE_BYTES;
  c->source = values;
  if (!c->is_cut && (are_bits || c->valid < c->which.length)) {
    c->copy = memory_of(c->valid * bytes + VALID_ROOM);
    if (c->copy && are_bits) valid_bits_together(&c->which, values, c->arrow.offset, c->copy);
    if (c->copy && !are_bits)
      (void)valid_together(&c->which, 0, c->which.length, values, bytes, c->copy);
    values = c->copy;
  }
  if (thread) python.restore_thread(thread);
  c->shape = (ptrdiff_t)c->valid;
  c->stride = buffer->item_bytes;
  memcpy(&buffer->data, &values, sizeof values); /* which is not written to */
  if (c->is_cut) buffer->data = NULL;
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
  c->which.length = c->arrow.length;
  c->which.bits = c->arrow.validity;
  c->which.offset = c->arrow.offset;
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
  c->which.length = (size_t)c->values.shape[0];
  c->which.nulls = c->mask.data;
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

static struct column *begin_column(struct python_buffer *buffer, python_object *object, bool cut) {
  struct column *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->is_cut = cut;
  if (begin(c, buffer, object)) return c;
  column_end(c);
  python.clear_error();
  return NULL;
}

struct column *column_begin(struct python_buffer *buffer, python_object *object) {
  return begin_column(buffer, object, false);
}

struct column *column_begin_pieces(struct python_buffer *buffer, python_object *object) {
  return begin_column(buffer, object, true);
}

/* fill: NULL leaves out what is null. */
static heddle_status each_piece(const struct column *c, const void *fill, column_taker *take,
                                void *to) {
  const size_t bytes = (size_t)c->stride, length = (fill ? FILLED_BYTES : PIECE_BYTES) / bytes;
  heddle_status status = HEDDLE_OK;
  char *piece = aligned_alloc(64, FILLED_BYTES + VALID_ROOM);
  if (!piece) return HEDDLE_OUT_OF_MEMORY;
  for (size_t i = 0; i < c->which.length && !status; i += length) {
    const size_t left = c->which.length - i;
    size_t n = left < length ? left : length;
    if (fill)
      valid_filled(&c->which, i, n, c->source, bytes, fill, piece);
    else
      n = valid_together(&c->which, i, n, c->source, bytes, piece);
    status = take(to, piece, n);
  }
  free(piece);
  return status;
}

heddle_status column_each(const struct column *c, column_taker *take, void *to) {
  if (c->is_cut) return each_piece(c, NULL, take, to);
  return take(to, c->copy ? c->copy : c->source, c->valid);
}

bool column_can_fill(const struct column *c) {
  return c->is_cut && c->valid && (c->stride == 4 || c->stride == 8);
}

heddle_status column_each_filled(const struct column *c, const void *fill, column_taker *take,
                                 void *to) {
  const char *first = (const char *)c->source + column_place(c, 0) * (size_t)c->stride;
  return each_piece(c, fill ? fill : first, take, to);
}

void column_end(struct column *c) {
  arrow_end(&c->arrow);
  if (c->values.owner) python.release_buffer(&c->values);
  if (c->mask.owner) python.release_buffer(&c->mask);
  free(c->copy);
  free(c);
}

size_t column_nulls(const struct column *c) { return c->which.length - c->valid; }

size_t column_place(const struct column *c, size_t index) { return valid_place(&c->which, index); }

void column_spread(const struct column *c, void *values, size_t bytes, bool *valid) {
  valid_apart(&c->which, values, c->valid, bytes, valid);
}
