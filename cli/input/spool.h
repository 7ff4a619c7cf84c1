/* spool.h - what came through a pipe, kept in a temporary file so that it can be read again
 *
 * The file is in $TMPDIR, or /tmp, and has no name: it is gone when the process is. */
#ifndef HEDDLE_CLI_INPUT_SPOOL_H
#define HEDDLE_CLI_INPUT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct spool;

/* `name` of the input stands in front of messages and must stay valid. */
int spool_open(const char *name, struct spool **out, struct failure *why);
int spool_append(struct spool *spool, const void *data, size_t bytes, struct failure *why);
/* Fills the buffer from `offset` on; *got is short only at the end of what was appended. */
int spool_read(struct spool *spool, uint64_t offset, void *buffer, size_t capacity, size_t *got,
               struct failure *why);
uint64_t spool_bytes(const struct spool *spool);
void spool_close(struct spool *spool); /* NULL is allowed */

#endif
