/* asked.h - what one call of heddle group is asked for: keys, figures, the columns they are of; what a batch has */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_ASKED_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_ASKED_H

#include <stdint.h>

#include "expression/expression.h"
#include "options/args.h"
#include "spec.h"

enum { GROUP_FIGURES = 64 };

struct asked {
  const struct settings *s;
  const char *path;
  size_t keys; /* columns that rows are grouped by, s->keys */
  size_t figures;
  struct {
    struct spec spec;
    const char *name; /* as it was asked for: "sum:price" */
    size_t column;    /* of column below; of FIGURE_ROWS none */
  } of[GROUP_FIGURES];
  size_t columns;
  struct {
    const char *name;
    bool text; /* its characters are asked for, not numbers */
    bool any;  /* numbers as long as all are: what is none is missing, and the batch says so */
  } column[INPUT_MAX_COLUMNS];
  bool lines;     /* rows are wanted as they stand, with their places */
  bool condition; /* --where */
  struct expression where;
};

/* The file is q->path, or among the operands if that is NULL. */
int asked_read(const struct settings *s, struct asked *q, struct failure *why);
/* q->s->where, where it is given. */
int asked_condition(struct asked *q, struct failure *why);
void asked_free(struct asked *q);
/* Names of all columns that are read: keys, columns of figures, of the condition. */
size_t asked_names(const struct asked *q, const char *names[INPUT_MAX_COLUMNS]);

#endif
