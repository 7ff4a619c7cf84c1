/* failure.c - fills a struct failure; see failure.h
 *
 * Limits    a text longer than the struct's array is cut, never written past it. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

int fail(struct failure *why, int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  why->exit_code = exit_code;
  if (vsnprintf(why->text, sizeof why->text, format, arguments) < 0) why->text[0] = '\0';
  va_end(arguments);
  return -1;
}
