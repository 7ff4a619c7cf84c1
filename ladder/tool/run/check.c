/* check.c - findings by the JSON that heddle-check writes; lines as sorted sets */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/value.h"
#include "base/text.h"

enum { MOST_LINES = 64 };

bool check_knows(const char *class) {
  static const char *const classes[] = {
#define FINDING(id, name, headline, advice) name,
#include "findings.def"
  };
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
    if (strcmp(class, classes[i]) == 0) return true;
  return false;
}

size_t check_count(const struct result *r) {
  const struct json_value *list = json_find(&r->check.report, "findings");
  return list && list->kind == JSON_LIST ? list->count : 0;
}

const struct json_value *check_finding(const struct result *r, size_t i) {
  return i < check_count(r) ? &json_find(&r->check.report, "findings")->item[i] : NULL;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool of_memory(const char *access) {
  return strcmp(access, "allocation") == 0 || strcmp(access, "free") == 0;
}

/* Adds a line to a sorted set. */
static void add_line(unsigned *lines, size_t *count, size_t most, unsigned line) {
  size_t at = *count;
  for (size_t i = 0; i < *count; i++)
    if (lines[i] == line) return;
  if (*count == most) return;
  for (; at > 0 && lines[at - 1] > line; at--) lines[at] = lines[at - 1];
  lines[at] = line;
  (*count)++;
}

size_t check_lines(const struct result *r, const struct json_value *finding, unsigned *lines,
                   size_t most, bool *others) {
  const struct json_value *places = json_find(finding, "places");
  size_t count = 0;
  for (size_t i = 0; places && i < places->count; i++) {
    const struct json_value *at = &places->item[i];
    const char *file = file_name(json_string(at, "file", ""));
    if (i > 0 && of_memory(json_string(at, "access", ""))) continue;
    if (strcmp(file, file_name(r->rung->path)) == 0)
      add_line(lines, &count, most, (unsigned)json_number(at, "line", 0));
    else
      *others = true;
  }
  return count;
}

static void add_lines(struct text *t, const unsigned *lines, size_t count) {
  text_add_string(t, count == 1 ? "line" : "lines");
  for (size_t i = 0; i < count; i++)
    text_add_format(t, "%s %u", i == 0 ? "" : i + 1 < count ? "," : " and", lines[i]);
}

static const char *reason_words(const char *reason) {
  static const char *const words[][2] = {
      {"barrier", "a barrier is missing"},       {"syncwarp", "__syncwarp is missing"},
      {"fence", "a fence is missing"},           {"blocks", "nothing orders different blocks"},
      {"streams", "nothing orders the streams"}, {"host", "nothing orders it with the host"}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(reason, words[i][0]) == 0) return words[i][1];
  return reason;
}

/* One finding: its class and its lines. */
static void add_finding(struct text *t, const struct result *r, const struct json_value *finding) {
  unsigned lines[MOST_LINES];
  bool others = false;
  const size_t count = check_lines(r, finding, lines, MOST_LINES, &others);
  const char *class = json_string(finding, "class", "?");
  const char *space = json_string(finding, "space", ""), *kind = json_string(finding, "kind", "");
  const char *reason = json_string(finding, "reason", "");
  text_add_string(t, class);
  if (*kind) text_add_format(t, ", %s", kind);
  if (*space) text_add_format(t, " in %s memory", space);
  if (count) {
    text_add_string(t, ", ");
    add_lines(t, lines, count);
  }
  if (others) text_add_string(t, count ? " and in other files" : ", in another file");
  if (*reason) text_add_format(t, ": %s", reason_words(reason));
}

char *check_says(const struct result *r) {
  struct text t = {0};
  const size_t count = check_count(r);
  text_add(&t, "", 0);
  if (count) add_finding(&t, r, check_finding(r, 0));
  if (count > 1) text_add_format(&t, " (and %zu more)", count - 1);
  return t.data;
}

/* The lines that the findings name are the marked ones. */
static bool lines_agree(const struct result *r) {
  unsigned all[MOST_LINES], lines[MOST_LINES];
  size_t count = 0;
  bool others = false;
  for (size_t i = 0; i < check_count(r); i++) {
    const size_t n = check_lines(r, check_finding(r, i), lines, MOST_LINES, &others);
    for (size_t k = 0; k < n; k++) add_line(all, &count, MOST_LINES, lines[k]);
  }
  return !others && count == r->rung->marks &&
         (count == 0 || memcmp(all, r->rung->mark, count * sizeof all[0]) == 0);
}

static bool classes_agree(const struct result *r) {
  for (size_t i = 0; i < check_count(r); i++)
    if (strcmp(json_string(check_finding(r, i), "class", ""), r->rung->class) != 0) return false;
  return true;
}

/* The last line of what the checker or the program wrote. */
static char *trouble(const struct job *job) {
  const char *text = job->error.data ? job->error.data : "";
  size_t end = strlen(text), begin;
  while (end > 0 && text[end - 1] == '\n') end--;
  for (begin = end; begin > 0 && text[begin - 1] != '\n';) begin--;
  return text_format("the checker ended with status %d%s%.*s", job->status, end ? ": " : "",
                     (int)(end - begin), text + begin);
}

char *check_disagrees(const struct result *r) {
  const bool planted = r->rung->expect != EXPECT_RIGHT && check_knows(r->rung->class);
  if (r->check.report.kind != JSON_OBJECT) return trouble(&r->check.job);
  char *says = check_says(r), *result = NULL;
  if (!planted && *says)
    result = text_format("the checker says: %s", says);
  else if (!planted && r->rung->expect == EXPECT_RIGHT && r->check.job.status != 0)
    result = trouble(&r->check.job);
  else if (planted && !*says)
    result = text_format("the planted bug was not caught: %s", r->rung->class);
  else if (planted && (!classes_agree(r) || !lines_agree(r))) {
    struct text t = {0};
    text_add_format(&t, "planted: %s, ", r->rung->class);
    add_lines(&t, r->rung->mark, r->rung->marks);
    text_add_format(&t, "; the checker says: %s", says);
    result = t.data;
  }
  free(says);
  return result;
}
