/* UTF-8 decoded and checked; controls and marks of direction escaped (print.h). */
#include "print.h"

#include <stdbool.h>
#include <stdio.h>

/* The character at `s` and its bytes; 0 bytes: it is no UTF-8. */
static uint32_t decode(const unsigned char *s, size_t *bytes) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned first = s[0];
  const size_t n = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  *bytes = 0;
  if (!n || first > 0xF4) return 0;
  uint32_t c = n == 1 ? first : first & (0x7Fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3Fu);
  }
  if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
  *bytes = n;
  return c;
}

/* Controls, and marks that change the direction of what follows. */
static bool is_hidden(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

void print_clean(struct text *out, const char *from) {
  const unsigned char *s = (const unsigned char *)from;
  while (*s) {
    size_t bytes;
    const uint32_t c = decode(s, &bytes);
    if (bytes && !is_hidden(c)) {
      text_add(out, (const char *)s, bytes);
    } else if (bytes > 1) {
      text_add_format(out, "\\u%04x", c);
    } else {
      text_add_format(out, "\\x%02x", *s);
    }
    s += bytes ? bytes : 1;
  }
}

void print_json(struct text *out, const char *from) {
  const unsigned char *s = (const unsigned char *)from;
  text_add(out, "\"", 1);
  while (*s) {
    size_t bytes;
    const uint32_t c = decode(s, &bytes);
    if (!bytes) {
      text_add_string(out, "\\ufffd");
    } else if (c == '"' || c == '\\') {
      text_add_format(out, "\\%c", (char)c);
    } else if (is_hidden(c)) {
      text_add_format(out, "\\u%04x", c);
    } else {
      text_add(out, (const char *)s, bytes);
    }
    s += bytes ? bytes : 1;
  }
  text_add(out, "\"", 1);
}

void print_number(struct text *out, uint64_t n) {
  char digits[32];
  const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text_add(out, ",", 1);
    text_add(out, digits + i, 1);
  }
}
