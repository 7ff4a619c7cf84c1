/* group.h - heddle group, for the statistics of each group as well */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_GROUP_H
#define HEDDLE_CLI_COMMANDS_GROUP_GROUP_H

#include "options/args.h"

/* With figures alone as the operands in s->files. */
int group_file(const struct settings *s, const char *path, struct failure *why);

#endif
