/* source.h - an input with its progress line: blocks of elements, until the end or SIGINT */
#ifndef HEDDLE_CLI_COMMANDS_SOURCE_H
#define HEDDLE_CLI_COMMANDS_SOURCE_H

#include "input/input.h"
#include "input/records.h"
#include "options/args.h"
#include "report/progress.h"

struct source {
  struct input *in;
  const char *path;
  const struct settings *settings;
  struct progress progress;
  uint64_t first, all; /* of a part (part.h): where it begins, and elements of the whole file */
  uint64_t rows;       /* so far */
  uint64_t noted_bad;  /* bad lines are told of once */
  bool integers;       /* set by who takes input_integers: what is exact there is not told of */
  bool mixed[INPUT_MAX_COLUMNS]; /* something else than such integers came */
  bool noted_rounded;
  struct condition *where;        /* of its rows, or NULL */
  struct held_elements *elements; /* of an array for which it holds, or NULL */
};

/* SETTLED: text has one type, found out beforehand. */
enum passes { ONE_PASS, TWO_PASSES, SETTLED, SETTLED_TWO_PASSES };
/* The options that source_open has, for who changes some of them. */
int source_settings(const struct settings *s, const char *path, enum passes passes,
                    struct input_options *out, struct failure *why);
int source_open(const struct settings *s, const char *path, enum passes passes, struct source *out,
                struct failure *why);
/* With one more column, the weights; NULL for none. */
int source_open_options(const struct settings *s, const struct input_options *options,
                        struct source *out, struct failure *why);
/* The same for who takes --where: rows, or elements of an array, for which it does not hold are not there. */
int source_open_where(const struct settings *s, const struct input_options *options,
                      struct source *out, struct failure *why);
int source_next(struct source *src, const void *data[], size_t *count, struct failure *why);
/* The next record of text, of an input with input_has_records: RECORDS_ONE or RECORDS_END. */
int source_record(struct source *src, struct records *records, const char **begin, const char **end,
                  struct failure *why);
/* The next block of such text (input/records.h), bytes 0 at the end; the next batch of a table that is read as such
 * (input_batch): 1; 0 at the end. */
int source_block(struct source *src, struct records *records, struct records_block *block,
                 struct failure *why);
int source_batch(struct source *src, struct failure *why);
int source_rewind(struct source *src, struct failure *why);
void source_close(struct source *src);

/* The one column of an input, or a failure that says how to choose it. */
int source_single(const struct source *src, struct failure *why);

/* Two inputs in step: blocks of one length from both. */
struct pair {
  struct source *a, *b;
  const void *data[2];
  size_t left[2];
  heddle_type type[2];
  const void *integers[2]; /* as input_integers has them, NULL where not all of a block are */
  heddle_type integer_type[2];
  uint64_t done;
};
void pair_start(struct pair *p, struct source *a, struct source *b);
/* Fails if one ends before the other. whole, which may be NULL, is given the integers that x and y
 * are, or NULL for both; their types are in p. */
int pair_next(struct pair *p, const void **x, const void **y, const void *whole[2], size_t *count,
              struct failure *why);

/* All elements of one column: where they lie mapped, or read into *owned (to be freed). */
int source_all(struct source *src, const void **data, size_t *count, void **owned,
               struct failure *why);

/* Every block of every column of src to `take`, in order; n > 0 elements at data. */
typedef int source_taker(struct source *src, size_t column, const void *data, size_t n, void *user,
                         struct failure *why);
int source_each(struct source *src, source_taker *take, void *user, struct failure *why);

/* All values of each column, to a state of heddle_describe for each. */
int source_describe(struct source *src, heddle_state **states, struct failure *why);

#endif
