/* make's quoting: a blank and # behind a backslash, $ twice (rule.h). */
#include "rule.h"

#include <string.h>

static void add_path(struct text *out, const char *path) {
  for (; *path; path++) {
    if (*path == ' ' || *path == '\t' || *path == '#') text_add_string(out, "\\");
    if (*path == '$') text_add_string(out, "$");
    text_add(out, path, 1);
  }
}

/* Not the folder that a marker names as the one of the compilation. */
static bool is_named(const struct nvcc_line *line, const char *entry, const char *source) {
  const size_t length = strlen(entry);
  return strchr(line->depends_kinds, entry[0]) && entry[length - 1] != '/' &&
         strcmp(entry + 1, source) != 0;
}

void nvcc_rule(const struct nvcc_line *line, const char *object, const char *source,
               const struct string_list *files, struct text *out) {
  for (size_t i = 0; i < line->rule_names.count; i++) {
    text_add_string(out, i ? " " : "");
    text_add_string(out, line->rule_names.all[i]); /* quoted by who gave it */
  }
  if (!line->rule_names.count) add_path(out, object);
  text_add_string(out, ":");
  text_add_string(out, " ");
  add_path(out, source);
  for (size_t i = 0; i < files->count; i++) {
    if (!is_named(line, files->all[i], source)) continue;
    text_add_string(out, " \\\n ");
    add_path(out, files->all[i] + 1);
  }
  text_add_string(out, "\n");
  for (size_t i = 0; i < files->count && line->rule_bare; i++) {
    if (!is_named(line, files->all[i], source)) continue;
    add_path(out, files->all[i] + 1);
    text_add_string(out, ":\n");
  }
}
