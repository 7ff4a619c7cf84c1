/* base.c - text, paths and failures; see base.h */
#include "base.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void fail(const char *text, ...) {
  va_list list;
  fflush(stdout);
  fputs("heddle ladder: ", stderr);
  va_start(list, text);
  vfprintf(stderr, text, list);
  va_end(list);
  fputc('\n', stderr);
  exit(STATUS_USAGE);
}

void *grow(void *memory, size_t bytes) {
  void *larger = realloc(memory, bytes ? bytes : 1);
  if (!larger) fail("out of memory");
  return larger;
}

static char *format_list(const char *text, va_list list) {
  va_list again;
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, text, again);
  va_end(again);
  char *result = grow(NULL, (size_t)length + 1);
  vsnprintf(result, (size_t)length + 1, text, list);
  return result;
}

char *format(const char *text, ...) {
  va_list list;
  va_start(list, text);
  char *result = format_list(text, list);
  va_end(list);
  return result;
}

void text_bytes(struct text *t, const void *data, size_t bytes) {
  if (t->used + bytes + 1 > t->size) {
    t->size = 2 * (t->used + bytes) + 64;
    t->data = grow(t->data, t->size);
  }
  if (bytes) memcpy(t->data + t->used, data, bytes);
  t->used += bytes;
  t->data[t->used] = 0;
}

void text_add(struct text *t, const char *text, ...) {
  va_list list;
  va_start(list, text);
  char *piece = format_list(text, list);
  va_end(list);
  text_bytes(t, piece, strlen(piece));
  free(piece);
}

void list_add(struct list *l, char *owned) {
  l->item = grow(l->item, (l->count + 2) * sizeof *l->item);
  l->item[l->count++] = owned;
  l->item[l->count] = NULL;
}

void list_free(struct list *l) {
  for (size_t i = 0; i < l->count; ++i) free(l->item[i]);
  free(l->item);
  l->item = NULL;
  l->count = 0;
}

char *file_partial(const char *path) {
  struct stat status;
  const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  return format(direct ? "%s" : "%s.part", path);
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
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  struct text t = {0};
  char piece[1 << 15];
  size_t n;
  text_bytes(&t, "", 0);
  while ((n = fread(piece, 1, sizeof piece, file)) > 0) text_bytes(&t, piece, n);
  const int error = ferror(file) ? EIO : 0;
  fclose(file);
  if (error) {
    free(t.data);
    errno = error;
    return NULL;
  }
  if (bytes) *bytes = t.used;
  return t.data;
}

void make_folder(const char *path) {
  char *part = format("%s", path);
  for (char *at = part + 1;; ++at) {
    const char kept = *at;
    if (kept != '/' && kept != 0) continue;
    *at = 0;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      fail("cannot make %s: %s", part, strerror(errno));
    *at = kept;
    if (kept == 0) break;
  }
  free(part);
}

static struct list scratch;

static void remove_scratch(void) {
  while (scratch.count > 0) {
    char *path = scratch.item[--scratch.count];
    remove(path); /* may be gone already */
    free(path);
  }
  list_free(&scratch);
}

void remove_at_exit(const char *path) {
  if (!scratch.item && atexit(remove_scratch) != 0) fail("out of memory");
  list_add(&scratch, format("%s", path));
}

char *scratch_folder(void) {
  const char *base = getenv("TMPDIR");
  char *folder = format("%s/heddle-ladder-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) fail("cannot make %s: %s", folder, strerror(errno));
  remove_at_exit(folder);
  return folder;
}

char *find_in_path(const char *name) {
  const char *path = getenv("PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    char *candidate = format("%.*s/%s", (int)length, path, name);
    if (program_exists(candidate)) return candidate;
    free(candidate);
    path += length;
    if (*path) ++path;
  }
  return NULL;
}

const char *own_folder(void) {
  static char path[PATH_MAX];
  if (path[0]) return path;
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) fail("cannot find its own place: %s", strerror(errno));
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
  return path;
}

static int fold(char c) { return c == '-' || c == '_' ? ' ' : tolower((unsigned char)c); }

bool same_words(const char *text, const char *word) {
  for (; *text; ++text) {
    size_t i = 0;
    while (word[i] && fold(text[i]) == fold(word[i])) ++i;
    if (!word[i]) return true;
  }
  return word[0] == 0;
}
