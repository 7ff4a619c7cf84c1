/* Rules read from the command line and from files, matched by fnmatch (rules.h).
 *
 * Method   an allowed class is a rule without a location. A word behind the class is a file if it
 *          ends with a line's number or has a dot or a slash, else a function
 */
#include "rules.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"
#include "report.h"
#include "wording.h"

static bool is_known_class(const char *name) {
  if (!strcmp(name, "*")) return true;
  for (unsigned i = 0; i < SD_CLASSES; i++) {
    if (!strcmp(name, check_class_name(i))) return true;
  }
  for (size_t i = 0; check_kinds[i]; i++) {
    if (!strcmp(name, check_kinds[i])) return true;
  }
  return false;
}

static void list_classes(void) {
  fputs("classes:", stderr);
  for (unsigned i = 0; i < SD_CLASSES; i++) fprintf(stderr, " %s", check_class_name(i));
  fputs("; of races also their kinds:", stderr);
  for (size_t i = 0; check_kinds[i]; i++) fprintf(stderr, " %s", check_kinds[i]);
  fputs("\n", stderr);
}

static void add(struct check_rules *r, struct check_rule rule) {
  r->list = array_room(r->list, r->count, &r->room, sizeof *r->list);
  r->list[r->count++] = rule;
}

/* Cuts ":123" off the end of a file's name; 0 if there is none. */
static unsigned cut_line(char *where) {
  char *colon = strrchr(where, ':'), *end;
  if (!colon || colon == where || colon[-1] == ':' || colon[1] < '0' || colon[1] > '9') return 0;
  const unsigned long line = strtoul(colon + 1, &end, 10);
  if (*end || !line || line > 1000000000) return 0;
  *colon = 0;
  return (unsigned)line;
}

/* A rule's text without blanks around it; what is wrong with it, or NULL. */
static const char *read_rule(struct check_rules *r, const char *text, size_t length) {
  const char *colon = memchr(text, ':', length);
  if (!colon || colon == text || colon + 1 == text + length)
    return "is not CLASS:FUNCTION, CLASS:FILE or CLASS:FILE:LINE";
  struct check_rule rule = {.class = text_copy(text, (size_t)(colon - text)),
                            .where = text_copy(colon + 1, (size_t)(text + length - colon - 1))};
  if (!is_known_class(rule.class)) {
    free(rule.class);
    free(rule.where);
    return "has no known class";
  }
  rule.line = cut_line(rule.where);
  rule.is_file = rule.line || strpbrk(rule.where, "./");
  add(r, rule);
  return NULL;
}

bool check_rules_add(struct check_rules *r, const char *program, const char *text) {
  const char *wrong = read_rule(r, text, strlen(text));
  if (!wrong) return true;
  fprintf(stderr, "%s: the rule '%s' %s\n", program, text, wrong);
  if (strstr(wrong, "class")) list_classes();
  return false;
}

bool check_rules_read(struct check_rules *r, const char *program, const char *path) {
  struct text t = {0};
  if (!files_read(path, &t)) {
    fprintf(stderr, "%s: cannot read %s: %s\n", program, path, strerror(errno));
    text_free(&t);
    return false;
  }
  bool fine = true;
  unsigned number = 0;
  const char *line = t.data, *end = t.data + t.length;
  while (line < end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end, *next = newline ? newline + 1 : end;
    const char *hash = memchr(line, '#', (size_t)(stop - line));
    if (hash) stop = hash;
    number++;
    while (line < stop && strchr(" \t\r", *line)) line++;
    while (line < stop && strchr(" \t\r", stop[-1])) stop--;
    const char *wrong = line == stop ? NULL : read_rule(r, line, (size_t)(stop - line));
    if (wrong) {
      fprintf(stderr, "%s: %s:%u: '%.*s' %s\n", program, path, number, (int)(stop - line), line,
              wrong);
      fine = false;
    }
    line = next;
  }
  text_free(&t);
  return fine;
}

bool check_rules_allow(struct check_rules *r, const char *program, const char *class) {
  if (!is_known_class(class) || !strcmp(class, "*")) {
    fprintf(stderr, "%s: there is no class '%s' to allow\n", program, class);
    list_classes();
    return false;
  }
  add(r, (struct check_rule){.class = text_copy(class, strlen(class))});
  return true;
}

void check_rules_free(struct check_rules *r) {
  for (size_t i = 0; i < r->count; i++) {
    free(r->list[i].class);
    free(r->list[i].where);
  }
  free(r->list);
  *r = (struct check_rules){0};
}

/* ---- Judging --------------------------------------------------------------------------------- */

static bool fits(const char *pattern, const char *name) { return !fnmatch(pattern, name, 0); }

/* "space::kern<int>": as it is, without the arguments, and without the spaces. */
static bool is_function(const char *pattern, const char *name) {
  if (!name) return false;
  if (fits(pattern, name)) return true;
  char *bare = text_copy(name, strcspn(name, "<"));
  bool is = *bare && fits(pattern, bare);
  for (const char *part = bare; !is && (part = strstr(part, "::"));) {
    part += 2;
    is = fits(pattern, part);
  }
  free(bare);
  return is;
}

static bool is_file(const char *pattern, const char *file) {
  while (file) {
    if (fits(pattern, file)) return true;
    const char *slash = strchr(file, '/');
    file = slash ? slash + 1 : NULL;
  }
  return false;
}

static bool is_line(const struct check_rule *rule, const struct check_line *at, bool called) {
  if (!rule->is_file) return is_function(rule->where, at->function);
  return !called && is_file(rule->where, at->file) && (!rule->line || rule->line == at->line);
}

static bool is_location(const struct check_rule *rule, const struct check_location *p) {
  if (is_line(rule, &p->at, false)) return true;
  if (!rule->is_file && p->side->kernel[0] && is_function(rule->where, p->side->kernel))
    return true;
  for (size_t i = 0; i < p->caller_count; i++) {
    if (is_line(rule, &p->callers[i], true)) return true;
  }
  return false;
}

/* The locations that a rule is about: not where memory was allocated, if there are others. */
static bool is_about(const struct check_rule *rule, const struct check_finding *f) {
  bool accesses = false;
  for (size_t i = 0; i < f->location_count; i++) accesses |= check_is_access(&f->locations[i]);
  for (size_t i = 0; i < f->location_count; i++) {
    if ((check_is_access(&f->locations[i]) || !accesses) && is_location(rule, &f->locations[i]))
      return true;
  }
  return !strcmp(rule->where, "*");
}

enum check_verdict check_rules_judge(const struct check_rules *r, const struct check_finding *f) {
  for (size_t i = 0; i < r->count; i++) {
    const struct check_rule *rule = &r->list[i];
    const bool class = !strcmp(rule->class, "*") || !strcmp(rule->class, f->raw->kind) ||
                       !strcmp(rule->class, check_class_name(f->raw->class));
    if (class && !rule->where) return CHECK_ALLOWED;
    if (class && is_about(rule, f)) return CHECK_SUPPRESSED;
  }
  return f->raw->class == SD_LEAK && !r->leaks ? CHECK_NOTED : CHECK_SHOWN;
}
