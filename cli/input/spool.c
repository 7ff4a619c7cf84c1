/* spool.c - a file without a name, written and read at offsets
 *
 * Method  O_TMPFILE; where the file system has no such files, a temporary name that is unlinked at once,
 *         while all signals wait.
 * Limits  without O_TMPFILE, SIGKILL in between leaves an empty file. */
#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>

struct spool {
  int fd;
  uint64_t bytes;
  struct spool_use use;
};

static int open_named(const char *folder) {
  char path[PATH_MAX];
  sigset_t all, before;
  const int length = snprintf(path, sizeof path, "%s/heddle-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  sigfillset(&all);
  (void)sigprocmask(SIG_SETMASK, &all, &before);
  const int fd = mkostemp(path, O_CLOEXEC);
  const int error = errno;
  if (fd >= 0) (void)unlink(path);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return fd;
}

static int open_in(const char *folder) {
#ifdef O_TMPFILE
  const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
#endif
  return open_named(folder);
}

int spool_open(const struct spool_use *use, struct spool **out, struct failure *why) {
  struct spool *const s = calloc(1, sizeof *s);
  if (!s) return fail(why, EXIT_DATA, "%s: no memory to keep it", use->name);
  s->use = *use;
  if (!s->use.folder) s->use.folder = getenv("TMPDIR");
  if (!s->use.folder || *s->use.folder == '\0') s->use.folder = "/tmp";
  s->fd = open_in(s->use.folder);
  if (s->fd < 0) {
    (void)fail(why, EXIT_DATA, "%s %s and cannot be kept in %s: %s; %s that can be written",
               use->name, use->reason, s->use.folder, strerror(errno), use->remedy);
    free(s);
    return -1;
  }
  *out = s;
  return 0;
}

int spool_append(struct spool *spool, const void *data, size_t bytes, struct failure *why) {
  const char *p = data;
  while (bytes > 0) {
    const ssize_t written = pwrite(spool->fd, p, bytes, (off_t)spool->bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      return fail(why, EXIT_DATA,
                  "%s %s and cannot be kept in %s: %s after %llu bytes; %s on a larger disk",
                  spool->use.name, spool->use.reason, spool->use.folder,
                  strerror(written < 0 ? errno : ENOSPC), (unsigned long long)spool->bytes,
                  spool->use.remedy);
    p += written;
    bytes -= (size_t)written;
    spool->bytes += (uint64_t)written;
  }
  return 0;
}

int spool_read(struct spool *spool, uint64_t offset, void *buffer, size_t capacity, size_t *got,
               struct failure *why) {
  char *const p = buffer;
  *got = 0;
  while (*got < capacity) {
    const ssize_t n = pread(spool->fd, p + *got, capacity - *got, (off_t)(offset + *got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(why, EXIT_DATA, "%s: cannot read it back from %s: %s", spool->use.name,
                  spool->use.folder, strerror(errno));
    if (n == 0) break;
    *got += (size_t)n;
  }
  return 0;
}

uint64_t spool_bytes(const struct spool *spool) { return spool->bytes; }

int spool_take(struct spool *spool) {
  const int fd = spool->fd;
  free(spool);
  return fd;
}

void spool_close(struct spool *spool) {
  if (!spool) return;
  close(spool->fd);
  free(spool);
}
