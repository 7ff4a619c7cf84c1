/* tables.h - heddle convert into formats that hold several columns under names */
#ifndef HEDDLE_CLI_COMMANDS_CONVERT_TABLES_H
#define HEDDLE_CLI_COMMANDS_CONVERT_TABLES_H

#include "commands/source.h"
#include "output/sink.h"
#include "typed.h"

struct writer;

/* A format: begin, then blocks of rows, then end; free in any case. */
struct writer_format {
  int (*begin)(struct writer *w, struct failure *why);
  int (*block)(struct writer *w, const void *const data[], size_t rows, struct failure *why);
  /* Instead, where `typed` was set before begin; NULL: only numbers of one type. */
  int (*rows)(struct writer *w, const struct typed *t, struct failure *why);
  int (*end)(struct writer *w, struct failure *why);
  void (*free)(struct writer *w);
};

struct writer {
  const struct writer_format *format;
  struct source *src;
  const char *path;
  heddle_type type; /* of every column */
  size_t columns;
  const char *name[INPUT_MAX_COLUMNS];
  bool named;                /* the input has names for them */
  char separator;            /* of .csv and .tsv */
  const struct typed *typed; /* columns of types of their own, or NULL */
  struct sink sink;          /* open from begin to end */
  void *own;                 /* the format's */
};

extern const struct writer_format npz_writer, lines_writer, arrow_writer, arrow_stream_writer,
    parquet_writer, csv_writer;

/* What is known of the input before numbers are read: it is open as source_open has it, or all is written. */
enum convert_way { CONVERT_NUMBERS, CONVERT_WRITTEN, CONVERT_FAILED };
/* typed_convert.c: opens the input, and if some column is text, and the format has texts, writes it. CONVERT_FAILED: that failed.
 * -1: it could not be opened, or not as numbers. */
int convert_open(const struct settings *s, int to, enum passes passes, struct source *src,
                 struct failure *why);
/* After numbers were not all numbers: with texts from the start, where that can be, or the failure stays. */
int convert_again(const struct settings *s, int to, enum passes passes, struct failure *why);
const struct writer_format *convert_format(int to);

/* The whole command, for a format of enum to_format (options/args.h) from TO_NPZ on. */
int convert_table(const struct settings *s, int to, struct failure *why);

/* convert.c: whether text of whole numbers changes in `type`: a failure. */
int convert_check_range(const struct source *src, heddle_type from, heddle_type to,
                        const void *before, const void *after, size_t n, struct failure *why);

#endif
