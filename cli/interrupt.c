/* interrupt.c - SIGINT, SIGTERM and SIGHUP
 *
 * Method  A read from a pipe may never return, hence the end at once while one is waited for:
 *         temporary files are unlinked by a function that is safe in a handler.
 * Limits  SIGPIPE is left to its default, death in silence, even where a parent ignored it. */
#include "interrupt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "output_file.h"

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

void interrupt_catch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  (void)sigaction(SIGINT, &action, NULL);
  action.sa_handler = on_end;
  (void)sigaction(SIGTERM, &action, NULL);
  (void)sigaction(SIGHUP, &action, NULL);
  action.sa_handler = SIG_DFL;
  (void)sigaction(SIGPIPE, &action, NULL);
}

int interrupt_poll(void *unused) {
  (void)unused;
  return interrupted;
}

void interrupt_waiting(bool now) {
  waiting = now;
  if (now && interrupted) (void)raise(SIGINT);
}
