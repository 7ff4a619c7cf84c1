/* count.c - bincount of not too many integers, by two plain loops
 *
 * Method   Up to MOST_COUNT integers (MOST_BYTES of one byte) below MOST_BINS are counted here, by
 *          two plain loops: setting up a histogram and merging its threads' tables takes longer
 *          than that. The array for the counts is NumPy's, made by calling `empty`. Everything
 *          else, and whatever is wrong, is declined */
#include <stdint.h>
#include <string.h>

#include "array.h"

enum { MOST_COUNT = 1 << 18, MOST_BYTES = 1 << 15, MOST_BINS = 1 << 20, FREE_BYTES = 16 * 1024 };

#define T uint8_t
#define MOST most_8
#define COUNT count_8
#include "count_tmpl.h"

#define T uint16_t
#define MOST most_16
#define COUNT count_16
#include "count_tmpl.h"

#define T uint32_t
#define MOST most_32
#define COUNT count_32
#include "count_tmpl.h"

#define T uint64_t
#define MOST most_64
#define COUNT count_64
#include "count_tmpl.h"

/* Native integers in one dimension, aligned. */
static bool is_countable(const struct python_buffer *b) {
  const char *format = b->format ? b->format : "B";
  if (*format == '@' || *format == '=') format++;
  if (!format[0] || format[1] || !strchr("?bBhHiIlLqQ", format[0])) return false;
  if (b->item_bytes != 1 && b->item_bytes != 2 && b->item_bytes != 4 && b->item_bytes != 8)
    return false;
  return b->dims == 1 &&
         b->bytes / b->item_bytes <= (b->item_bytes == 1 ? MOST_BYTES : MOST_COUNT) &&
         (uintptr_t)b->data % (uintptr_t)b->item_bytes == 0;
}

/* The greatest element. A negative one, read as unsigned, is too large, or made so. */
static uint64_t most_of(const struct python_buffer *b, size_t count) {
  uint64_t most;
  switch (b->item_bytes) {
  case 1:
    most = most_8(b->data, count);
    if (most > 1 && b->format && strchr(b->format, '?')) return MOST_BINS; /* True is 1 */
    return most > INT8_MAX && b->format && strchr(b->format, 'b') ? MOST_BINS : most;
  case 2:
    most = most_16(b->data, count);
    return most > INT16_MAX && strchr(b->format, 'h') ? MOST_BINS : most;
  case 4: return most_32(b->data, count);
  default: return most_64(b->data, count);
  }
}

static void count_into(const struct python_buffer *b, size_t count, int64_t *counts, size_t bins) {
  switch (b->item_bytes) {
  case 1: count_8(b->data, count, counts, bins); return;
  case 2: count_16(b->data, count, counts, bins); return;
  case 4: count_32(b->data, count, counts, bins); return;
  default: count_64(b->data, count, counts, bins); return;
  }
}

/* What makes an array for counts. */
static struct { python_object *empty, *dtype; } make;

/* A new array of so many counts and its memory; NULL with an exception set. */
static python_object *new_counts(size_t bins, struct python_buffer *memory) {
  python_object *length = python.from_unsigned(bins);
  if (!length) return NULL;
  python_object *made = python.call(make.empty, length, make.dtype, NULL);
  python.drop(length);
  if (!made) return NULL;
  if (python.get_buffer(made, memory, PYTHON_C_ORDER | PYTHON_WRITABLE) == 0) {
    if (memory->bytes == (ptrdiff_t)(bins * sizeof(int64_t))) return made;
    python.release_buffer(memory);
  }
  python.drop(made);
  return NULL;
}

void heddle_py_counts(python_object *empty, python_object *dtype) {
  if (!python.keep) return;
  python.keep(empty);
  python.keep(dtype);
  make.empty = empty;
  make.dtype = dtype;
}

python_object *heddle_py_bincount(python_object *x, size_t least) {
  struct python_buffer input, output;
  python_object *result = NULL;
  if (python.get_buffer(x, &input, PYTHON_C_ORDER | PYTHON_FORMAT) == 0) {
    if (is_countable(&input) && least <= MOST_BINS) {
      const size_t count = (size_t)(input.bytes / input.item_bytes);
      python_thread *thread = input.bytes < FREE_BYTES ? NULL : python.save_thread();
      const uint64_t most = most_of(&input, count);
      if (thread) python.restore_thread(thread);
      const size_t bins = count && most >= least ? (size_t)most + 1 : least;
      if (most < MOST_BINS) result = new_counts(bins, &output);
      if (result) {
        thread = input.bytes < FREE_BYTES ? NULL : python.save_thread();
        if (bins) memset(output.data, 0, bins * sizeof(int64_t));
        count_into(&input, count, output.data, bins);
        if (thread) python.restore_thread(thread);
        python.release_buffer(&output);
      }
    }
    python.release_buffer(&input);
  }
  if (result) return result;
  python.clear_error();
  return array_decline();
}
