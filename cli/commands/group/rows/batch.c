/* batch.c - memory of a batch, its texts and its keys */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "text/number.h"

__extension__ typedef __int128 wide_integer; /* holds what an i64 is rounded to */

/* Beyond these a table of texts leaves the cache, and texts are hardly met again. */
enum { TEXTS_MOST = 1 << 15, TEXT_BYTES_MOST = 1 << 20 };

/* Rows that tell whether texts come again, and batches before that is looked at once more. */
enum { ROWS_LEAST = 1 << 10, APART_BATCHES = 15 };

void batch_start(struct batch *b, const struct asked *q) {
  memset(b, 0, sizeof *b);
  b->q = q;
  for (size_t k = 0; k < q->keys; k++) b->numbers[k] = true;
  for (size_t c = 0; c < q->columns; c++) b->column[c].type = HEDDLE_I64;
}

static void cut(struct interned *t) {
  keys_cut(&t->keys, 0);
  t->mapped = 0;
}

/* Where nearly each of the rows brought a new text it is not worth looking for, for some batches. */
static void clear(struct interned *t, size_t rows) {
  const size_t fresh = t->keys.count - t->before;
  if (t->apart > 0) {
    t->apart -= 1;
    cut(t);
  } else if (rows >= ROWS_LEAST && fresh > rows / 4 * 3) {
    t->apart = APART_BATCHES;
    cut(t);
  } else if (t->keys.count > TEXTS_MOST || t->keys.used > TEXT_BYTES_MOST) {
    cut(t);
  }
  t->before = t->keys.count;
}

void batch_clear(struct batch *b) {
  clear(&b->groups, b->rows);
  for (size_t c = 0; c < b->q->columns; c++) {
    clear(&b->column[c].texts, b->rows);
    b->column[c].words = false;
  }
  b->rows = 0;
  b->kept_bytes = 0;
  b->records = 0;
  b->lines = b->bad = b->comments = 0;
}

static void free_texts(struct interned *t) {
  keys_free(&t->keys);
  free(t->ids);
  free(t->map);
}

void batch_free(struct batch *b) {
  free_texts(&b->groups);
  for (size_t c = 0; c < INPUT_MAX_COLUMNS; c++) {
    free(b->column[c].values);
    free_texts(&b->column[c].texts);
  }
  free(b->kept);
  free(b->places);
  free(b->key);
  free(b->copy);
}

static bool grow(void *pointer, size_t room, size_t size) {
  void **const memory = pointer, *const larger = realloc(*memory, room * size);
  if (larger) *memory = larger;
  return larger != NULL;
}

int batch_grow(struct batch *b, struct failure *why) {
  const size_t room = 2 * b->room + 4096;
  if (b->rows < b->room) return 0;
  bool good = grow(&b->groups.ids, room, sizeof *b->groups.ids) &&
              (!b->q->lines || grow(&b->places, room, sizeof *b->places));
  for (size_t c = 0; c < b->q->columns && good; c++)
    good = b->q->column[c].text
               ? grow(&b->column[c].texts.ids, room, sizeof *b->column[c].texts.ids)
               : grow(&b->column[c].values, room, sizeof *b->column[c].values);
  if (!good) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
  b->room = room;
  return 0;
}

int batch_keep(struct batch *b, size_t bytes, struct failure *why) {
  if (bytes <= b->kept_room) return 0;
  if (!grow(&b->kept, bytes, 1))
    return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
  b->kept_room = bytes;
  return 0;
}

int batch_intern(struct interned *t, size_t row, const char *text, size_t length, bool *added,
                 struct failure *why) {
  return batch_intern_tagged(t, row, text, length, (uint32_t)keys_hash(text, length), added, why);
}

int batch_intern_tagged(struct interned *t, size_t row, const char *text, size_t length,
                        uint32_t tag, bool *added, struct failure *why) {
  const size_t before = t->keys.count;
  if ((t->apart > 0 ? keys_append : keys_id)(&t->keys, text, length, tag, &t->ids[row], why) != 0)
    return -1;
  *added = t->keys.count > before;
  return 0;
}

void batch_look_at_key(struct batch *b, const char *key, size_t length) {
  const char *at = key;
  for (size_t k = 0; k < b->q->keys; k++) {
    size_t bytes;
    double value;
    const char *const field = key_field(&at, key + length, b->q->keys - k, &bytes);
    b->numbers[k] = b->numbers[k] && bytes > 0 &&
                    number_parse(field, bytes, HEDDLE_F64, &value) == NUMBER_OK && value == value;
  }
}

int batch_widen(uint64_t *values, size_t count, bool *rounded, struct failure *why) {
  const int64_t whole = (int64_t)1 << 53; /* up to here f64 holds all */
  for (size_t i = 0; i < count; i++) {
    const int64_t value = (int64_t)values[i];
    if (value > whole || value < -whole) *rounded |= (wide_integer)(double)value != value;
  }
  return command_check(heddle_convert(HEDDLE_I64, values, HEDDLE_F64, values, count), NULL, why);
}
