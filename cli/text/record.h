/* record.h - records and fields of delimited text (RFC 4180 and its relatives)
 *
 * A record is a line, or several where a quoted field holds line ends. A field may stand in
 * double quotes, in which "" is one quote; blanks around a field are not part of it. */
#ifndef HEDDLE_CLI_TEXT_RECORD_H
#define HEDDLE_CLI_TEXT_RECORD_H

#include <stdbool.h>
#include <stddef.h>

/* Delimiters beside plain characters. */
enum {
  TEXT_BLANKS = ' ',
  /* runs of spaces and tabs */ TEXT_NONE = '\n' /* a record is a field */
};

enum text_problem {
  TEXT_GOOD,
  TEXT_UNCLOSED, /* a quote is not closed before the end */
  TEXT_TRAILING  /* something stands between a closing quote and the delimiter */
};

struct text_field {
  const char *begin, *end; /* without quotes and blanks around it */
  const char *start;       /* where it begins in the text, quote included */
  bool quoted;
  enum text_problem problem;
};

/* The '\n' that ends the record at text; NULL if it is not in [text, end), where *unclosed is the
 * quote that was open there, or NULL. */
const char *text_record_end(const char *text, const char *end, char delimiter,
                            const char **unclosed);

/* Nothing but blanks, or a comment: a line whose first character behind blanks is `comment`, usually '#';
 * '\n' where there are none. */
bool text_is_passed_over(const char *line, const char *end, char delimiter, char comment);

/* The field at *at of a record that ends at `end`; *at goes behind its delimiter, or to
 * NULL behind the last one. */
void text_next_field(const char **at, const char *end, char delimiter, struct text_field *field);

/* The first field from `at` on that is not empty, in what stands behind a record's last column; NULL where there is none:
 * a delimiter at the end of each line is usual. */
const char *text_field_beyond(const char *at, const char *end, char delimiter);
#define TEXT_TOO_MANY "the line has too many columns; each line has as many as the first"

/* Words that stand for a field that is missing, as an empty one is. They stay the caller's. */
enum { TEXT_MISSING_MOST = 32 };
struct text_missing {
  const char *word[TEXT_MISSING_MOST];
  size_t bytes[TEXT_MISSING_MOST], count;
  bool numbers; /* some word may be read as a number */
};
bool text_is_missing(const struct text_missing *missing, const struct text_field *field);

/* The field's own characters: "" made one quote. A copy to be freed; NULL without memory. */
char *text_field_copy(const struct text_field *field);

/* Characters (UTF-8) from the start of the line that `at` is on, counted from 1, and that
 * line's number where `record` is on line `line`. */
size_t text_column_of(const char *record, const char *at, size_t *line);

/* Writes text so that it is safe on a terminal: what is no printable UTF-8 becomes '?', and what
 * does not fit is cut to "...". out is always a string; room is at least 4. */
void text_show(const char *text, size_t length, char *out, size_t room);

#endif
