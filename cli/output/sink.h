/* sink.h - where results go: standard output, or a file that appears whole or not at all
 *
 * Writing never fails visibly: the first failure is kept, later writes do nothing, and sink_close
 * reports it. */
#ifndef HEDDLE_CLI_OUTPUT_SINK_H
#define HEDDLE_CLI_OUTPUT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

struct output_file;
struct cells;

struct sink {
  struct output_file *file;
  struct failure why;
  bool failed;
  bool terminal;       /* it is standard output, and that is one */
  struct cells *cells; /* what is written is CSV, and becomes a table of HTML: cells.h */
};

int sink_open(struct sink *s, const char *path, struct failure *why); /* NULL, "-": stdout */
int sink_close(struct sink *s, struct failure *why);
void sink_drop(struct sink *s); /* nothing appears */

void sink_write(struct sink *s, const void *data, size_t bytes);
void sink_text(struct sink *s, const char *text);
void sink_print(struct sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text in `columns` columns, to the right of them or to the left. */
void sink_right(struct sink *s, const char *text, size_t columns);
void sink_left(struct sink *s, const char *text, size_t columns);
/* A name that a user gave, in a table for people: nothing in it that a terminal obeys. */
void sink_safe(struct sink *s, const char *text);
/* Text of XML or HTML: markup escaped; what is not UTF-8, and the characters that XML has no way to
 * write, and others that do not show, as U+FFFD; ends of lines as blanks. */
void sink_xml(struct sink *s, const char *text);
/* A field of CSV, quoted where it must be; on a terminal as sink_safe. */
void sink_csv(struct sink *s, const char *text);
/* The same of so many bytes, zeros among them, with a zero byte behind. */
void sink_csv_bytes(struct sink *s, const char *text, size_t bytes);
void sink_safe_bytes(struct sink *s, const char *text, size_t bytes);

/* A sink of elements: .npy, raw, or text, a line an element. */
enum array_format { ARRAY_TEXT, ARRAY_NPY, ARRAY_RAW };
struct array_sink {
  struct sink sink;
  enum array_format format;
  heddle_type type;
  uint64_t count;
  bool patch; /* the count in the header is written at the end */
};
enum array_order { ARRAY_C, ARRAY_FORTRAN };

/* dims 0: one dimension whose length is known at the end only. */
int array_open(struct array_sink *a, const char *path, enum array_format format, heddle_type type,
               size_t dims, const size_t *shape, enum array_order order, struct failure *why);
void array_write(struct array_sink *a, const void *elements, size_t count);
int array_close(struct array_sink *a, struct failure *why);

#endif
