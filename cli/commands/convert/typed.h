/* typed.h - columns each of a type of its own, texts among them: blocks of rows on their way to a format */
#ifndef HEDDLE_CLI_COMMANDS_CONVERT_TYPED_H
#define HEDDLE_CLI_COMMANDS_CONVERT_TYPED_H

#include "commands/source.h"

enum {
  TYPED_ROWS = 1 << 16,
  TYPED_TEXT = 16 << 20 /* a block ends beyond so many bytes of texts */
};

struct typed_column {
  const char *name;
  bool text;
  heddle_type type; /* of numbers */
  void *values;     /* numbers, or of texts where each ends: int32_t, one more in front, 0 */
  char *characters;
  size_t room;
  unsigned char *valid; /* bits: which are there */
  size_t missing;       /* in this block */
};

struct typed {
  struct typed_column column[INPUT_MAX_COLUMNS];
  size_t columns, rows;
  size_t text_bytes; /* of all columns */
};

/* Memory for a block, once names and types are known. */
int typed_start(struct typed *t, struct failure *why);
void typed_clear(struct typed *t);
void typed_free(struct typed *t);

static inline bool typed_is_full(const struct typed *t) {
  return t->rows == TYPED_ROWS || t->text_bytes > TYPED_TEXT;
}

static inline bool typed_there(const struct typed_column *c, size_t row) {
  return (c->valid[row / 8] >> row % 8 & 1) != 0;
}

const char *typed_text(const struct typed_column *c, size_t row, size_t *bytes);

/* The next row's values, column by column; then typed_next. */
void typed_put_number(struct typed *t, size_t column, const void *element);
int typed_put_text(struct typed *t, size_t column, const char *text, size_t bytes,
                   struct failure *why);
void typed_put_missing(struct typed *t, size_t column);
/* Whether so many bytes are UTF-8. */
bool typed_is_utf8(const char *text, size_t bytes);
static inline void typed_next(struct typed *t) { t->rows += 1; }

/* typed_text.c: text, twice read: *found is what its columns are, in all of it or, with `first`, in its first block. */
enum typed_found {
  FOUND_REALS,   /* one column of numbers, or several of which none is of integers */
  FOUND_NUMBERS, /* several columns of numbers: each may have a type of its own */
  FOUND_TEXT     /* a column is no numbers */
};
int typed_text_look(const struct settings *s, struct source *src, bool first,
                    enum typed_found *found, struct failure *why);
/* What `take` is given are full blocks and the last one; names and types are there before the first. */
typedef int typed_take(void *user, struct typed *t, struct failure *why);
int typed_text_read(const struct settings *s, struct source *src, struct typed *t,
                    int begin(void *user, struct typed *t, struct failure *why), typed_take *take,
                    void *user, struct failure *why);

/* typed_table.c: a table with types. */
int typed_table_read(struct source *src, struct typed *t,
                     int begin(void *user, struct typed *t, struct failure *why), typed_take *take,
                     void *user, struct failure *why);

#endif
