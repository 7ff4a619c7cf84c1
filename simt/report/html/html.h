/* html.h - the parts of a page that stands alone in one file
 *
 * Result   head and style of a page without script that fetches nothing (its content security
 *          policy forbids it), light or dark as the reader has it, and fit for printing; text
 *          escaped; figures as cells with a bar
 * Limits   every text that was not written here goes through html_text
 * Source   the HTML Living Standard; WCAG 2.2 for the contrast of the colours
 */
#ifndef SIMT_REPORT_HTML_HTML_H
#define SIMT_REPORT_HTML_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* html_begin - up to and with <main>; `title` is escaped. html_end - closes what it opened */
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* html_text - for text and for values in double quotes: & < > " ' as entities, control characters
 * as their pictures, what is no UTF-8 as U+FFFD, and what turns the direction of writing by its
 * number. A tab stays, and so does a line feed. */
void html_bytes(FILE *out, const void *text, size_t bytes);
void html_text(FILE *out, const char *text);

/* html_cell - a figure in a table: <td data-figure=NAME data-value=VALUE>, with a bar of `share`
 * (0 to 1) of the width behind `shown`. `bad`: the bar is of the warning colour. */
struct html_cell {
  const char *name;  /* of the figure: letters and hyphens */
  const char *shown; /* what stands in the cell */
  double value;
  double share; /* below 0: no bar */
  bool bad;
};
void html_cell(FILE *out, const struct html_cell *cell);
void html_empty_cell(FILE *out);

/* html_image - an image inside the page; `type` such as image/png */
void html_image(FILE *out, const char *type, const void *data, size_t bytes, const char *describe);

#endif
