/* show.h - a report as text for people and as JSON for programs */
#ifndef SIMT_REPORT_CHECK_SHOW_H
#define SIMT_REPORT_CHECK_SHOW_H

#include "base/text.h"
#include "report.h"

struct check_outcome {
  const char *name; /* of the program, as the user gave it */
  int exited;       /* the program's exit status; -1: a signal ended it */
  int signal;
  int status;    /* heddle-check's own */
  uint64_t most; /* findings that are shown */
};

/* check_show_text - the findings, nothing if there are none */
void check_show_text(const struct check_report *r, const struct check_outcome *o, struct text *out);
/* check_show_summary - "heddle check: 3 findings (race 2, leak 1) in 4 launches, 1,024 blocks",
 * and lines about what could not be done */
void check_show_summary(const struct check_report *r, const struct check_outcome *o,
                        struct text *out);
void check_show_json(const struct check_report *r, const struct check_outcome *o, struct text *out);

#endif
