/* points.h - blocks of coordinates: two columns of a table, or two files */
#ifndef HEDDLE_CLI_COMMANDS_HIST2D_POINTS_H
#define HEDDLE_CLI_COMMANDS_HIST2D_POINTS_H

#include "commands/source.h"
#include "options/args.h"

struct points {
  struct source a, b;
  bool two; /* files */
  struct pair pair;
};
int points_open(const struct settings *s, bool two_passes, struct points *in, struct failure *why);
/* Coordinates x[0] and x[1]; *count 0 at the end. */
int points_next(struct points *in, const void *x[2], size_t *count, struct failure *why);
int points_rewind(struct points *in, struct failure *why);
void points_close(struct points *in);
heddle_type points_type(const struct points *in);
/* What an axis is called: the column, or the file. */
const char *points_name(const struct points *in, const struct settings *s, size_t axis);

#endif
