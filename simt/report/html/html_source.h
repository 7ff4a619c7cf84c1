/* html_source.h - source text with figures beside its lines, as a table of a page
 *
 * Result   a row a line: figures with bars, the line's number, the line. Groups of columns in
 *          which no line has a figure are left out; so are long runs of lines without any
 */
#ifndef SIMT_REPORT_HTML_HTML_SOURCE_H
#define SIMT_REPORT_HTML_HTML_SOURCE_H

#include "html.h"

/* Figures of one line; NaN where there is none. */
struct html_line {
  unsigned line;
  const char *text; /* shown if the source cannot be read; may be NULL */
  double share;     /* of the kernel's issues, 0 to 1 */
  double executions, efficiency;
  double sectors, ideal;               /* a request to global memory */
  double degree, degree_worst;         /* of bank conflicts */
  double contention, contention_worst; /* of atomics */
  double barriers;
};

struct html_source {
  const char *id; /* of the table; that of a row is ID-LINE */
  const char *caption;
  const char *text; /* NULL: not readable */
  size_t bytes;
  const struct html_line *lines; /* ascending */
  size_t count;
  const unsigned *marked; /* lines to stand out */
  size_t marked_count;
  unsigned first, last; /* to be shown; 0: from the beginning, to the end */
  unsigned gap;         /* more lines than this without figures are left out; 0: never */
};
void html_source(FILE *out, const struct html_source *source);

/* html_figure - a cell with a bar, or an empty one for NaN. percent: `value` is 0 to 1. The bar
 * is `share` long; below 0: none. */
void html_figure(FILE *out, const char *name, double value, const char *format, double share,
                 bool bad);
/* html_count - a whole number with commas; NaN: empty */
void html_count(FILE *out, const char *name, double value);
void html_percent(FILE *out, const char *name, double value, bool bad);

/* html_legend - what the figures are, as a list */
void html_legend(FILE *out);

#endif
