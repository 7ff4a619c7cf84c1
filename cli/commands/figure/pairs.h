/* pairs.h - results of two values each: least and greatest, value and count */
#ifndef HEDDLE_CLI_COMMANDS_FIGURE_PAIRS_H
#define HEDDLE_CLI_COMMANDS_FIGURE_PAIRS_H

#include "commands/show_values.h"
#include "commands/source.h"

/* values.rows[2 * k] and [2 * k + 1] are the pair of one file and column; names are what each is called. */
int show_pairs(const struct settings *s, const struct values *v, const char *const names[2],
               struct failure *why);
/* The next row of values, of a column of the source: named where there are several. */
struct value_row *pair_add(const struct source *src, struct values *v, size_t column,
                           struct failure *why);

#endif
