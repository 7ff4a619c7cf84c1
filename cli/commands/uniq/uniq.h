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
  struct line_table *tables; /* as many as threads */
  size_t table_count;
  struct line_writer out;
  uint64_t bad, comments; /* lines passed over */
};

enum { UNIQ_THREADS_MOST = 64 };

/* Text, line by line; g.src is open. */
int uniq_lines(struct uniq *q, struct failure *why);
/* blocks.c: all lines, each into the table that its key's tag names. */
int uniq_blocks(struct uniq *q, struct failure *why);
/* A table to a new run; by one thread at a time. */
int uniq_add_run(struct uniq *q, struct line_table *t, struct failure *why);
/* tables.c: the tables to the output, where there are no runs. */
int uniq_merge_tables(struct uniq *q, struct failure *why);
/* merge.c: the runs to the output, q->out; or, where there are too many, some to one. */
int uniq_merge(struct uniq *q, struct failure *why);
int uniq_merge_levels(struct uniq *q, struct failure *why);

#endif
