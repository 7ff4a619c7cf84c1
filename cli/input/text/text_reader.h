/* text_reader.h - what text.c, text_open.c and text_types.c share: a text that is being read */
#ifndef HEDDLE_CLI_INPUT_TEXT_READER_H
#define HEDDLE_CLI_INPUT_TEXT_READER_H

#include "input/detect.h"
#include "input/internal.h"
#include "text_block.h"
#include "text_filter.h"
#include "text_pool.h"

enum { TEXT_BLOCK_ROWS = 1 << 17, TEXT_BLOCK_ELEMENTS = 1 << 23 };

struct text_reader {
  struct text_layout layout;
  struct text_block
      own; /* of TEXT_BLOCK_ROWS, of many columns fewer; the pool's blocks are like it */
  const struct text_block *latest;  /* what text_next delivered: own, or one of the pool's */
  size_t source[INPUT_MAX_COLUMNS]; /* of each column asked for: which of rows.values */
  char *buffer;
  size_t room, begin, end; /* [begin, end) is unread */
  size_t whole;            /* behind the last '\n' in the buffer, or where the filter stopped */
  bool ended;
  enum { ENDS_UNKNOWN, ENDS_LF, ENDS_CR } ends; /* of lines: the first one decides */
  bool finds; /* the type is found out; integers: as such, until something else comes */
  bool integers;
  uint64_t line; /* number of the one at begin */
  uint64_t bad, delivered, to_skip;
  struct text_pool *pool; /* NULL: all is read into the buffer */
  struct text_filter filter;
  bool filtering;       /* the header is behind; the text up to `whole` is filtered */
  bool alone;           /* there are no threads for a pool */
  uint64_t done, total; /* of the latest block of the pool, as stream_progress tells */
};

/* text.c, for who opens a text. More of the text behind what is unread. */
int text_refill(struct input *in, struct failure *why);
/* Passes over a record, or over a blank line or a comment, which ends at `end`. */
void text_pass_record(struct text_reader *r, const char *end);
int text_pass_over(struct input *in, const char *end, struct failure *why);
/* From here on rows are filtered. */
void text_start_filter(struct input *in);
/* Fails: what is wrong with the record at `record`; no memory for lines. */
int text_report(const struct input *in, const char *record, const struct text_complaint *about,
                struct failure *why);
int text_no_line(const struct input *in, struct failure *why);

#endif
