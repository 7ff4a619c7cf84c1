/* text.h - growing text, and the memory that texts and lists grow in
 *
 * Limits  a program that runs out of memory has nothing left to do: these functions then call
 *         text_no_memory, and end the process with a message and status 2. A size beyond what
 *         memory can hold counts as out of memory
 */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* A string that is added to; {0} is empty. The owner ends it with text_free. */
struct text {
  char *data; /* ends with a zero byte once something was added, if only ""; else NULL */
  size_t length, room;
};

/* text_no_memory - called, if set, where there is no memory left; if it returns or is not set,
 * the process ends */
extern void (*text_no_memory)(void);

/* Memory, to be freed. */
void *text_allocate(size_t bytes);                /* zeroed */
void *text_grow(void *memory, size_t bytes);      /* realloc */
char *text_copy(const char *from, size_t length); /* with a zero byte behind */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is added must not lie in the text itself. */
void text_add(struct text *t, const void *from, size_t length);
void text_add_string(struct text *t, const char *from);
void text_add_format(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_literal(struct text *t, const char *from); /* as a C string literal, quoted */
void text_free(struct text *t);

/* array_room - makes room for one more element of a growing array; returns the array */
void *array_room(void *array, size_t count, size_t *room, size_t element_bytes);

#endif
