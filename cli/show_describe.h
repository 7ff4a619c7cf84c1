/* show_describe.h - descriptions as a table, JSON or CSV */
#ifndef HEDDLE_CLI_SHOW_DESCRIBE_H
#define HEDDLE_CLI_SHOW_DESCRIBE_H

#include "args.h"

struct description_row {
  char name[300]; /* what the row is of; "" for the only one */
  heddle_description figures;
};

/* `what` names the column of names ("file", "column", "index"); NULL: there is one row without. */
int show_descriptions(const struct settings *s, const char *what,
                      const struct description_row *rows, size_t count, struct failure *why);

#endif
