/* report.h - the ladder as one page
 *
 * Result   a table of the rungs, then of each its idea, its findings, its picture, and its source
 *          with the profiler's figures beside the lines. One file, no script, nothing fetched
 */
#ifndef LADDER_TOOL_SHOW_REPORT_H
#define LADDER_TOOL_SHOW_REPORT_H

#include <stddef.h>

#include "run/run.h"

/* report_write - pictures are made in the folder `scratch`. No half file is left. */
void report_write(const char *path, const struct result *result, size_t count, const char *scratch);

#endif
