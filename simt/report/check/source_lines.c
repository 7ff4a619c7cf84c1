/* Each file is read whole, once (source_lines.h).
 *
 * Method   a file is read once and its lines are counted up; only regular files of at most
 *          16 MiB that have a size, since the name comes from the program that was checked
 */
#include "source_lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "module_text.h"

enum { MOST_BYTES = 16 << 20, MOST_FILES = 256, MOST_COLUMNS = 160 };

struct source {
  char *name;
  struct text text;
  size_t *lines; /* where each begins */
  size_t count, room;
};

struct check_sources {
  struct source list[MOST_FILES];
  size_t count;
  const struct check_log *log;
};

struct check_sources *check_sources_open(const struct check_log *log) {
  struct check_sources *s = text_allocate(sizeof *s);
  s->log = log;
  return s;
}

void check_sources_close(struct check_sources *s) {
  for (size_t i = 0; i < s->count; i++) {
    free(s->list[i].name);
    text_free(&s->list[i].text);
    free(s->list[i].lines);
  }
  free(s);
}

static bool is_readable(const char *name) {
  struct stat s;
  return !stat(name, &s) && S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size <= MOST_BYTES;
}

static void count_lines(struct source *s) {
  for (size_t at = 0; at < s->text.length;) {
    s->lines = array_room(s->lines, s->count, &s->room, sizeof *s->lines);
    s->lines[s->count++] = at;
    const char *newline = memchr(s->text.data + at, '\n', s->text.length - at);
    at = newline ? (size_t)(newline - s->text.data) + 1 : s->text.length;
  }
}

/* From the text of a module that has lines of that file. */
static bool read_module(const struct check_log *log, struct source *s) {
  for (size_t i = 0; i < log->module_count; i++)
    if (check_module_text(log->modules[i].path, s->name, &s->text)) return true;
  return false;
}

static struct source *find(struct check_sources *s, const char *file) {
  for (size_t i = 0; i < s->count; i++) {
    if (!strcmp(s->list[i].name, file)) return &s->list[i];
  }
  if (s->count == MOST_FILES) return NULL;
  struct source *added = &s->list[s->count++];
  added->name = text_copy(file, strlen(file));
  if (read_module(s->log, added) || (is_readable(file) && files_read(file, &added->text)))
    count_lines(added);
  return added;
}

char *check_source_line(struct check_sources *s, const char *file, unsigned line) {
  const struct source *source = file && line ? find(s, file) : NULL;
  if (!source || line > source->count) return NULL;
  const char *from = source->text.data + source->lines[line - 1];
  const char *end =
      source->text.data + (line < source->count ? source->lines[line] : source->text.length);
  while (from < end && strchr(" \t\r\n", *from)) from++;
  while (from < end && strchr(" \t\r\n", end[-1])) end--;
  size_t length = (size_t)(end - from);
  if (length > MOST_COLUMNS) length = MOST_COLUMNS;
  while (length && length < (size_t)(end - from) && (from[length] & 0xC0) == 0x80) length--;
  return length ? text_copy(from, length) : NULL;
}
