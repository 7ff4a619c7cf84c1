/* uniq.h - what one call of heddle uniq has */
#ifndef HEDDLE_CLI_COMMANDS_UNIQ_UNIQ_H
#define HEDDLE_CLI_COMMANDS_UNIQ_UNIQ_H

#include "commands/sort/sort.h"
#include "input/records.h"
#include "table.h"
#include "writer.h"

struct uniq {
  const struct settings *s;
  struct sorting g; /* its source, memory and runs are those of lines, too */
  struct records *records;
  struct line_table table;
  struct line_writer out;
  uint64_t bad; /* lines passed over */
};

/* Text, line by line; g.src is open. */
int uniq_lines(struct uniq *q, struct failure *why);
/* merge.c: the runs to the output, q->out; or, where there are too many, some to one. */
int uniq_merge(struct uniq *q, struct failure *why);
int uniq_merge_levels(struct uniq *q, struct failure *why);

#endif
