/* columns.h - the columns of an input in memory, whole */
#ifndef HEDDLE_CLI_COMMANDS_RANK_COLUMNS_H
#define HEDDLE_CLI_COMMANDS_RANK_COLUMNS_H

#include "commands/source.h"

/* Columns of a table, each in memory of its own. */
struct columns {
  unsigned char *data[INPUT_MAX_COLUMNS];
  const void *whole; /* one column that lies somewhere already */
  void *owned;
  size_t count; /* elements */
};

/* Reads the source, which has so many columns, to its end; *c is {0}, and freed after a failure, too. */
int columns_read(struct source *src, size_t columns, struct columns *c, struct failure *why);
void columns_free(struct columns *c);
static inline const void *columns_at(const struct columns *c, size_t columns, size_t k) {
  return columns == 1 ? c->whole : c->data[k];
}

#endif
