/* A list of files with their spellings, read when a line is asked for (source_files.h).
 *
 * Limits  of a file only the first 16 MiB are read
 */
#include "source_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { MOST = 16 << 20 };

struct source {
  struct source *next;
  char *path;
  char **given; /* spellings */
  size_t given_count, given_room;
  char *text; /* each line ends with a zero byte */
  char **lines;
  size_t line_count, line_room;
  int tried;
};

static struct source *sources;

static int has_spelling(const struct source *s, const char *file) {
  for (size_t i = 0; i < s->given_count; i++)
    if (!strcmp(s->given[i], file)) return 1;
  return 0;
}

static void add_spelling(struct source *s, const char *file) {
  s->given = array_room(s->given, s->given_count, &s->given_room, sizeof *s->given);
  s->given[s->given_count++] = text_copy(file, strlen(file));
}

static char *real_path(const char *file) {
  char *whole = realpath(file, NULL);
  char *folder = getcwd(NULL, 0);
  const size_t length = folder ? strlen(folder) : 0;
  const char *from = whole ? whole : file;
  if (whole && length > 1 && !strncmp(whole, folder, length) && whole[length] == '/')
    from = whole + length + 1;
  char *path = text_copy(from, strlen(from));
  free(whole);
  free(folder);
  return path;
}

const char *profile_source_path(const char *file) {
  for (const struct source *s = sources; s; s = s->next)
    if (has_spelling(s, file)) return s->path;
  char *path = real_path(file);
  struct source *s = sources;
  while (s && strcmp(s->path, path)) s = s->next;
  if (!s) {
    s = text_allocate(sizeof *s);
    s->path = path;
    s->next = sources;
    sources = s;
  } else {
    free(path);
  }
  add_spelling(s, file);
  return s->path;
}

static void read_lines(struct source *s) {
  s->tried = 1;
  FILE *in = fopen(s->path, "r");
  if (!in) return;
  s->text = text_allocate(MOST + 1);
  const size_t bytes = fread(s->text, 1, MOST, in);
  fclose(in);
  s->text = text_grow(s->text, bytes + 1);
  s->text[bytes] = 0;
  for (char *at = s->text; at < s->text + bytes;) {
    char *end = memchr(at, '\n', (size_t)(s->text + bytes - at));
    s->lines = array_room(s->lines, s->line_count, &s->line_room, sizeof *s->lines);
    s->lines[s->line_count++] = at;
    if (!end) break;
    *end = 0;
    if (end > at && end[-1] == '\r') end[-1] = 0;
    at = end + 1;
  }
}

const char *profile_source_line(const char *path, unsigned line) {
  struct source *s = sources;
  while (s && s->path != path) s = s->next;
  if (!s) return NULL;
  if (!s->tried) read_lines(s);
  return line >= 1 && line <= s->line_count ? s->lines[line - 1] : NULL;
}

void profile_source_forget(void) {
  while (sources) {
    struct source *s = sources;
    sources = s->next;
    for (size_t i = 0; i < s->given_count; i++) free(s->given[i]);
    free(s->given);
    free(s->lines);
    free(s->text);
    free(s->path);
    free(s);
  }
}
