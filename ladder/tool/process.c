/* process.c - a pool of child processes; see process.h */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUT = 16 << 20 };

static volatile sig_atomic_t interrupted; /* the signal */

static void on_signal(int number) { interrupted = number; }

static void catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  for (int i = 0; i < 3; ++i) sigaction(numbers[i], &action, NULL);
}

double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

unsigned int processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : (unsigned int)n;
}

static void child(char **arguments, int out, int error) {
  setpgid(0, 0);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, 0);
  dup2(out, 1);
  dup2(error, 2);
  execvp(arguments[0], arguments);
  dprintf(2, "cannot start %s: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

static void start(struct job *job) {
  int out[2], error[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
    fail("no pipe for a rung: %s", strerror(errno));
  fflush(NULL);
  job->started = now_seconds();
  job->process = fork();
  if (job->process < 0) fail("no process for a rung: %s", strerror(errno));
  if (job->process == 0) child(job->arguments.item, out[1], error[1]);
  setpgid(job->process, job->process); /* whichever of the two comes first */
  close(out[1]);
  close(error[1]);
  job->out_pipe = out[0];
  job->error_pipe = error[0];
}

static void end_group(const struct job *job) {
  if (job->process > 0) kill(-job->process, SIGKILL);
}

static void stop_all(struct job *job, size_t count) {
  for (size_t i = 0; i < count; ++i) end_group(&job[i]);
  for (size_t i = 0; i < count; ++i)
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
  if (n > 0 && to->used < MOST_OUTPUT) text_bytes(to, piece, (size_t)n);
  if (n > 0 || (n < 0 && errno == EINTR)) return;
  close(*pipe_end);
  *pipe_end = -1;
}

/* True once the job is over. A grandchild may hold the pipes longer than the job lives; what it
 * writes then is not waited for. */
static bool reap(struct job *job) {
  int status = 0;
  const bool silent = job->out_pipe < 0 && job->error_pipe < 0;
  if (waitpid(job->process, &status, silent ? 0 : WNOHANG) != job->process) return false;
  while (job->out_pipe >= 0 && poll(&(struct pollfd){job->out_pipe, POLLIN, 0}, 1, 0) > 0)
    take(&job->out_pipe, &job->out);
  while (job->error_pipe >= 0 && poll(&(struct pollfd){job->error_pipe, POLLIN, 0}, 1, 0) > 0)
    take(&job->error_pipe, &job->error);
  if (job->out_pipe >= 0) close(job->out_pipe);
  if (job->error_pipe >= 0) close(job->error_pipe);
  end_group(job);
  job->process = 0;
  job->seconds = now_seconds() - job->started;
  job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

/* Waits for output of the running jobs, at most 50 ms. */
static void listen_to(struct job **running, unsigned int count) {
  struct pollfd ends[2 * 64];
  nfds_t n = 0;
  for (unsigned int i = 0; i < count; ++i) {
    ends[n++] = (struct pollfd){running[i]->out_pipe, POLLIN, 0};
    ends[n++] = (struct pollfd){running[i]->error_pipe, POLLIN, 0};
  }
  if (poll(ends, n, 50) <= 0) return;
  for (unsigned int i = 0; i < count; ++i) {
    if (ends[2 * i].revents) take(&running[i]->out_pipe, &running[i]->out);
    if (ends[2 * i + 1].revents) take(&running[i]->error_pipe, &running[i]->error);
  }
}

void jobs_run(struct job *job, size_t count, unsigned int workers,
              void (*done)(void *user, size_t i), void *user) {
  struct job *running[64];
  unsigned int busy = 0;
  size_t next = 0;
  if (workers > 64) workers = 64;
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
    for (unsigned int i = 0; i < busy;) {
      struct job *j = running[i];
      if (!j->timed_out && now_seconds() - j->started > j->limit_seconds) {
        j->timed_out = true;
        end_group(j);
      }
      if (!reap(j)) {
        ++i;
        continue;
      }
      running[i] = running[--busy];
      if (done) done(user, (size_t)(j - job));
    }
  }
}

void job_free(struct job *job) {
  list_free(&job->arguments);
  free(job->out.data);
  free(job->error.data);
}
