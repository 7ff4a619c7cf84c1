/* UTF-8 decoded and checked; controls and marks of direction escaped (print.h). */
#include "print.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/json/escape.h"
#include "base/utf8.h"

/* Controls, and marks that change the direction of what follows. */
static bool is_hidden(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

void print_clean(struct text *out, const char *from) {
  uint32_t c;
  for (size_t bytes; *from; from += bytes ? bytes : 1) {
    bytes = utf8_character(from, &c);
    if (bytes && !is_hidden(c)) {
      text_add(out, from, bytes);
    } else if (bytes > 1) {
      text_add_format(out, "\\u%04x", c);
    } else {
      text_add_format(out, "\\x%02x", (unsigned char)*from);
    }
  }
}

static bool shows(uint32_t c) { return !is_hidden(c); }

void print_json(struct text *out, const char *from) { json_quote(out, from, shows); }

void print_number(struct text *out, uint64_t n) {
  char digits[32];
  const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text_add(out, ",", 1);
    text_add(out, digits + i, 1);
  }
}
