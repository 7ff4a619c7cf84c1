/* child.c - fork and exec with five descriptors
 *
 * Method  Between fork and exec only what is safe there. exec's own failure comes back by a pipe that a successful
 *         one closes. Descriptors are first moved above those that they become.
 * Limits  RLIMIT_DATA is the machine's memory, RLIMIT_FSIZE 64 KiB, RLIMIT_CORE 0. */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "input/spool.h"
#include "text/record.h"

enum { MESSAGES_MOST = 1 << 16, NOT_FOUND = 127, FREE_FROM = 10 };

struct child {
  pid_t id;
  const char *name, *program;
  int told, answer, data; /* our ends; -1 once closed */
  struct spool *messages;
  int messages_fd;
  bool ended;
  int status;
};

static void lower(struct rlimit *limit, rlim_t most) {
  if (limit->rlim_max != RLIM_INFINITY && limit->rlim_max < most) most = limit->rlim_max;
  limit->rlim_cur = limit->rlim_max = most;
}

static void set_limits(rlim_t memory) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) == 0) {
    lower(&limit, 0);
    (void)setrlimit(RLIMIT_CORE, &limit);
  }
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
    lower(&limit, MESSAGES_MOST);
    (void)setrlimit(RLIMIT_FSIZE, &limit);
  }
#ifndef __SANITIZE_ADDRESS__ /* whose shadow is larger than any machine's memory */
  if (getrlimit(RLIMIT_DATA, &limit) == 0) {
    lower(&limit, memory);
    (void)setrlimit(RLIMIT_DATA, &limit);
  }
#else
  (void)memory;
#endif
}

struct ends {
  int input[2], answer[2], data[2], errors, file, failed[2];
};

/* In the child: never returns. */
static void become(const char *const *argv, const struct ends *e, pid_t parent, rlim_t memory) {
  const int from[] = {e->input[0], e->answer[1], e->errors, e->file, e->data[1]};
  int moved[5];
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(NOT_FOUND);
  (void)signal(SIGINT, SIG_DFL);
  (void)signal(SIGPIPE, SIG_DFL);
  bool good = true;
  for (int i = 0; i < 5; i++) {
    moved[i] = fcntl(from[i], F_DUPFD, FREE_FROM);
    good = good && moved[i] >= 0;
  }
  const int failed = fcntl(e->failed[1], F_DUPFD_CLOEXEC, FREE_FROM);
  for (int i = 0; i < 5; i++) good = good && dup2(moved[i], i) == i && close(moved[i]) == 0;
  set_limits(memory);
  if (good) (void)execvp(argv[0], (char *const *)(uintptr_t)argv);
  const int error = errno;
  if (write(failed, &error, sizeof error) < 0) _exit(NOT_FOUND);
  _exit(NOT_FOUND);
}

static void close_both(int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

static int no_start(const char *name, const char *program, int error, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: cannot start %s to read it: %s", name, program, strerror(error));
}

static rlim_t machine_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (rlim_t)pages * (rlim_t)page : RLIM_INFINITY;
}

static int start(struct child *c, const char *const *argv, int file, struct failure *why) {
  struct ends e = {{-1, -1}, {-1, -1}, {-1, -1}, c->messages_fd, file, {-1, -1}};
  const pid_t parent = getpid();
  const rlim_t memory = machine_memory();
  int error = 0;
  if (pipe2(e.input, O_CLOEXEC) != 0 || pipe2(e.answer, O_CLOEXEC) != 0 ||
      pipe2(e.data, O_CLOEXEC) != 0 || pipe2(e.failed, O_CLOEXEC) != 0)
    error = errno;
  c->id = error == 0 ? fork() : -1;
  if (c->id == 0) become(argv, &e, parent, memory);
  if (c->id < 0 && error == 0) error = errno;
  c->told = e.input[1];
  c->answer = e.answer[0];
  c->data = e.data[0];
  e.input[1] = e.answer[0] = e.data[0] = -1;
  close_both(e.input);
  close_both(e.answer);
  close_both(e.data);
  if (e.failed[1] >= 0) close(e.failed[1]);
  while (error == 0 && read(e.failed[0], &error, sizeof error) < 0 && errno == EINTR) continue;
  if (e.failed[0] >= 0) close(e.failed[0]);
  return error == 0 ? 0 : no_start(c->name, argv[0], error, why);
}

int child_start(const char *const *argv, int file, const char *name, struct child **out,
                struct failure *why) {
  const struct spool_use use = {name, NULL, "is read by another program, whose messages",
                                "set TMPDIR to a folder"};
  struct child *const c = calloc(1, sizeof *c);
  if (!c) return fail(why, EXIT_DATA, "%s: no memory to read it", name);
  c->id = c->told = c->answer = c->data = -1;
  c->name = name;
  c->program = strcmp(argv[0], "/proc/self/exe") == 0 ? "its reader" : argv[0];
  c->messages_fd = -1;
  *out = c;
  if (spool_open(&use, &c->messages, why) != 0) return -1;
  c->messages_fd = spool_take(c->messages);
  return start(c, argv, file, why);
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void reap(struct child *c) {
  if (c->id <= 0 || c->ended) return;
  while (waitpid(c->id, &c->status, 0) < 0 && errno == EINTR) continue;
  c->ended = true;
}

void child_end(struct child *child) {
  if (!child) return;
  close_end(&child->told);
  close_end(&child->answer);
  close_end(&child->data);
  if (child->id > 0 && !child->ended) (void)kill(child->id, SIGKILL);
  reap(child);
  close_end(&child->messages_fd);
  free(child);
}

/* The last line that it said, as far as it is safe to show. */
static int failed(struct child *c, struct failure *why) {
  char text[2048], shown[300];
  off_t end = lseek(c->messages_fd, 0, SEEK_END);
  const off_t from = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
  ssize_t n = pread(c->messages_fd, text, sizeof text, from);
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ')) n--;
  ssize_t begin = n > 0 ? n : 0;
  while (begin > 0 && text[begin - 1] != '\n') begin--;
  text_show(text + begin, n > begin ? (size_t)(n - begin) : 0, shown, sizeof shown);
  if (WIFSIGNALED(c->status))
    return fail(why, EXIT_DATA, "%s: %s was ended by signal %d (%s)%s%s", c->name, c->program,
                WTERMSIG(c->status), strsignal(WTERMSIG(c->status)), *shown != '\0' ? ": " : "",
                shown);
  return fail(why, EXIT_DATA, "%s: %s failed: %s", c->name, c->program,
              *shown != '\0' ? shown : "it did not say why");
}

void child_tell(struct child *child, const char *text, size_t bytes) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  (void)sigaction(SIGPIPE, &ignore, &before);
  bool gone = false;
  while (bytes > 0 && !gone) {
    const ssize_t n = write(child->told, text, bytes);
    if (n < 0 && errno == EINTR) continue;
    gone = n < 0;
    if (n > 0) text += n;
    if (n > 0) bytes -= (size_t)n;
  }
  (void)sigaction(SIGPIPE, &before, NULL);
  close_end(&child->told);
}

int child_check(struct child *child, struct failure *why) {
  close_end(&child->told);
  close_end(&child->answer);
  close_end(&child->data);
  reap(child);
  return child->status != 0 ? failed(child, why) : 0;
}

static int read_end(const struct child *c, int fd, void *buffer, size_t capacity, size_t *got,
                    struct failure *why) {
  ssize_t n;
  do n = fd < 0 ? 0 : read(fd, buffer, capacity);
  while (n < 0 && errno == EINTR);
  *got = n > 0 ? (size_t)n : 0;
  return n < 0 ? fail(why, EXIT_DATA, "cannot read %s: %s", c->name, strerror(errno)) : 0;
}

int child_read_answer(void *child, void *buffer, size_t capacity, size_t *got,
                      struct failure *why) {
  const struct child *const c = child;
  return read_end(c, c->answer, buffer, capacity, got, why);
}

int child_read_data(void *child, void *buffer, size_t capacity, size_t *got, struct failure *why) {
  struct child *const c = child;
  if (read_end(c, c->data, buffer, capacity, got, why) != 0) return -1;
  return *got == 0 ? child_check(c, why) : 0;
}
