/* failure.h - how every function of the command reports what went wrong
 *
 * A function that can fail returns 0, or fills *why and returns -1. The text names what, where,
 * why and the remedy, without "heddle:" in front and without a newline. main prints it, unless it
 * is empty: then it was printed before, and only the exit code is left. */
#ifndef HEDDLE_CLI_REPORT_FAILURE_H
#define HEDDLE_CLI_REPORT_FAILURE_H

enum { EXIT_DATA = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct failure {
  int exit_code; /* EXIT_DATA, EXIT_USAGE or EXIT_INTERRUPTED */
  char text[1024];
};

/* Fills *why and returns -1, so that `return fail(why, EXIT_DATA, "...", ...)` is the idiom. */
int fail(struct failure *why, int exit_code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
