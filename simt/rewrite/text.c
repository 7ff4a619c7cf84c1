/* Room doubles, so that adding a byte takes constant time on average (text.h). */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*text_no_memory)(void);

static void out_of_memory(void) {
  if (text_no_memory) text_no_memory();
  fputs("heddle: out of memory\n", stderr);
  exit(2);
}

void *text_allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory) out_of_memory();
  return memory;
}

void *text_grow(void *memory, size_t bytes) {
  void *grown = realloc(memory, bytes ? bytes : 1);
  if (!grown) out_of_memory();
  return grown;
}

char *text_copy(const char *from, size_t length) {
  char *copy = text_allocate(length + 1);
  if (length) memcpy(copy, from, length);
  return copy;
}

void text_add(struct text *t, const char *from, size_t length) {
  if (t->room - t->length < length + 1 || !t->data) {
    const size_t room = (t->length + length + 64) * 2;
    t->data = text_grow(t->data, room);
    t->room = room;
  }
  if (length) memcpy(t->data + t->length, from, length);
  t->length += length;
  t->data[t->length] = 0;
}

void text_add_string(struct text *t, const char *from) { text_add(t, from, strlen(from)); }

static void add_arguments(struct text *t, const char *format, va_list arguments) {
  char small[256];
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(small, sizeof small, format, arguments);
  if (length >= 0 && (size_t)length < sizeof small) {
    text_add(t, small, (size_t)length);
  } else if (length >= 0) {
    char *large = text_allocate((size_t)length + 1);
    vsnprintf(large, (size_t)length + 1, format, again);
    text_add(t, large, (size_t)length);
    free(large);
  }
  va_end(again);
}

void text_add_format(struct text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_arguments(t, format, arguments);
  va_end(arguments);
}

char *text_format(const char *format, ...) {
  struct text t = {0};
  va_list arguments;
  va_start(arguments, format);
  add_arguments(&t, format, arguments);
  va_end(arguments);
  if (!t.data) text_add(&t, "", 0);
  return t.data;
}

void text_add_literal(struct text *t, const char *from) {
  text_add(t, "\"", 1);
  for (const char *c = from; *c; c++) {
    if (*c == '"' || *c == '\\') text_add(t, "\\", 1);
    if (*c == '\n') {
      text_add(t, "\\n", 2);
    } else {
      text_add(t, c, 1);
    }
  }
  text_add(t, "\"", 1);
}

void text_free(struct text *t) {
  free(t->data);
  *t = (struct text){0};
}

void *array_room(void *array, size_t count, size_t *room, size_t element_bytes) {
  if (count < *room) return array;
  *room = *room ? *room * 2 : 64;
  return text_grow(array, *room * element_bytes);
}
