/* synonyms.h - what other programs call the things that are here, or nearly so */
#ifndef HEDDLE_CLI_OPTIONS_SYNONYMS_H
#define HEDDLE_CLI_OPTIONS_SYNONYMS_H

/* Where to find what a command, an operator or a type of that name is elsewhere, as the rest of a
 * sentence; NULL if the name is no such one. Upper case counts as lower. */
const char *synonym_of_command(const char *name);
const char *synonym_of_operator(const char *name);
const char *synonym_of_type(const char *name);

#endif
