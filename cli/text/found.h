/* found.h - columns of text whose type was left to be found out: integers, or f64
 *
 * A column is of integers until something else stands in it, and is read as f64 from there on.
 * Every block is delivered as f64; the numbers in front of that place are delivered as exact
 * integers beside it: i64, or u64 where one needs it and none is negative. */
#ifndef HEDDLE_CLI_TEXT_FOUND_H
#define HEDDLE_CLI_TEXT_FOUND_H

#include "rows.h"

struct text_found {
  struct found_column {
    bool negative; /* an integer was, in the blocks before */
    bool left;     /* integers ended within this block */
    size_t whole;  /* leading rows of this block that are integers */
    heddle_type integers;
    void *side; /* a second block: of the other type than rows->values */
  } column[TEXT_MAX_COLUMNS];
  bool rounded[TEXT_MAX_COLUMNS]; /* an integer that f64 does not hold became f64 */
};

/* What blocks behind this one have to know of it. */
struct found_state {
  heddle_type type[TEXT_MAX_COLUMNS];
  bool negative[TEXT_MAX_COLUMNS], rounded[TEXT_MAX_COLUMNS];
};

/* At the start of the text: columns are of integers, or, if they are known not to be, of f64. */
void found_start(struct text_found *f, struct text_rows *r, bool integers);
/* After text_careful_row has complained: whether a wider type reads that field. The column has it
 * from this row on, and the record is to be read again. */
bool found_widen(struct text_found *f, struct text_rows *r, const struct text_complaint *about,
                 size_t row);
/* Once a block of rows is read. */
void found_block(struct text_found *f, struct text_rows *r, size_t rows);
/* The state behind the latest block; and that before the next one, of a text_found whose blocks may lie
 * anywhere in the text. */
void found_get(const struct text_found *f, const struct text_rows *r, struct found_state *state);
void found_set(struct text_found *f, struct text_rows *r, const struct found_state *state);
/* A block was read behind `assumed`, and `*f` is what it came to. Whether it would have come to the same
 * behind *state, which then becomes the state behind it. */
bool found_follow(const struct text_found *f, const struct text_rows *r,
                  const struct found_state *assumed, struct found_state *state);
/* The block of field k, as f64; and its leading integers, NULL if there are none. */
const void *found_reals(const struct text_found *f, const struct text_rows *r, size_t k);
const void *found_integers(const struct text_found *f, const struct text_rows *r, size_t k);

#endif
