/* rows.h - lines of text to rows of numbers: a quick way and a careful one
 *
 * What the quick way accepts, the careful one reads alike (tests/fuzz/fuzz_text.c compares). */
#ifndef HEDDLE_CLI_TEXT_ROWS_H
#define HEDDLE_CLI_TEXT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "number.h"
#include "record.h"
#include "style.h"

enum { TEXT_MAX_COLUMNS = 1024 };

struct text_rows {
  char delimiter, comment; /* as record.h has them */
  size_t element_bytes;
  size_t fields;                      /* that are wanted */
  heddle_type type[TEXT_MAX_COLUMNS]; /* of each, and the type's scanner */
  number_scan *scan[TEXT_MAX_COLUMNS];
  bool found[TEXT_MAX_COLUMNS]; /* the type is one found out so far: found.h */
  bool checks_rounding
      [TEXT_MAX_COLUMNS];         /* of f64: whether it rounds an integer is to be found out */
  bool *rounded;                  /* then: set where f64 does not hold an integer */
  size_t field[TEXT_MAX_COLUMNS]; /* their numbers from 0, rising */
  unsigned char *values[TEXT_MAX_COLUMNS]; /* where their elements go */
  struct number_style style;
  const struct text_missing *missing; /* NULL for no words */
  bool no_empty;                      /* an empty field is wrong, of every type */
  bool only; /* field 0 alone is wanted, and a line with more of them is wrong */
  bool
      ends; /* the last field wanted is the table's last: one behind it that is not empty is wrong */
};

struct text_complaint {
  const char *at;
  char text[200];
  bool number;             /* about a number that cannot be read: */
  size_t index;            /* which of the fields wanted, */
  const char *begin, *end; /* and its characters */
};

/* Lines of plain numbers from p on, one row each at *rows and up; returns where it stopped: at
 * `end`, at a line that is something else, or with *rows == limit. [p, end) ends with a '\n' and is
 * followed by NUMBER_PADDING readable bytes. */
const char *text_quick_rows(const struct text_rows *r, const char *p, const char *end, size_t *rows,
                            size_t limit);

/* Stores the row out of one record, [record, end) without its line end; or complains: false. */
bool text_careful_row(const struct text_rows *r, const char *record, const char *end, size_t row,
                      struct text_complaint *out);

#endif
