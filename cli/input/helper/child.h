/* child.h - another program that reads a file for us, under limits
 *
 * It is given the file as descriptor 3, and writes to 1 and to 4; what it is told comes on 0. It has the memory of
 * this machine at most, writes no files but a little to a nameless one, its messages, and ends when we do. */
#ifndef HEDDLE_CLI_INPUT_HELPER_CHILD_H
#define HEDDLE_CLI_INPUT_HELPER_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "report/failure.h"

struct child;

enum { CHILD_FILE = 3, CHILD_DATA = 4 };

/* Starts argv[0], found on PATH; `name` stands in front of messages and stays valid. */
int child_start(const char *const *argv, int file, const char *name, struct child **out,
                struct failure *why);
void child_end(struct child *child); /* ends it; NULL is allowed */

/* Text for its descriptor 0, which is closed then. A child that is gone by now says why when it is read. */
void child_tell(struct child *child, const char *text, size_t bytes);
/* Where nothing of it is wanted any more: waits for its end, and fails if it failed, with the last line that it said. */
int child_check(struct child *child, struct failure *why);

/* Makers of streams: what it writes to 1 and to 4. At the end of its data it must end as well, as in child_check. */
int child_read_answer(void *child, void *buffer, size_t capacity, size_t *got, struct failure *why);
int child_read_data(void *child, void *buffer, size_t capacity, size_t *got, struct failure *why);

#endif
