/* source_lines.h - lines of source files, to be shown beside what was found in them */
#ifndef SIMT_REPORT_CHECK_SOURCE_LINES_H
#define SIMT_REPORT_CHECK_SOURCE_LINES_H

#include "findings_file.h"

struct check_sources;

/* check_sources_open - of the modules that were loaded, the texts that they were made from count as
 * files, too, by the names that these had */
struct check_sources *check_sources_open(const struct check_log *log);
/* check_source_line - without the blanks around it, to be freed; NULL if there is no such line */
char *check_source_line(struct check_sources *s, const char *file, unsigned line);
void check_sources_close(struct check_sources *s);

#endif
