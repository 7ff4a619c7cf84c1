/* group.h - what one call of heddle group has: figures, the table that was read, results */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_GROUP_H
#define HEDDLE_CLI_COMMANDS_GROUP_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "keys.h"
#include "options/args.h"

enum figure { FIGURE_COUNT, FIGURE_SUM, FIGURE_MEAN, FIGURE_MIN, FIGURE_MAX, FIGURE_PROD };
enum { GROUP_FIGURES = 64 };

struct grouping {
  const struct settings *s;
  const char *path;
  size_t figures;
  struct {
    enum figure figure;
    const char *name; /* as it was asked for: "sum:price" */
    size_t column;    /* of column below; of a count none */
    heddle_type type;
    void *result; /* an element a group, in the order of ids */
  } of[GROUP_FIGURES];

  size_t columns; /* of numbers */
  struct {
    const char *name;
    heddle_type type; /* i64 as long as all are such, then f64 */
    uint64_t *values;
  } column[INPUT_MAX_COLUMNS];
  char *key_label; /* by the header; or NULL */
  struct keys keys;
  size_t rows, room;
  uint32_t *ids;
  uint32_t *order; /* of the groups */
};

/* Reads the file: ids and columns. */
int group_read(struct grouping *g, struct failure *why);
int group_show(const struct grouping *g, struct failure *why);

#endif
