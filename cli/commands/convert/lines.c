/* lines.c - JSON Lines: an object a row, by the names of the columns
 *
 * Result  A column without a name gives its elements bare, several without names an array a row. Integers of text are
 *         written as they stand there, exactly; NaN and infinities, which JSON has not, as "nan", "inf", "-inf"; of typed columns what is missing is null. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "output/json.h"

static int begin(struct writer *w, struct failure *why) {
  (void)w;
  (void)why;
  return 0;
}

/* A line is an object of named columns, an array of several others, or a value. */
static void open_line(struct json *j, struct writer *w) {
  json_start_line(j, &w->sink);
  if (w->named) json_open(j, '{');
  if (!w->named && w->columns > 1) json_open(j, '[');
}

static void close_line(struct json *j, const struct writer *w) {
  if (w->named) json_close(j, '}');
  if (!w->named && w->columns > 1) json_close(j, ']');
  json_end(j);
}

/* A field that is missing, of a table of numbers. */
static bool is_nan(const unsigned char *element) {
  double value;
  memcpy(&value, element, sizeof value);
  return value != value;
}

static void row(struct writer *w, const unsigned char *const at[], const heddle_type type[]) {
  struct json j;
  open_line(&j, w);
  for (size_t k = 0; k < w->columns; k++) {
    if (w->named) json_name(&j, w->name[k]);
    if (w->columns > 1 && type[k] == HEDDLE_F64 && input_is_text(w->src->in) && is_nan(at[k]))
      json_null(&j);
    else
      json_element(&j, type[k], at[k]);
  }
  close_line(&j, w);
}

static int block(struct writer *w, const void *const data[], size_t n, struct failure *why) {
  const unsigned char *integers[INPUT_MAX_COLUMNS], *at[INPUT_MAX_COLUMNS];
  size_t whole[INPUT_MAX_COLUMNS];
  heddle_type exact[INPUT_MAX_COLUMNS], type[INPUT_MAX_COLUMNS];
  (void)why;
  for (size_t k = 0; k < w->columns; k++) {
    whole[k] = 0;
    integers[k] = w->src->integers ? input_integers(w->src->in, k, &whole[k], &exact[k]) : NULL;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < w->columns; k++) {
      const bool is_whole = integers[k] && i < whole[k];
      type[k] = is_whole ? exact[k] : w->type;
      at[k] = is_whole ? integers[k] + 8 * i
                       : (const unsigned char *)data[k] + i * heddle_type_size(w->type);
    }
    row(w, at, type);
  }
  return 0;
}

static void value(struct json *j, const struct typed_column *c, size_t row) {
  size_t bytes;
  if (!typed_there(c, row)) {
    json_null(j);
  } else if (c->text) {
    const char *const text = typed_text(c, row, &bytes);
    json_bytes(j, text, bytes);
  } else {
    json_element(j, c->type, (const unsigned char *)c->values + row * heddle_type_size(c->type));
  }
}

static int typed_rows(struct writer *w, const struct typed *t, struct failure *why) {
  (void)why;
  for (size_t i = 0; i < t->rows; i++) {
    struct json j;
    open_line(&j, w);
    for (size_t k = 0; k < w->columns; k++) {
      if (w->named) json_name(&j, w->name[k]);
      value(&j, &t->column[k], i);
    }
    close_line(&j, w);
  }
  return 0;
}

static void done(struct writer *w) { (void)w; }

const struct writer_format lines_writer = {begin, block, typed_rows, begin, done};
