/* terminal.c - what may be written to a terminal: width, colour, characters
 *
 * Source  no-color.org for NO_COLOR; the window size by TIOCGWINSZ */
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 20, USUAL = 80, WIDEST = 1000 };

static size_t within(unsigned long columns) {
  if (columns < NARROWEST) return NARROWEST;
  return columns > WIDEST ? WIDEST : (size_t)columns;
}

size_t terminal_width(int descriptor) {
  struct winsize window;
  if (ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
    return within(window.ws_col);
  const char *columns = getenv("COLUMNS");
  if (columns != NULL && *columns >= '0' && *columns <= '9') {
    char *end;
    errno = 0;
    unsigned long n = strtoul(columns, &end, 10);
    if (errno == 0 && *end == '\0' && n > 0) return within(n);
  }
  return USUAL;
}

bool terminal_colour(int descriptor) {
  const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
  if (none != NULL && *none != '\0') return false;
  return term != NULL && strcmp(term, "dumb") != 0 && isatty(descriptor);
}

size_t terminal_columns(const char *text) {
  size_t columns = 0;
  for (; *text != '\0'; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
  return columns;
}
