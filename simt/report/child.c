/* fork and execv, with signals blocked until the child's number is known (child.h). */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };
static volatile sig_atomic_t child;

static void pass_on(int signal, siginfo_t *info, void *context) {
  (void)context;
  const bool terminal = info->si_code == SI_KERNEL;
  const pid_t to = (pid_t)child;
  if (!terminal && to > 0) kill(to, signal);
}

static void become(const char *path, char *const *words, const struct sigaction *before,
                   const sigset_t *open, pid_t parent, int failed) {
  for (int i = 0; i < PASSED_ON; i++) sigaction(passed_on[i], &before[i], NULL);
  sigprocmask(SIG_SETMASK, open, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  execv(path, words);
  const int reason = errno;
  if (write(failed, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

bool check_child_run(const char *path, char *const *words, struct check_end *end) {
  struct sigaction before[PASSED_ON], action;
  sigset_t closed, open;
  int failed[2], status = 0, reason = 0;
  if (pipe2(failed, O_CLOEXEC)) return false;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&closed);
  child = 0;
  const pid_t parent = getpid();
  for (int i = 0; i < PASSED_ON; i++) {
    sigaction(passed_on[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(passed_on[i], &action, NULL);
    sigaddset(&closed, passed_on[i]);
  }
  /* A signal that comes before it is known to whom waits until it is. */
  sigprocmask(SIG_BLOCK, &closed, &open);
  const pid_t id = fork();
  if (id == 0) become(path, words, before, &open, parent, failed[1]);
  if (id < 0) reason = errno;
  child = (sig_atomic_t)id;
  sigprocmask(SIG_SETMASK, &open, NULL);
  close(failed[1]);
  if (id > 0) {
    if (read(failed[0], &reason, sizeof reason) != (ssize_t)sizeof reason) reason = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
  }
  close(failed[0]);
  child = 0;
  for (int i = 0; i < PASSED_ON; i++) sigaction(passed_on[i], &before[i], NULL);
  *end = (struct check_end){WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                            WIFSIGNALED(status) ? WTERMSIG(status) : 0};
  errno = reason;
  return reason == 0;
}
