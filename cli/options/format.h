/* format.h - what the ending of an output's name asks for */
#ifndef HEDDLE_CLI_OPTIONS_FORMAT_H
#define HEDDLE_CLI_OPTIONS_FORMAT_H

#include "args.h"
#include "output/sink.h"
#include "report/failure.h"

/* Whether the file's name ends in `ending`, such as ".npy", in any case. NULL does not. */
bool output_ends(const char *path, const char *ending);

/* How arrays are written to it: .npy; raw for .raw and .bin; else text. */
enum array_format output_array_format(const char *path);

/* The to_format of a file whose name ends as a format of columns under names; else TO_DEFAULT. */
int output_table_format(const char *path);

/* Lines of a table keep their delimiter, whatever the output's name says: a failure where they differ. */
int output_check_lines(const struct settings *s, char delimiter, const char *label,
                       struct failure *why);

/* Takes the style from the ending of --output where no option gives it, and refuses endings of
 * what the command does not write, before any work is done. */
int output_format_settle(const char *command, enum command_id id, struct settings *s,
                         struct failure *why);

#endif
