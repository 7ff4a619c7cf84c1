/* process.h - other programs: start them, take what they print, learn how they ended
 *
 * Limits  Linux with glibc: a program that could not be started is known at once, with its reason.
 *         A script needs its "#!" line
 */
#ifndef HEDDLE_BASE_PROCESS_H
#define HEDDLE_BASE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/string_list.h"
#include "base/text.h"

/* How a program is started; PROCESS_PLAIN: with all that this process has. */
struct process_start {
  const struct string_list *environment; /* NULL: this process's */
  const char *folder;                    /* it runs in; NULL: this process's */
  int input, out, errors; /* descriptors that become its 0, 1 and 2; -1: this process's */
  bool group;             /* a process group of its own, which signals can end as a whole */
  bool unblocked;         /* it blocks no signal */
  sigset_t defaults;      /* signals that it does not ignore, whatever this process does */
};
#define PROCESS_PLAIN \
  { .input = -1, .out = -1, .errors = -1 }

/* process_start - starts command->all[0], found on PATH. 0: *id is its process; else the reason */
int process_start(const struct string_list *command, const struct process_start *how, pid_t *id);

/* process_wait - waits for its end: its exit status, 128 + n for signal n; 0 if the system keeps
 * no statuses, as where SIGCHLD is ignored. process_status - the same of what waitpid has told */
int process_wait(pid_t id);
int process_status(int told);

/* process_run - starts a program and waits for it; SIGINT and SIGPIPE end it
 *
 * Result     its exit status; 128 + n for signal n; -1: it could not be started, errno says why
 * Arguments  out, errors: what it printed is added there; NULL: it goes where ours goes. Whose
 *            errors are read writes them in English (LC_ALL=C)
 */
int process_run(const struct string_list *command, struct text *out, struct text *errors);

/* process_environment - adds this process's variables but those named, as NAME=VALUE */
void process_environment(struct string_list *to, const char *const *left_out, size_t count);

#endif
