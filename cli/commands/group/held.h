/* held.h - figures of groups found so far, by states of the library, so that rows need not be kept
 *
 * A state gives the bits of the plain call however its rows are cut. While a column is of integers these are folded as
 * such, too, and as f64: it may turn out to be one of f64. */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_HELD_H
#define HEDDLE_CLI_COMMANDS_GROUP_HELD_H

#include "commands/group/rows/asked.h"
#include "wide.h"

struct group_table;

struct held_text {
  char *text; /* NULL: none yet */
  size_t length;
};

struct held {
  size_t groups, room;
  struct held_figure {
    struct wide *whole; /* of integers, as long as a column has nothing else */
    heddle_state **real;
    uint64_t *counts;
    struct held_text *texts;
  } of[GROUP_FIGURES];
};

/* Whether all that is asked for can be found piece by piece. */
bool held_can(const struct asked *q);
/* Bytes that a group takes, about. */
size_t held_cost(const struct asked *q);
/* The rows of the table's first `groups` groups are taken. */
int held_take(struct group_table *t, size_t groups, struct failure *why);
/* Figure f of every group that is one of f64, or a count. */
int held_values(const struct group_table *t, size_t f, uint64_t *values, struct failure *why);
void held_free(struct held *h);

#endif
