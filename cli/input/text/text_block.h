/* text_block.h - rows out of whole records of text that lie in memory: what a reader of one thread does with
 * its buffer and each worker of text_pool.c with its block */
#ifndef HEDDLE_CLI_INPUT_TEXT_BLOCK_H
#define HEDDLE_CLI_INPUT_TEXT_BLOCK_H

#include "text/found.h"
#include "text/rows.h"
#include "text_lines.h"

struct text_block {
  struct text_rows rows; /* its values: `capacity` elements each */
  struct text_found found;
  size_t capacity, count;   /* rows that it may have, and has */
  struct text_lines *lines; /* NULL: they are not kept */
};

/* Memory for `capacity` rows of the columns that block->rows wants, with a second one of each for `finds`, and
 * for lines. -1 without memory; text_block_free takes what there is. */
int text_block_allocate(struct text_block *block, size_t capacity, bool finds, bool lines);
void text_block_free(struct text_block *block);

enum text_record {
  RECORD_ROW,    /* a row more */
  RECORD_PASSED, /* a blank line or a comment */
  RECORD_BAD,    /* no row, and why */
  RECORD_OPEN,   /* a quote is not closed before `limit`, and which */
  RECORD_NO_MEMORY
};

/* The record at `record`; *end is the '\n' that ends it, of RECORD_OPEN that of the line. There is one before
 * `limit`. */
enum text_record text_block_record(struct text_block *block, const char *record, const char *limit,
                                   const char **end, struct text_complaint *about);

/* Rows of plain numbers from p on, up to `end` or `limit` rows; returns where it stopped, or NULL without
 * memory. As text_quick_rows has it. */
const char *text_block_quick(struct text_block *block, const char *p, const char *end,
                             size_t limit);

/* Lines that [begin, end) begins, where each but the last ends in it. */
uint64_t text_lines_within(const char *begin, const char *end);

/* All of [text, end), which ends in '\n', where that goes without a word: *line and *bad count its lines and,
 * with skip_bad, those without a row. false: some record is bad, or not whole, or there is no memory. */
bool text_block_parse(struct text_block *block, const char *text, const char *end, bool skip_bad,
                      uint64_t *line, uint64_t *bad);

/* Bytes of text[0, size), which begins with a record, up to the end of its last whole one; 0 where there is
 * none. With quotes it is a guess, since only all that stands before tells what is quoted: the block then
 * fails to parse, or is whole. */
size_t text_block_cut(const char *text, size_t size, const struct text_rows *rows);

#endif
