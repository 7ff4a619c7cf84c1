/* columns.h - all columns of a table described: those of numbers, and those of text */
#ifndef HEDDLE_CLI_COMMANDS_DESCRIBE_COLUMNS_H
#define HEDDLE_CLI_COMMANDS_DESCRIBE_COLUMNS_H

#include "commands/source.h"
#include "output/sink.h"
#include "ranks.h"

enum { COLUMN_BINS = 30 }; /* of the small histograms of a page */

struct column_row {
  char *file, *name; /* file: NULL where there is one only; both to be freed */
  bool text;
  uint64_t count, missing;
  double mean, deviation, least, greatest, quartile[QUARTILES]; /* of numbers */
  uint64_t distinct, frequency;                                 /* of texts */
  bool drawn; /* bins are there: of numbers, for a page */
  uint64_t bins[COLUMN_BINS];
  bool at_least; /* there are more distinct ones, and top is that of those alone */
  char *top;     /* to be freed, with a zero byte behind; NULL: none */
  size_t top_bytes;
};

struct column_rows {
  struct column_row *rows;
  size_t count, room;
};

/* Reads a source of records and two passes, with as many passes as its columns take, and adds a row for each.
 * 1: the text has one column. */
int columns_describe(const struct settings *s, heddle_context *ctx, struct source *src,
                     const struct input_options *options, struct column_rows *out,
                     struct failure *why);

/* rows.c: an empty row more; its name, by the header or its number; the first `count` alone. */
struct column_row *column_rows_add(struct column_rows *rows, struct failure *why);
int column_row_name(struct column_row *row, const char *file, const char *label, size_t number,
                    struct failure *why);
void column_rows_cut(struct column_rows *rows, size_t count);
/* show.c: as a table, JSON or CSV. */
/* histograms.c: those rows that have bins. */
void columns_draw(struct sink *out, const struct column_rows *rows);
int columns_show(const struct settings *s, const struct column_rows *rows, struct failure *why);

#endif
