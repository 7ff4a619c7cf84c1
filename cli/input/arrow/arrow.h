/* arrow.h - Arrow IPC streams and files (Feather of version 2) as tables */
#ifndef HEDDLE_CLI_INPUT_ARROW_ARROW_H
#define HEDDLE_CLI_INPUT_ARROW_ARROW_H

#include "input/table/table.h"

/* Whether a file begins as one. */
bool arrow_has_magic(const unsigned char *bytes, size_t count);
/* Reads the schema. *out is freed by its format's close, in any case where it is not NULL. */
int arrow_open(struct stream *stream, struct table **out, struct failure *why);

#endif
