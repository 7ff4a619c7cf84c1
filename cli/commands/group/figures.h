/* figures.h - how each figure is found, of rows in the order of their groups */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_FIGURES_H
#define HEDDLE_CLI_COMMANDS_GROUP_FIGURES_H

#include "ordered.h"

/* A fold by `op`, or a description; real: of the column as f64, whatever it is. */
struct figure_way {
  bool reduce, describe, real;
  heddle_op op;
};
struct figure_way figure_way_of(const struct asked *q, size_t f);
/* Of folds and descriptions of f64. */
void figure_options(const struct asked *q, size_t f, heddle_options *options);
/* How many of the values are no NaN. */
uint64_t figure_count(const double *values, size_t count);
/* Figure f of a group with `count` values, from its fold in *value, of `type`, or its description. */
void figure_settle(const struct asked *q, size_t f, heddle_type type, uint64_t count,
                   const heddle_description *d, uint64_t *value);

/* What a table's groups come to. */
struct results {
  size_t groups;
  heddle_type type[GROUP_FIGURES]; /* of those that are no texts */
  uint64_t *value[GROUP_FIGURES];
  struct held_text *text[GROUP_FIGURES]; /* or these, in the table's memory */
};
int figures_find(struct group_table *t, struct results *r, struct failure *why);
void figures_free(struct results *r);

#endif
