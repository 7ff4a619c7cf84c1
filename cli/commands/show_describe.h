/* show_describe.h - descriptions as a table, JSON or CSV */
#ifndef HEDDLE_CLI_COMMANDS_SHOW_DESCRIBE_H
#define HEDDLE_CLI_COMMANDS_SHOW_DESCRIBE_H

#include "options/args.h"

struct description_row {
  char *name;                                /* what the row is of, to be freed; NULL: see below */
  size_t index[HEDDLE_MAX_DIMS], dims, axis; /* or, with dims > 0, where along an axis it lies */
  heddle_description figures;
};

/* `what` names the column of names ("file", "column"), or is "index" for places, a column for each
 * axis but `axis` in CSV; NULL: there is one row, without either. */
int show_descriptions(const struct settings *s, const char *what,
                      const struct description_row *rows, size_t count, struct failure *why);

#endif
