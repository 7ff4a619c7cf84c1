/* reader.h - a file's rows into a table: blocks of text are parsed by several threads, and added in their order */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_READER_H
#define HEDDLE_CLI_COMMANDS_GROUP_READER_H

#include "commands/source.h"
#include "table.h"

/* labels: the names of keys by the header, to be freed; NULL without one. */
int reader_read(struct source *src, const struct input_options *options, unsigned threads,
                struct table *t, char *labels[INPUT_MAX_COLUMNS], struct failure *why);

#endif
