/* progress.h - one line on standard error: bytes, rate, time left; gone at the end */
#ifndef HEDDLE_CLI_REPORT_PROGRESS_H
#define HEDDLE_CLI_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress {
  bool on;      /* may draw at all */
  bool drawn;   /* a line stands on the terminal */
  double delay; /* seconds before the first line */
  double start, last;
};

/* AUTO draws if standard error is a terminal and a second has passed, ALWAYS at once. */
void progress_start(struct progress *p, enum progress_mode mode);
/* Bytes done and in all, 0 where that is unknown. Draws at most ten times a second. */
void progress_update(struct progress *p, uint64_t done, uint64_t total);
/* The same for a new pass over the data: rate and time left begin anew. */
void progress_again(struct progress *p);
void progress_end(struct progress *p);

double progress_clock(void); /* monotonic seconds */

#endif
