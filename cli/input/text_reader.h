/* text_reader.h - what text.c and text_types.c share: a text that is being read */
#ifndef HEDDLE_CLI_INPUT_TEXT_READER_H
#define HEDDLE_CLI_INPUT_TEXT_READER_H

#include "detect.h"
#include "internal.h"
#include "text/found.h"
#include "text/rows.h"
#include "text_lines.h"

struct text_reader {
  struct text_layout layout;
  struct text_rows rows;            /* its values: BLOCK_ROWS elements each */
  size_t source[INPUT_MAX_COLUMNS]; /* of each column asked for: which of rows.values */
  char *buffer;
  size_t room, begin, end; /* [begin, end) is unread */
  size_t whole;            /* behind the last '\n' in the buffer */
  bool ended;
  enum { ENDS_UNKNOWN, ENDS_LF, ENDS_CR } ends; /* of lines: the first one decides */
  bool finds; /* the type is found out; integers: as such, until something else comes */
  bool integers;
  struct text_found found;
  size_t block;  /* rows of the latest block */
  uint64_t line; /* number of the one at begin */
  uint64_t bad, delivered, to_skip;
  struct text_lines *lines; /* NULL: they are not kept */
};

#endif
