/* report.h - what a run found, ready to be shown
 *
 * Method  addresses become locations of the source; findings of one class and kind on the same
 *         pair of lines become one, whose example is the first, or the first of the gravest
 *         reason; suppressed and allowed ones are taken out and counted
 */
#ifndef SIMT_REPORT_CHECK_REPORT_H
#define SIMT_REPORT_CHECK_REPORT_H

#include "base/text.h"
#include "findings_file.h"
#include "rules.h"
#include "toolchain/symbols/symbols.h"

enum { CHECK_CALLERS = 8 };

/* One line of the source. */
struct check_line {
  const char *file; /* NULL: unknown */
  unsigned line;
  const char *function; /* NULL: unknown */
};

struct check_location {
  const struct finding_side *side;
  struct check_line at;
  struct check_line callers[CHECK_CALLERS]; /* called_from, innermost first */
  size_t caller_count;
  uint64_t pc; /* where no line is known */
};

struct check_finding {
  const struct finding *raw;
  uint64_t count;
  bool updates; /* a race of threads that read, change and write one element on one line */
  struct check_location locations[FINDING_SIDES];
  size_t location_count;
  const char *program; /* of several, the first that had it; NULL: there is only one */
  size_t programs;     /* how many processes had it */
};

struct check_report {
  struct check_log log;
  struct symbols *symbols;
  struct text remedy; /* why there are no lines; empty if there are */
  struct check_finding *list;
  size_t count;
  struct check_finding *notes; /* what is worth a word and no finding */
  size_t note_count;
  size_t by_class[64];
  uint64_t suppressed, allowed; /* findings that are not shown */
};

/* check_report_make - takes the log over. `program`: the ELF file that ran; `own`: the folder
 * of simt's headers */
void check_report_make(struct check_report *r, struct check_log *log, const char *program,
                       const char *own, const struct check_rules *rules);
/* check_report_join - several processes' reports as one: equal findings are one, counts are sums.
 * It stands on the texts of the others, and on `called`, what each process was called by */
void check_report_join(struct check_report *all, struct check_report *const *parts,
                       const char *const *called, size_t count);
void check_report_free(struct check_report *r);

/* check_is_access - neither the allocation nor the free of what is accessed */
static inline bool check_is_access(const struct check_location *p) {
  return p->side->access != FINDING_ALLOCATION && p->side->access != FINDING_FREE;
}
/* check_location_of - the first place of that access, or NULL */
const struct check_location *check_location_of(const struct check_finding *f,
                                               enum finding_access access);

#endif
