/* spool.c - a temporary file that is unlinked at once, written and read at offsets */
#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>

struct spool {
  int fd;
  uint64_t bytes;
  const char *name;
  char path[PATH_MAX];
};

int spool_open(const char *name, struct spool **out, struct failure *why) {
  struct spool *const s = calloc(1, sizeof *s);
  if (!s) return fail(why, EXIT_DATA, "%s: no memory to keep it", name);
  const char *directory = getenv("TMPDIR");
  if (!directory || *directory == '\0') directory = "/tmp";
  const int length = snprintf(s->path, sizeof s->path, "%s/heddle-XXXXXX", directory);
  if (length < 0 || (size_t)length >= sizeof s->path)
    errno = ENAMETOOLONG;
  else
    s->fd = mkostemp(s->path, O_CLOEXEC);
  if (length < 0 || (size_t)length >= sizeof s->path || s->fd < 0) {
    const int error = errno;
    free(s);
    return fail(why, EXIT_DATA,
                "%s is read twice and cannot be kept in %s: %s; set TMPDIR to a folder that can be "
                "written",
                name, directory, strerror(error));
  }
  (void)unlink(s->path);
  s->name = name;
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
                  "%s is read twice and cannot be kept in %s: %s after %llu bytes; set TMPDIR to a "
                  "folder on a larger disk",
                  spool->name, spool->path, strerror(written < 0 ? errno : ENOSPC),
                  (unsigned long long)spool->bytes);
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
      return fail(why, EXIT_DATA, "%s: cannot read it back from %s: %s", spool->name, spool->path,
                  strerror(errno));
    if (n == 0) break;
    *got += (size_t)n;
  }
  return 0;
}

uint64_t spool_bytes(const struct spool *spool) { return spool->bytes; }

void spool_close(struct spool *spool) {
  if (!spool) return;
  close(spool->fd);
  free(spool);
}
