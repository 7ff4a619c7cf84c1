/* text.h - memory and growing text of the rewriter and its tools
 *
 * Limits  a tool that runs out of memory has nothing left to do: these functions then end
 *         the program with a message and status 2
 */
#ifndef SIMT_REWRITE_TEXT_H
#define SIMT_REWRITE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

struct text {
  char *data; /* ends with a zero byte whenever length > 0 */
  size_t length, room;
};

/* text_no_memory - called, if set, where there is no memory left; if it returns or is not set, the
 * process ends */
extern void (*text_no_memory)(void);
void *text_allocate(size_t bytes);                /* zeroed */
void *text_grow(void *memory, size_t bytes);      /* realloc */
char *text_copy(const char *from, size_t length); /* with a zero byte behind */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

void text_add(struct text *t, const char *from, size_t length);
void text_add_string(struct text *t, const char *from);
void text_add_format(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_literal(struct text *t, const char *from); /* as a C string literal, quoted */
void text_free(struct text *t);

/* array_room - makes room for one more element of a growing array; returns the array */
void *array_room(void *array, size_t count, size_t *room, size_t element_bytes);

#endif
