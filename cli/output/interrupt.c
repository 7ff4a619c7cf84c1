/* interrupt.c - handlers that set a flag, drop temporary files, or turn a signal into an error
 *
 * Method  A read from a pipe may never return, hence the end at once while one is waited for:
 *         temporary files are unlinked by a function that is safe in a handler. What a parent
 *         ignores stays ignored (nohup, jobs in the background). SIGXFSZ is ignored, so that a
 *         write beyond a limit fails with a message as on a full disk.
 * Limits  SIGPIPE is death in silence, even where a parent ignored it. */
#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "report/failure.h"

static volatile sig_atomic_t interrupted, waiting;

static void on_interrupt(int number) {
  (void)number;
  if (interrupted || waiting) {
    static const char erase[] = "\r\033[K";
    output_file_drop_all();
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, erase, sizeof erase - 1) < 0)
      _exit(EXIT_DATA);
    _exit(EXIT_INTERRUPTED);
  }
  interrupted = 1;
}

static void on_end(int number) {
  output_file_drop_all();
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

static struct sigaction former_limit; /* of SIGXFSZ */

static void handle(int number, void (*handler)(int), bool even_ignored) {
  struct sigaction action, former;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (sigaction(number, NULL, &former) == 0 && (even_ignored || former.sa_handler != SIG_IGN))
    (void)sigaction(number, &action, NULL);
}

void interrupt_catch(void) {
  static const int ends[] = {SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
  handle(SIGINT, on_interrupt, false);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) handle(ends[i], on_end, false);
  handle(SIGPIPE, on_end, true);
  (void)sigaction(SIGXFSZ, NULL, &former_limit);
  handle(SIGXFSZ, SIG_IGN, true);
}

void interrupt_release(void) { (void)sigaction(SIGXFSZ, &former_limit, NULL); }

int interrupt_poll(void *unused) {
  (void)unused;
  return interrupted;
}

void interrupt_waiting(bool now) {
  waiting = now;
  if (now && interrupted) (void)raise(SIGINT);
}
