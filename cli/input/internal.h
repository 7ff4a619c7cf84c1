/* internal.h - what input.c, elements.c and text.c share */
#ifndef HEDDLE_CLI_INPUT_INTERNAL_H
#define HEDDLE_CLI_INPUT_INTERNAL_H

#include "input.h"
#include "output/npy.h"
#include "stream.h"

struct text_reader;
struct table_input;
struct table;

struct input {
  struct input_options options;
  enum input_format format; /* never INPUT_AUTO */
  struct stream *stream;
  const char *name; /* for messages */
  char *own_path;   /* options.path without the member's name, or NULL */
  bool placed;      /* npy is filled in, and the stream is nothing but the elements */
  heddle_type type;
  struct text_reader *text;  /* INPUT_TEXT; else the members below */
  struct table_input *table; /* INPUT_TABLE, and text that is made of a table */

  struct npy_header npy;
  bool cut;            /* offset or count leave out a part */
  bool swapped;        /* elements lie in the other byte order */
  uint64_t first_byte; /* of the first element wanted, in the stream */
  uint64_t count;      /* elements wanted in all; UINT64_MAX: as many as come */
  uint64_t delivered;  /* since the start or the last rewind */
  unsigned char *block;
  const void *map; /* of the file, or NULL */
  const void *whole;
};

/* container.c. FILE:NAME taken apart; then, of an open stream, what the name means: the stream is narrowed to it,
 * and the format set where that is known by then. */
int container_path(struct input *in, struct failure *why);
int container_open(struct input *in, struct failure *why);

/* elements.c: .npy, raw elements and bytes. */
int elements_open(struct input *in, struct failure *why);
int elements_next(struct input *in, const void *data[], size_t *count, struct failure *why);
/* As input_count. */
uint64_t elements_count(const struct input *in);
int elements_rewind(struct input *in, struct failure *why);
void elements_close(struct input *in);

/* text_open.c, text.c: text. The sizes are variables so that tests can make them small, and see
 * every way in which a text can be cut. */
extern size_t text_buffer_bytes; /* of one thread */
extern size_t text_block_bytes;  /* of each block that one of several threads parses */
int text_open(struct input *in, struct failure *why);
int text_next(struct input *in, const void *data[], size_t *count, struct failure *why);
int text_rewind(struct input *in, struct failure *why);
/* For options.settle: reads all of it, and begins anew with the type that it found. */
int text_settle(struct input *in, struct failure *why);
bool text_has_integers(const struct input *in);
bool text_is_rounded(const struct input *in, size_t column);
const void *text_integers(const struct input *in, size_t column, size_t *rows, heddle_type *type);
struct input_lines text_lines_of(const struct input *in);
void text_close(struct input *in);
size_t text_columns(const struct input *in);
const char *text_label(const struct input *in, size_t column);
uint64_t text_bad_lines(const struct input *in);
void text_progress(const struct input *in, uint64_t *done, uint64_t *total);

/* table/table.c: a table of any format, opened by its own function (table/table.h). As INPUT_TABLE, or, for who
 * works on lines or words, as INPUT_TEXT. */
/* again: the stream is rewound once, behind the schema, whatever it is. */
typedef int table_opener(struct input *in, bool again, struct table **out, struct failure *why);
int table_open(struct input *in, table_opener *open_format, struct failure *why);
int table_next(struct input *in, const void *data[], size_t *count, struct failure *why);
int table_rewind(struct input *in, struct failure *why);
size_t table_columns(const struct input *in);
const char *table_label(const struct input *in, size_t column);
/* The table whose batches are wanted, or NULL; the next one of them; the place of a wanted column in it. */
const struct table *table_typed(const struct input *in);
int table_batch(struct input *in, struct failure *why);
size_t table_place(const struct input *in, size_t column);
bool table_is_rounded(const struct input *in, size_t column);
void table_close(struct input *in);

#endif
