/* file.c - gathered writes to a file of staged.c, synced before it gets its name
 *
 * Method    written into a file that staged.h puts in the target's place at the end: one
 *           step. A symbolic link is followed first, so that it stays one. The new file gets the
 *           old one's permissions, or those that the umask leaves.
 * Limits    owner, group beyond the directory's and extended attributes of a replaced file are
 *           not kept. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "staged.h"

enum { BUFFER_BYTES = 1 << 16 };

struct output_file {
  int fd;
  bool close_fd;
  bool placed;      /* appears at the end; otherwise written directly */
  uint64_t written; /* behind the buffer */
  const char *name; /* for messages: the target as given */
  struct staged_file staged;
  size_t buffered;
  unsigned char buffer[BUFFER_BYTES];
};

void output_file_drop_all(void) { staged_drop_all(); }

/* ---- opening ------------------------------------------------------------------------------- */

static int cannot_write(const char *name, int error, struct failure *why) {
  return fail(why, EXIT_DATA, "cannot write %s: %s", name, strerror(error));
}

static int open_direct(struct output_file *f, struct failure *why) {
  f->fd = open(f->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (f->fd < 0) return cannot_write(f->name, errno, why);
  f->close_fd = true;
  return 0;
}

static int open_target(struct output_file *f, struct failure *why) {
  struct stat st;
  if (f->name[0] == '\0') return fail(why, EXIT_USAGE, "cannot write a file without a name");
  const bool exists = stat(f->name, &st) == 0;
  if (!exists && errno != ENOENT) return cannot_write(f->name, errno, why);
  if (exists && S_ISDIR(st.st_mode))
    return fail(why, EXIT_DATA, "cannot write %s: it is a directory; name a file in it", f->name);
  if (exists && !S_ISREG(st.st_mode)) return open_direct(f, why);
  if (exists && access(f->name, W_OK) != 0) return cannot_write(f->name, errno, why);
  if (exists) {
    if (!realpath(f->name, f->staged.target)) return cannot_write(f->name, errno, why);
  } else if (readlink(f->name, f->staged.target, 1) >= 0) {
    return fail(why, EXIT_DATA, "cannot write %s: it is a link to a file that is not there",
                f->name);
  } else if (strlen(f->name) >= sizeof f->staged.target) {
    return cannot_write(f->name, ENAMETOOLONG, why);
  } else {
    strcpy(f->staged.target, f->name);
  }
  f->fd = staged_make(&f->staged);
  if (f->fd < 0)
    return fail(why, EXIT_DATA, "cannot write %s: no file can be made beside it: %s", f->name,
                strerror(errno));
  f->placed = true;
  /* Where this is not permitted, the file keeps what the umask gave: no reason to give up. */
  if (exists && fchmod(f->fd, st.st_mode & 07777) != 0) return 0;
  return 0;
}

int output_file_open(const char *target, struct output_file **out, struct failure *why) {
  struct output_file *const f = calloc(1, sizeof *f);
  if (!f) return fail(why, EXIT_DATA, "%s: no memory to write it", target);
  f->name = target;
  int status = 0;
  if (strcmp(target, "-") == 0) {
    f->name = "standard output";
    f->fd = STDOUT_FILENO;
  } else {
    status = open_target(f, why);
  }
  if (status != 0)
    free(f);
  else
    *out = f;
  return status;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int write_all(struct output_file *f, const void *data, size_t bytes, struct failure *why) {
  const char *p = data;
  while (bytes > 0) {
    const ssize_t n = write(f->fd, p, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return fail(why, EXIT_DATA, "cannot write %s: %s after %llu bytes; %s", f->name,
                  strerror(n < 0 ? errno : ENOSPC), (unsigned long long)f->written,
                  f->placed ? "nothing was changed; make room or name another place"
                            : "the result is not complete");
    p += n;
    bytes -= (size_t)n;
    f->written += (uint64_t)n;
  }
  return 0;
}

static int flush(struct output_file *f, struct failure *why) {
  const size_t bytes = f->buffered;
  f->buffered = 0;
  return write_all(f, f->buffer, bytes, why);
}

int output_file_write(struct output_file *out, const void *data, size_t bytes,
                      struct failure *why) {
  if (bytes > BUFFER_BYTES - out->buffered && flush(out, why) != 0) return -1;
  if (bytes >= BUFFER_BYTES) return write_all(out, data, bytes, why);
  if (bytes > 0) memcpy(out->buffer + out->buffered, data, bytes);
  out->buffered += bytes;
  return 0;
}

int output_file_print(struct output_file *out, struct failure *why, const char *format, ...) {
  char small[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(small, sizeof small, format, arguments);
  va_end(arguments);
  if (length < 0) return cannot_write(out->name, errno, why);
  if ((size_t)length < sizeof small) return output_file_write(out, small, (size_t)length, why);
  char *const large = malloc((size_t)length + 1);
  if (!large) return cannot_write(out->name, ENOMEM, why);
  va_start(arguments, format);
  (void)vsnprintf(large, (size_t)length + 1, format, arguments);
  va_end(arguments);
  const int status = output_file_write(out, large, (size_t)length, why);
  free(large);
  return status;
}

bool output_file_can_patch(const struct output_file *out) { return out->placed; }

int output_file_patch(struct output_file *out, uint64_t offset, const void *data, size_t bytes,
                      struct failure *why) {
  if (!out->placed) return cannot_write(out->name, ESPIPE, why);
  if (flush(out, why) != 0) return -1;
  const char *p = data;
  while (bytes > 0) {
    const ssize_t n = pwrite(out->fd, p, bytes, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return cannot_write(out->name, n < 0 ? errno : ENOSPC, why);
    p += n;
    bytes -= (size_t)n;
    offset += (uint64_t)n;
  }
  return 0;
}

/* ---- ending -------------------------------------------------------------------------------- */

int output_file_commit(struct output_file *out, struct failure *why) {
  int status = flush(out, why);
  if (out->placed && status == 0) {
    out->placed = false;
    if (staged_finish(&out->staged, out->fd) != 0)
      status = fail(why, EXIT_DATA, "cannot write %s: %s; nothing was changed", out->name,
                    strerror(errno));
  } else if (out->close_fd) {
    out->close_fd = false;
    if (close(out->fd) != 0 && status == 0) status = cannot_write(out->name, errno, why);
  }
  output_file_abort(out);
  return status;
}

void output_file_abort(struct output_file *out) {
  if (!out) return;
  if (out->placed)
    staged_drop(&out->staged, out->fd);
  else if (out->close_fd)
    close(out->fd);
  free(out);
}
