/* utf8.h - characters of names that users give: which are UTF-8, which a terminal may be given */
#ifndef HEDDLE_CLI_UTF8_H
#define HEDDLE_CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the UTF-8 character at text, a string, and what it is; 0 if there is none. */
size_t utf8_character(const char *text, uint32_t *code);
bool utf8_valid(const char *text);

/* Whether a character only shows: it moves no cursor, ends no line, turns no direction. */
bool utf8_shows(uint32_t code);

/* What stands for the start of text on a terminal: a character that only shows, as it is, and of
 * anything else each byte as \xNN. Returns the bytes of text that it stands for. */
enum { UTF8_SAFE = 20 };
size_t utf8_safe(const char *text, char safe[UTF8_SAFE]);

#endif
