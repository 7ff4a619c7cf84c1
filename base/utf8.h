/* utf8.h - characters of texts that others wrote: which are UTF-8, which a terminal may be given
 *
 * Limits  nothing is allocated, nothing fails; text that is no UTF-8 is an answer, not an error
 */
#ifndef HEDDLE_BASE_UTF8_H
#define HEDDLE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* utf8_decode - the bytes of the UTF-8 character at `at`, of which `left` can be read, and what
 * it is; 0 if there is none, and then *code is the first byte. utf8_character - the same in a
 * string */
size_t utf8_decode(const void *at, size_t left, uint32_t *code);
size_t utf8_character(const char *text, uint32_t *code);
bool utf8_valid(const char *text);

/* Whether a character only shows: it moves no cursor, ends no line, turns no direction. */
bool utf8_shows(uint32_t code);

/* What stands for the start of text on a terminal: a character that only shows, as it is, and of
 * anything else each byte as \xNN. Returns the bytes of text that it stands for. */
enum { UTF8_SAFE = 20 };
size_t utf8_safe(const char *text, char safe[UTF8_SAFE]);

#endif
