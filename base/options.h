/* options.h - words of a command line by a table: --name VALUE, --name=VALUE, --flag
 *
 * Result  which row a word is, and its value; the messages are the program's own
 * Limits  names are not abbreviated: a script would break when a new option is added
 */
#ifndef HEDDLE_BASE_OPTIONS_H
#define HEDDLE_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/string_list.h"

/* One option. Of value, flag and all, one is set and says what the option takes and where that
 * goes: the last value given, that it was given, or a copy of every value in turn. */
struct option_entry {
  const char *name; /* with its dashes */
  const char **value;
  bool *flag;
  struct string_list *all;
};

/* option_take - stores the option that words[0] is, whose value may be words[1]
 *
 * Result     how many words were used; OPTION_NONE: no row is it; OPTION_BARE: its value is missing
 * Arguments  left: how many words there are. row: its number is written there, unless NULL
 */
enum { OPTION_NONE = 0, OPTION_BARE = -1 };
int option_take(const struct option_entry *table, size_t count, char *const *words, int left,
                size_t *row);

/* option_is - `word` is the option `name`, with or without "=VALUE". option_value - what stands
 * behind its '='; NULL: no '=' */
bool option_is(const char *word, const char *name);
const char *option_value(const char *word);

/* option_number - reads a whole number in decimal digits and nothing else. False: it is none, or
 * not from `least` to `most` */
bool option_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif
