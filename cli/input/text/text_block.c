/* text_block.c - the quick way and the careful one in turns; where a block of text may be cut
 *
 * Cut  Without quotes at the last line end. With quotes at the last line end that an even number of them stands
 *      before, which is right unless quotes stand within fields; where that leaves less than half, at the
 *      last end of a record, found record by record. */
#define _GNU_SOURCE
#include "text_block.h"

#include <stdlib.h>
#include <string.h>

#include "text/record.h"

int text_block_allocate(struct text_block *block, size_t capacity, bool finds, bool lines) {
  struct text_rows *const t = &block->rows;
  bool good = true;
  block->capacity = capacity;
  for (size_t k = 0; k < t->fields; k++) {
    t->values[k] = malloc(capacity * t->element_bytes);
    block->found.column[k].side = finds ? malloc(capacity * t->element_bytes) : NULL;
    good &= t->values[k] && (!finds || block->found.column[k].side);
  }
  if (lines) block->lines = text_lines_new(capacity);
  return good && (!lines || block->lines) ? 0 : -1;
}

void text_block_free(struct text_block *block) {
  for (size_t k = 0; k < block->rows.fields; k++) {
    free(block->rows.values[k]);
    free(block->found.column[k].side);
  }
  text_lines_free(block->lines);
}

uint64_t text_lines_within(const char *begin, const char *end) {
  uint64_t lines = 1;
  for (const char *p = begin; (p = memchr(p, '\n', (size_t)(end - p))); p++) lines += 1;
  return lines;
}

enum text_record text_block_record(struct text_block *block, const char *record, const char *limit,
                                   const char **end, struct text_complaint *about) {
  const char delimiter = block->rows.delimiter;
  const char *const line = memchr(record, '\n', (size_t)(limit - record));
  const char *unclosed;
  *end = line;
  if (text_is_passed_over(record, line, delimiter, block->rows.comment)) {
    const bool kept =
        !block->lines || text_lines_pass(block->lines, record, line + 1, block->rows.comment) == 0;
    return kept ? RECORD_PASSED : RECORD_NO_MEMORY;
  }
  const char *const stop = text_record_end(record, limit, delimiter, &unclosed);
  if (!stop) {
    *about = (struct text_complaint){.at = unclosed, .text = "this quote is not closed"};
    return RECORD_OPEN;
  }
  *end = stop;
  bool good;
  do good = text_careful_row(&block->rows, record, stop, block->count, about);
  while (!good && found_widen(&block->found, &block->rows, about, block->count));
  if (!good) return RECORD_BAD;
  if (block->lines && text_lines_add(block->lines, record, stop + 1, 1) != 0)
    return RECORD_NO_MEMORY;
  block->count += 1;
  return RECORD_ROW;
}

const char *text_block_quick(struct text_block *block, const char *p, const char *end,
                             size_t limit) {
  const size_t before = block->count;
  const char *const stop = text_quick_rows(&block->rows, p, end, &block->count, limit);
  if (block->lines && block->count > before &&
      text_lines_add(block->lines, p, stop, block->count - before) != 0)
    return NULL;
  return stop;
}

bool text_block_parse(struct text_block *block, const char *text, const char *end, bool skip_bad,
                      uint64_t *line, uint64_t *bad) {
  block->count = 0;
  *line = *bad = 0;
  for (const char *p = text; p < end;) {
    const size_t before = block->count;
    p = text_block_quick(block, p, end, block->capacity);
    if (!p) return false;
    *line += block->count - before;
    if (p == end) break;
    if (block->count == block->capacity) return false;
    const char *stop;
    struct text_complaint about;
    const enum text_record what = text_block_record(block, p, end, &stop, &about);
    if (what == RECORD_OPEN || what == RECORD_NO_MEMORY || (what == RECORD_BAD && !skip_bad))
      return false;
    *bad += what == RECORD_BAD;
    *line += text_lines_within(p, stop);
    p = stop + 1;
  }
  return true;
}

/* ---- where to cut -------------------------------------------------------------------------- */

static size_t cut_by_parity(const char *text, size_t size) {
  size_t quotes = 0;
  for (size_t i = 0; i < size; i++) quotes += text[i] == '"';
  for (size_t i = size; i > 0; i--) {
    quotes -= text[i - 1] == '"';
    if (text[i - 1] == '\n' && quotes % 2 == 0) return i;
  }
  return 0;
}

static size_t cut_by_records(const char *text, size_t size, const struct text_rows *rows) {
  const char *p = text, *const limit = text + size, *unclosed, *line;
  while (p < limit && (line = memchr(p, '\n', (size_t)(limit - p)))) {
    const bool passed = text_is_passed_over(p, line, rows->delimiter, rows->comment);
    const char *const end = passed ? line : text_record_end(p, limit, rows->delimiter, &unclosed);
    if (!end) break;
    p = end + 1;
  }
  return (size_t)(p - text);
}

size_t text_block_cut(const char *text, size_t size, const struct text_rows *rows) {
  const char *const last = memrchr(text, '\n', size);
  if (!last) return 0;
  if (!memchr(text, '"', size)) return (size_t)(last - text) + 1;
  const size_t cut = cut_by_parity(text, size);
  return cut >= size / 2 ? cut : cut_by_records(text, size, rows);
}
