/* text_lines.h - the lines that a block's rows were read from, for who keeps them whole */
#ifndef HEDDLE_CLI_INPUT_TEXT_LINES_H
#define HEDDLE_CLI_INPUT_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

enum { TEXT_LINES_BYTES = 4 << 20 }; /* a block of rows ends where its lines have so many */

struct text_lines {
  char *text; /* the lines of the latest block, one behind the other, each with its '\n' */
  size_t used, room;
  size_t *end; /* of each of them, in text */
  size_t rows;
  char *front; /* what stands before the first row: byte order mark, comments, header */
  size_t front_used, front_room;
  bool begun;        /* the first row was there */
  uint64_t comments; /* behind it */
};

/* For blocks of at most `rows` rows; NULL without memory. */
struct text_lines *text_lines_new(size_t rows);
void text_lines_free(struct text_lines *lines); /* NULL is allowed */
/* Begins a block: without lines, and with no comments counted. */
void text_lines_again(struct text_lines *lines);
/* [begin, end) is the text of `rows` further rows, each ending in '\n' and without one inside but
 * where rows is 1. All: -1 without memory. */
int text_lines_add(struct text_lines *lines, const char *begin, const char *end, size_t rows);
/* Text in front of all rows. */
int text_lines_front(struct text_lines *lines, const char *begin, const char *end);
/* A blank line or a comment: to the front, or only counted. */
int text_lines_pass(struct text_lines *lines, const char *begin, const char *end, char comment);

#endif
