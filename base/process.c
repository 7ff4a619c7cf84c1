/* process.c - programs by posix_spawn, their output by pipes
 *
 * Method  posix_spawn runs no code of ours between fork and exec, and copies no large process.
 *         One pipe for each stream that is wanted, read together until both end
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What is done to descriptors and folder in the new process. 0, or what the system could not do. */
static int set_actions(posix_spawn_file_actions_t *actions, const struct process_start *how) {
  const int from[3] = {how->input, how->out, how->errors};
  int error = 0;
  if (how->folder) error = posix_spawn_file_actions_addchdir_np(actions, how->folder);
  for (int i = 0; i < 3 && !error; i++)
    if (from[i] >= 0) error = posix_spawn_file_actions_adddup2(actions, from[i], i);
  return error;
}

static int set_attributes(posix_spawnattr_t *attributes, const struct process_start *how) {
  short flags = POSIX_SPAWN_SETSIGDEF;
  sigset_t none;
  sigemptyset(&none);
  if (how->unblocked) flags |= POSIX_SPAWN_SETSIGMASK;
  if (how->group) flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &how->defaults);
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(attributes, flags);
}

int process_start(const struct string_list *command, const struct process_start *how, pid_t *id) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (command->count == 0) return EINVAL;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = set_actions(&actions, how);
    if (!error) error = set_attributes(&attributes, how);
    char **variables = how->environment ? how->environment->all : environ;
    if (!error)
      error = posix_spawnp(id, command->all[0], &actions, &attributes, command->all, variables);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int process_status(int told) {
  return WIFSIGNALED(told) ? 128 + WTERMSIG(told) : WEXITSTATUS(told);
}

int process_wait(pid_t id) {
  int told = 0;
  while (waitpid(id, &told, 0) < 0 && errno == EINTR) continue;
  return process_status(told);
}

static bool is_named(const char *variable, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(names[i]);
    if (!strncmp(variable, names[i], length) && variable[length] == '=') return true;
  }
  return false;
}

void process_environment(struct string_list *to, const char *const *left_out, size_t count) {
  for (char **v = environ; v && *v; v++)
    if (!is_named(*v, left_out, count)) string_list_add(to, *v);
}

/* Reads both pipes to their ends, in large pieces, as a preprocessed source is large. */
static void collect(int out, int errors, struct text *out_text, struct text *error_text) {
  enum { PIECE = 1 << 18 };
  char *piece = text_allocate(PIECE);
  struct pollfd ends[2] = {{out, POLLIN, 0}, {errors, POLLIN, 0}};
  struct text *const texts[2] = {out_text, error_text};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || !ends[i].revents) continue;
      const ssize_t got = read(ends[i].fd, piece, PIECE);
      if (got > 0) {
        text_add(texts[i], piece, (size_t)got);
      } else if (got == 0 || errno != EINTR) {
        ends[i].fd = -1;
      }
    }
  }
  free(piece);
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* Starts it with the pipes' ends to write to, of which this process keeps none. */
static int start_piped(const struct string_list *command, int pipes[2][2], pid_t *id) {
  struct process_start how = PROCESS_PLAIN;
  struct string_list english = {0};
  how.out = pipes[0][1];
  how.errors = pipes[1][1];
  sigemptyset(&how.defaults);
  sigaddset(&how.defaults, SIGINT);
  sigaddset(&how.defaults, SIGPIPE);
  if (how.errors >= 0) { /* messages that are read have to be English */
    process_environment(&english, (const char *const[]){"LC_ALL"}, 1);
    string_list_add(&english, "LC_ALL=C");
    how.environment = &english;
  }
  const int error = process_start(command, &how, id);
  string_list_free(&english);
  for (int i = 0; i < 2; i++) close_end(&pipes[i][1]);
  return error;
}

int process_run(const struct string_list *command, struct text *out, struct text *errors) {
  int pipes[2][2] = {{-1, -1}, {-1, -1}};
  int error = 0, status = -1;
  pid_t id = 0;
  if (out && pipe2(pipes[0], O_CLOEXEC)) error = errno;
  if (!error && errors && pipe2(pipes[1], O_CLOEXEC)) error = errno;
  void (*const before)(int) = signal(SIGINT, SIG_IGN); /* the child gets it; the caller cleans up */
  if (!error) error = start_piped(command, pipes, &id);
  if (!error) {
    collect(pipes[0][0], pipes[1][0], out, errors);
    status = process_wait(id);
  }
  for (int i = 0; i < 2; i++) {
    close_end(&pipes[i][0]);
    close_end(&pipes[i][1]);
  }
  signal(SIGINT, before);
  if (error) errno = error;
  return status;
}
