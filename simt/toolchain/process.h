/* process.h - other programs: run them, take what they print */
#ifndef SIMT_TOOLCHAIN_PROCESS_H
#define SIMT_TOOLCHAIN_PROCESS_H

#include "rewrite/text.h"

/* A command line under construction; ends with NULL. */
struct string_list {
  char **all;
  size_t count, room;
};
void string_list_add(struct string_list *w, const char *word);
void string_list_add_all(struct string_list *w, const struct string_list *more);
void string_list_free(struct string_list *w);

/* process_run - runs a program found on PATH
 *
 * Result     its exit status; 128 + n for signal n; -1: it could not be started, errno says why
 * Arguments  out, errors: what it printed is added there; NULL: it goes where ours goes
 */
int process_run(const struct string_list *command, struct text *out, struct text *errors);

#endif
