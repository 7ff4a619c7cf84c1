/* Findings: to standard error, and as the process's end with status 3.
 *
 * Method   one write a line, without stdio's locks, since a finding may come from a signal
 *          handler. The status is set by a function that runs after all others at exit; a
 *          program that itself failed keeps its own status
 */
#include "grid.h"
#include "observer.h"

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
  const unsigned n = atomic_fetch_add(&lines, 1);
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

void sd_report_end(const char *format, ...) {
  va_list arguments;
  if (!sd_results_are_seen()) atomic_store(&found, true);
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

/* How a class begins where there is no observer, and whether it ends the grid. */
static const struct {
  const char *name;
  bool ends;
} words[SD_CLASSES] = {
    [SD_BARRIER_DIVERGENCE] = {"barrier divergence: ", false},
    [SD_WARP_MASK] = {"wrong warp mask: ", false},
    [SD_OUT_OF_BOUNDS] = {"out of bounds: ", false},
    [SD_NO_PROGRESS] = {"watchdog: ", true},
};

void sd_report_finding(enum sd_class class, const struct sd_location locations[2],
                       const char *format, ...) {
  static const struct sd_location nowhere[2];
  char text[1024];
  struct worker *me = sd_current;
  const int was_locked = me && me->locked;
  if (me) me->locked = 1;
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (n < 0) text[0] = 0;
  if (sd_observer && sd_observer->finding) {
    sd_observer->finding(class, locations ? locations : nowhere, text);
  } else {
    const char *name = words[class].name ? words[class].name : "";
    if (words[class].ends)
      sd_report_end("%s%s", name, text);
    else
      sd_report("%s%s", name, text);
  }
  if (me) me->locked = was_locked;
}

/* on_exit passes the status; handlers run last in, first out, and this one came first. */
static void at_exit(int status, void *unused) {
  (void)unused;
  sd_counts_write();
  if (sd_observer && sd_observer->finding) return; /* the status is not ours to set */
  if (!atomic_load(&found) || status != 0) return;
  fflush(NULL);
  _exit(FOUND_STATUS);
}

__attribute__((constructor)) static void begin(void) { on_exit(at_exit, NULL); }
