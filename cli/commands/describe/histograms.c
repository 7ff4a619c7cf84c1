/* histograms.c - a small histogram of each column of numbers, for a page: a pass more, and the drawing
 *
 * Method  Equal bins from the least value to the greatest, which an earlier pass has found.
 * Limits  A column with an infinity, or without a value, has none. */
#include <math.h>

#include "commands/command.h"
#include "describing.h"

enum { WIDTH = 300, HEIGHT = 110, BAR = WIDTH / COLUMN_BINS, ROOM = 90, FOOT = 106 };

static int take_counts(void *user, struct batch *b, struct failure *why) {
  struct describing *const d = user;
  if (b->rows == 0) return 0;
  if (describing_room(d, b->rows, why) != 0) return -1;
  for (size_t c = 0; c < d->q.columns; c++) {
    if (!d->column[c].passes) continue;
    const double *const values = describing_values(d, b, c, why);
    if (!values ||
        command_check(heddle_histogram_update(d->column[c].passes, values, NULL, b->rows),
                      d->src->path, why) != 0)
      return -1;
  }
  return 0;
}

/* 1: there is a column to draw. */
static int begin(struct describing *d, const struct column_row *rows, struct failure *why) {
  int any = 0;
  for (size_t c = 0; c < d->q.columns; c++) {
    heddle_bins bins = HEDDLE_BINS_INIT;
    heddle_state_free(d->column[c].passes);
    d->column[c].passes = NULL;
    if (rows[c].text || rows[c].count == 0 || !isfinite(rows[c].greatest - rows[c].least)) continue;
    bins.kind = HEDDLE_BINS_EVEN;
    bins.count = COLUMN_BINS;
    bins.lo = rows[c].least;
    bins.hi = rows[c].greatest;
    any = 1;
    if (command_check(heddle_histogram_begin(d->ctx, HEDDLE_F64, &bins, NULL, &d->column[c].passes),
                      d->src->path, why) != 0)
      return -1;
  }
  return any;
}

int describing_histograms(struct describing *d, struct column_row *rows, struct failure *why) {
  struct records *records = NULL;
  const int any = begin(d, rows, why);
  if (any <= 0) return any;
  int status = source_rewind(d->src, why);
  if (status == 0) status = describing_open(d, &records, why);
  if (status == 0) status = describing_pass(d, records, take_counts, why);
  records_close(records);
  for (size_t c = 0; c < d->q.columns && status == 0; c++) {
    heddle_histogram_result result = HEDDLE_HISTOGRAM_RESULT_INIT;
    if (!d->column[c].passes) continue;
    status =
        command_check(heddle_histogram_finish(d->column[c].passes, rows[c].bins, &result, NULL),
                      d->src->path, why);
    rows[c].drawn = status == 0;
  }
  return status < 0 ? -1 : status;
}

static void name(struct sink *out, const struct column_row *r) {
  if (r->file) {
    sink_xml(out, r->file);
    sink_text(out, ":");
  }
  sink_xml(out, r->name);
}

static void draw(struct sink *out, const struct column_row *r) {
  uint64_t most = 1;
  for (size_t i = 0; i < COLUMN_BINS; i++) most = r->bins[i] > most ? r->bins[i] : most;
  sink_print(out, "<figure class=\"small\"><figcaption>");
  name(out, r);
  sink_print(out,
             "</figcaption>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
             "width=\"%d\" height=\"%d\" role=\"img\"><title>Histogram of ",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
  name(out, r);
  sink_text(out, "</title>\n");
  const double width = (r->greatest - r->least) / COLUMN_BINS;
  for (size_t i = 0; i < COLUMN_BINS; i++) {
    const double height = (double)r->bins[i] / (double)most * (ROOM - 2);
    sink_print(out,
               "<rect x=\"%zu\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"#2f8f96\"><title>"
               "%.4g to %.4g: %llu</title></rect>\n",
               i * BAR, ROOM - height, BAR - 1, height, r->least + (double)i * width,
               r->least + (double)(i + 1) * width, (unsigned long long)r->bins[i]);
  }
  sink_print(out,
             "<line x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#8a949f\"/>\n"
             "<text x=\"0\" y=\"%d\">%.4g</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.4g"
             "</text>\n</svg></figure>\n",
             ROOM, WIDTH, ROOM, FOOT, r->least, WIDTH, FOOT, r->greatest);
}

void columns_draw(struct sink *out, const struct column_rows *rows) {
  sink_text(out, "<div class=\"several\">\n");
  for (size_t i = 0; i < rows->count; i++)
    if (rows->rows[i].drawn) draw(out, &rows->rows[i]);
  sink_text(out, "</div>\n");
}
