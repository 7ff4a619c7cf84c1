/* The first of three places, made and then examined (folder.h).
 *
 * Limits   a folder that belongs to another user, or that others may write to, is not used
 */
#include "folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rewrite/text.h"

static char *folder_name(void) {
  const char *given = getenv("SIMT_CACHE_DIR");
  if (given && *given) return text_copy(given, strlen(given));
  const char *cache = getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return text_format("%s/simt", cache);
  const char *home = getenv("HOME");
  struct stat s; /* of an account without a home nothing is made */
  if (!home || *home != '/' || stat(home, &s) || !S_ISDIR(s.st_mode)) return NULL;
  return text_format("%s/.cache/simt", home);
}

/* mkdir -p; what cannot be made shows when the folder is looked at. */
static void make_folders(const char *path) {
  char *part = text_copy(path, strlen(path));
  for (char *c = part + 1; *c; c++) {
    if (*c != '/') continue;
    *c = 0;
    mkdir(part, 0777);
    *c = '/';
  }
  mkdir(part, 0700);
  free(part);
}

/* Programs are run from here: nobody else may be able to put one in. */
static bool is_safe(const char *path) {
  struct stat s;
  return !lstat(path, &s) && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
         !(s.st_mode & (S_IWGRP | S_IWOTH)) && !access(path, W_OK | X_OK);
}

char *cache_folder(void) {
  char *folder = folder_name();
  if (folder) make_folders(folder);
  if (folder && is_safe(folder)) return folder;
  free(folder);
  return NULL;
}
