/* make's quoting: a blank and # behind a backslash, $ twice (rule.h). */
#include "rule.h"

#include <string.h>

#include "toolchain/files.h"

static void add_path(struct text *out, const char *path) {
  for (; *path; path++) {
    if (*path == ' ' || *path == '\t' || *path == '#') text_add_string(out, "\\");
    if (*path == '$') text_add_string(out, "$");
    text_add(out, path, 1);
  }
}

/* simt's own headers are a system's; and a marker names the folder of the compilation, too. */
static bool is_named(const struct nvcc_line *line, const struct rule *r, const char *entry) {
  const bool own = !strncmp(entry + 1, r->own, strlen(r->own));
  const char kind = own ? FILES_SYSTEM : entry[0];
  return strchr(line->depends_kinds, kind) && entry[strlen(entry) - 1] != '/' &&
         strcmp(entry + 1, r->source) != 0;
}

void nvcc_rule(const struct nvcc_line *line, const struct rule *r, const struct string_list *files,
               struct text *out) {
  for (size_t i = 0; i < line->rule_names.count; i++) {
    text_add_string(out, i ? " " : "");
    text_add_string(out, line->rule_names.all[i]); /* quoted by who gave it */
  }
  if (!line->rule_names.count) add_path(out, r->object);
  text_add_string(out, ":");
  text_add_string(out, " ");
  add_path(out, r->source);
  for (size_t i = 0; i < files->count; i++) {
    if (!is_named(line, r, files->all[i])) continue;
    text_add_string(out, " \\\n ");
    add_path(out, files->all[i] + 1);
  }
  text_add_string(out, "\n");
  for (size_t i = 0; i < files->count && line->rule_bare; i++) {
    if (!is_named(line, r, files->all[i])) continue;
    add_path(out, files->all[i] + 1);
    text_add_string(out, ":\n");
  }
}
