/* base.h - text, paths and failures of heddle-ladder
 *
 * Result   strings of any length without a thought; a failure that ends the program with one
 *          line on standard error
 * Limits   memory that cannot be had ends the program
 */
#ifndef LADDER_TOOL_BASE_H
#define LADDER_TOOL_BASE_H

#include <stdbool.h>
#include <stddef.h>

enum { STATUS_RIGHT = 0, STATUS_WRONG = 1, STATUS_USAGE = 2 };

#define PRINTF_LIKE(text, list) __attribute__((__format__(printf, text, list)))

/* fail - "heddle ladder: ..." and exit(STATUS_USAGE) */
void fail(const char *format, ...) PRINTF_LIKE(1, 2) __attribute__((noreturn));

/* format - a new string, as printf; the caller frees it */
char *format(const char *text, ...) PRINTF_LIKE(1, 2);

void *grow(void *memory, size_t bytes); /* realloc that fails */

/* A string that is added to. */
struct text {
  char *data; /* ends in 0; NULL while empty */
  size_t used, size;
};
void text_add(struct text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_bytes(struct text *t, const void *data, size_t bytes);

/* A NULL-ended list of strings that it owns. */
struct list {
  char **item;
  size_t count;
};
void list_add(struct list *l, char *owned);
void list_free(struct list *l);

/* file_partial - where a file is written before file_settle puts it in its place: a new string. What
 * is there already and no file (a device, a pipe) is written directly */
char *file_partial(const char *path);
bool file_settle(const char *partial, const char *path); /* false: errno says why */
bool file_exists(const char *path);
bool program_exists(const char *path);            /* may be executed */
char *file_read(const char *path, size_t *bytes); /* NULL: errno says why */
void make_folder(const char *path);               /* and those above it; fails */
char *find_in_path(const char *name);             /* NULL if PATH has no such program */
void remove_at_exit(const char *path);            /* a file or, added before its files, a folder */
char *scratch_folder(void);                       /* a new one, removed at exit if then empty */
const char *own_folder(void);                     /* where this executable lies */

/* same_words - `word` occurs in `text`; case is ignored, '-' and '_' equal ' ' */
bool same_words(const char *text, const char *word);

#endif
