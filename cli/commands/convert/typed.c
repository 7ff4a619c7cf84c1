/* typed.c - a block of rows put together in memory, column by column */
#include "typed.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

int typed_start(struct typed *t, struct failure *why) {
  for (size_t c = 0; c < t->columns; c++) {
    struct typed_column *const column = &t->column[c];
    const size_t size = column->text ? sizeof(int32_t) : heddle_type_size(column->type);
    column->values = command_allocate(TYPED_ROWS + 1, size, "elements", why);
    column->valid = column->values ? command_allocate(TYPED_ROWS / 8, 1, "elements", why) : NULL;
    if (!column->valid) return -1;
  }
  typed_clear(t);
  return 0;
}

void typed_clear(struct typed *t) {
  t->rows = t->text_bytes = 0;
  for (size_t c = 0; c < t->columns; c++) {
    if (t->column[c].text) memset(t->column[c].values, 0, sizeof(int32_t));
    memset(t->column[c].valid, 0, TYPED_ROWS / 8);
    t->column[c].missing = 0;
  }
}

void typed_free(struct typed *t) {
  for (size_t c = 0; c < t->columns; c++) {
    free(t->column[c].values);
    free(t->column[c].characters);
    free(t->column[c].valid);
  }
}

const char *typed_text(const struct typed_column *c, size_t row, size_t *bytes) {
  const int32_t *const end = c->values;
  *bytes = (size_t)(end[row + 1] - end[row]);
  return c->characters ? c->characters + end[row] : "";
}

static void set_there(struct typed_column *c, size_t row) {
  c->valid[row / 8] |= (unsigned char)(1u << row % 8);
}

void typed_put_number(struct typed *t, size_t column, const void *element) {
  struct typed_column *const c = &t->column[column];
  const size_t size = heddle_type_size(c->type);
  memcpy((unsigned char *)c->values + t->rows * size, element, size);
  set_there(c, t->rows);
}

int typed_put_text(struct typed *t, size_t column, const char *text, size_t bytes,
                   struct failure *why) {
  struct typed_column *const c = &t->column[column];
  int32_t *const end = c->values;
  const size_t used = (size_t)end[t->rows];
  if (bytes > (size_t)INT32_MAX - used)
    return fail(why, EXIT_DATA, "column '%s': a text of %zu bytes is longer than convert takes",
                c->name, bytes);
  if (used + bytes > c->room) {
    const size_t room = 2 * (used + bytes);
    char *const larger = realloc(c->characters, room);
    if (!larger) return fail(why, EXIT_DATA, "column '%s': out of memory for its texts", c->name);
    c->characters = larger;
    c->room = room;
  }
  if (bytes > 0) memcpy(c->characters + used, text, bytes);
  end[t->rows + 1] = (int32_t)(used + bytes);
  t->text_bytes += bytes;
  set_there(c, t->rows);
  return 0;
}

void typed_put_missing(struct typed *t, size_t column) {
  struct typed_column *const c = &t->column[column];
  c->missing += 1;
  if (c->text) {
    int32_t *const end = c->values;
    end[t->rows + 1] = end[t->rows];
  } else {
    const size_t size = heddle_type_size(c->type);
    memset((unsigned char *)c->values + t->rows * size, 0, size);
  }
}

/* Bytes of the character in front, 0 if it is none: overlong ones, surrogates and those beyond U+10FFFF are none. */
static size_t character(const unsigned char *p, size_t bytes) {
  const size_t length = p[0] < 0x80                   ? 1
                        : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                        : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                        : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || length > bytes) return 0;
  for (size_t i = 1; i < length; i++)
    if (p[i] >> 6 != 2) return 0;
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0)) return 0;
  return (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90) ? 0 : length;
}

bool typed_is_utf8(const char *text, size_t bytes) {
  const unsigned char *p = (const unsigned char *)text;
  while (bytes > 0) {
    const size_t length = character(p, bytes);
    if (length == 0) return false;
    p += length;
    bytes -= length;
  }
  return true;
}
