/* process.h - other programs: run them, take what they print */
#ifndef SIMT_TOOLCHAIN_PROCESS_H
#define SIMT_TOOLCHAIN_PROCESS_H

#include "rewrite/text.h"

/* A command line under construction; ends with NULL. */
struct words {
  char **all;
  size_t count, room;
};
void words_add(struct words *w, const char *word);
void words_add_all(struct words *w, const struct words *more);
void words_free(struct words *w);

/* process_run - runs a program found on PATH
 *
 * Result     its exit status; 128 + n for signal n; -1: it could not be started, errno says why
 * Arguments  out, errors: what it printed is added there; NULL: it goes where ours goes
 */
int process_run(const struct words *command, struct text *out, struct text *errors);

#endif
