/* catalog.c - folders are read, and of each source the lines that begin with "//! " */
#include "catalog.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "failure.h"
#include "paths.h"

/* The order of the course; families that it does not know come last. */
static const char *const families[] = {"hierarchy", "divergence", "warp",  "reduce",  "scan",
                                       "histogram", "sort",       "bykey", "pictures"};

static int family_order(const char *family) {
  const int known = (int)(sizeof families / sizeof families[0]);
  for (int i = 0; i < known; i++)
    if (strcmp(family, families[i]) == 0) return i;
  return known;
}

static int compare(const void *left, const void *right) {
  const struct rung *a = left, *b = right;
  const int order = family_order(a->family) - family_order(b->family);
  if (order) return order;
  const int by_family = strcmp(a->family, b->family);
  return by_family ? by_family : strcmp(a->name, b->name);
}

/* What follows "//! key:" in the source, without blanks around it; NULL if it has no such line. */
static char *header(const char *source, const char *key) {
  for (const char *at = source; (at = strstr(at, "//! ")); at++) {
    const char *value = at + 4;
    const size_t length = strlen(key);
    if (strncmp(value, key, length) != 0 || value[length] != ':') continue;
    value += length + 1;
    value += strspn(value, " \t");
    size_t end = strcspn(value, "\r\n");
    while (end > 0 && isspace((unsigned char)value[end - 1])) end--;
    return text_format("%.*s", (int)end, value);
  }
  return NULL;
}

static void read_expect(struct rung *r, const char *text) {
  static const char *const words[] = {"right", "caught", "needs-check"};
  for (int i = 0; i < 3; i++) {
    const size_t length = strlen(words[i]);
    if (strncmp(text, words[i], length) != 0 || (text[length] && text[length] != ' ')) continue;
    r->expect = (enum expect)i;
    r->class = text_format("%s", text + length + strspn(text + length, " "));
    if ((r->class[0] == 0) == (r->expect == EXPECT_RIGHT)) return;
  }
  fail("%s: '//! expect: %s' is none of: right, caught CLASS, needs-check CLASS", r->path, text);
}

/* True if a comment that begins with BUG stands behind code on this line. */
static bool is_marked(const char *line, size_t length) {
  size_t at = strspn(line, " \t");
  if (at >= length || line[at] == '/' || line[at] == '*') return false;
  for (; at + 6 <= length; at++)
    if (line[at] == '/' && (line[at + 1] == '/' || line[at + 1] == '*') &&
        strncmp(line + at + 2, " BUG", 4) == 0)
      return true;
  return false;
}

static void read_marks(struct rung *r, const char *source) {
  unsigned number = 1;
  for (const char *line = source; *line; number++) {
    const size_t length = strcspn(line, "\n");
    if (is_marked(line, length)) {
      r->mark = text_grow(r->mark, (r->marks + 1) * sizeof *r->mark);
      r->mark[r->marks++] = number;
    }
    line += length + (line[length] == '\n');
  }
}

static void read_header(struct rung *r) {
  char *source = file_read(r->path, NULL);
  if (!source) fail("cannot read %s: %s", r->path, strerror(errno));
  r->title = header(source, "title");
  char *expect = header(source, "expect"), *link = header(source, "link");
  char *size = header(source, "size");
  if (!r->title || !expect) fail("%s has no '//! title:' or no '//! expect:' line", r->path);
  read_expect(r, expect);
  r->links_heddle = link && strcmp(link, "heddle") == 0;
  r->fixed_size = size && strcmp(size, "fixed") == 0;
  r->observed_options = header(source, "watched");
  read_marks(r, source);
  free(size);
  free(expect);
  free(link);
  free(source);
}

static bool is_rung(const char *file) {
  const size_t length = strlen(file);
  return length > 6 && isdigit((unsigned char)file[0]) && isdigit((unsigned char)file[1]) &&
         file[2] == '_' && strcmp(file + length - 3, ".cu") == 0;
}

static void load_family(struct catalog *c, const char *family) {
  char *folder = text_format("%s/%s", c->root, family);
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (!is_rung(entry->d_name)) continue;
    c->rung = text_grow(c->rung, (c->count + 1) * sizeof *c->rung);
    struct rung *r = &c->rung[c->count++];
    *r = (struct rung){0};
    r->family = text_format("%s", family);
    r->name = text_format("%.*s", (int)strlen(entry->d_name) - 3, entry->d_name);
    r->path = text_format("%s/%s", folder, entry->d_name);
    read_header(r);
  }
  if (dir) closedir(dir);
  free(folder);
}

/* $HEDDLE_LADDER, then where an installation has it, seen from bin and from libexec/heddle, then
 * the source tree that this program was built from. */
static char *find_root(void) {
  static const char *const ups[] = {"..", "../.."};
  const char *given = getenv("HEDDLE_LADDER");
  if (given && *given) return text_format("%s", given);
  for (int i = 0; i < 2; i++) {
    char *root = text_format("%s/%s/share/heddle/ladder", own_folder(), ups[i]);
    char *probe = text_format("%s/common/ladder.h", root);
    const bool there = file_exists(probe);
    free(probe);
    if (there) return root;
    free(root);
  }
  return text_format("%s", LADDER_SOURCE);
}

void catalog_load(struct catalog *c) {
  *c = (struct catalog){0};
  c->root = find_root();
  DIR *dir = opendir(c->root);
  if (!dir) fail("no ladder in %s: %s", c->root, strerror(errno));
  for (struct dirent *entry; (entry = readdir(dir));)
    if (entry->d_name[0] != '.') load_family(c, entry->d_name);
  closedir(dir);
  if (c->count == 0) fail("no rungs in %s", c->root);
  qsort(c->rung, c->count, sizeof *c->rung, compare);
}

void catalog_free(struct catalog *c) {
  for (size_t i = 0; i < c->count; i++) {
    const struct rung *r = &c->rung[i];
    char *const owned[] = {r->family, r->name, r->path, r->title, r->class, r->observed_options};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) free(owned[k]);
    free(r->mark);
  }
  free(c->rung);
  free(c->root);
}

bool catalog_is_family(const struct catalog *c, const char *name) {
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->rung[i].family, name) == 0) return true;
  return false;
}

bool catalog_means(const struct rung *r, const char *name) {
  const size_t length = strlen(r->family);
  if (strncmp(name, r->family, length) == 0 && name[length] == '/') name += length + 1;
  if (strcmp(name, r->name) == 0 || strcmp(name, r->name + 3) == 0) return true;
  char *end = NULL;
  const long number = strtol(name, &end, 10);
  return isdigit((unsigned char)name[0]) && *end == 0 && number == strtol(r->name, NULL, 10);
}
