/* What to do about a finding (wording.h), in plain words with its own lines.
 *
 * Method   a race's reason says what kind of order is missing; the two lines say where it
 *          would have to stand: between them, or behind both at the end of a loop's step if
 *          the source has a barrier between them already
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "print.h"
#include "wording.h"

enum { MOST_LINES = 500 }; /* of a loop that is looked through */

struct pair {
  const struct check_location *earlier, *later; /* in time */
  const struct check_location *upper, *lower;   /* in the source, if they stand in one file */
  bool same, file;                              /* on one line; in one file */
  bool writes;                                  /* both */
  bool barrier;                                 /* one stands between them in the source */
};

static bool is_write(unsigned access) {
  return access == FINDING_WRITE || access == FINDING_VOLATILE_WRITE || access == FINDING_ATOMIC ||
         access == FINDING_COPY_WRITE || access == FINDING_HOST_WRITE;
}

static bool has_barrier_between(const struct pair *p, struct check_sources *sources) {
  static const char *const barriers[] = {"__syncthreads", ".sync()", "::sync(", "arrive_and_wait"};
  bool found = false;
  if (p->lower->at.line - p->upper->at.line > MOST_LINES) return false;
  for (unsigned line = p->upper->at.line + 1; line < p->lower->at.line && !found; line++) {
    char *text = check_source_line(sources, p->upper->at.file, line);
    for (size_t i = 0; text && i < sizeof barriers / sizeof *barriers; i++)
      found |= strstr(text, barriers[i]) != NULL;
    free(text);
  }
  return found;
}

/* The checker puts the access at which it saw the race first. */
static struct pair pair_of(const struct check_finding *f, struct check_sources *sources) {
  struct pair p = {.earlier = &f->locations[1], .later = &f->locations[0]};
  const struct check_line *a = &p.earlier->at, *b = &p.later->at;
  p.file = a->file && b->file && !strcmp(a->file, b->file);
  p.same = p.file && a->line == b->line;
  p.upper = p.file && a->line > b->line ? p.later : p.earlier;
  p.lower = p.upper == p.later ? p.earlier : p.later;
  p.writes = is_write(p.earlier->side->access) && is_write(p.later->side->access);
  p.barrier = p.file && has_barrier_between(&p, sources);
  return p;
}

/* "between a.cu:12 and a.cu:15" and its kin. */
static void add_between(const struct pair *p, struct text *out) {
  if (p->barrier) {
    text_add_string(out, "at the end of the loop's step, behind ");
    check_add_line(p->lower, out);
    text_add_string(out, " and before the next step comes to ");
    check_add_line(p->upper, out);
    return;
  }
  text_add_string(out, "between ");
  check_add_line(p->upper, out);
  text_add_string(out, " and ");
  if (p->same) text_add_string(out, "the next access at ");
  check_add_line(p->lower, out);
}

static void advise_barrier(const struct pair *p, struct text *out) {
  if (p->same && p->writes) {
    text_add_string(out, "several threads write the same element here: give each its own, let one "
                         "thread write, or use an atomic operation; if the writes belong to "
                         "different steps of a loop, put __syncthreads() at the end of the step");
    return;
  }
  text_add_string(out, "put __syncthreads() ");
  add_between(p, out);
  if (p->same) {
    text_add_string(out, " (the next step of the loop reads what this step writes; within one "
                         "statement, read into a variable first)");
  } else if (p->writes) {
    text_add_string(out, " (or give each thread an element of its own)");
  }
  text_add_string(out, ", where all threads of the block pass");
}

static void advise_syncwarp(const struct pair *p, struct text *out) {
  if (p->same && p->writes) {
    text_add_string(out, "several lanes of a warp write the same element here: give each its own, "
                         "let one lane write, or use an atomic operation");
    return;
  }
  text_add_string(out, "put __syncwarp() ");
  add_between(p, out);
  text_add_string(out, ": lanes of a warp are not in step by themselves, and shuffles and votes do "
                       "not order memory");
}

static void advise_blocks(const struct pair *p, struct text *out) {
  (void)p;
  text_add_string(out,
                  "blocks of one launch run in any order and at once, and __syncthreads() does "
                  "not reach across them: use an atomic operation, give each block elements of "
                  "its own, or split the work into two launches");
}

static void advise_fence(const struct pair *p, struct text *out) {
  const struct check_location *writer = is_write(p->earlier->side->access) ? p->earlier : p->later;
  text_add_string(out, "the writer needs __threadfence() between ");
  check_add_line(writer, out);
  text_add_string(out, " and the atomic operation that tells of it, and the reader one between "
                       "seeing that and ");
  check_add_line(writer == p->earlier ? p->later : p->earlier, out);
}

static void advise_streams(const struct pair *p, struct text *out) {
  text_add_string(out, "let the stream of the later one wait: cudaEventRecord() after ");
  check_add_line(p->earlier, out);
  text_add_string(out, " and cudaStreamWaitEvent() before ");
  check_add_line(p->later, out);
  text_add_string(out, ", or use one stream for both");
}

static void advise_host(const struct pair *p, struct text *out) {
  text_add_string(out, "call cudaDeviceSynchronize(), or cudaStreamSynchronize(), before ");
  check_add_line(p->later, out);
}

static void advise_copy(const struct pair *p, struct text *out) {
  text_add_string(out, "the thread that copies at ");
  check_add_line(p->earlier, out);
  text_add_string(out, " has to wait for it (__pipeline_wait_prior, cp.async.wait_group, "
                       "consumer_wait, cg::wait) before the barrier; a barrier alone does not");
}

/* An atomic operation first: no barrier mends `n++`. */
static void advise_update(const struct pair *p, bool warp, struct text *out) {
  text_add_string(out, "threads read, change and write the same element at ");
  check_add_line(p->later, out);
  text_add_string(out,
                  ": use an atomic operation (atomicAdd for ++ and +=), or give each thread an "
                  "element of its own; only if they do so in different steps of a loop, put ");
  text_add_string(out, warp ? "__syncwarp()" : "__syncthreads()");
  text_add_string(out, " at the end of the step");
}

static void advise_race(const struct check_finding *f, struct check_sources *sources,
                        struct text *out) {
  static const struct {
    const char *reason;
    void (*say)(const struct pair *p, struct text *out);
  } reasons[] = {{"barrier", advise_barrier}, {"syncwarp", advise_syncwarp},
                 {"blocks", advise_blocks},   {"fence", advise_fence},
                 {"streams", advise_streams}, {"host", advise_host},
                 {"copy", advise_copy}};
  const char *kind = f->raw->kind;
  if (!strcmp(kind, "same-value")) {
    text_add_string(out,
                    "all of them write the same value, so GPUs of today give the right result; "
                    "let one thread write it, or accept it with --allow same-value");
    return;
  }
  if (!strcmp(kind, "atomic/atomic")) {
    text_add_string(out, "the scope of one of them is the block, and blocks share the element: use "
                         "the function without _block, or thread_scope_device");
    return;
  }
  if (f->location_count < 2) return;
  const struct pair p = pair_of(f, sources);
  if (f->updates) {
    advise_update(&p, !strcmp(f->raw->reason, "syncwarp"), out);
    return;
  }
  if (!strcmp(kind, "atomic/plain")) {
    text_add_string(out, "an atomic operation orders nothing for a plain access: make that one "
                         "atomic too");
    if (!strcmp(f->raw->reason, "blocks")) return;
    text_add_string(out, ", or ");
  }
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (!strcmp(reasons[i].reason, f->raw->reason)) reasons[i].say(&p, out);
  }
}

static void advise_bounds(const struct check_finding *f, struct text *out) {
  const struct check_location *made = check_location_of(f, FINDING_ALLOCATION);
  text_add_string(out, "compare the index with the number of elements before the access");
  if (!strcmp(f->raw->space, "global"))
    text_add_string(out, " (the grid is usually larger than the data)");
  if (made && made->at.file) {
    text_add_string(out, ", or allocate more at ");
    check_add_line(made, out);
  }
}

static void advise_after_free(const struct check_finding *f, struct text *out) {
  const struct check_location *freed = check_location_of(f, FINDING_FREE);
  text_add_string(out, "free it after its last use");
  if (!freed) return;
  text_add_string(out, ", not at ");
  check_add_line(freed, out);
}

static void advise_leak(const struct check_finding *f, struct text *out) {
  const struct check_location *made = check_location_of(f, FINDING_ALLOCATION);
  text_add_string(out, "free what is allocated");
  if (!made) return;
  text_add_string(out, " at ");
  check_add_line(made, out);
}

static const char *const advices[] = {
#define FINDING(id, name, headline, advice) advice,
#include "device/findings.def"
};

void check_advice(const struct check_finding *f, struct check_sources *sources, struct text *out) {
  switch (f->raw->class) {
  case SD_RACE: advise_race(f, sources, out); break;
  case SD_OUT_OF_BOUNDS: advise_bounds(f, out); break;
  case SD_USE_AFTER_FREE: advise_after_free(f, out); break;
  case SD_LEAK: advise_leak(f, out); break;
  default:
    if (advices[f->raw->class]) text_add_string(out, advices[f->raw->class]);
  }
}
