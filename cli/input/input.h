/* input.h - one way to read every kind of input: blocks of typed elements, column by column
 *
 * .npy (mapped), raw elements, the bytes of any file, text and CSV/TSV columns; members of .npz and
 * .zip files, tensors of safetensors files; columns of Arrow IPC streams and files; from a file or standard input; gzip and zstd by magic
 * bytes. A file that is larger than memory streams. */
#ifndef HEDDLE_CLI_INPUT_INPUT_H
#define HEDDLE_CLI_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"
#include "text/rows.h"

struct input; /* one open input */

enum input_format {
  INPUT_AUTO, /* by magic bytes: .npy, else text; a type makes it raw, but a .npy file with a type
                 and no offset is an error, and what only text has (columns, delimiter, header,
                 skip_bad) makes it text */
  INPUT_NPY,
  INPUT_RAW,
  INPUT_BYTES,
  INPUT_TEXT,
  INPUT_TABLE /* found out alone: columns with names and types */
};

enum { INPUT_MAX_COLUMNS = TEXT_MAX_COLUMNS };

/* Text: a condition on rows, of these columns, by names or numbers; `element`: of the only one there is, which is called
 * 1. 1: the row stays; 0: it goes; -1: fields[*column] is not what the condition is of, and why. From several threads. */
enum { FILTER_MESSAGE = 200 };
struct input_filter {
  const char *const *columns;
  size_t column_count;
  bool element;
  const void *user;
  int (*ask)(const void *user, const struct text_field *fields, size_t *column,
             char message[FILTER_MESSAGE]);
};

/* Text: blank lines and lines that begin with '#' are passed over; an empty field of a line that
 * has others, or "", is NaN for float types and an error for integers, and with skip_bad a bad
 * line. The strings of the options must stay valid until input_close. */
struct input_options {
  const char *path;   /* "-" is standard input; FILE:NAME has a member, too */
  const char *member; /* of a file that holds arrays under names, which; NULL: the only one */
  enum input_format format;
  heddle_type type; /* raw: of the file; text: parsed into; by default it is found out */
  uint64_t offset;  /* raw, bytes: the first byte; .npy: elements, text: rows to pass over */
  uint64_t count;   /* elements wanted at most; UINT64_MAX: all */
  const char *columns[INPUT_MAX_COLUMNS]; /* text: names or 1-based numbers */
  size_t column_count; /* 0: the only column; several are an error that lists them */
  size_t every_first,
      every_count; /* text: in front of these, as many of all columns, from that one on */
  bool spans;     /* text: a column may stand for several: a range, 2-5, or /EXPRESSION/ of names */
  char delimiter; /* text: 0 finds out: comma, tab, semicolon, bar or white space */
  int header;     /* text: 1 yes, 0 no, -1 finds out */
  bool skip_bad;  /* text: pass over lines that do not parse, and count them */
  bool big_endian; /* raw */
  bool no_map;     /* read, never map */
  bool two_passes; /* input_rewind will be called: a pipe is spooled to a file */
  bool settle;     /* text: one type before the first block: i64, u64 or f64 */
  bool lines;      /* text: input_lines has the lines of each block; without the two above */
  bool records;    /* text: records.h reads it, not input_next */
  bool
      typed; /* a table one of whose columns is text: by its batches, input_table, and not as records or numbers */
  bool typed_all;              /* with it: any table */
  bool only_columns;           /* with records, of a table: all others may be left empty */
  bool as_is;                  /* gzip and zstd are not unpacked */
  bool zeros;                  /* text: it may have zero bytes */
  char comment;                /* text: begins lines that are passed over; '\n' for none */
  struct number_style style;   /* text */
  struct text_missing missing; /* text: words that stand for an empty field, beside it */
  const struct input_filter
      *filter; /* text: rows that it lets pass, as if there were no others; NULL: all */
  /* Of a pass over the text before the first block: after each of its blocks. NULL: nobody asks. */
  void (*passing)(void *user, const struct input *in);
  void *user;
  size_t threads; /* text: that read and parse it, the caller's own counted; 0 is 1 */
};

/* Every member at its default. */
void input_options_init(struct input_options *options, const char *path);

/* Whether there is such a file, or it is FILE:NAME and there is FILE. */
bool input_is_there(const char *path);

int input_open(const struct input_options *options, struct input **out, struct failure *why);
void input_close(struct input *in); /* NULL is allowed */

heddle_type input_type(const struct input *in);                 /* of every column */
size_t input_columns(const struct input *in);                   /* 1 but for text */
const char *input_label(const struct input *in, size_t column); /* a header's name, or "" */
/* Dimensions of a .npy array, so that what input_next delivers is in C order of them: an array
 * in Fortran order is delivered as it lies in memory, and its shape is given reversed, which
 * input_fortran tells. 0 where there are none, and where options.offset or options.count cut. */
size_t input_shape(const struct input *in, const size_t **shape);
bool input_fortran(const struct input *in);
/* Elements that input_next will deliver in all, where that is known beforehand, else UINT64_MAX
 * (text, and everything but .npy in a pipe). */
uint64_t input_count(const struct input *in);
/* Makes *options, with which the input was opened, those of its elements first to first + count - 1; its
 * input_count is known. */
void input_narrow(const struct input *in, uint64_t first, uint64_t count,
                  struct input_options *options);

/* The whole input, where it lies in memory in this machine's byte order (a mapped file); NULL
 * where it does not. Valid until input_close. Pages that are read count as this process's memory
 * and a file that shrinks meanwhile ends the process with a message and status 1, so it is for
 * what needs random access; input_next reads with a small buffer of its own. */
const void *input_whole(const struct input *in, size_t *count);

/* The next block: data[k] holds *count elements of column k, valid until the next call;
 * *count 0 at the end. Blocks are of up to 16 MiB; the cut means nothing. */
int input_next(struct input *in, const void *data[], size_t *count, struct failure *why);
/* Integers of text, of 64 bits. Text whose type is found out is delivered as f64; as long as all
 * numbers of a column so far are integers that i64 or u64 holds, they are delivered exactly as
 * well: the first *rows of the latest block, in *type (u64 as soon as one needs it: those before
 * are alike in both). From the first other number on *rows is short, then NULL. Of text read as i64
 * or u64: the block itself. NULL for every other input. */
const void *input_integers(const struct input *in, size_t column, size_t *rows, heddle_type *type);
/* Whether input_integers may deliver. */
bool input_has_integers(const struct input *in);
/* Whether an integer among the text was rounded when it was delivered as f64. */
bool input_is_rounded(const struct input *in, size_t column);

/* Where options.lines was set. The lines of the latest block's rows, each with its '\n' and as it
 * stands in the text, but that lone CRs are LFs: that of row i ends at text + end[i], where the next
 * one begins. What stands before the first row: byte order mark, comments, blank lines, header. How
 * many comments came behind it: they are passed over. */
struct input_lines {
  const char *text, *front;
  const size_t *end;
  size_t front_bytes;
  uint64_t comments;
  char delimiter; /* as text/record.h has it */
};
struct input_lines input_lines(const struct input *in);

/* Whether it is text that records.h reads: options.records was set, and the input is text. */
bool input_has_records(const struct input *in);
bool input_is_text(const struct input *in);
/* What begins a comment in it, '\n' where nothing does. */
char input_comment(const struct input *in);
/* Where options.typed was set and it is such a table: its latest batch; NULL for every other input. input_batch has the
 * next one: 1; 0 at the end. input_columns of its columns are wanted, input_table_column says which. */
struct table;
const struct table *input_table(const struct input *in);
int input_batch(struct input *in, struct failure *why);
size_t input_table_column(const struct input *in, size_t column);
/* Chooses other columns by every_first and every_count, of whoever opens its records next. */
void input_every(struct input *in, size_t first, size_t count);
/* Such an input from its start again, for input_next: as if records had not been set. options.two_passes was, and is
 * over. */
int input_as_numbers(struct input *in, struct failure *why);

/* Back to the first element, where options.two_passes was set. */
int input_rewind(struct input *in, struct failure *why);

uint64_t input_bad_lines(const struct input *in); /* passed over so far */
/* Bytes of the file (before decompression) consumed so far, and in all; 0 where unknown. */
void input_progress(const struct input *in, uint64_t *done, uint64_t *total);

#endif
