/* Files by read and write, names by line markers (files.h). */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"

bool files_stamp(const char *path, struct text *out, struct timespec *changed) {
  struct stat s;
  if (stat(path, &s)) return false;
  text_add_format(out, "%s\n%lld %lld.%09ld", path, (long long)s.st_size,
                  (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  if (changed) *changed = s.st_mtim;
  return true;
}

void files_remove_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return;
  for (const struct dirent *e; (e = readdir(folder));) {
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
      unlinkat(dirfd(folder), e->d_name, 0);
    }
  }
  closedir(folder);
  rmdir(path);
}

static void add_once(struct string_list *files, char kind, const char *name, size_t length) {
  if (!length || *name == '<') return; /* <built-in> */
  for (size_t i = files->count; i-- > 0;) {
    const char *known = files->all[i] + 1;
    if (!strncmp(known, name, length) && !known[length]) return;
  }
  char *entry = text_format("%c%.*s", kind, (int)length, name);
  string_list_add(files, entry);
  free(entry);
}

void files_of_markers(const char *text, size_t length, struct string_list *files) {
  const char *end = text + length;
  for (const char *line = text; line && line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;
    if (stop - line > 4 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9') {
      const char *open = memchr(line, '"', (size_t)(stop - line));
      const char *close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
      if (close) {
        const bool system = memchr(close, '3', (size_t)(stop - close)) != NULL;
        add_once(files, system ? FILES_SYSTEM : FILES_USER, open + 1, (size_t)(close - open - 1));
      }
    }
    line = newline ? newline + 1 : NULL;
  }
}

bool files_mention(const struct string_list *files, const char *word, const char *own) {
  const size_t length = strlen(own);
  for (size_t i = 0; i < files->count; i++) {
    const char *entry = files->all[i];
    if (entry[0] != FILES_USER || !strncmp(entry + 1, own, length)) continue;
    struct text t = {0};
    const bool found = files_read(entry + 1, &t) && memmem(t.data, t.length, word, strlen(word));
    text_free(&t);
    if (found) return true;
  }
  return false;
}
