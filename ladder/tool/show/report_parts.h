/* report_parts.h - what report.c puts together */
#ifndef LADDER_TOOL_SHOW_REPORT_PARTS_H
#define LADDER_TOOL_SHOW_REPORT_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "run/run.h"

/* report_idea - the opening comment; returns how many lines of the source it takes */
unsigned report_idea(FILE *out, const char *source);

/* report_findings - the checker's, with links to the lines of the rung's source */
void report_findings(FILE *out, const struct result *r);

/* report_source - the rung's own source behind line `from`, then the headers that have figures;
 * the table's rows are named FAMILY-NN-LINE */
void report_source(FILE *out, const struct result *r, const char *source, size_t bytes,
                   unsigned from);

#endif
