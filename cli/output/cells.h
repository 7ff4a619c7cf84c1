/* cells.h - CSV that is written into a sink becomes a table of HTML
 *
 * A command has one writer of CSV; the table of its page is what that writes. The first record is the
 * table's head. Between cells_start and cells_end sink_write takes CSV. */
#ifndef HEDDLE_CLI_OUTPUT_CELLS_H
#define HEDDLE_CLI_OUTPUT_CELLS_H

#include "sink.h"

void cells_start(struct sink *s);
void cells_end(struct sink *s);

/* For sink.c. */
void cells_write(struct sink *s, const char *data, size_t bytes);
void cells_free(struct sink *s);

#endif
