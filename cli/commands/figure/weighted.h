/* weighted.h - heddle mean --weights */
#ifndef HEDDLE_CLI_COMMANDS_FIGURE_WEIGHTED_H
#define HEDDLE_CLI_COMMANDS_FIGURE_WEIGHTED_H

#include "commands/show_values.h"
#include "commands/source.h"

/* A row for each column of the file but the weights, s->weights. */
int weighted_file(const struct settings *s, heddle_context *ctx, const char *path, struct values *v,
                  struct failure *why);

#endif
