/* help.h - help and version, made from the tables of commands and options */
#ifndef HEDDLE_CLI_OPTIONS_HELP_H
#define HEDDLE_CLI_OPTIONS_HELP_H

#include <stdio.h>

#include "commands.h"

/* Each returns the exit status: 0, or EXIT_DATA where standard output cannot be written. */
int help_short(FILE *out);
int help_all(void);
int help_command(const struct command *command, FILE *out);
int help_version(void);
/* Every command and every option of each, a line each with tabs between its fields. */
int help_table(void);

#endif
