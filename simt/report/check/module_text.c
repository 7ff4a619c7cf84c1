/* The section .simt_source, put together by its #line directives (module_text.h).
 *
 * Method   it stands in a section of the module. #line directives say which line of which file
 *          comes next, so a file is put together from the pieces that are said to be its
 * Limits   lines up to MOST_LINES; the first of two pieces for the same line counts
 */
#include "module_text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"

enum { MOST_LINES = 1 << 20 };
static const char section[] = ".simt_source";

static bool is_inside(const struct text *t, uint64_t offset, uint64_t bytes) {
  return offset <= t->length && bytes <= t->length - offset;
}

/* The section's bytes; NULL: there is none. */
static const char *find_section(const struct text *file, size_t *length) {
  Elf64_Ehdr head;
  Elf64_Shdr names, one;
  if (file->length < sizeof head) return NULL;
  memcpy(&head, file->data, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof one) return NULL;
  if (!is_inside(file, head.e_shoff, head.e_shnum * sizeof one) || head.e_shstrndx >= head.e_shnum)
    return NULL;
  memcpy(&names, file->data + head.e_shoff + head.e_shstrndx * sizeof names, sizeof names);
  if (!is_inside(file, names.sh_offset, names.sh_size)) return NULL;
  for (size_t i = 0; i < head.e_shnum; i++) {
    memcpy(&one, file->data + head.e_shoff + i * sizeof one, sizeof one);
    if (one.sh_name >= names.sh_size || names.sh_size - one.sh_name < sizeof section) continue;
    if (memcmp(file->data + names.sh_offset + one.sh_name, section, sizeof section) != 0) continue;
    if (!is_inside(file, one.sh_offset, one.sh_size)) return NULL;
    *length = one.sh_size;
    return file->data + one.sh_offset;
  }
  return NULL;
}

struct line {
  const char *begin;
  size_t length;
};

/* "#line 12 \"name\"" or "# 12 \"name\"": true, and which line comes next; *is: of the file. */
static bool read_directive(const struct line *l, const char *file, unsigned long *next, bool *is) {
  char *copy = text_copy(l->begin, l->length), *at = copy + strspn(copy, " \t"), *end = NULL;
  bool found = false;
  if (*at == '#') {
    at += 1 + strspn(at + 1, " \t");
    if (!strncmp(at, "line", 4)) at += 4;
    *next = strtoul(at, &end, 10);
    found = end != at;
  }
  char *open = found ? strchr(end, '"') : NULL, *close = open ? strchr(open + 1, '"') : NULL;
  if (close) {
    *close = 0;
    *is = !strcmp(open + 1, file);
  }
  free(copy);
  return found;
}

/* Notes the lines of the file; returns the highest number. */
static size_t collect(const char *text, size_t length, const char *file, struct line *lines) {
  const char *const end = text + length;
  unsigned long number = 1;
  bool is = false;
  size_t most = 0;
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const struct line l = {text, (size_t)((newline ? newline : end) - text)};
    if (!read_directive(&l, file, &number, &is)) {
      if (is && number && number < MOST_LINES && !lines[number].begin) {
        lines[number] = l;
        if (number > most) most = number;
      }
      number++;
    }
    text += l.length + 1;
  }
  return most;
}

bool check_module_text(const char *path, const char *file, struct text *out) {
  struct text object = {0};
  size_t length = 0;
  const char *source = files_read(path, &object) ? find_section(&object, &length) : NULL;
  size_t most = 0;
  if (source) {
    struct line *lines = text_allocate(MOST_LINES * sizeof *lines);
    most = collect(source, length, file, lines);
    for (size_t i = 1; i <= most; i++) {
      if (lines[i].begin) text_add(out, lines[i].begin, lines[i].length);
      text_add(out, "\n", 1);
    }
    free(lines);
  }
  text_free(&object);
  return most != 0;
}
