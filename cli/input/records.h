/* records.h - the records of a text one at a time, as they stand there, with the fields asked for
 *
 * For who keeps lines whole, and reads fields that are no numbers. */
#ifndef HEDDLE_CLI_INPUT_RECORDS_H
#define HEDDLE_CLI_INPUT_RECORDS_H

#include "detect.h"
#include "input.h"
#include "text/record.h"

struct records;

/* Of an open input with input_has_records. Columns are names or numbers, as input_options has them;
 * whole lines, without any: a line is a record, and neither quotes nor '#' mean anything. The first
 * record is read for the layout; a header is part of the front. */
int records_open(struct input *in, const char *const *columns, size_t column_count, bool lines,
                 struct records **out, struct failure *why);
void records_close(struct records *r); /* NULL is allowed */

const struct text_layout *records_layout(const struct records *r);
/* What stands before the first record: byte order mark, comments, blank lines, header. */
const char *records_front(const struct records *r, size_t *bytes);
/* Where in the front the header begins; its bytes without one. */
size_t records_header(const struct records *r);
uint64_t records_comments(const struct records *r);  /* behind it, passed over */
uint64_t records_line(const struct records *r);      /* number of the latest record's first line */
uint64_t records_next_line(const struct records *r); /* of the line that is next */

/* The next record, [*begin, *end) without its '\n', which stands at *end; valid until the next call.
 * 1; 0 at the end; 2: records_read first. */
enum { RECORDS_END, RECORDS_ONE, RECORDS_READ };
int records_next(struct records *r, const char **begin, const char **end, struct failure *why);
int records_read(struct records *r, struct failure *why);

/* Many whole records at once, in memory of the caller's, for who splits them himself: on other threads,
 * while the next ones are read. */
struct records_block {
  char *text; /* to be freed; reused */
  size_t room, bytes;
  bool quotes; /* a '"' is among them */
};
/* Takes the next ones, blank lines and comments included, instead of records_next; the text ends with a '\n'
 * behind which NUMBER_PADDING bytes are readable, unless bytes is 0: the end. A quote that is not closed
 * is in the last block. */
int records_block(struct records *r, struct records_block *block, struct failure *why);

/* The records of a block, one after the other; all 0 at its start. */
struct records_walk {
  size_t next;                /* where the next one begins */
  const char *begin, *end;    /* the latest, without its '\n', which stands at end */
  uint64_t lines;             /* that came before `next` */
  uint64_t comments, records; /* so far */
};
/* RECORDS_ONE; RECORDS_END; -1: a quote, at w->end, is not closed in the record at w->begin. Any thread may walk. */
int records_walk(const struct records *r, const struct records_block *b, struct records_walk *w);
/* The fields asked for of a record of a block: NULL, or what is wrong with the record, and where. */
const char *records_split(const struct records *r, const char *begin, const char *end,
                          struct text_field *fields, const char **at);

/* The fields asked for of the latest record, in the order of the columns. */
int records_fields(const struct records *r, struct text_field *fields, struct failure *why);
/* Fills *why: the file, the line and the character that `at`, of the latest record, is. */
int records_fail(const struct records *r, const char *at, const char *what, struct failure *why);

#endif
