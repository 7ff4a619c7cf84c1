/* failure.c - printed into the struct; a text too long for it loses its middle
 *
 * Limits    of a text longer than the struct's array (it names a very long path) the middle is
 *           left out: the reason and the remedy stand at the end. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep_both_ends(const char *text, size_t length, char *out, size_t room) {
  static const char dots[] = " ... ";
  const size_t dots_bytes = sizeof dots - 1, half = (room - sizeof dots) / 2;
  memcpy(out, text, half);
  memcpy(out + half, dots, dots_bytes);
  memcpy(out + half + dots_bytes, text + length - half, half + 1);
}

int fail(struct failure *why, int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  why->exit_code = exit_code;
  const int length = vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  if (length < 0) why->text[0] = '\0';
  if (length < (int)sizeof why->text) return -1;
  char *const whole = malloc((size_t)length + 1);
  if (!whole) return -1; /* the first part has to do */
  va_start(arguments, format);
  (void)vsnprintf(whole, (size_t)length + 1, format, arguments);
  va_end(arguments);
  keep_both_ends(whole, (size_t)length, why->text, sizeof why->text);
  free(whole);
  return -1;
}
