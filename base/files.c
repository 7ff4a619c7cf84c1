/* files.c - by the system's own calls, which are repeated where a signal came in between */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keeps errno, which says why something before it failed. */
static void close_quietly(int file) {
  const int reason = errno;
  close(file);
  errno = reason;
}

bool files_read(const char *path, struct text *out) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char *piece = text_allocate(1 << 16);
  ssize_t got;
  while ((got = read(file, piece, 1 << 16)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) text_add(out, piece, (size_t)got);
  }
  free(piece);
  close_quietly(file);
  if (!out->data) text_add(out, "", 0);
  return got == 0;
}

bool files_write(const char *path, const char *data, size_t length) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  while (length) {
    const ssize_t put = write(file, data, length);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      close_quietly(file);
      return false;
    }
    data += put;
    length -= (size_t)put;
  }
  return close(file) == 0;
}

char *files_own_folder(void) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
  return text_copy(path, strlen(path));
}
