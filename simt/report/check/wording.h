/* wording.h - findings in plain words: what is wrong, what is missing, what to do */
#ifndef SIMT_REPORT_CHECK_WORDING_H
#define SIMT_REPORT_CHECK_WORDING_H

#include "base/text.h"
#include "device/observer.h"
#include "report.h"
#include "source_lines.h"

const char *check_class_name(unsigned class);    /* "race" */
extern const char *const check_kinds[];          /* kinds of races; NULL ends them */
unsigned check_reason_rank(const char *reason);  /* the greater, the more has to be done */
const char *check_access_name(unsigned access);  /* "volatile-read", as in JSON */
const char *check_access_words(unsigned access); /* "volatile read", for people */

/* check_headline - one line: class, what happened to which memory, what is missing */
void check_headline(const struct check_finding *f, struct text *out);
/* check_advice - what to do about it, with the lines that it is about; may be empty */
void check_advice(const struct check_finding *f, struct check_sources *sources, struct text *out);
/* check_add_line - "prog.cu:12", or "0x1234 (no line known)" */
void check_add_line(const struct check_location *p, struct text *out);

#endif
