/* programs.h - commands that are programs of their own, beside this one in ../libexec/heddle */
#ifndef HEDDLE_CLI_OPTIONS_PROGRAMS_H
#define HEDDLE_CLI_OPTIONS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* Those that come with Heddle; any other heddle-NAME that is there runs too. */
struct program {
  const char *name;
  const char *summary;
};
extern const struct program program_table[];
extern const size_t program_count;

/* program_path - where heddle-NAME would be; false: there is no such place */
bool program_path(const char *name, char *path, size_t room);
/* program_is_there - an installation may be without them */
bool program_is_there(const char *name);

#endif
