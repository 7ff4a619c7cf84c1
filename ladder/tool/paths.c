/* paths.c - paths are looked at where they are used: none is kept from one call to the next */
#include "paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/string_list.h"
#include "base/text.h"
#include "failure.h"

char *file_partial(const char *path) {
  struct stat status;
  const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  return text_format(direct ? "%s" : "%s.part", path);
}

bool file_settle(const char *partial, const char *path) {
  return !strcmp(partial, path) || rename(partial, path) == 0;
}

bool file_exists(const char *path) { return access(path, R_OK) == 0; }

bool program_exists(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

char *file_read(const char *path, size_t *bytes) {
  struct text t = {0};
  if (!files_read(path, &t)) {
    const int reason = errno;
    text_free(&t);
    errno = reason;
    return NULL;
  }
  if (bytes) *bytes = t.length;
  return t.data;
}

void make_folder(const char *path) {
  char *part = text_format("%s", path);
  for (char *at = part;; at++) {
    const char kept = *at;
    if (kept != 0 && (kept != '/' || at == part)) continue;
    *at = 0;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      fail("cannot make %s: %s", part, strerror(errno));
    *at = kept;
    if (kept == 0) break;
  }
  free(part);
}

static struct string_list scratch;

static void remove_scratch(void) {
  while (scratch.count > 0) {
    char *path = scratch.all[--scratch.count];
    remove(path); /* may be gone already */
    free(path);
  }
  string_list_free(&scratch);
}

void remove_at_exit(const char *path) {
  if (!scratch.all && atexit(remove_scratch) != 0) fail("out of memory");
  string_list_add(&scratch, path);
}

char *scratch_folder(void) {
  const char *base = getenv("TMPDIR");
  char *folder = text_format("%s/heddle-ladder-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) fail("cannot make %s: %s", folder, strerror(errno));
  remove_at_exit(folder);
  return folder;
}

char *find_in_path(const char *name) {
  const char *path = getenv("PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    char *candidate = text_format("%.*s/%s", (int)length, path, name);
    if (program_exists(candidate)) return candidate;
    free(candidate);
    path += length;
    if (*path) path++;
  }
  return NULL;
}

const char *own_folder(void) {
  static char *folder; /* it is looked for once, and kept */
  if (!folder) folder = files_own_folder();
  if (!folder) fail("cannot find its own place: %s", strerror(errno));
  return folder;
}
