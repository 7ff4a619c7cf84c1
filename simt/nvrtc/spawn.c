/* Running the compiler from inside another program.
 *
 * Method   the compiler gets default signals, messages in English, and none of the libraries that
 *          were preloaded into this process. What it says goes to a file in memory: no pipe has to
 *          be read meanwhile
 * Limits   a program that ignores SIGCHLD never learns the status: then what was made is looked at
 */
#include "nvrtc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process.h"

static void copy_environment(struct string_list *to) {
  static const char *const left_out[] = {"LD_PRELOAD", "LC_ALL",    "LANG",
                                         "LANGUAGE",   "SIMT_FAIL", "GCC_COLORS"};
  process_environment(to, left_out, sizeof left_out / sizeof *left_out);
  string_list_add(to, "LC_ALL=C");
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
  struct process_start how = PROCESS_PLAIN;
  struct string_list variables = {0};
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return errno;
  copy_environment(&variables);
  how.environment = &variables;
  how.folder = "/"; /* it gets into what is compiled */
  how.input = how.out = nothing;
  how.errors = errors;
  how.unblocked = true;
  sigfillset(&how.defaults);
  const int error = process_start(command, &how, id);
  string_list_free(&variables);
  close(nothing);
  return error;
}

int nvrtc_spawn(const struct string_list *command, struct text *errors) {
  int status = -1;
  pid_t id = 0;
  const int file = memfd_create("messages", MFD_CLOEXEC);
  if (file < 0) return -1;
  const int error = start(command, file, &id);
  if (!error) {
    status = process_wait(id);
    read_back(file, errors);
  }
  close(file);
  errno = error;
  return status;
}
