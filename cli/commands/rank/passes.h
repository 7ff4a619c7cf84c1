/* passes.h - quantiles, and elements by rank, of columns that are not held: their file is read again, as often as it
 *            takes */
#ifndef HEDDLE_CLI_COMMANDS_RANK_PASSES_H
#define HEDDLE_CLI_COMMANDS_RANK_PASSES_H

#include "commands/source.h"

/* Whether the columns of a file take more than `memory`, as far as can be told without reading it; what cannot be
 * opened a second time is held, unless a memory was asked for. -1: a failure. */
int passes_are_needed(const struct settings *s, const char *path, size_t memory,
                      struct failure *why);

/* Reads a source of TWO_PASSES to its end once a pass: found[column * s->share_count + share] of doubles, of heddle nth
 * the same of elements and ranks; and *count elements a column. Of a command in several processes the source is this one's part, and found is of all parts. */
int passes_find(const struct settings *s, heddle_context *ctx, struct source *src, size_t columns,
                void *found, uint64_t *count, struct failure *why);

#endif
