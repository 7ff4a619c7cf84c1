/* values.h - blocks of numbers of the chosen columns of a table */
#ifndef HEDDLE_CLI_INPUT_TABLE_VALUES_H
#define HEDDLE_CLI_INPUT_TABLE_VALUES_H

#include "input/detect.h"
#include "table.h"

struct table_values {
  struct text_layout layout; /* which columns, under which names */
  heddle_type type;          /* of all of them */
  uint64_t offset, count;    /* rows to pass over, and to deliver at most */
  uint64_t passed, delivered;
  size_t row; /* of the latest batch, the next one */
  bool rounded[INPUT_MAX_COLUMNS];
  void *block[INPUT_MAX_COLUMNS], *widened;
};

/* Whether the columns chosen need `nulls` to be exact. */
bool table_values_need_scan(const struct table_values *v, const struct table *t);
/* The type that holds all chosen columns, with their missing ones; fails where one has no numbers. */
int table_values_start(struct table_values *v, const struct table *t, struct failure *why);
int table_values_next(struct table_values *v, struct table *t, const void *data[], size_t *count,
                      struct failure *why);
void table_values_restart(struct table_values *v);
void table_values_free(struct table_values *v);

#endif
