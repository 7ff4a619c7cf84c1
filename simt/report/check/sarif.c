/* A report as SARIF 2.1.0 (show.h): one run, a rule for each class, a result for each finding.
 *
 * Method   a result lies at the finding's first place that has a line; the others are its related
 *          locations. Relative files stay so, under %SRCROOT%, since what takes SARIF knows the
 *          folder of the sources; absolute ones become file: addresses
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "print.h"
#include "show.h"
#include "wording.h"

static void add_name(struct text *out, const char *name) {
  print_json(out, name);
  text_add_string(out, ": ");
}

static void add_message(struct text *out, const char *words) {
  text_add_string(out, "\"message\": {\"text\": ");
  print_json(out, words);
  text_add_string(out, "}");
}

/* What a URI may have as it is; the rest becomes %XX. */
static void add_uri(struct text *out, const char *file) {
  static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  text_add_string(out, file[0] == '/' ? "\"file://" : "\"");
  for (; *file; file++) {
    if (strchr(kept, *file))
      text_add(out, file, 1);
    else
      text_add_format(out, "%%%02X", (unsigned char)*file);
  }
  text_add_string(out, "\"");
}

static void add_physical(struct text *out, const struct check_line *at) {
  text_add_string(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
  add_uri(out, at->file);
  if (at->file[0] != '/') text_add_string(out, ", \"uriBaseId\": \"%SRCROOT%\"");
  text_add_string(out, "}");
  if (at->line) text_add_format(out, ", \"region\": {\"startLine\": %u}", at->line);
  text_add_string(out, "}");
}

static void add_location(struct text *out, const struct check_location *p, bool related) {
  struct text words = {0};
  text_add_string(out, "{");
  add_physical(out, &p->at);
  if (p->side->kernel[0]) {
    text_add_string(out, ", \"logicalLocations\": [{\"name\": ");
    print_json(out, p->side->kernel);
    text_add_string(out, ", \"kind\": \"function\"}]");
  }
  if (related) {
    text_add_string(out, ", ");
    text_add_string(&words, check_access_words(p->side->access));
    add_message(out, words.data);
  }
  text_add_string(out, "}");
  text_free(&words);
}

static void add_locations(struct text *out, const struct check_finding *f) {
  size_t first = 0, shown = 0;
  while (first < f->location_count && !f->locations[first].at.file) first++;
  if (first == f->location_count) return;
  text_add_string(out, ",\n       \"locations\": [");
  add_location(out, &f->locations[first], false);
  text_add_string(out, "],\n       \"relatedLocations\": [");
  for (size_t i = first + 1; i < f->location_count; i++) {
    if (!f->locations[i].at.file) continue;
    text_add_string(out, shown++ ? ",\n         " : "");
    add_location(out, &f->locations[i], true);
  }
  text_add_string(out, "]");
}

static void add_result(struct text *out, const struct check_finding *f, const char *level,
                       struct check_sources *sources) {
  struct text words = {0}, advice = {0};
  const char *class = check_class_name(f->raw->class);
  check_headline(f, &words);
  if (f->raw->text[0]) text_add_format(&words, ": %s", f->raw->text);
  check_advice(f, sources, &advice);
  if (advice.length) text_add_format(&words, "; %s", advice.data);
  text_add_string(out, "      {\"ruleId\": ");
  print_json(out, class);
  text_add_format(out, ", \"level\": \"%s\", \"occurrenceCount\": %" PRIu64 ",\n       ", level,
                  f->count > INT64_MAX ? (uint64_t)INT64_MAX : f->count);
  add_message(out, words.data);
  add_locations(out, f);
  if (f->program) {
    text_add_string(out, ",\n       \"properties\": {\"program\": ");
    print_json(out, f->program);
    text_add_format(out, ", \"processes\": %zu}", f->programs);
  }
  text_add_string(out, "}");
  text_free(&words);
  text_free(&advice);
}

static void add_rules(struct text *out, const struct check_report *r) {
  bool first = true;
  text_add_string(out, "\"rules\": [");
  for (unsigned i = 0; i < SD_CLASSES; i++) {
    bool used = r->by_class[i] != 0;
    for (size_t k = 0; k < r->note_count; k++) used |= r->notes[k].raw->class == i;
    if (!used) continue;
    text_add_string(out, first ? "{" : ", {");
    add_name(out, "id");
    print_json(out, check_class_name(i));
    text_add_string(out, ", \"shortDescription\": {\"text\": ");
    print_json(out, check_class_name(i));
    text_add_string(out, "}}");
    first = false;
  }
  text_add_string(out, "]");
}

void check_show_sarif(const struct check_report *r, const struct check_outcome *o,
                      struct text *out) {
  struct check_sources *sources = check_sources_open(&r->log);
  const char *before = "\n";
  text_add_string(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                       " \"version\": \"2.1.0\",\n \"runs\": [\n"
                       "  {\"tool\": {\"driver\": {\"name\": \"heddle check\", ");
  add_rules(out, r);
  text_add_string(out, "}},\n   \"invocations\": [{\"commandLine\": ");
  print_json(out, o->name);
  text_add_format(out, ", \"executionSuccessful\": %s",
                  o->exited == 0 && !o->signal ? "true" : "false");
  if (!o->signal) text_add_format(out, ", \"exitCode\": %d", o->exited);
  text_add_string(out, "}],\n   \"results\": [");
  for (size_t i = 0; i < r->count && i < o->most; i++, before = ",\n") {
    text_add_string(out, before);
    add_result(out, &r->list[i], "error", sources);
  }
  for (size_t i = 0; i < r->note_count && i < o->most; i++, before = ",\n") {
    text_add_string(out, before);
    add_result(out, &r->notes[i], "note", sources);
  }
  text_add_string(out, "]}]}\n");
  check_sources_close(sources);
}
