/* table.h - tables whose columns have names and types: what a format delivers, and what is made of it
 *
 * A format reads batches of rows, of the wanted columns alone; values.c makes blocks of numbers of them, lines.c
 * text, for who works on whole lines or on words. */
#ifndef HEDDLE_CLI_INPUT_TABLE_TABLE_H
#define HEDDLE_CLI_INPUT_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dates.h"
#include "heddle.h"
#include "input/stream.h"
#include "report/failure.h"

enum table_kind {
  TABLE_NUMBERS, /* elements of `type` */
  TABLE_BITS,    /* truth values, the lowest bit of a byte first */
  TABLE_TEXT,
  TABLE_OTHER /* not read: `what` says what it is */
};

struct table_column {
  char *name;
  enum table_kind kind;
  heddle_type type;     /* of numbers */
  enum table_unit unit; /* of numbers that are dates or times: of i32 or i64 */
  bool utc;
  bool nulls; /* some may be missing */
  bool wanted;
  const char *what;
};

/* A wanted column of the latest batch. */
struct table_part {
  const unsigned char *values; /* numbers, aligned to their size, or bits */
  const unsigned char *valid;  /* bits: which are there; NULL: all */
};

struct table;

struct table_text {
  const char *at;
  size_t bytes;
};

struct table_format {
  /* The next batch, into rows and part: 1; 0 at the end. */
  int (*next)(struct table *table, struct failure *why);
  /* Back to the start, once the stream is. */
  int (*restart)(struct table *table, struct failure *why);
  /* Of a plain file: corrects `nulls` of all columns by what is there. NULL: it needs none. */
  int (*scan)(struct table *table, struct failure *why);
  /* Of a column of text in the latest batch, where it is valid. */
  void (*text)(const struct table *table, size_t column, size_t row, const char **text,
               size_t *bytes);
  /* The same of `count` rows from `first` on, valid or not; all stay as long as the batch. NULL: row by row. */
  void (*texts)(const struct table *table, size_t column, size_t first, size_t count,
                struct table_text *out);
  /* Of such a column whose texts are words of a dictionary: which one each of these rows has, undefined where it is not
   * valid. Returns how many words there are; 0: it has no dictionary, and nothing was written. NULL: no column has. */
  size_t (*places)(const struct table *table, size_t column, size_t first, size_t count,
                   uint32_t *out);
  struct table_text (*word)(const struct table *table, size_t column, uint32_t place);
  void (*close)(struct table *table);
  /* Once `wanted` is set for all columns that will be. NULL: it needs not know. */
  int (*choose)(struct table *table, struct failure *why);
};

/* The first member of what a format keeps. */
struct table {
  const struct table_format *format;
  struct stream *stream; /* the input's */
  const char *name;      /* for messages */
  size_t columns;
  struct table_column *column;
  struct table_part *part; /* by column */
  size_t rows;
};

static inline bool table_bit(const unsigned char *bits, size_t i) {
  return (bits[i / 8] >> i % 8 & 1) != 0;
}

/* Room for the columns, and what table_free_columns frees of it. */
int table_reserve(struct table *table, size_t columns, struct failure *why);
void table_free_columns(struct table *table);

/* lines.c: CSV, with a header; a stream_maker of struct table_lines. */
struct table_lines;
struct table_lines *table_lines_new(struct table *table); /* NULL without memory */
void table_lines_free(struct table_lines *lines);         /* NULL is allowed */
int table_lines_make(void *lines, void *buffer, size_t capacity, size_t *got, struct failure *why);
/* The header alone, "a,b\n", to be freed; NULL without memory. */
char *table_header(const struct table *table);

#endif
