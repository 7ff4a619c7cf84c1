/* style.c - text in a style is written plainly, then read by number.c
 *
 * Method  Separators go, where one to three digits stand before the first and three behind each; the decimal comma
 *         becomes a point. What is no number in either form is left for number.c to refuse. */
#include "style.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t number_plain(const struct number_style *style, const char *text, size_t length,
                    char *plain) {
  const char decimal = style->decimal == ',' ? ',' : '.';
  size_t used = 0, digits = 0;        /* digits since the start or a separator */
  bool grouped = false, whole = true; /* whole: before the point and the exponent */
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    const bool digit = c >= '0' && c <= '9';
    if (whole && c == style->thousands && c != '\0') {
      if (digits == 0 || digits > 3 || (grouped && digits != 3)) return SIZE_MAX;
      grouped = true;
      digits = 0;
      continue;
    }
    if (c != decimal && (c == '.' || c == ',')) return SIZE_MAX;
    if (!digit && (i > 0 || c == decimal)) {
      if (whole && grouped && digits != 3) return SIZE_MAX;
      whole = false;
    }
    digits += digit;
    plain[used++] = c == decimal ? '.' : c;
  }
  return whole && grouped && digits != 3 ? SIZE_MAX : used;
}

static enum number_status parse(const char *text, size_t length, heddle_type type, void *out,
                                bool *rounded) {
  const enum number_status status = number_parse(text, length, type, out);
  if (!rounded || status != NUMBER_OK || length == 0 || type != HEDDLE_F64) return status;
  double x;
  memcpy(&x, out, sizeof x);
  *rounded = number_is_rounded(text, length, x);
  return status;
}

enum number_status number_parse_styled(const struct number_style *style, const char *text,
                                       size_t length, heddle_type type, void *out, bool *rounded) {
  if (!number_is_styled(style) || length == 0) return parse(text, length, type, out, rounded);
  char small[256];
  char *const plain = length <= sizeof small ? small : malloc(length);
  if (!plain) return NUMBER_BAD;
  const size_t bytes = number_plain(style, text, length, plain);
  const enum number_status status =
      bytes == SIZE_MAX || bytes == 0 ? NUMBER_BAD : parse(plain, bytes, type, out, rounded);
  if (plain != small) free(plain);
  return status;
}
