/* command.h - what the commands share: contexts, statuses, notes, lists of files */
#ifndef HEDDLE_CLI_COMMANDS_COMMAND_H
#define HEDDLE_CLI_COMMANDS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"
#include "options/args.h"
#include "report/failure.h"

/* A context on the device that the settings ask for; SIGINT cancels what runs on it. */
int command_context(const struct settings *s, heddle_context **ctx, struct failure *why);

/* 0 for HEDDLE_OK; else -1 and *why from heddle_message(), with `where`, a file, in front. */
int command_check(heddle_status status, const char *where, struct failure *why);

/* The options that the settings ask for. */
void command_options(const struct settings *s, heddle_options *options);

/* Of a command that runs in several processes (part.h): *state becomes that of all parts. 1: another
 * process has the result, and this one nothing to show. Alone: 0. */
int command_merge(const struct settings *s, heddle_context *ctx, heddle_state **state,
                  struct failure *why);

/* Messages that are no failure, unless --quiet: "heddle: ...". */
void command_note(const struct settings *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a file is called in tables and messages. */
const char *command_file_label(const char *path);

/* fold(s, path, user, why) for every file of the command line. Where there are several, one that
 * cannot be read is reported at once and the others go on, as wc does. *missing is then set, and
 * the results of the others are to be shown, unless they go to a file, which is whole or not
 * written. */
typedef int command_file(const struct settings *s, const char *path, void *user,
                         struct failure *why);
int command_each_file(const struct settings *s, command_file *fold, void *user, bool *missing,
                      struct failure *why);
/* The end of such a command: `status`, or -1 without a message if a file is missing. */
int command_missing(int status, bool missing, struct failure *why);

/* Room for count elements of size bytes, or NULL and *why. */
void *command_allocate(size_t count, size_t size, const char *what, struct failure *why);

#endif
