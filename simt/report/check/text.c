/* A report as text (show.h).
 *
 * Method   a headline, a line for each place with the source's text under it, what the memory
 *          is, how often and what to do. Columns are as wide as the widest of one finding
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "print.h"
#include "show.h"
#include "source_lines.h"
#include "wording.h"

/* "read of 4 bytes" */
static void add_what(const struct check_location *p, struct text *out) {
  const struct finding_side *s = p->side;
  text_add_string(out, check_access_words(s->access));
  if (!s->bytes || s->access == FINDING_BARRIER || s->access == FINDING_CALL) return;
  const bool verb = s->access >= FINDING_COPY_READ && s->access <= FINDING_FREE;
  text_add_string(out, verb ? " " : " of ");
  print_number(out, s->bytes);
  text_add_string(out, s->bytes == 1 ? " byte" : " bytes");
}

static void pad(struct text *out, size_t from, size_t width) {
  while (out->length - from < width) text_add(out, " ", 1);
}

static void add_thread(const struct check_location *p, const char *kernel, struct text *out) {
  const struct finding_side *s = p->side;
  if (s->has_thread) {
    text_add_format(out,
                    "  by thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") of block (%" PRIu32
                    ",%" PRIu32 ",%" PRIu32 "), warp %" PRIu32 ", lane %" PRIu32,
                    s->thread[0], s->thread[1], s->thread[2], s->block[0], s->block[1], s->block[2],
                    s->warp, s->lane);
  }
  if (s->kernel[0] && strcmp(kernel, s->kernel) != 0) {
    text_add_string(out, s->has_thread ? " in kernel " : "  in kernel ");
    print_clean(out, s->kernel);
  }
  if (s->stream[0]) {
    text_add_string(out, ", ");
    print_clean(out, s->stream);
  }
}

static void add_source(struct check_sources *sources, const struct check_location *p,
                       struct text *out) {
  char *line = check_source_line(sources, p->at.file, p->at.line);
  if (!line) return;
  text_add_string(out, "      ");
  for (char *c = line; *c; c++) {
    if (*c == '\t') *c = ' ';
  }
  print_clean(out, line);
  text_add_string(out, "\n");
  free(line);
}

static void add_callers(const struct check_location *p, struct text *out) {
  for (size_t i = 0; i < p->caller_count; i++) {
    text_add_string(out, "    called from ");
    print_clean(out, p->callers[i].file);
    text_add_format(out, ":%u", p->callers[i].line);
    if (p->callers[i].function) {
      text_add_string(out, " in ");
      print_clean(out, p->callers[i].function);
    }
    text_add_string(out, "\n");
  }
}

static void add_places(const struct check_finding *f, struct check_sources *sources,
                       struct text *out) {
  size_t what = 0, where = 0;
  struct text t = {0};
  for (size_t i = 0; i < f->location_count; i++) {
    t.length = 0;
    add_what(&f->locations[i], &t);
    if (t.length > what) what = t.length;
    t.length = 0;
    check_add_line(&f->locations[i], &t);
    if (t.length > where) where = t.length;
  }
  text_free(&t);
  const char *kernel = "";
  for (size_t i = 0; i < f->location_count; i++) {
    const struct check_location *p = &f->locations[i];
    text_add_string(out, "  ");
    size_t from = out->length;
    add_what(p, out);
    pad(out, from, what + 2);
    from = out->length;
    check_add_line(p, out);
    const size_t end = out->length;
    pad(out, from, where);
    const size_t padded = out->length;
    add_thread(p, kernel, out);
    if (out->length == padded) out->length = end;
    text_add_string(out, "\n");
    add_source(sources, p, out);
    add_callers(p, out);
    kernel = p->side->kernel;
  }
}

static void add_line(const char *line, struct text *out) {
  if (!line[0]) return;
  text_add_string(out, "  ");
  print_clean(out, line);
  text_add_string(out, "\n");
}

static void add_programs(const struct check_finding *f, struct text *out) {
  if (!f->program) return;
  text_add_string(out, "  in ");
  print_clean(out, f->program);
  if (f->programs > 1) {
    text_add_string(out, " and ");
    print_number(out, f->programs - 1);
    text_add_string(out, f->programs == 2 ? " other process" : " other processes");
  }
  text_add_string(out, "\n");
}

void check_show_finding(const struct check_finding *f, struct check_sources *sources,
                        struct text *out) {
  check_headline(f, out);
  text_add_string(out, "\n");
  add_line(f->raw->text, out);
  add_places(f, sources, out);
  add_line(f->raw->object, out);
  add_programs(f, out);
  text_add_string(out, "  ");
  if (f->count == 1) {
    text_add_string(out, "once");
  } else {
    print_number(out, f->count);
    text_add_string(out, " times");
  }
  struct text advice = {0};
  check_advice(f, sources, &advice);
  if (advice.length) text_add_format(out, "; %s", advice.data);
  text_free(&advice);
  text_add_string(out, "\n\n");
}

void check_show_text(const struct check_report *r, const struct check_outcome *o,
                     struct text *out) {
  struct check_sources *sources = check_sources_open(&r->log);
  for (size_t i = 0; i < r->count && i < o->most; i++)
    check_show_finding(&r->list[i], sources, out);
  check_sources_close(sources);
}

/* ---- The last lines -------------------------------------------------------------------------- */

static void add_count(struct text *out, uint64_t n, const char *one, const char *many) {
  print_number(out, n);
  text_add_format(out, " %s", n == 1 ? one : many);
}

static void add_classes(const struct check_report *r, struct text *out) {
  const char *before = " (";
  for (unsigned i = 0; i < SD_CLASSES; i++) {
    if (!r->by_class[i]) continue;
    text_add_format(out, "%s%s ", before, check_class_name(i));
    print_number(out, r->by_class[i]);
    before = ", ";
  }
  text_add_string(out, ")");
}

/* One line each: they are no findings. */
static void add_leaks(const struct check_report *r, struct text *out) {
  enum { MOST = 5 };
  for (size_t i = 0; i < r->note_count && i < MOST; i++) {
    const struct check_finding *f = &r->notes[i];
    text_add_string(out, "heddle check: note: never freed: ");
    print_clean(out, f->raw->object);
    if (f->location_count) text_add_string(out, ", ");
    if (f->location_count) check_add_line(&f->locations[0], out);
    text_add_string(out, "\n");
  }
  if (r->note_count > MOST) {
    text_add_string(out, "heddle check: note: never freed: the memory of ");
    add_count(out, r->note_count - MOST, "more place", "more places");
    text_add_string(out, " (--leaks yes shows all)\n");
  }
}

/* What a command led to, and was not checked. */
static void add_unchecked(const struct check_outcome *o, struct text *out) {
  for (size_t i = 0; o->unchecked && i < o->unchecked->count; i++) {
    text_add_string(out, "heddle check: not checked: ");
    print_clean(out, o->unchecked->all[i]);
    text_add_string(out, " was not built with --check\n");
  }
  if (o->runs && !o->run_count && !o->unchecked->count)
    text_add_string(out, "heddle check: no program with kernels was run: build them by heddle-nvcc "
                         "--check or heddle-cc --check\n");
}

static void add_notes(const struct check_report *r, const struct check_outcome *o,
                      struct text *out) {
  static const char name[] = "heddle check: ";
  if (o->signal) {
    text_add_format(out, "%sthe program was ended by signal %d (%s)\n", name, o->signal,
                    strsignal(o->signal));
  }
  add_unchecked(o, out);
  if (r->remedy.length) text_add_format(out, "%s%s\n", name, r->remedy.data);
  if (r->log.limits[0]) {
    text_add_string(out, name);
    print_clean(out, r->log.limits);
    text_add_string(out, "\n");
  }
  if (r->log.launches_skipped || r->log.blocks_skipped) {
    text_add_string(out, name);
    text_add_string(out, "not checked, by --sample: ");
    add_count(out, r->log.launches_skipped, "launch", "launches");
    text_add_string(out, ", ");
    add_count(out, r->log.blocks_skipped, "block", "blocks");
    text_add_string(out, "\n");
  }
  add_leaks(r, out);
  if (r->log.damaged) {
    text_add_string(out, name);
    add_count(out, r->log.damaged, "entry", "entries");
    text_add_string(out, " of the list of findings had been overwritten\n");
  }
}

void check_show_summary(const struct check_report *r, const struct check_outcome *o,
                        struct text *out) {
  add_notes(r, o, out);
  text_add_string(out, "heddle check: ");
  if (r->count) {
    add_count(out, r->count, "finding", "findings");
    add_classes(r, out);
  } else {
    text_add_string(out, "no findings");
  }
  text_add_string(out, " in ");
  add_count(out, r->log.launches, "launch", "launches");
  text_add_string(out, ", ");
  add_count(out, r->log.blocks, "block", "blocks");
  if (o->runs) {
    text_add_string(out, " of ");
    add_count(out, o->run_count, "process", "processes");
  }
  const struct {
    uint64_t n;
    const char *what;
  } rest[] = {{r->count > o->most ? r->count - o->most : 0, "not shown (--max)"},
              {r->suppressed, "suppressed"},
              {r->allowed, "allowed"},
              {r->log.lost, "lost"}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
    if (!rest[i].n) continue;
    text_add_string(out, "; ");
    print_number(out, rest[i].n);
    text_add_format(out, " %s", rest[i].what);
  }
  text_add_string(out, "\n");
}
