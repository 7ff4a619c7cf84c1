/* Findings: to standard error, and as the process's end with status 3.
 *
 * Method   one write a line, without stdio's locks, since a finding may come from a signal
 *          handler. The status is set by a function that runs after all others at exit; a
 *          program that itself failed keeps its own status
 */
#include "grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FOUND_STATUS = 3, MOST_LINES = 100 };

static atomic_uint lines;
static atomic_bool found;

static void say(const char *format, va_list arguments) {
  char line[2048] = "simt: ";
  const unsigned int n = atomic_fetch_add(&lines, 1);
  if (n > MOST_LINES) return;
  int used = n < MOST_LINES ? vsnprintf(line + 6, sizeof line - 8, format, arguments)
                            : snprintf(line + 6, sizeof line - 8, "more findings are not shown");
  if (used < 0) used = 0;
  size_t length = strlen(line);
  line[length++] = '\n';
  const char *rest = line;
  while (length) {
    const ssize_t written = write(STDERR_FILENO, rest, length);
    if (written <= 0) return;
    rest += written;
    length -= (size_t)written;
  }
}

void sd_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void sd_report(const char *format, ...) {
  va_list arguments;
  atomic_store(&found, true);
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

/* on_exit passes the status; handlers run last in, first out, and this one came first. */
static void at_exit(int status, void *unused) {
  (void)unused;
  sd_counts_write();
  if (!atomic_load(&found) || status != 0) return;
  fflush(NULL);
  _exit(FOUND_STATUS);
}

__attribute__((constructor)) static void begin(void) { on_exit(at_exit, NULL); }
