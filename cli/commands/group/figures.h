/* figures.h - how each figure is found, of rows in the order of their groups */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_FIGURES_H
#define HEDDLE_CLI_COMMANDS_GROUP_FIGURES_H

#include "table.h"

/* A fold by `op`, or a description; real: of the column as f64, whatever it is. */
struct figure_way {
  bool reduce, describe, real;
  heddle_op op;
};
struct figure_way figure_way_of(const struct asked *q, size_t f);
void figure_options(const struct asked *q, size_t f, heddle_type type, heddle_options *options);
/* How many of the values are no NaN. */
uint64_t figure_count(const double *values, size_t count);
/* Figure f of a group with `count` values, from its fold in *value, of `type`, or its description. */
void figure_settle(const struct asked *q, size_t f, heddle_type type, uint64_t count,
                   const heddle_description *d, uint64_t *value);

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
/* All columns of numbers are gathered. */
int ordered_make(struct table *t, struct ordered *o, struct failure *why);
void ordered_free(struct ordered *o);
/* The text of a figure that is one, first or last, of the group's rows; NULL: it has no rows. With missing values
 * skipped the first or last that is there, else an empty one. */
const char *figure_text(const struct table *t, const struct ordered *o, size_t f, size_t group,
                        size_t *length);

/* What a table's groups come to. */
struct results {
  size_t groups;
  heddle_type type[GROUP_FIGURES]; /* of those that are no texts */
  uint64_t *value[GROUP_FIGURES];
  struct held_text *text[GROUP_FIGURES]; /* or these, in the table's memory */
};
int figures_find(struct table *t, struct results *r, struct failure *why);
void figures_free(struct results *r);

#endif
