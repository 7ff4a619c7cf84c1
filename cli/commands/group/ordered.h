/* ordered.h - a table's rows group after group, in each group as they came */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ORDERED_H
#define HEDDLE_CLI_COMMANDS_GROUP_ORDERED_H

#include "table.h"

/* A table's rows group after group, in memory of the host whatever the device is. */
struct ordered {
  uint64_t *offsets; /* of each group, and the end */
  uint32_t *order;   /* rows */
  struct ordered_column {
    heddle_type type;
    uint64_t *values; /* of the type; NULL of texts */
    double *real;     /* the same as f64; may be values */
  } column[INPUT_MAX_COLUMNS];
};
/* Rows in order, and one column of numbers; both where they are not there yet. */
int ordered_rows(const struct group_table *t, struct ordered *o, struct failure *why);
int ordered_column(const struct group_table *t, struct ordered *o, size_t c, struct failure *why);
/* Rows, and all columns of numbers. */
int ordered_make(struct group_table *t, struct ordered *o, struct failure *why);
void ordered_free(struct ordered *o);
/* The id of the text of column c that is the i-th in order. */
uint32_t ordered_text(const struct group_table *t, const struct ordered *o, size_t c, size_t i);
/* The text of a figure that is one, first or last, of the group's rows; NULL: it has no rows. With missing values
 * skipped the first or last that is there, else an empty one. */
const char *figure_text(const struct group_table *t, const struct ordered *o, size_t f,
                        size_t group, size_t *length);

#endif
