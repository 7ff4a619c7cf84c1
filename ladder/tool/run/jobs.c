/* jobs.c - one thread polls the pipes of all running jobs, and asks each whether it ended */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/string_list.h"
#include "base/text.h"
#include "failure.h"

enum { MOST_OUTPUT = 16 << 20, MOST_WORKERS = 64, NOT_STARTED = 127 };

static volatile sig_atomic_t interrupted; /* the signal */

static void on_signal(int number) { interrupted = number; }

static void catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (int i = 0; i < 3; i++) sigaction(numbers[i], &action, NULL);
}

double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : (unsigned)n;
}

/* What cannot be started has ended at once, as in a shell, with the reason among its errors. */
static void start(struct job *job) {
  int out[2], error[2];
  struct process_start how = PROCESS_PLAIN;
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
    fail("no pipe for a rung: %s", strerror(errno));
  how.input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  how.out = out[1];
  how.errors = error[1];
  how.group = true;
  fflush(NULL);
  job->started = now_seconds();
  const int reason = process_start(&job->arguments, &how, &job->process);
  if (reason == EAGAIN || reason == ENOMEM) fail("no process for a rung: %s", strerror(reason));
  if (reason) {
    const char *name = job->arguments.all[0];
    job->process = 0;
    text_add_format(&job->error, "cannot start %s: %s\n", name, strerror(reason));
  }
  if (how.input >= 0) close(how.input);
  close(out[1]);
  close(error[1]);
  job->out_pipe = out[0];
  job->error_pipe = error[0];
}

static void end_group(const struct job *job) {
  if (job->process > 0) kill(-job->process, SIGKILL);
}

static void stop_all(struct job *job, size_t count) {
  for (size_t i = 0; i < count; i++) end_group(&job[i]);
  for (size_t i = 0; i < count; i++)
    if (job[i].process > 0) waitpid(job[i].process, NULL, 0);
  const int number = interrupted;
  fflush(stdout);
  fprintf(stderr, "heddle ladder: interrupted\n");
  exit(128 + number);
}

/* Takes what the pipe has; closes it at the end of file. */
static void take(int *pipe_end, struct text *to) {
  char piece[1 << 14];
  const ssize_t n = read(*pipe_end, piece, sizeof piece);
  if (n > 0 && to->length < MOST_OUTPUT) text_add(to, piece, (size_t)n);
  if (n > 0 || (n < 0 && errno == EINTR)) return;
  close(*pipe_end);
  *pipe_end = -1;
}

/* A grandchild may hold the pipes longer than the job lives; what it writes then is not waited
 * for. */
static void take_rest(int *pipe_end, struct text *to) {
  while (*pipe_end >= 0 && poll(&(struct pollfd){*pipe_end, POLLIN, 0}, 1, 0) > 0)
    take(pipe_end, to);
  if (*pipe_end >= 0) close(*pipe_end);
}

/* True once the job is over. */
static bool reap(struct job *job) {
  int told = NOT_STARTED << 8;
  const bool silent = job->out_pipe < 0 && job->error_pipe < 0;
  if (job->process && waitpid(job->process, &told, silent ? 0 : WNOHANG) != job->process)
    return false;
  take_rest(&job->out_pipe, &job->out);
  take_rest(&job->error_pipe, &job->error);
  end_group(job);
  job->process = 0;
  job->seconds = now_seconds() - job->started;
  job->status = process_status(told);
  return true;
}

/* Waits for output of the running jobs, at most 50 ms. */
static void listen_to(struct job **running, unsigned count) {
  struct pollfd ends[2 * MOST_WORKERS];
  nfds_t n = 0;
  for (unsigned i = 0; i < count; i++) {
    ends[n++] = (struct pollfd){running[i]->out_pipe, POLLIN, 0};
    ends[n++] = (struct pollfd){running[i]->error_pipe, POLLIN, 0};
  }
  if (poll(ends, n, 50) <= 0) return;
  for (unsigned i = 0; i < count; i++) {
    if (ends[2 * i].revents) take(&running[i]->out_pipe, &running[i]->out);
    if (ends[2 * i + 1].revents) take(&running[i]->error_pipe, &running[i]->error);
  }
}

void jobs_run(struct job *job, size_t count, unsigned workers, void (*done)(void *user, size_t i),
              void *user) {
  struct job *running[MOST_WORKERS];
  unsigned busy = 0;
  size_t next = 0;
  if (workers > MOST_WORKERS) workers = MOST_WORKERS;
  catch_signals();
  while (next < count || busy > 0) {
    if (interrupted) stop_all(job, count);
    while (busy < workers && next < count) {
      struct job *j = &job[next++];
      j->status = -1;
      if (j->arguments.count == 0) {
        if (done) done(user, next - 1);
        continue;
      }
      start(j);
      running[busy++] = j;
    }
    listen_to(running, busy);
    for (unsigned i = 0; i < busy;) {
      struct job *j = running[i];
      if (!j->timed_out && now_seconds() - j->started > j->limit_seconds) {
        j->timed_out = true;
        end_group(j);
      }
      if (!reap(j)) {
        i++;
        continue;
      }
      running[i] = running[--busy];
      if (done) done(user, (size_t)(j - job));
    }
  }
}

void job_free(struct job *job) {
  string_list_free(&job->arguments);
  text_free(&job->out);
  text_free(&job->error);
}
