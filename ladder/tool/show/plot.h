/* plot.h - the drawings of --plot, as SVG
 *
 * Result   complexity: measured steps and work of the scans against n, dots, on the formulas,
 *          lines, both axes logarithmic. Bars: what each rung of the families run costs
 * Limits   eight colours; text in the reader's sans-serif
 */
#ifndef LADDER_TOOL_SHOW_PLOT_H
#define LADDER_TOOL_SHOW_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "run/run.h"

/* plot_check - fails if the file cannot be written; before anything is run */
void plot_check(const char *path);

/* plot_write - complexity if a rung among the results brought a table of it, else bars */
void plot_write(const char *path, const struct result *result, size_t count, bool cuda);

/* plot_complexity - false if no rung brought a table */
bool plot_complexity(struct text *svg, const struct result *result, size_t count);
void plot_bars(struct text *svg, const struct result *result, size_t count, bool cuda);

/* Pieces of both. */
extern const char *const plot_colours[8];
void svg_open(struct text *svg, double width, double height, const char *title);
void svg_text(struct text *svg, double x, double y, const char *anchor, const char *text);

#endif
