/* corr.c - heddle corr: the correlation of two columns, or of each two of several
 *
 * Method  Rows are gathered into pieces of one length, wherever blocks are cut, so that the result has the same bits
 *         however the file is read. With --nan skip a pair of columns leaves out the rows in which one of both is
 *         missing, and no others.
 * Limits  In f64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/show_values.h"
#include "commands/source.h"
#include "moments.h"
#include "options/commands.h"
#include "options/format.h"
#include "output/json.h"
#include "text/element.h"

struct correlating {
  const struct settings *s;
  size_t columns, held;                        /* rows of the piece at hand */
  double *piece[INPUT_MAX_COLUMNS], *there[2]; /* of pairs that are not whole */
  uint64_t rows;
  struct moments *pair; /* [i * columns + j], i < j */
  double *values;       /* the matrix */
};

/* ---- rows -------------------------------------------------------------------------------------------- */

static size_t keep_whole(struct correlating *c, const double *x, const double *y) {
  size_t n = 0;
  for (size_t i = 0; i < c->held; i++) {
    c->there[0][n] = x[i];
    c->there[1][n] = y[i];
    n += x[i] == x[i] && y[i] == y[i];
  }
  return n;
}

static void end_piece(struct correlating *c) {
  for (size_t i = 0; i < c->columns; i++)
    for (size_t j = i + 1; j < c->columns; j++) {
      const double *x = c->piece[i], *y = c->piece[j];
      size_t count = c->held;
      if (c->s->nan == HEDDLE_NAN_SKIP) {
        count = keep_whole(c, x, y);
        x = c->there[0];
        y = c->there[1];
      }
      moments_add(&c->pair[i * c->columns + j], x, y, count);
    }
  c->rows += c->held;
  c->held = 0;
}

static int read_rows(struct correlating *c, struct source *src, struct failure *why) {
  const heddle_type type = input_type(src->in);
  const size_t size = heddle_type_size(type);
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t count = 0;
    if (source_next(src, data, &count, why) != 0) return -1;
    if (count == 0) break;
    for (size_t at = 0; at < count;) {
      const size_t room = MOMENTS_PIECE - c->held, n = count - at < room ? count - at : room;
      for (size_t k = 0; k < c->columns; k++)
        if (command_check(heddle_convert(type, (const unsigned char *)data[k] + at * size,
                                         HEDDLE_F64, c->piece[k] + c->held, n),
                          src->path, why) != 0)
          return -1;
      c->held += n;
      at += n;
      if (c->held == MOMENTS_PIECE) end_piece(c);
    }
  }
  end_piece(c);
  return 0;
}

/* ---- results ----------------------------------------------------------------------------------------- */

static const char *name_of(const struct source *src, size_t column) {
  const char *const label = input_label(src->in, column);
  return *label == '\0' && column < src->settings->column_count ? src->settings->columns[column]
                                                                : label;
}

static void matrix_json(const struct correlating *c, const struct source *src, struct sink *out) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_member(&j, "op", "corr");
  json_name(&j, "columns");
  json_open(&j, '[');
  for (size_t i = 0; i < c->columns; i++) json_text(&j, name_of(src, i));
  json_close(&j, ']');
  json_name(&j, "values");
  json_open(&j, '[');
  for (size_t i = 0; i < c->columns; i++) {
    json_open(&j, '[');
    for (size_t k = 0; k < c->columns; k++) json_double(&j, c->values[i * c->columns + k]);
    json_close(&j, ']');
  }
  json_close(&j, ']');
  json_name(&j, "count");
  json_u64(&j, c->rows);
  json_close(&j, '}');
  json_end(&j);
}

static void matrix_csv(const struct correlating *c, const struct source *src, struct sink *out) {
  sink_text(out, "column");
  for (size_t i = 0; i < c->columns; i++) {
    sink_text(out, ",");
    sink_csv(out, name_of(src, i));
  }
  sink_text(out, "\n");
  for (size_t i = 0; i < c->columns; i++) {
    sink_csv(out, name_of(src, i));
    for (size_t k = 0; k < c->columns; k++) {
      char text[NUMBER_TEXT];
      (void)double_text(text, c->values[i * c->columns + k]);
      sink_print(out, ",%s", text);
    }
    sink_text(out, "\n");
  }
}

/* For people: a row a column, its name behind. */
static void matrix_table(const struct correlating *c, const struct source *src, struct sink *out) {
  char text[NUMBER_TEXT];
  size_t width = 1;
  for (size_t i = 0; i < c->columns * c->columns; i++) {
    const size_t length = (size_t)double_text(text, c->values[i]);
    if (length > width) width = length;
  }
  for (size_t i = 0; i < c->columns; i++) {
    for (size_t k = 0; k < c->columns; k++) {
      (void)double_text(text, c->values[i * c->columns + k]);
      sink_right(out, text, width);
      sink_text(out, "  ");
    }
    sink_safe(out, name_of(src, i));
    sink_text(out, "\n");
  }
}

static int show_matrix(const struct correlating *c, const struct source *src, struct failure *why) {
  const size_t shape[2] = {c->columns, c->columns};
  const struct value_array array = {.op = "corr",
                                    .axis = -1,
                                    .type = HEDDLE_F64,
                                    .values = c->values,
                                    .count = c->columns * c->columns,
                                    .dims = 2,
                                    .shape = shape};
  struct sink out;
  if (output_array_format(c->s->output) != ARRAY_TEXT) return show_array(c->s, &array, why);
  if (sink_open(&out, c->s->output, why) != 0) return -1;
  if (c->s->style == STYLE_JSON)
    matrix_json(c, src, &out);
  else if (c->s->style == STYLE_CSV)
    matrix_csv(c, src, &out);
  else
    matrix_table(c, src, &out);
  return sink_close(&out, why);
}

static int show_one(const struct correlating *c, const struct source *src, struct failure *why) {
  struct values v = {.op = "corr"};
  struct value_row *const row = values_add(&v, why);
  if (!row) return -1;
  row->file = src->path;
  row->type = HEDDLE_F64;
  row->count = c->pair[0 * c->columns + 1].count;
  memcpy(row->value, &c->values[1], sizeof c->values[1]);
  const int status = show_values(c->s, &v, why);
  values_free(&v);
  return status;
}

static int show(struct correlating *c, const struct source *src, struct failure *why) {
  const size_t n = c->columns;
  c->values = command_allocate(n * n, sizeof *c->values, "correlations", why);
  if (!c->values) return -1;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i + 1; j < n; j++)
      c->values[i * n + j] = c->values[j * n + i] =
          moments_correlation(&c->pair[i * c->columns + j]);
    /* Of a column with itself 1, unless it has none at all. */
    const struct moments *const m =
        i > 0 ? &c->pair[0 * c->columns + i] : &c->pair[0 * c->columns + 1];
    c->values[i * n + i] = m->square[i > 0] > 0 && isfinite(m->square[i > 0]) ? 1 : NAN;
  }
  return n == 2 ? show_one(c, src, why) : show_matrix(c, src, why);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int run(struct correlating *c, struct source *src, struct failure *why) {
  c->columns = input_columns(src->in);
  if (c->columns < 2)
    return fail(why, EXIT_USAGE, "%s: a correlation is of two columns, or more: -c NAME,NAME",
                command_file_label(src->path));
  c->pair = command_allocate(c->columns * c->columns, sizeof *c->pair, "correlations", why);
  if (!c->pair) return -1;
  for (size_t k = 0; k < c->columns + 2; k++) {
    double *const rows = command_allocate(MOMENTS_PIECE, sizeof *rows, "rows", why);
    if (!rows) return -1;
    *(k < c->columns ? &c->piece[k] : &c->there[k - c->columns]) = rows;
  }
  if (read_rows(c, src, why) != 0) return -1;
  return show(c, src, why);
}

int command_corr(const struct settings *s, struct failure *why) {
  struct source src;
  struct correlating *const c = command_allocate(1, sizeof *c, "correlations", why);
  if (!c) return -1;
  c->s = s;
  int status = source_open(s, s->files[0], ONE_PASS, &src, why);
  if (status == 0) {
    status = run(c, &src, why);
    source_close(&src);
  }
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(c->piece[k]);
  free(c->there[0]);
  free(c->there[1]);
  free(c->pair);
  free(c->values);
  free(c);
  return status;
}
