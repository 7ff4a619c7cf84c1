/* csv.c - typed columns as CSV or TSV
 *
 * Result  A text is quoted where it must be to be read back: separators, quotes, line ends, blanks around it, the
 *         empty text, a '#' in front. What is missing is an empty field, and "" in a table of one column. */
#include <string.h>

#include "tables.h"
#include "text/element.h"
#include "text/quoting.h"

static void put_text(struct writer *w, const char *text, size_t bytes) {
  if (bytes > 0 && text_stands_alone(text, bytes, w->separator)) {
    sink_write(&w->sink, text, bytes);
    return;
  }
  sink_write(&w->sink, "\"", 1);
  while (bytes > 0) {
    const char *const quote = memchr(text, '"', bytes);
    const size_t part = quote ? (size_t)(quote - text) + 1 : bytes;
    sink_write(&w->sink, text, part);
    if (quote) sink_write(&w->sink, "\"", 1);
    text += part;
    bytes -= part;
  }
  sink_write(&w->sink, "\"", 1);
}

static int begin(struct writer *w, struct failure *why) {
  (void)why;
  for (size_t k = 0; w->named && k < w->columns; k++) {
    if (k > 0) sink_write(&w->sink, &w->separator, 1);
    put_text(w, w->name[k], strlen(w->name[k]));
  }
  if (w->named) sink_write(&w->sink, "\n", 1);
  return 0;
}

static int rows(struct writer *w, const struct typed *t, struct failure *why) {
  char number[NUMBER_TEXT];
  (void)why;
  for (size_t i = 0; i < t->rows; i++)
    for (size_t k = 0; k < t->columns; k++) {
      const struct typed_column *const c = &t->column[k];
      size_t bytes = 0;
      if (!typed_there(c, i)) {
        if (t->columns == 1) sink_write(&w->sink, "\"\"", 2);
      } else if (c->text) {
        const char *const text = typed_text(c, i, &bytes);
        put_text(w, text, bytes);
      } else {
        bytes = (size_t)element_text(
            number, c->type, (const unsigned char *)c->values + i * heddle_type_size(c->type));
        sink_write(&w->sink, number, bytes);
      }
      sink_write(&w->sink, k + 1 < t->columns ? &w->separator : "\n", 1);
    }
  return 0;
}

static int end(struct writer *w, struct failure *why) {
  (void)w;
  (void)why;
  return 0;
}

static void done(struct writer *w) { (void)w; }

const struct writer_format csv_writer = {begin, NULL, rows, end, done};
