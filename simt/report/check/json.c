/* A report as JSON (show.h). The names are described in heddle-check(1) and stay. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "print.h"
#include "show.h"
#include "source_lines.h"
#include "wording.h"

enum { SCHEMA = 1 };

static void add_string(struct text *out, const char *name, const char *value) {
  text_add_format(out, "\"%s\": ", name);
  if (value)
    print_json(out, value);
  else
    text_add_string(out, "null");
}

static void add_number(struct text *out, const char *name, uint64_t value) {
  text_add_format(out, "\"%s\": %" PRIu64, name, value);
}

static void add_comma(struct text *out) { text_add_string(out, ", "); }

/* "file", "line", "function" */
static void add_line(struct text *out, const struct check_line *l) {
  add_string(out, "file", l->file);
  add_comma(out);
  if (l->line)
    add_number(out, "line", l->line);
  else
    add_string(out, "line", NULL);
  add_comma(out);
  add_string(out, "function", l->function);
}

static void add_triple(struct text *out, const char *name, const uint32_t *values) {
  text_add_format(out, "\"%s\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "], ", name, values[0],
                  values[1], values[2]);
}

static void add_thread(struct text *out, const struct finding_side *s) {
  if (!s->has_thread) {
    text_add_string(out, "\"block\": null, \"thread\": null, \"warp\": null, \"lane\": null");
    return;
  }
  add_triple(out, "block", s->block);
  add_triple(out, "thread", s->thread);
  add_number(out, "warp", s->warp);
  add_comma(out);
  add_number(out, "lane", s->lane);
}

static void add_location(struct text *out, const struct check_location *p,
                         struct check_sources *sources) {
  const struct finding_side *s = p->side;
  text_add_string(out, "{");
  add_string(out, "access", check_access_name(s->access));
  add_comma(out);
  add_number(out, "bytes", s->bytes);
  add_comma(out);
  add_line(out, &p->at);
  add_comma(out);
  add_string(out, "kernel", s->kernel[0] ? s->kernel : NULL);
  add_comma(out);
  add_thread(out, s);
  add_comma(out);
  add_string(out, "stream", s->stream[0] ? s->stream : NULL);
  text_add_string(out, ", \"called_from\": [");
  for (size_t i = 0; i < p->caller_count; i++) {
    text_add_string(out, i ? ", {" : "{");
    add_line(out, &p->callers[i]);
    text_add_string(out, "}");
  }
  text_add_string(out, "], ");
  char *line = check_source_line(sources, p->at.file, p->at.line);
  add_string(out, "source", line);
  free(line);
  text_add_string(out, "}");
}

static void add_kind_of_place(struct text *out, const char *name, const struct check_finding *f,
                              enum finding_access access, struct check_sources *sources) {
  const struct check_location *p = check_location_of(f, access);
  text_add_format(out, ",\n     \"%s\": ", name);
  if (p)
    add_location(out, p, sources);
  else
    text_add_string(out, "null");
}

static void add_finding(struct text *out, const struct check_finding *f,
                        struct check_sources *sources) {
  const struct finding *raw = f->raw;
  struct text words = {0};
  text_add_string(out, "    {");
  add_string(out, "class", check_class_name(raw->class));
  add_comma(out);
  add_string(out, "kind", raw->kind);
  add_comma(out);
  add_string(out, "space", raw->space);
  add_comma(out);
  add_string(out, "reason", raw->reason);
  add_comma(out);
  add_number(out, "count", f->count);
  if (f->program) {
    add_comma(out);
    add_string(out, "program", f->program);
    add_comma(out);
    add_number(out, "processes", f->programs);
  }
  text_add_string(out, ",\n     ");
  check_headline(f, &words);
  add_string(out, "summary", words.data);
  text_add_string(out, ",\n     ");
  add_string(out, "text", raw->text);
  text_add_string(out, ",\n     ");
  add_string(out, "object", raw->object);
  text_add_string(out, ",\n     ");
  words.length = 0;
  check_advice(f, sources, &words);
  add_string(out, "advice", words.length ? words.data : "");
  text_free(&words);
  text_add_format(out, ",\n     \"address\": \"0x%" PRIx64 "\",\n     \"places\": [", raw->address);
  for (size_t i = 0; i < f->location_count; i++) {
    text_add_string(out, i ? ",\n                " : "");
    add_location(out, &f->locations[i], sources);
  }
  text_add_string(out, "]");
  add_kind_of_place(out, "allocation", f, FINDING_ALLOCATION, sources);
  add_kind_of_place(out, "free", f, FINDING_FREE, sources);
  text_add_string(out, "}");
}

static void add_summary(struct text *out, const struct check_report *r, uint64_t shown) {
  text_add_format(out, "  \"summary\": {\"findings\": %zu, \"shown\": %" PRIu64 ", \"classes\": {",
                  r->count, shown);
  bool first = true;
  for (unsigned i = 0; i < SD_CLASSES; i++) {
    if (!r->by_class[i]) continue;
    if (!first) add_comma(out);
    add_number(out, check_class_name(i), r->by_class[i]);
    first = false;
  }
  text_add_string(out, "}");
  const struct {
    const char *name;
    uint64_t value;
  } counts[] = {{"suppressed", r->suppressed},
                {"allowed", r->allowed},
                {"lost", r->log.lost},
                {"damaged", r->log.damaged},
                {"occurrences", r->log.total},
                {"notes", r->note_count},
                {"launches", r->log.launches},
                {"blocks", r->log.blocks},
                {"threads", r->log.threads},
                {"accesses", r->log.accesses},
                {"launches_skipped", r->log.launches_skipped},
                {"blocks_skipped", r->log.blocks_skipped}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    add_comma(out);
    add_number(out, counts[i].name, counts[i].value);
  }
  add_comma(out);
  add_string(out, "limits", r->log.limits);
  add_comma(out);
  add_string(out, "remedy", r->remedy.length ? r->remedy.data : "");
  text_add_string(out, "},\n");
}

/* Of a command: the processes that it led to. */
static void add_runs(struct text *out, const struct check_outcome *o) {
  if (!o->runs) return;
  text_add_string(out, "  \"processes\": [");
  for (size_t i = 0; i < o->run_count; i++) {
    text_add_string(out, i ? ",\n    {" : "\n    {");
    add_string(out, "program", o->runs[i].name);
    add_comma(out);
    add_number(out, "findings", o->runs[i].report->count);
    add_comma(out);
    add_number(out, "launches", o->runs[i].report->log.launches);
    text_add_string(out, "}");
  }
  text_add_string(out, "],\n  \"unchecked\": [");
  for (size_t i = 0; i < o->unchecked->count; i++) {
    text_add_string(out, i ? ", " : "");
    print_json(out, o->unchecked->all[i]);
  }
  text_add_string(out, "],\n");
}

void check_show_json(const struct check_report *r, const struct check_outcome *o,
                     struct text *out) {
  struct check_sources *sources = check_sources_open(&r->log);
  const uint64_t shown = r->count < o->most ? r->count : o->most;
  text_add_format(out, "{\"version\": %d, ", SCHEMA);
  add_string(out, "program", o->name);
  text_add_string(out, ",\n  \"findings\": [");
  for (size_t i = 0; i < shown; i++) {
    text_add_string(out, i ? ",\n" : "\n");
    add_finding(out, &r->list[i], sources);
  }
  text_add_string(out, "],\n  \"notes\": [");
  for (size_t i = 0; i < r->note_count && i < o->most; i++) {
    text_add_string(out, i ? ",\n" : "\n");
    add_finding(out, &r->notes[i], sources);
  }
  text_add_string(out, "],\n");
  add_summary(out, r, shown);
  add_runs(out, o);
  text_add_string(out, "  \"run\": {");
  if (o->signal)
    text_add_format(out, "\"status\": null, \"signal\": %d", o->signal);
  else
    text_add_format(out, "\"status\": %d, \"signal\": null", o->exited);
  text_add_format(out, "},\n  \"status\": %d}\n", o->status);
  check_sources_close(sources);
}
