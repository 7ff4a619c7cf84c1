/* terminal.c - the system is asked first, then the environment
 *
 * Source  no-color.org for NO_COLOR; the window size by TIOCGWINSZ */
#include "terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

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
  if (columns && *columns >= '0' && *columns <= '9') {
    char *end;
    errno = 0;
    unsigned long n = strtoul(columns, &end, 10);
    if (errno == 0 && *end == '\0' && n > 0) return within(n);
  }
  return USUAL;
}

bool terminal_colour(int descriptor) {
  const char *none = getenv("NO_COLOR");
  if (none && *none != '\0') return false;
  return getenv("TERM") && !terminal_dumb() && isatty(descriptor);
}

bool terminal_dumb(void) {
  const char *term = getenv("TERM");
  return term && strcmp(term, "dumb") == 0;
}

bool terminal_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *locale = getenv(names[i]);
    if (!locale || *locale == '\0') continue;
    const char *charset = strchr(locale, '.');
    return charset &&
           (strncasecmp(charset, ".UTF-8", 6) == 0 || strncasecmp(charset, ".UTF8", 5) == 0);
  }
  return true;
}

void terminal_message(const char *text) {
  char safe[UTF8_SAFE];
  fputs("heddle: ", stderr);
  while (*text != '\0') {
    text += utf8_safe(text, safe);
    fputs(safe, stderr);
  }
  fputc('\n', stderr);
}

size_t terminal_columns(const char *text) {
  size_t columns = 0;
  for (; *text != '\0'; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
  return columns;
}
