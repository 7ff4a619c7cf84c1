/* table.h - rows of many groups in memory, in the order in which they came; what does not fit goes elsewhere
 *
 * Of few groups, and where memory is full, figures that can be found piece by piece are (held.h), and rows of the
 * groups that came too late for that go to disk by their keys' hashes (spill.h): a group is wholly in one of both. */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_TABLE_H
#define HEDDLE_CLI_COMMANDS_GROUP_TABLE_H

#include "commands/group/rows/batch.h"
#include "held.h"
#include "spill.h"

struct group_column {
  heddle_type type;
  bool rounded;     /* an integer that f64 does not hold became one */
  uint64_t *values; /* of each row */
  struct keys texts;
  uint32_t *ids; /* or these, of texts */
  size_t room;   /* of the one or the other */
};

struct group_table {
  const struct asked *q;
  heddle_context *ctx;
  size_t memory; /* bytes that it may take */
  unsigned level;
  struct keys keys; /* of the groups */
  size_t rows, room;
  uint32_t *ids;
  size_t ids_room;
  struct group_column column[INPUT_MAX_COLUMNS];
  bool numbers[INPUT_MAX_COLUMNS]; /* of each key, whether it is a number everywhere */
  uint64_t generation;             /* maps into an older one are void */
  struct held held;                /* of the first groups */
  struct spill spill;
  uint64_t taken; /* rows in all */
};

void table_start(struct group_table *t, const struct asked *q, heddle_context *ctx, size_t memory,
                 unsigned level);
/* Adds a batch's rows behind those that are there. */
int table_add(struct group_table *t, struct batch *b, struct failure *why);
void table_free(struct group_table *t); /* all but the spill's files */
void table_release(struct group_table *t);

#endif
