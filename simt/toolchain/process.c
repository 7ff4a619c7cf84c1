/* fork, execvp and pipes (process.h).
 *
 * Method  one pipe for each stream that is wanted, read together until both end; what could
 *         not be started is known from a pipe that a successful exec closes
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void string_list_add(struct string_list *w, const char *word) {
  if (w->count + 2 > w->room) {
    w->room = w->room ? w->room * 2 : 32;
    w->all = text_grow(w->all, w->room * sizeof *w->all);
  }
  w->all[w->count++] = text_copy(word, strlen(word));
  w->all[w->count] = NULL;
}

void string_list_add_all(struct string_list *w, const struct string_list *more) {
  for (size_t i = 0; i < more->count; i++) string_list_add(w, more->all[i]);
}

void string_list_free(struct string_list *w) {
  for (size_t i = 0; i < w->count; i++) free(w->all[i]);
  free(w->all);
  *w = (struct string_list){0};
}

static void child(char *const *words, const int out[2], const int errors[2], const int failed[2]) {
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (errors[1] >= 0) setenv("LC_ALL", "C", 1); /* messages that are read have to be English */
  if (out[1] >= 0) dup2(out[1], STDOUT_FILENO);
  if (errors[1] >= 0) dup2(errors[1], STDERR_FILENO);
  execvp(words[0], words);
  const int reason = errno;
  if (write(failed[1], &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

/* Reads both pipes to their ends; 1 MiB at a time, as a preprocessed source is large. */
static void collect(int out, int errors, struct text *out_text, struct text *error_text) {
  enum { PIECE = 1 << 18 };
  char *piece = text_allocate(PIECE);
  struct pollfd ends[2] = {{out, POLLIN, 0}, {errors, POLLIN, 0}};
  struct text *const texts[2] = {out_text, error_text};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
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

static void close_end(int fd) {
  if (fd >= 0) close(fd);
}

int process_run(const struct string_list *command, struct text *out, struct text *errors) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  const bool wanted[3] = {out != NULL, errors != NULL, true};
  for (int i = 0; i < 3; i++) {
    if (wanted[i] && pipe2(pipes[i], O_CLOEXEC)) return -1;
  }
  void (*const before)(int) = signal(SIGINT, SIG_IGN); /* the child gets it; we clean up */
  const pid_t id = fork();
  if (id == 0) child(command->all, pipes[0], pipes[1], pipes[2]);
  for (int i = 0; i < 3; i++) close_end(pipes[i][1]);
  int reason = id < 0 ? errno : 0, status = 0;
  if (id > 0) {
    collect(pipes[0][0], pipes[1][0], out, errors);
    if (read(pipes[2][0], &reason, sizeof reason) != (ssize_t)sizeof reason) reason = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
  }
  for (int i = 0; i < 3; i++) close_end(pipes[i][0]);
  signal(SIGINT, before);
  if (reason) {
    errno = reason;
    return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
