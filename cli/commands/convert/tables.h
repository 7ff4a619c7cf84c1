/* tables.h - heddle convert into formats that hold several columns under names */
#ifndef HEDDLE_CLI_COMMANDS_CONVERT_TABLES_H
#define HEDDLE_CLI_COMMANDS_CONVERT_TABLES_H

#include "commands/source.h"
#include "output/sink.h"

struct writer;

/* A format: begin, then blocks of rows, then end; free in any case. */
struct writer_format {
  int (*begin)(struct writer *w, struct failure *why);
  int (*block)(struct writer *w, const void *const data[], size_t rows, struct failure *why);
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
  bool named;       /* the input has names for them */
  struct sink sink; /* open from begin to end */
  void *own;        /* the format's */
};

extern const struct writer_format npz_writer, lines_writer, arrow_writer, arrow_stream_writer,
    parquet_writer;

/* The whole command, for a format of enum to_format (options/args.h) from TO_NPZ on. */
int convert_table(const struct settings *s, int to, struct failure *why);

/* convert.c: whether text of whole numbers changes in `type`: a failure. */
int convert_check_range(const struct source *src, heddle_type from, heddle_type to,
                        const void *before, const void *after, size_t n, struct failure *why);

#endif
