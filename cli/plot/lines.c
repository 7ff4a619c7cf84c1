/* lines.c - the line of figures below a plot, broken where the terminal ends */
#include <inttypes.h>
#include <stdio.h>

#include "plot.h"
#include "report/terminal.h"

void plot_joined(struct sink *out, size_t width, char parts[][PLOT_PART], size_t count) {
  size_t column = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t length = terminal_columns(parts[i]) + (i + 1 < count); /* with its comma */
    if (i > 0 && column + 1 + length > width) {
      sink_text(out, "\n");
      column = 0;
    } else if (i > 0) {
      sink_text(out, " ");
      column++;
    }
    sink_text(out, parts[i]);
    if (i + 1 < count) sink_text(out, ",");
    column += length;
  }
  sink_text(out, "\n");
}

size_t plot_figures(const struct plot *p, char parts[PLOT_FIGURES][PLOT_PART]) {
  const struct {
    const char *name;
    uint64_t count;
  } more[] = {{"below", p->under},
              {"above", p->over},
              {"NaN", p->nan},
              {p->infinite == 1 ? "bin of inf" : "bins of inf", p->infinite},
              {p->undefined == 1 ? "bin of nan" : "bins of nan", p->undefined}};
  size_t count = 1;
  (void)snprintf(parts[0], PLOT_PART, "%" PRIu64 " element%s", p->elements,
                 p->elements == 1 ? "" : "s");
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    if (more[i].count > 0)
      (void)snprintf(parts[count++], PLOT_PART, "%" PRIu64 " %s", more[i].count, more[i].name);
  return count;
}
