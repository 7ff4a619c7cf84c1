/* child.h - runs the program that is checked
 *
 * Method  a child with our standard streams. Signals that are sent to us alone are passed on,
 *         those of the terminal reach it anyway; it ends with us if we are killed. What it
 *         leaves running is not waited for
 */
#ifndef SIMT_REPORT_CHILD_H
#define SIMT_REPORT_CHILD_H

#include <stdbool.h>

struct check_end {
  int exited; /* exit status; -1: by a signal */
  int signal; /* 0: none */
};

/* check_child_run - words: what the program sees as its arguments. False: it could not be
 * started, errno says why. */
bool check_child_run(const char *path, char *const *words, struct check_end *end);

#endif
