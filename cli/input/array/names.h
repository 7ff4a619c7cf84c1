/* names.h - which of the arrays of a file is meant, and what is said where that is not clear */
#ifndef HEDDLE_CLI_INPUT_ARRAY_NAMES_H
#define HEDDLE_CLI_INPUT_ARRAY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/failure.h"

/* Names that were met, as far as a message has room for them. */
struct names {
  const char *wanted; /* NULL: the only one there is */
  const char *ending; /* may be left out of the wanted name, such as ".npy", or NULL */
  size_t count, matches, used;
  char list[600];
};

void names_start(struct names *names, const char *wanted, const char *ending);
/* Whether this is the one. */
bool names_add(struct names *names, const char *name, size_t bytes);
/* After all names: 0 if exactly one is meant. `file` has them, and `option` chooses; `kind` is what they
 * are: "member". */
int names_check(const struct names *names, const char *file, const char *kind, const char *option,
                struct failure *why);
/* "FILE:NAME", to be freed; NULL without memory. */
char *names_join(const char *file, const char *name, size_t bytes);

#endif
