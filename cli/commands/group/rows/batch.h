/* batch.h - rows as columns of numbers and ids of texts: of a block of text, or read back from disk
 *
 * A batch has tables of texts of its own, so that it is made without a look at others. */
#ifndef HEDDLE_CLI_COMMANDS_GROUP_ROWS_BATCH_H
#define HEDDLE_CLI_COMMANDS_GROUP_ROWS_BATCH_H

#include "asked.h"
#include "input/input.h"
#include "input/records.h"
#include "keys.h"

/* Texts of the rows, with what each is in another table. */
struct interned {
  struct keys keys;
  uint32_t *ids;  /* of each row */
  uint32_t *map;  /* of each text its id in the other table, or KEYS_NONE: not asked yet */
  size_t mapped;  /* texts that have one */
  size_t before;  /* texts that were there before the rows */
  unsigned apart; /* rows of so many batches have each a text of its own, however many are equal */
  size_t
      fresh; /* those from here on came with the rows that are added, and are all in the other table then */
};

struct batch_column {
  heddle_type type; /* of numbers: i64 as long as all are such, then f64 */
  bool rounded;     /* an integer that f64 does not hold became one */
  bool words;       /* of one that is asked for as any: some field is no number */
  uint64_t *values;
  struct interned texts; /* or these */
};

struct batch {
  const struct asked *q;
  size_t rows, room;
  struct interned groups; /* by their keys */
  struct batch_column column[INPUT_MAX_COLUMNS];
  bool numbers[INPUT_MAX_COLUMNS]; /* of each key, whether all its fields were numbers so far */
  uint64_t generation;             /* of the table that the maps are of */

  char *kept;       /* where lines are wanted: the records that are rows, each with its '\n' */
  uint64_t *places; /* of each row: how many records come before it in the block */
  size_t kept_bytes, kept_room;
  uint64_t records; /* of the block */

  uint64_t lines, bad, comments; /* of the text */
  bool failed;                   /* on the record that begins behind so many lines */
  uint64_t fail_line;
  size_t fail_column; /* a character's number, from 1 */
  struct failure why; /* without the place */

  char *key, *copy; /* of the record at hand: its key, its fields without doubled quotes */
  size_t key_room, copy_room;
};

void batch_start(struct batch *b, const struct asked *q);
/* Without rows; texts stay, unless they are too many to be worth it. */
void batch_clear(struct batch *b);
void batch_free(struct batch *b);

/* Room for one more row. */
int batch_grow(struct batch *b, struct failure *why);
int batch_intern(struct interned *t, size_t row, const char *text, size_t length, bool *added,
                 struct failure *why);
/* The same of a text whose keys_hash has this low half. */
int batch_intern_tagged(struct interned *t, size_t row, const char *text, size_t length,
                        uint32_t tag, bool *added, struct failure *why);
/* Room for so many bytes of lines. */
int batch_keep(struct batch *b, size_t bytes, struct failure *why);
/* Notes which fields of a key are no numbers. */
void batch_look_at_key(struct batch *b, const char *key, size_t length);
/* Integers become f64; those that it does not hold are rounded, and *rounded is set. */
int batch_widen(uint64_t *values, size_t count, bool *rounded, struct failure *why);

/* Which of a record's fields are wanted: each once, rising, and which one is whose. */
struct wanted {
  char delimiter, comment;
  bool ends; /* the last one is the table's last, and what stands behind it is wrong */
  struct number_style style;
  const struct text_missing *missing; /* of numbers; NULL: no words */
  size_t count, field[INPUT_MAX_COLUMNS];
  size_t names, of[INPUT_MAX_COLUMNS]; /* as asked_names has them */
};
void batch_wanted(const struct text_layout *layout, const struct input_options *options,
                  struct wanted *w);

/* The records of a block as rows. A record that is wrong ends it, with `failed`. -1: no memory. */
int batch_parse(struct batch *b, const struct wanted *w, const struct records_block *block,
                struct failure *why);

#endif
