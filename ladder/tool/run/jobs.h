/* jobs.h - programs run beside each other, with a time limit
 *
 * Result   each job's exit status and what it wrote
 * Method   every job is a process group of its own, so that a compiler's children end with it
 * Limits   output beyond 16 MiB a job is thrown away
 */
#ifndef LADDER_TOOL_RUN_JOBS_H
#define LADDER_TOOL_RUN_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/string_list.h"
#include "base/text.h"

struct job {
  struct string_list arguments; /* the program first; no arguments: nothing to do */
  double limit_seconds;
  /* afterwards: */
  int status; /* exit status; 128 + signal if one ended it; 127: not started; -1: nothing to do */
  bool timed_out;
  struct text out, error;
  double seconds;
  /* while it runs: */
  pid_t process;
  int out_pipe, error_pipe;
  double started;
};

/* jobs_run - up to `workers` at once; done(user, i) after each. On SIGINT, SIGTERM or SIGHUP
 * all running jobs are ended, "interrupted" is printed and the program ends with 128 + signal. */
void jobs_run(struct job *job, size_t count, unsigned workers, void (*done)(void *user, size_t i),
              void *user);
void job_free(struct job *job);
unsigned processors(void); /* that this process may use */
double now_seconds(void);

#endif
