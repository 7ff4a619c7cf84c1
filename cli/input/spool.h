/* spool.h - a temporary file: what came through a pipe and is read again, or what memory does not hold
 *
 * The file has no name: it is gone when the process is, however that ends. */
#ifndef HEDDLE_CLI_INPUT_SPOOL_H
#define HEDDLE_CLI_INPUT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct spool;

/* What messages say: "NAME REASON and cannot be kept in FOLDER: ...; REMEDY". Everything must stay
 * valid while the spool is open. */
struct spool_use {
  const char *name;   /* of the input */
  const char *folder; /* NULL: $TMPDIR, else /tmp */
  const char *reason; /* "is read twice" */
  const char *remedy; /* "set TMPDIR to a folder" */
};

int spool_open(const struct spool_use *use, struct spool **out, struct failure *why);
int spool_append(struct spool *spool, const void *data, size_t bytes, struct failure *why);
/* Fills the buffer from `offset` on; *got is short only at the end of what was appended. */
int spool_read(struct spool *spool, uint64_t offset, void *buffer, size_t capacity, size_t *got,
               struct failure *why);
uint64_t spool_bytes(const struct spool *spool);
/* Its descriptor, which is the caller's from now on; frees the spool. */
int spool_take(struct spool *spool);
void spool_close(struct spool *spool); /* NULL is allowed */

#endif
