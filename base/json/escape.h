/* escape.h - strings as JSON writes them
 *
 * Limits  a JSON text is UTF-8; bytes that are none become U+FFFD
 */
#ifndef HEDDLE_BASE_JSON_ESCAPE_H
#define HEDDLE_BASE_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Which characters are written as they are; the others as \uXXXX. Quote, backslash and control
 * characters are escaped whatever it says; NULL: all others are written as they are. */
typedef bool (*json_shows)(uint32_t code);

/* json_escape - writes to `out` what stands for the character at the start of text, "\ufffd" for a
 * byte that is no UTF-8. Returns the character's bytes in text, 0 for such a byte */
enum { JSON_ESCAPED = 16 };
size_t json_escape(const char *text, json_shows shows, char out[JSON_ESCAPED]);

/* json_quote - adds text with its quotes */
void json_quote(struct text *to, const char *text, json_shows shows);

#endif
