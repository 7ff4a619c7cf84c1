/* Tables of names, and a headline for each class (wording.h). The advice is in advice.c. */
#include "wording.h"

#include <string.h>

#include "print.h"

static const char *const class_names[] = {
#define FINDING(id, name, headline, advice) name,
#include "device/findings.def"
};

const char *const check_kinds[] = {"write/write",   "read/write", "atomic/plain",
                                   "atomic/atomic", "same-value", NULL};

const char *check_class_name(unsigned class) {
  return class < SD_CLASSES ? class_names[class] : "unknown";
}

/* What the race needs, as a headline has it. The rank: among findings of one pair of lines
 * the one is shown whose remedy also removes the others. */
static const struct {
  const char *reason, *missing;
} reasons[] = {
    {"", ""},
    {"syncwarp", "missing __syncwarp() between lanes of one warp"},
    {"barrier", "missing __syncthreads()"},
    {"fence", "missing __threadfence() around the flag"},
    {"host", "the host does not wait for the device"},
    {"streams", "nothing orders the two streams"},
    {"blocks", "nothing orders the blocks of one launch"},
    {"copy", "nobody waits for the asynchronous copy"},
};
enum { REASONS = sizeof reasons / sizeof *reasons };

unsigned check_reason_rank(const char *reason) {
  for (unsigned i = 0; i < REASONS; i++) {
    if (!strcmp(reasons[i].reason, reason)) return i;
  }
  return 0;
}

static const struct {
  const char *name, *words;
} accesses[FINDING_CALL + 1] = {
    [FINDING_NO_ACCESS] = {"none", "at"},
    [FINDING_READ] = {"read", "read"},
    [FINDING_WRITE] = {"write", "write"},
    [FINDING_ATOMIC] = {"atomic", "atomic"},
    [FINDING_VOLATILE_READ] = {"volatile-read", "volatile read"},
    [FINDING_VOLATILE_WRITE] = {"volatile-write", "volatile write"},
    [FINDING_COPY_READ] = {"copy-read", "copy reads"},
    [FINDING_COPY_WRITE] = {"copy-write", "copy writes"},
    [FINDING_HOST_READ] = {"host-read", "host reads"},
    [FINDING_HOST_WRITE] = {"host-write", "host writes"},
    [FINDING_ALLOCATION] = {"allocation", "allocated"},
    [FINDING_FREE] = {"free", "freed"},
    [FINDING_BARRIER] = {"barrier", "barrier"},
    [FINDING_CALL] = {"call", "call"},
};

const char *check_access_name(unsigned access) {
  return accesses[access <= FINDING_CALL ? access : 0].name;
}

const char *check_access_words(unsigned access) {
  return accesses[access <= FINDING_CALL ? access : 0].words;
}

void check_add_line(const struct check_location *p, struct text *out) {
  if (p->at.file) {
    print_clean(out, p->at.file);
    if (p->at.line) text_add_format(out, ":%u", p->at.line);
  } else if (p->pc) {
    text_add_format(out, "0x%llx", (unsigned long long)p->pc - 1);
  } else {
    text_add_string(out, "(no line known)");
  }
}

/* ---- Headlines ------------------------------------------------------------------------------- */

static bool is_same_line(const struct check_finding *f) {
  if (f->location_count < 2) return true;
  const struct check_line *a = &f->locations[0].at, *b = &f->locations[1].at;
  return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static void add_race_headline(const struct check_finding *f, struct text *out) {
  const struct finding *raw = f->raw;
  const bool same = !strcmp(raw->kind, "same-value");
  if (raw->kind[0]) text_add_string(out, " ");
  print_clean(out, same ? "write/write of the same value" : raw->kind);
  if (raw->space[0]) {
    text_add_string(out, " in ");
    print_clean(out, raw->space);
    text_add_string(out, " memory");
  }
  const unsigned rank = check_reason_rank(raw->reason);
  if (!rank) return;
  if (f->updates) {
    text_add_string(out, ", several threads change one element");
    return;
  }
  text_add_format(out, ", %s", reasons[rank].missing);
  if (!strcmp(raw->reason, "barrier"))
    text_add_string(out,
                    is_same_line(f) ? " between two runs of the line" : " between the two lines");
}

/* What each other class says. */
static const char *const headlines[] = {
#define FINDING(id, name, headline, advice) headline,
#include "device/findings.def"
};

static const char *verb_of(const struct check_finding *f) {
  switch (f->location_count ? f->locations[0].side->access : FINDING_NO_ACCESS) {
  case FINDING_READ:
  case FINDING_VOLATILE_READ: return "read";
  case FINDING_WRITE:
  case FINDING_VOLATILE_WRITE: return "write";
  case FINDING_ATOMIC: return "atomic operation";
  case FINDING_COPY_READ: return "a copy reads";
  case FINDING_COPY_WRITE: return "a copy writes";
  case FINDING_HOST_READ: return "the host reads";
  case FINDING_HOST_WRITE: return "the host writes";
  default: return "access";
  }
}

static void add_space(const struct finding *raw, struct text *out) {
  if (!raw->space[0]) return;
  print_clean(out, raw->space);
  text_add_string(out, " ");
}

void check_headline(const struct check_finding *f, struct text *out) {
  const struct finding *raw = f->raw;
  text_add_format(out, "%s:", check_class_name(raw->class));
  if (raw->class == SD_RACE) {
    add_race_headline(f, out);
  } else if (raw->class == SD_OUT_OF_BOUNDS) {
    text_add_format(out, " %s outside of ", verb_of(f));
    add_space(raw, out);
    text_add_string(out, "memory");
  } else if (raw->class == SD_UNINITIALISED) {
    text_add_format(out, " %s of ", verb_of(f));
    add_space(raw, out);
    text_add_string(out, "memory that nothing has been written to");
  } else {
    text_add_format(out, " %s", headlines[raw->class]);
  }
}
