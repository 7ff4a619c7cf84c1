/* Equal findings are found by a key of class, kind and lines (report.h). */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "wording.h"

const struct check_location *check_location_of(const struct check_finding *f,
                                               enum finding_access access) {
  for (size_t i = 0; i < f->location_count; i++) {
    if (f->locations[i].side->access == access) return &f->locations[i];
  }
  return NULL;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static bool is_present(const struct finding_side *s) {
  return s->access != FINDING_NO_ACCESS || s->file[0] || s->pcs[0] || s->has_thread;
}

/* "tree" of "space::tree<int>" */
static size_t bare_name(const char *name, const char **begin) {
  const size_t length = strcspn(name, "<");
  *begin = name;
  for (size_t i = 0; i + 2 < length; i++) {
    if (!strncmp(name + i, "::", 2)) *begin = name + i + 2;
  }
  return length - (size_t)(*begin - name);
}

/* The rewriter wraps a kernel's text into a lambda that calls it: no line of the user's. */
static bool is_wrapper(const struct finding_side *s, const struct frame *f) {
  if (f->lambdas != 1 || !f->function || !s->kernel[0]) return false;
  const char *function, *kernel;
  const size_t a = bare_name(f->function, &function), b = bare_name(s->kernel, &kernel);
  return a == b && !strncmp(function, kernel, a);
}

static void add_caller(struct check_location *p, const struct frame *f) {
  if (is_wrapper(p->side, f)) return;
  if (p->caller_count == CHECK_CALLERS) return;
  p->callers[p->caller_count++] = (struct check_line){f->file, f->line, f->function};
}

/* The innermost frame of the user's code is the location, the user's frames beyond it called it. */
static void find_location(const struct symbols *symbols, struct check_location *p) {
  const struct finding_side *s = p->side;
  const struct frame *location = symbols_location(symbols, s->pcs, FINDING_PCS);
  if (location) p->at = (struct check_line){location->file, location->line, location->function};
  bool beyond = false;
  for (size_t i = 0; i < FINDING_PCS && s->pcs[i] && location; i++) {
    const struct frame *frames;
    const size_t n = symbols_find(symbols, s->pcs[i], &frames);
    for (size_t k = 0; k < n; k++) {
      if (beyond && frames[k].file && frames[k].line && !frames[k].own) add_caller(p, &frames[k]);
      beyond |= &frames[k] == location;
    }
  }
  if (!location) p->pc = s->pcs[0];
  if (!s->file[0]) return;
  p->at.file = symbols_relative(symbols, s->file);
  p->at.line = s->line;
}

static void find_places(struct check_report *r) {
  for (size_t i = 0; i < r->count; i++) {
    struct check_finding *f = &r->list[i];
    for (size_t k = 0; k < FINDING_SIDES; k++) {
      if (!is_present(&f->raw->sides[k])) continue;
      struct check_location *p = &f->locations[f->location_count++];
      p->side = &f->raw->sides[k];
      find_location(r->symbols, p);
    }
  }
}

static void look_up(struct check_report *r) {
  for (size_t i = 0; i < r->log.module_count; i++) {
    const struct finding_module *m = &r->log.modules[i];
    symbols_object(r->symbols, m->path, m->begin, m->end);
  }
  for (size_t i = 0; i < r->log.count; i++) {
    for (size_t k = 0; k < FINDING_SIDES; k++) {
      const uint64_t *pcs = r->log.list[i].sides[k].pcs;
      for (size_t n = 0; n < FINDING_PCS && pcs[n]; n++) symbols_add(r->symbols, pcs[n]);
    }
  }
  symbols_resolve(r->symbols, &r->remedy);
}

/* ---- Merging --------------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_locations(const struct check_location *a, const struct check_location *b) {
  const int files = compare_text(a->at.file, b->at.file);
  if (files) return files;
  if (a->at.line != b->at.line) return a->at.line < b->at.line ? -1 : 1;
  return (a->pc > b->pc) - (a->pc < b->pc);
}

/* What tells findings apart: class, kind, and the lines that it is about. */
struct key {
  const struct check_finding *finding;
  const struct check_location *locations[FINDING_SIDES];
  size_t count, index;
};

/* An allocation's line counts only if no other is known: many may be accessed on one line. */
static struct key key_of(const struct check_finding *f, size_t index) {
  struct key key = {.finding = f, .index = index};
  for (int allocations = 0; allocations < 2 && !key.count; allocations++) {
    for (size_t i = 0; i < f->location_count; i++) {
      const bool allocation = f->locations[i].side->access == FINDING_ALLOCATION;
      if (!allocation || allocations) key.locations[key.count++] = &f->locations[i];
    }
  }
  for (size_t i = 1; i < key.count; i++) { /* unordered: the lesser comes first */
    for (size_t k = i; k && compare_locations(key.locations[k - 1], key.locations[k]) > 0; k--) {
      const struct check_location *swapped = key.locations[k];
      key.locations[k] = key.locations[k - 1];
      key.locations[k - 1] = swapped;
    }
  }
  return key;
}

static int compare_keys(const struct key *a, const struct key *b) {
  const struct finding *x = a->finding->raw, *y = b->finding->raw;
  if (x->class != y->class) return x->class < y->class ? -1 : 1;
  const int kinds = strcmp(x->kind, y->kind);
  if (kinds) return kinds;
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (size_t i = 0; i < a->count; i++) {
    const int locations = compare_locations(a->locations[i], b->locations[i]);
    if (locations) return locations;
  }
  return a->count ? 0 : strcmp(x->text, y->text);
}

static int by_key(const void *a, const void *b) {
  const struct key *x = a, *y = b;
  const int keys = compare_keys(x, y);
  return keys ? keys : (x->index > y->index) - (x->index < y->index);
}

static uint64_t sum(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

/* Adds `from` to `to`, which was seen earlier. */
static void merge(struct check_finding *to, const struct check_finding *from) {
  const uint64_t count = sum(to->count, from->count);
  const size_t programs = to->programs + from->programs;
  if (check_reason_rank(from->raw->reason) > check_reason_rank(to->raw->reason)) *to = *from;
  to->count = count;
  to->programs = programs;
}

static void merge_all(struct check_report *r) {
  struct key *keys = text_allocate((r->count + 1) * sizeof *keys);
  bool *gone = text_allocate(r->count + 1);
  for (size_t i = 0; i < r->count; i++) keys[i] = key_of(&r->list[i], i);
  if (r->count) qsort(keys, r->count, sizeof *keys, by_key);
  size_t first = 0;
  for (size_t i = 1; i < r->count; i++) {
    if (compare_keys(&keys[first], &keys[i])) {
      first = i;
    } else {
      gone[keys[i].index] = true;
    }
  }
  size_t target = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (!gone[keys[i].index]) {
      target = keys[i].index;
    } else {
      merge(&r->list[target], &r->list[keys[i].index]);
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (!gone[i]) r->list[kept++] = r->list[i];
  }
  r->count = kept;
  free(keys);
  free(gone);
}

/* ---- Updates --------------------------------------------------------------------------------- */

/* The one line of both accesses; 0: there are two. */
static unsigned only_line(const struct check_finding *f) {
  if (f->raw->class != SD_RACE || f->location_count < 2) return 0;
  const struct check_line *a = &f->locations[0].at, *b = &f->locations[1].at;
  return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file) ? a->line : 0;
}

/* "shared variable s" of "shared variable s, byte 4 of 64" */
static size_t named(const char *object) { return (size_t)(strchrnul(object, ',') - object); }

static bool same_variable(const struct finding *a, const struct finding *b) {
  const size_t n = named(a->object);
  if (strcmp(a->space, b->space) != 0) return false;
  return !a->object[n] || !b->object[named(b->object)] ||
         (n == named(b->object) && !memcmp(a->object, b->object, n));
}

/* Where threads read on a line what others write there, and write what others write, too, each
 * of them changes the element: `n++`. Within a block this is no matter of order alone. */
static void find_updates(struct check_report *r) {
  for (size_t i = 0; i < r->count; i++) {
    struct check_finding *f = &r->list[i];
    const unsigned line = only_line(f);
    const char *reason = f->raw->reason;
    if (!line || strcmp(f->raw->kind, "read/write") != 0) continue;
    if (strcmp(reason, "barrier") != 0 && strcmp(reason, "syncwarp") != 0) continue;
    for (size_t k = 0; k < r->count && !f->updates; k++) {
      const struct check_finding *w = &r->list[k];
      if (only_line(w) != line || strcmp(w->locations[0].at.file, f->locations[0].at.file) != 0)
        continue;
      const bool writes =
          !strcmp(w->raw->kind, "write/write") || !strcmp(w->raw->kind, "same-value");
      f->updates = writes && same_variable(w->raw, f->raw);
    }
  }
}

static void apply(struct check_report *r, const struct check_rules *rules) {
  size_t kept = 0;
  r->notes = text_allocate((r->count + 1) * sizeof *r->notes);
  for (size_t i = 0; i < r->count; i++) {
    const enum check_verdict verdict = check_rules_judge(rules, &r->list[i]);
    r->suppressed += verdict == CHECK_SUPPRESSED;
    r->allowed += verdict == CHECK_ALLOWED;
    if (verdict == CHECK_NOTED) r->notes[r->note_count++] = r->list[i];
    if (verdict != CHECK_SHOWN) continue;
    r->by_class[r->list[i].raw->class]++;
    r->list[kept++] = r->list[i];
  }
  r->count = kept;
}

void check_report_make(struct check_report *r, struct check_log *log, const char *program,
                       const char *own, const struct check_rules *rules) {
  *r = (struct check_report){.log = *log, .symbols = symbols_open(program, own)};
  *log = (struct check_log){0};
  r->count = r->log.count;
  r->list = text_allocate((r->count + 1) * sizeof *r->list);
  for (size_t i = 0; i < r->count; i++)
    r->list[i] = (struct check_finding){.raw = &r->log.list[i], .count = r->log.list[i].count};
  look_up(r);
  find_places(r);
  merge_all(r);
  find_updates(r);
  apply(r, rules);
}

/* ---- Several ---------------------------------------------------------------------------------- */

static void add_log(struct check_log *to, const struct check_log *from, size_t *room) {
  const struct {
    uint64_t *to, from;
  } sums[] = {{&to->lost, from->lost},
              {&to->total, from->total},
              {&to->launches, from->launches},
              {&to->blocks, from->blocks},
              {&to->threads, from->threads},
              {&to->accesses, from->accesses},
              {&to->launches_skipped, from->launches_skipped},
              {&to->blocks_skipped, from->blocks_skipped}};
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    *sums[i].to = sum(*sums[i].to, sums[i].from);
  to->damaged += from->damaged;
  if (!to->limits[0]) memcpy(to->limits, from->limits, sizeof to->limits);
  for (size_t i = 0; i < from->module_count; i++) {
    to->modules = array_room(to->modules, to->module_count, room, sizeof *to->modules);
    to->modules[to->module_count++] = from->modules[i];
  }
}

static void add_findings(struct check_finding **to, size_t *count, size_t *room,
                         const struct check_finding *from, size_t more, const char *called) {
  for (size_t i = 0; i < more; i++) {
    *to = array_room(*to, *count, room, sizeof **to);
    (*to)[*count] = from[i];
    (*to)[*count].program = called;
    (*to)[(*count)++].programs = 1;
  }
}

void check_report_join(struct check_report *all, struct check_report *const *parts,
                       const char *const *called, size_t count) {
  size_t modules = 0, list = 0, notes = 0;
  *all = (struct check_report){0};
  for (size_t i = 0; i < count; i++) {
    const struct check_report *r = parts[i];
    add_log(&all->log, &r->log, &modules);
    add_findings(&all->list, &all->count, &list, r->list, r->count, called[i]);
    add_findings(&all->notes, &all->note_count, &notes, r->notes, r->note_count, called[i]);
    all->suppressed += r->suppressed;
    all->allowed += r->allowed;
    if (r->remedy.length && !all->remedy.length) text_add_string(&all->remedy, r->remedy.data);
  }
  merge_all(all);
  for (size_t i = 0; i < all->count; i++) all->by_class[all->list[i].raw->class]++;
}

void check_report_free(struct check_report *r) {
  symbols_close(r->symbols);
  text_free(&r->remedy);
  free(r->list);
  free(r->notes);
  check_log_free(&r->log);
}
