/* show_values.h - the results of reduce and dot, as a table, JSON, CSV or .npy */
#ifndef HEDDLE_CLI_COMMANDS_SHOW_VALUES_H
#define HEDDLE_CLI_COMMANDS_SHOW_VALUES_H

#include "options/args.h"

struct value_row {
  const char *file;
  char *column; /* NULL where there is one only; freed with the values */
  heddle_type type;
  uint64_t value[1];
  uint64_t index; /* argmin, argmax; of heddle nth the rank */
  uint64_t count; /* elements folded */
  double share;   /* quantile */
};

struct values {
  const char *op;
  bool indexed; /* argmin, argmax: the index is a result too, and the one of an array */
  bool ranked;  /* a row a rank, which is its index, in front of what is found there */
  bool files;   /* several files: rows name theirs */
  bool columns; /* several columns */
  struct value_row *rows;
  size_t count, room;
  bool shares; /* quantiles: each row's share is a part of it */
};

/* The next row, zeroed; NULL and *why if there is no memory. */
struct value_row *values_add(struct values *v, struct failure *why);
/* Names the row's column. */
int value_name(struct value_row *row, const char *column, struct failure *why);
/* Keeps the first `count` rows. */
void values_cut(struct values *v, size_t count);
void values_free(struct values *v);

int show_values(const struct settings *s, const struct values *v, struct failure *why);

/* Results along an axis: `count` values of `type` in an array of dims dimensions, and where
 * there are indices those of argmin or argmax. axis < 0: not told of. */
struct value_array {
  const char *op;
  int axis;
  heddle_type type;
  const void *values;
  const uint64_t *indices;
  size_t count, dims;
  const size_t *shape;
};
int show_array(const struct settings *s, const struct value_array *a, struct failure *why);

#endif
