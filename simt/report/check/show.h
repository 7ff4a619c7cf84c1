/* show.h - a report as text for people and as JSON for programs */
#ifndef SIMT_REPORT_CHECK_SHOW_H
#define SIMT_REPORT_CHECK_SHOW_H

#include "base/string_list.h"
#include "base/text.h"
#include "report.h"
#include "source_lines.h"

/* One process, for what lists them. */
struct check_run {
  const char *name;
  const struct check_report *report;
};

struct check_outcome {
  const char *name; /* of the program, as the user gave it */
  int exited;       /* the program's exit status; -1: a signal ended it */
  int signal;
  int status;    /* heddle-check's own */
  uint64_t most; /* findings that are shown */
  /* of `heddle check -- COMMAND`: the processes that it led to; NULL: it was one program */
  const struct check_run *runs;
  size_t run_count;
  const struct string_list *unchecked; /* programs that were not built for it */
};

/* check_show_text - the findings, nothing if there are none */
void check_show_text(const struct check_report *r, const struct check_outcome *o, struct text *out);
/* check_show_summary - "heddle check: 3 findings (race 2, leak 1) in 4 launches, 1,024 blocks",
 * and lines about what could not be done */
void check_show_summary(const struct check_report *r, const struct check_outcome *o,
                        struct text *out);
/* check_show_finding - one of them, as check_show_text has it */
void check_show_finding(const struct check_finding *f, struct check_sources *sources,
                        struct text *out);
/* check_show_sarif - SARIF 2.1.0, for what shows findings beside the code;
 * check_show_junit - a test case for each process, for what shows tests */
void check_show_sarif(const struct check_report *r, const struct check_outcome *o,
                      struct text *out);
void check_show_junit(const struct check_report *r, const struct check_outcome *o,
                      struct text *out);
void check_show_json(const struct check_report *r, const struct check_outcome *o, struct text *out);

#endif
