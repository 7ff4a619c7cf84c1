/* utf8.c - tables of what a character may begin with, and of what does not show
 *
 * Source  RFC 3629 for what is UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF;
 *         Unicode 15, section 23.2 for what turns the direction of writing */
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t utf8_decode(const void *at, size_t left, uint32_t *code) {
  static const struct {
    unsigned char first, last, low, high; /* of the first byte and of the second */
    size_t length;
  } forms[] = {
      {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  static const unsigned char bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07}; /* of the first byte */
  const unsigned char *const s = at;
  *code = left ? s[0] : 0;
  for (size_t f = 0; left && f < sizeof forms / sizeof *forms; f++) {
    if (s[0] < forms[f].first || s[0] > forms[f].last) continue;
    if (left < forms[f].length) return 0;
    uint32_t found = s[0] & bits[forms[f].length];
    for (size_t i = 1; i < forms[f].length; i++) {
      const unsigned low = i == 1 ? forms[f].low : 0x80, high = i == 1 ? forms[f].high : 0xbf;
      if (s[i] < low || s[i] > high) return 0;
      found = found << 6 | (s[i] & 0x3fu);
    }
    *code = found;
    return forms[f].length;
  }
  return 0;
}

/* A string's last byte is 0, which continues no character: nothing behind it is read. */
size_t utf8_character(const char *text, uint32_t *code) {
  return utf8_decode(text, SIZE_MAX, code);
}

bool utf8_valid(const char *text) {
  uint32_t code;
  while (*text) {
    const size_t length = utf8_character(text, &code);
    if (length == 0) return false;
    text += length;
  }
  return true;
}

bool utf8_shows(uint32_t code) {
  static const struct {
    uint32_t first, last;
  } hidden[] = {{0, 0x1f},        {0x7f, 0x9f},      {0x061c, 0x061c}, {0x200e, 0x200f},
                {0x2028, 0x202e}, {0x2066, 0x2069},  {0xfff9, 0xfffb}, {0xfffe, 0xffff},
                {0xfeff, 0xfeff}, {0xe0000, 0xe007f}};
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (code >= hidden[i].first && code <= hidden[i].last) return false;
  return true;
}

size_t utf8_safe(const char *text, char safe[UTF8_SAFE]) {
  uint32_t code;
  const size_t length = utf8_character(text, &code), bytes = length == 0 ? 1 : length;
  if (length > 0 && utf8_shows(code)) {
    memcpy(safe, text, length);
    safe[length] = '\0';
    return length;
  }
  for (size_t i = 0; i < bytes; i++)
    (void)snprintf(safe + 4 * i, UTF8_SAFE - 4 * i, "\\x%02x", (unsigned char)text[i]);
  return bytes;
}
