/* Each process's file makes a report, and these are joined (gather.h).
 *
 * Limits   what stands in the files is the processes' to write: paths and words are shown, never
 *          run, and cleaned where they are shown
 */
#include "gather.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"

static bool ends_with(const char *name, const char *end) {
  const size_t length = strlen(name), ending = strlen(end);
  return length > ending && !strcmp(name + length - ending, end);
}

/* Neither a link to elsewhere nor a pipe, at which a reader would wait. */
static bool is_file(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static int by_number(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  const unsigned long m = strtoul(x, NULL, 10), n = strtoul(y, NULL, 10);
  return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static bool names_of(const char *folder, struct string_list *names) {
  DIR *open = opendir(folder);
  if (!open) return false;
  for (struct dirent *e; (e = readdir(open));)
    if (ends_with(e->d_name, ".findings") || ends_with(e->d_name, ".unchecked"))
      string_list_add(names, e->d_name);
  closedir(open);
  if (names->count) qsort(names->all, names->count, sizeof *names->all, by_number);
  return true;
}

/* The program's path, and the words that it was called by, which stand behind it. */
static void read_words(const char *path, char **program, char **called) {
  struct text t = {0}, words = {0};
  text_add(&words, "", 0);
  if (!is_file(path) || !files_read(path, &t)) text_add(&t, "", 0);
  const size_t first = strlen(t.data) + 1;
  *program = text_copy(t.data, strlen(t.data));
  for (size_t at = first; at < t.length; at += strlen(t.data + at) + 1)
    text_add_format(&words, "%s%s", words.length ? " " : "", t.data + at);
  *called = text_copy(words.length ? words.data : *program,
                      words.length ? words.length : strlen(*program));
  text_free(&t);
  text_free(&words);
}

static void add_process(struct check_gathered *g, const char *findings, const char *words,
                        const char *own, const struct check_rules *rules) {
  struct check_log log;
  char *program, *called;
  const int fd = is_file(findings) ? open(findings, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
  const bool fine = fd >= 0 && check_file_read(fd, &log);
  if (fd >= 0) close(fd);
  if (!fine) {
    g->broken++;
    return;
  }
  read_words(words, &program, &called);
  g->list = array_room(g->list, g->count, &g->room, sizeof *g->list);
  struct check_process *p = &g->list[g->count++];
  p->called = called;
  check_report_make(&p->report, &log, program, own, rules);
  free(program);
}

static void add_unchecked(struct check_gathered *g, const char *path) {
  char *program, *called;
  read_words(path, &program, &called);
  bool known = false;
  for (size_t i = 0; i < g->unchecked.count; i++) known |= !strcmp(g->unchecked.all[i], program);
  if (!known) string_list_add(&g->unchecked, program);
  free(program);
  free(called);
}

bool check_gather(struct check_gathered *g, const char *folder, const char *own,
                  const struct check_rules *rules) {
  struct string_list names = {0};
  *g = (struct check_gathered){0};
  if (!names_of(folder, &names)) return false;
  for (size_t i = 0; i < names.count; i++) {
    const char *name = names.all[i];
    const size_t stem = (size_t)(strrchr(name, '.') - name);
    char *path = text_format("%s/%s", folder, name);
    char *words = text_format("%s/%.*s.program", folder, (int)stem, name);
    if (ends_with(name, ".unchecked"))
      add_unchecked(g, path);
    else
      add_process(g, path, words, own, rules);
    free(words);
    free(path);
  }
  string_list_free(&names);
  struct check_report **reports = text_allocate((g->count + 1) * sizeof *reports);
  const char **called = text_allocate((g->count + 1) * sizeof *called);
  for (size_t i = 0; i < g->count; i++) {
    reports[i] = &g->list[i].report;
    called[i] = g->list[i].called;
  }
  check_report_join(&g->all, reports, called, g->count);
  free(called);
  free(reports);
  return true;
}

void check_gathered_free(struct check_gathered *g) {
  check_report_free(&g->all);
  for (size_t i = 0; i < g->count; i++) {
    check_report_free(&g->list[i].report);
    free(g->list[i].called);
  }
  free(g->list);
  string_list_free(&g->unchecked);
}
