/* escape.c - one character at a time, so that nothing is allocated on the way to a file
 *
 * Source  RFC 8259, section 7: beyond U+FFFF an escape is a pair of surrogates
 */
#include "base/json/escape.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

size_t json_escape(const char *text, json_shows shows, char out[JSON_ESCAPED]) {
  uint32_t code;
  const size_t length = utf8_character(text, &code);
  if (length == 0) {
    memcpy(out, "\\ufffd", 7);
  } else if (code == '"' || code == '\\') {
    (void)snprintf(out, JSON_ESCAPED, "\\%c", (char)code);
  } else if (code >= 0x20 && (!shows || shows(code))) {
    memcpy(out, text, length);
    out[length] = '\0';
  } else if (code < 0x10000) {
    (void)snprintf(out, JSON_ESCAPED, "\\u%04x", (unsigned)code);
  } else {
    const unsigned above = (unsigned)(code - 0x10000);
    (void)snprintf(out, JSON_ESCAPED, "\\u%04x\\u%04x", 0xd800u + (above >> 10 & 0x3ffu),
                   0xdc00u + (above & 0x3ffu));
  }
  return length;
}

void json_quote(struct text *to, const char *text, json_shows shows) {
  char escaped[JSON_ESCAPED];
  text_add(to, "\"", 1);
  while (*text) {
    const size_t length = json_escape(text, shows, escaped);
    text_add_string(to, escaped);
    text += length ? length : 1;
  }
  text_add(to, "\"", 1);
}
