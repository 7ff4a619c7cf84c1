/* private_folder.c - made first, then looked at: what somebody else has made in between shows
 *
 * Source  XDG Base Directory Specification 0.8: relative paths in $XDG_CACHE_HOME are void
 */
#include "base/private_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* mkdir -p; what cannot be made shows when the folder is looked at. */
static void make_all(const char *path) {
  char *part = text_copy(path, strlen(path));
  for (char *c = part; *c; c++) {
    if (*c != '/' || c == part) continue;
    *c = 0;
    mkdir(part, 0777);
    *c = '/';
  }
  mkdir(part, 0700);
  free(part);
}

static bool is_private(const char *path) {
  struct stat s;
  return !lstat(path, &s) && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
         !(s.st_mode & (S_IWGRP | S_IWOTH)) && !access(path, W_OK | X_OK);
}

bool private_folder_make(const char *path) {
  make_all(path);
  return is_private(path);
}

char *private_folder_below(const char *variable, const char *name) {
  const char *given = getenv(variable);
  if (given && *given) return text_copy(given, strlen(given));
  const char *cache = getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return text_format("%s/%s", cache, name);
  const char *home = getenv("HOME");
  struct stat s;
  if (!home || *home != '/' || stat(home, &s) || !S_ISDIR(s.st_mode)) return NULL;
  return text_format("%s/.cache/%s", home, name);
}
