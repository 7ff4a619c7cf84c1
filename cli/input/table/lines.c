/* lines.c - a table as CSV: a header, and a line a row
 *
 * Result  Names and words are quoted where they must be, "" inside, and in front of a '#', which would begin a comment. What is missing is an empty field, as is what is not wanted, and in
 *         a table of one column "", since an empty line is none. Numbers are the shortest decimals that read back
 *         as the same element, truth values 0 and 1, dates and times ISO 8601. */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text/element.h"
#include "text/quoting.h"

enum { FIRST_ROOM = 1 << 17, ENOUGH = 1 << 16 };

struct table_lines {
  struct table *table;
  size_t row; /* of the latest batch, the next one */
  char *text;
  size_t room, begin, end; /* [begin, end) is to be handed on */
  bool started, ended, full;
};

struct table_lines *table_lines_new(struct table *table) {
  char text[NUMBER_TEXT];
  struct table_lines *const lines = calloc(1, sizeof *lines);
  if (!lines) return NULL;
  lines->table = table;
  lines->room = FIRST_ROOM;
  lines->text = malloc(lines->room);
  (void)double_text(text,
                    0.5); /* its tables are made here, not beside another thread that prints */
  if (lines->text) return lines;
  free(lines);
  return NULL;
}

void table_lines_free(struct table_lines *lines) {
  if (!lines) return;
  free(lines->text);
  free(lines);
}

/* ---- fields -------------------------------------------------------------------------------- */

/* Room for `bytes` more; full is set where there is no memory. */
static bool reserve(struct table_lines *l, size_t bytes) {
  if (bytes <= l->room - l->end) return true;
  size_t room = l->room;
  while (!l->full && bytes > room - l->end)
    l->full = __builtin_mul_overflow(room, (size_t)2, &room);
  char *const larger = l->full ? NULL : realloc(l->text, room);
  l->full = !larger;
  if (!larger) return false;
  l->text = larger;
  l->room = room;
  return true;
}

static void put(struct table_lines *l, char c) {
  if (reserve(l, 1)) l->text[l->end++] = c;
}

static void put_words(struct table_lines *l, const char *text, size_t bytes) {
  if (bytes > SIZE_MAX / 4 || !reserve(l, 2 * bytes + 2)) {
    l->full = true;
    return;
  }
  if (bytes > 0 && text_stands_alone(text, bytes, ',')) {
    memcpy(l->text + l->end, text, bytes);
    l->end += bytes;
    return;
  }
  l->text[l->end++] = '"';
  for (size_t i = 0; i < bytes; i++) {
    if (text[i] == '"') l->text[l->end++] = '"';
    l->text[l->end++] = text[i];
  }
  l->text[l->end++] = '"';
}

static void put_number(struct table_lines *l, const struct table_column *c,
                       const unsigned char *element) {
  int64_t wide = 0;
  if (!reserve(l, NUMBER_TEXT + DATE_TEXT)) return;
  char *const to = l->text + l->end;
  if (c->unit == UNIT_NONE) {
    l->end += (size_t)element_text(to, c->type, element);
    return;
  }
  int32_t narrow;
  memcpy(&narrow, element, sizeof narrow);
  if (c->type == HEDDLE_I64)
    memcpy(&wide, element, sizeof wide);
  else
    wide = narrow;
  l->end += (size_t)date_text(to, c->unit, wide, c->utc);
}

static void put_field(struct table_lines *l, size_t column) {
  const struct table *const t = l->table;
  const struct table_part *const part = &t->part[column];
  const struct table_column *const c = &t->column[column];
  if (!c->wanted) return;
  if (part->valid && !table_bit(part->valid, l->row)) {
    if (t->columns == 1) put_words(l, "", 0);
    return;
  }
  if (c->kind == TABLE_BITS) {
    put(l, table_bit(part->values, l->row) ? '1' : '0');
  } else if (c->kind == TABLE_NUMBERS) {
    put_number(l, c, part->values + l->row * heddle_type_size(c->type));
  } else {
    const char *text;
    size_t bytes;
    t->format->text(t, column, l->row, &text, &bytes);
    put_words(l, text, bytes);
  }
}

static void put_header(struct table_lines *l) {
  for (size_t c = 0; c < l->table->columns; c++) {
    const char *const name = l->table->column[c].name;
    put_words(l, name, strlen(name));
    put(l, c + 1 < l->table->columns ? ',' : '\n');
  }
}

char *table_header(const struct table *table) {
  struct table_lines l = {.table = (struct table *)table, .room = FIRST_ROOM};
  l.text = malloc(l.room);
  if (l.text) put_header(&l);
  put(&l, '\0');
  if (!l.full) return l.text;
  free(l.text);
  return NULL;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* More text, unless there is none. */
static int more(struct table_lines *l, struct failure *why) {
  struct table *const t = l->table;
  l->begin = l->end = 0;
  if (!l->started) put_header(l);
  l->started = true;
  while (l->end < ENOUGH && !l->full && !l->ended) {
    if (l->row < t->rows) {
      for (size_t c = 0; c < t->columns; c++) {
        if (c > 0) put(l, ',');
        put_field(l, c);
      }
      put(l, '\n');
      l->row += 1;
      continue;
    }
    const int next = t->format->next(t, why);
    if (next < 0) return -1;
    l->row = 0;
    l->ended = next == 0;
  }
  return l->full ? fail(why, EXIT_DATA, "%s: no memory for a line of it", t->name) : 0;
}

int table_lines_make(void *lines, void *buffer, size_t capacity, size_t *got, struct failure *why) {
  struct table_lines *const l = lines;
  if (l->begin == l->end && !l->ended && more(l, why) != 0) return -1;
  *got = l->end - l->begin < capacity ? l->end - l->begin : capacity;
  memcpy(buffer, l->text + l->begin, *got);
  l->begin += *got;
  return 0;
}
