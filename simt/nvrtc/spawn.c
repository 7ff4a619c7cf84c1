/* Running the compiler from inside another program.
 *
 * Method   posix_spawn: no code of ours runs between fork and exec, and a large process is not
 *          copied. The compiler gets default signals, messages in English, and none of the
 *          libraries that were preloaded into this process
 * Limits   a program that ignores SIGCHLD never learns the status: then what was made is looked at
 */
#include "nvrtc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool is_left_out(const char *variable) {
  static const char *const names[] = {
      "LD_PRELOAD=", "LC_ALL=", "LANG=", "LANGUAGE=", "SIMT_FAIL=", "GCC_COLORS="};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(variable, names[i], strlen(names[i]))) return true;
  return false;
}

static void environment(struct string_list *w) {
  for (char **v = environ; v && *v; v++)
    if (!is_left_out(*v)) string_list_add(w, *v);
  string_list_add(w, "LC_ALL=C");
}

static void read_back(int file, struct text *errors) {
  char piece[4096];
  ssize_t got;
  off_t at = 0;
  while ((got = pread(file, piece, sizeof piece, at)) > 0) {
    text_add(errors, piece, (size_t)got);
    at += got;
  }
}

static int start(const struct string_list *command, int errors, pid_t *id) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  struct string_list w = {0};
  environment(&w);
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, "/"); /* it gets into what is compiled */
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(id, command->all[0], &actions, &attributes, command->all, w.all);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  string_list_free(&w);
  return error;
}

int nvrtc_spawn(const struct string_list *command, struct text *errors) {
  int status = 0;
  pid_t id = 0;
  const int file = memfd_create("messages", MFD_CLOEXEC);
  if (file < 0) return -1;
  const int error = start(command, file, &id);
  if (!error) {
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
    read_back(file, errors);
  }
  close(file);
  errno = error;
  if (error) return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
