/* Edits stand beside their tokens; what lies between is copied as it is (unit.h). */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

static struct edit *edit_of(struct unit *u, uint32_t token) {
  if (!u->tokens[token].edit) {
    if (!u->edit_count) u->edit_count = 1;
    u->edits = array_room(u->edits, u->edit_count, &u->edit_room, sizeof *u->edits);
    u->edits[u->edit_count] = (struct edit){0};
    u->tokens[token].edit = (uint32_t)u->edit_count++;
  }
  return &u->edits[u->tokens[token].edit];
}

static void add(struct text *to, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  if (length > 0) {
    char *made = text_allocate((size_t)length + 1);
    vsnprintf(made, (size_t)length + 1, format, again);
    text_add(to, made, (size_t)length);
    free(made);
  }
  va_end(again);
}

void edit_before(struct unit *u, uint32_t token, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(&edit_of(u, token)->before, format, arguments);
  va_end(arguments);
}

void edit_after(struct unit *u, uint32_t token, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(&edit_of(u, token)->after, format, arguments);
  va_end(arguments);
}

void edit_replace(struct unit *u, uint32_t token, const char *format, ...) {
  struct edit *e = edit_of(u, token);
  va_list arguments;
  va_start(arguments, format);
  e->instead.length = 0;
  e->replaced = true;
  add(&e->instead, format, arguments);
  va_end(arguments);
}

void edit_delete(struct unit *u, uint32_t token) {
  struct edit *e = edit_of(u, token);
  e->instead.length = 0;
  e->replaced = true;
}

static void write_token(const struct unit *u, uint32_t i, struct text *out) {
  const struct token *t = &u->tokens[i];
  const struct edit *e = t->edit ? &u->edits[t->edit] : NULL;
  if (e && e->before.length) text_add(out, e->before.data, e->before.length);
  if (!e || !e->replaced) {
    text_add(out, u->text + t->start, t->length);
  } else if (e->instead.length) {
    text_add(out, e->instead.data, e->instead.length);
  }
  if (e && e->after.length) text_add(out, e->after.data, e->after.length);
}

char *unit_spelling(const struct unit *u, uint32_t token) {
  return text_copy(u->text + u->tokens[token].start, u->tokens[token].length);
}

char *unit_render(const struct unit *u, uint32_t from, uint32_t to) {
  struct text t = {0};
  text_add(&t, "", 0);
  for (uint32_t i = from; i < to; i++) {
    write_token(u, i, &t);
    if (i + 1 < to && !is_adjacent(u, i)) text_add(&t, " ", 1);
  }
  for (size_t i = 0; i < t.length; i++) { /* a raw string may hold a newline */
    if (t.data[i] == '\n') t.data[i] = ' ';
  }
  return t.data;
}

void unit_write(const struct unit *u, struct text *out) {
  size_t at = 0;
  for (uint32_t i = 0; i < u->token_count; i++) {
    const struct token *t = &u->tokens[i];
    if (!t->edit) continue; /* untouched text goes out in one piece with what follows */
    text_add(out, u->text + at, t->start - at);
    write_token(u, i, out);
    at = (size_t)t->start + t->length;
    /* A raw string may hold lines, which count even where it goes. */
    for (size_t k = t->start; t->kind == TOKEN_STRING && u->edits[t->edit].replaced && k < at;
         k++) {
      if (u->text[k] == '\n') text_add(out, "\n", 1);
    }
  }
  text_add(out, u->text + at, u->length - at);
}
