/* cells.c - fields cut at commas and ends of lines outside quotes, each escaped when it is whole
 *
 * Method  A field is gathered first, since its characters may come in several writes. One that is a
 *         number stands to the right, as all numbers do.
 * Source  RFC 4180 */
#include "cells.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_SHOWN = 1 }; /* a zero byte would end its field: one that HTML does not show either */

struct cells {
  char *text; /* the fields at hand, each with its end, and room for one more */
  size_t used, room;
  size_t start, fields; /* where the last field begins; how many are whole */
  size_t head, heads;   /* bytes and fields of the first record, which waits for the second */
  bool begun, open;     /* the first record is whole; rows have been written */
  bool quoted, closing; /* within quotes; a quote within them was the last character */
};

void cells_start(struct sink *s) {
  struct cells *const c = calloc(1, sizeof *c);
  if (!c && !s->failed) s->failed = fail(&s->why, EXIT_DATA, "out of memory for a table") != 0;
  if (!c) return;
  sink_text(s, "<table>\n");
  s->cells = c;
}

static bool is_number(const char *text) {
  char *end;
  (void)strtod(text, &end);
  return end != text && *end == '\0';
}

/* The head: each name stands as what is below it in the first row does. */
static void write_head(struct sink *s, const struct cells *c) {
  const char *name = c->text, *below = c->text + c->head;
  sink_text(s, "<thead>\n<tr>");
  for (size_t k = 0; k < c->heads; k++, name += strlen(name) + 1) {
    const bool there = k < c->fields;
    const bool number = there && (*below == '\0' || is_number(below));
    sink_text(s, number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
    sink_xml(s, name);
    sink_text(s, "</th>");
    if (there) below += strlen(below) + 1;
  }
  sink_text(s, "</tr>\n</thead>\n<tbody>\n");
}

static void write_row(struct sink *s, const struct cells *c) {
  const char *field = c->text + c->head;
  sink_text(s, "<tr>");
  for (size_t k = 0; k < c->fields; k++, field += strlen(field) + 1) {
    sink_text(s, is_number(field) ? "<td class=\"number\">" : "<td>");
    sink_xml(s, field);
    sink_text(s, "</td>");
  }
  sink_text(s, "</tr>\n");
}

/* What is written for the table itself goes past the cells. */
static void end_record(struct sink *s, struct cells *c) {
  s->cells = NULL;
  if (!c->begun) {
    c->head = c->used;
    c->heads = c->fields;
  } else {
    if (!c->open) write_head(s, c);
    write_row(s, c);
    c->open = true;
    c->head = 0;
  }
  s->cells = c;
  c->begun = true;
  c->used = c->start = c->head;
  c->fields = 0;
}

static void end_field(struct cells *c) {
  c->text[c->used++] = '\0';
  c->start = c->used;
  c->fields++;
}

static void end_line(struct sink *s, struct cells *c) {
  end_field(c);
  end_record(s, c);
}

static bool make_room(struct sink *s, struct cells *c) {
  enum { FIRST = 64 };
  if (c->used + 2 < c->room) return true;
  const size_t room = c->room == 0 ? FIRST : 2 * c->room;
  char *const text = room > c->room ? realloc(c->text, room) : NULL;
  if (!text) {
    s->failed =
        fail(&s->why, EXIT_DATA, "out of memory for a field of %zu bytes", c->used - c->start) != 0;
    return false;
  }
  c->text = text;
  c->room = room;
  return true;
}

void cells_write(struct sink *s, const char *data, size_t bytes) {
  struct cells *const c = s->cells;
  for (size_t i = 0; i < bytes && !s->failed && make_room(s, c); i++) {
    const char at = data[i];
    if (c->quoted && !c->closing && at == '"') {
      c->closing = true;
      continue;
    }
    if (c->closing && at != '"') c->quoted = c->closing = false;
    if (!c->quoted && at == '"')
      c->quoted = true;
    else if (!c->quoted && at == ',')
      end_field(c);
    else if (!c->quoted && at == '\n')
      end_line(s, c);
    else
      c->text[c->used++] = at == '\0' ? NOT_SHOWN : at;
    if (c->quoted) c->closing = false;
  }
}

void cells_end(struct sink *s) {
  struct cells *const c = s->cells;
  if (!c) return;
  s->cells = NULL;
  if (c->begun && !c->open) write_head(s, c);
  if (c->begun) sink_text(s, "</tbody>\n");
  sink_text(s, "</table>\n");
  s->cells = c;
  cells_free(s);
}

void cells_free(struct sink *s) {
  if (s->cells) free(s->cells->text);
  free(s->cells);
  s->cells = NULL;
}
