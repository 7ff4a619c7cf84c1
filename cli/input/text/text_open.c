/* text_open.c - the start of a text: byte order mark, delimiter, header, columns; and back to it */
#include <stdlib.h>
#include <string.h>

#include "input/magic.h"
#include "text/record.h"
#include "text_reader.h"

enum { SAMPLE_MAX = 1 << 16 };

/* The first record that is neither blank nor a comment: begin is moved there. *end is its end, or
 * NULL if there is none. */
static int find_first(struct input *in, const char **end, struct failure *why) {
  struct text_reader *const r = in->text;
  const char *unclosed;
  for (;;) {
    const char *const p = r->buffer + r->begin, *const limit = r->buffer + r->end;
    const char *const line = memchr(p, '\n', r->end - r->begin);
    *end = NULL;
    if (line && text_is_passed_over(p, line, r->layout.delimiter, in->options.comment)) {
      if (text_pass_over(in, line, why) != 0) return -1;
      continue;
    }
    if (line) *end = text_record_end(p, limit, r->layout.delimiter, &unclosed);
    if (*end || (r->ended && r->begin == r->end)) return 0;
    if (r->ended) {
      const struct text_complaint about = {.at = unclosed, .text = "this quote is not closed"};
      return text_report(in, p, &about, why);
    }
    if (text_refill(in, why) != 0) return -1;
  }
}

static int check_encoding(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const unsigned char *const b = (const unsigned char *)r->buffer;
  if (r->end >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff)))
    return fail(why, EXIT_DATA, "%s is UTF-16 text; convert it by iconv -f UTF-16 -t UTF-8",
                in->name);
  if (magic_no_table(in->name, b, r->end, why) != 0) return -1;
  return in->options.zeros
             ? 0
             : magic_no_zeros(in->name, b, r->end < SAMPLE_MAX ? r->end : SAMPLE_MAX, why);
}

/* To the start of the text, behind a byte order mark. */
static int begin_text(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  r->begin = r->end = r->whole = 0;
  r->filtering = false;
  r->ends = ENDS_UNKNOWN;
  r->line = 1;
  r->bad = r->delivered = 0;
  r->to_skip = in->options.offset;
  if (text_refill(in, why) != 0) return -1;
  if (r->end < 3 || memcmp(r->buffer, "\xef\xbb\xbf", 3) != 0) return 0;
  r->begin = 3;
  const bool kept = !r->own.lines || text_lines_front(r->own.lines, r->buffer, r->buffer + 3) == 0;
  return kept ? 0 : text_no_line(in, why);
}

static int compare_fields(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Each wanted field once, in rising order, with memory for a block of it. */
static int arrange_columns(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const struct text_layout *const l = &r->layout;
  struct text_rows *const t = &r->own.rows;
  size_t sorted[INPUT_MAX_COLUMNS];
  memcpy(sorted, l->field, l->wanted * sizeof *sorted);
  qsort(sorted, l->wanted, sizeof *sorted, compare_fields);
  for (size_t k = 0; k < l->wanted; k++)
    if (k == 0 || sorted[k] != sorted[k - 1]) t->field[t->fields++] = sorted[k];
  for (size_t k = 0; k < l->wanted; k++)
    while (t->field[r->source[k]] != l->field[k]) r->source[k] += 1;
  for (size_t k = 0; k < t->fields; k++) {
    t->type[k] = in->type;
    t->scan[k] = number_scanner(in->type);
  }
  size_t rows = TEXT_BLOCK_ROWS;
  while (rows * t->fields > TEXT_BLOCK_ELEMENTS) rows /= 2;
  if (text_block_allocate(&r->own, rows, r->finds, false) != 0)
    return fail(why, EXIT_DATA, "%s: no memory for a block", in->name);
  if (r->finds) found_start(&r->own.found, t, r->integers);
  t->no_empty = in->options.skip_bad;
  t->delimiter = l->delimiter;
  t->style = in->options.style;
  t->comment = in->options.comment;
  t->missing = in->options.missing.count > 0 ? &in->options.missing : NULL;
  t->ends = !in->options.lines && l->wanted > 0 && l->delimiter != TEXT_BLANKS &&
            sorted[l->wanted - 1] + 1 == l->columns;
  t->only = in->options.column_count == 0 && l->columns <= 1;
  return 0;
}

static int check_delimiter(const struct input *in, struct failure *why) {
  const char c = in->options.delimiter;
  const bool number = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '+' || c == '-';
  if (!number && (c == '\0' || c == '\t' || (c >= ' ' && c < 0x7f && c != '"' && c != '#')))
    return 0;
  return fail(why, EXIT_USAGE,
              "a delimiter is one ASCII character that is no part of a number, no quote and no #");
}

/* Whether a record follows; blank lines and comments in front of it are passed over. */
static int find_record(struct input *in, bool *found, struct failure *why) {
  struct text_reader *const r = in->text;
  for (;;) {
    const char *const p = r->buffer + r->begin;
    const char *const line = memchr(p, '\n', r->end - r->begin);
    *found = line && !text_is_passed_over(p, line, r->layout.delimiter, in->options.comment);
    if (*found || (!line && r->ended)) return 0;
    if ((line ? text_pass_over(in, line, why) : text_refill(in, why)) != 0) return -1;
  }
}

/* A lone word is what a program says that failed: names only if the caller says so, by --header or
 * by asking for a column by its name. */
static int check_lone_header(struct input *in, uint64_t line, struct failure *why) {
  struct text_reader *const r = in->text;
  bool found;
  if (!r->layout.guessed) return 0;
  if (find_record(in, &found, why) != 0) return -1;
  if (found) return 0;
  if (in->options.skip_bad) {
    r->bad += 1;
    return 0;
  }
  const char *word = "";
  for (size_t k = 0; k < r->layout.wanted && *word == '\0'; k++) word = text_label(in, k);
  char shown[48];
  text_show(word, strlen(word), shown, sizeof shown);
  return fail(why, EXIT_DATA,
              "%s:%llu: '%s' is not a number, and no line of data follows; if these are the names "
              "of columns without rows, add --header",
              in->name, (unsigned long long)line, shown);
}

static int pass_header(struct input *in, struct failure *why) {
  const char *end;
  if (!in->text->layout.header) return 0;
  if (find_first(in, &end, why) != 0) return -1;
  const uint64_t line = in->text->line;
  const char *const header = in->text->buffer + in->text->begin;
  if (end && in->text->own.lines && text_lines_front(in->text->own.lines, header, end + 1) != 0)
    return text_no_line(in, why);
  if (end) text_pass_record(in->text, end);
  return check_lone_header(in, line, why);
}

/* The condition's columns may say that there is a header, and then all others are looked for in it; and the other way
 * round. */
static int find_columns(struct input *in, const char *record, const char *end,
                        struct failure *why) {
  struct text_reader *const r = in->text;
  struct input_options options = in->options;
  struct text_filter *const f = &r->filter;
  const char delimiter = r->layout.delimiter;
  if (text_filter_open(f, &options, in->name, record, end, delimiter, options.header, why) != 0)
    return -1;
  if (f->ask && f->layout.header && !f->layout.guessed) options.header = 1;
  if (text_find_columns(&options, in->name, record, end, &r->layout, why) != 0) return -1;
  if (!f->ask || f->layout.header == r->layout.header) return 0;
  return text_filter_open(f, &options, in->name, record, end, delimiter, r->layout.header, why);
}

static int find_layout(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  while (r->whole <= r->begin && !r->ended)
    if (text_refill(in, why) != 0) return -1;
  size_t sample = r->end - r->begin;
  if (sample > SAMPLE_MAX) sample = SAMPLE_MAX;
  const char *const text = r->buffer + r->begin;
  r->layout.delimiter =
      in->options.delimiter != '\0'
          ? in->options.delimiter
          : text_detect_delimiter(text, text + sample, in->options.comment, &in->options.style);
  const char *end;
  if (find_first(in, &end, why) != 0) return -1;
  return find_columns(in, end ? r->buffer + r->begin : NULL, end, why);
}

int text_open(struct input *in, struct failure *why) {
  if (check_delimiter(in, why) != 0) return -1;
  struct text_reader *const r = calloc(1, sizeof *r);
  if (!r) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  in->text = r;
  r->latest = &r->own;
  r->finds = r->integers = in->options.type == HEDDLE_TYPE_DEFAULT;
  in->type = r->finds ? HEDDLE_F64 : in->options.type;
  r->own.rows.element_bytes = heddle_type_size(in->type);
  if (r->own.rows.element_bytes == 0)
    return fail(why, EXIT_USAGE, "text cannot be read as that type");
  r->room = text_buffer_bytes;
  r->buffer = malloc(r->room + NUMBER_PADDING + 1);
  if (in->options.lines) r->own.lines = text_lines_new(TEXT_BLOCK_ROWS);
  if (!r->buffer || (in->options.lines && !r->own.lines))
    return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  if (begin_text(in, why) != 0 || check_encoding(in, why) != 0 || find_layout(in, why) != 0 ||
      arrange_columns(in, why) != 0 || pass_header(in, why) != 0)
    return -1;
  text_start_filter(in);
  return 0;
}

void text_close(struct input *in) {
  struct text_reader *const r = in->text;
  if (!r) return;
  text_pool_stop(r->pool, true);
  text_free_labels(&r->layout);
  text_filter_close(&r->filter);
  text_block_free(&r->own);
  free(r->buffer);
  free(r);
}

int text_rewind(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  text_pool_stop(r->pool, false);
  r->pool = NULL;
  r->latest = &r->own;
  if (stream_rewind(in->stream, why) != 0 || begin_text(in, why) != 0) return -1;
  if (r->finds) found_start(&r->own.found, &r->own.rows, r->integers);
  if (pass_header(in, why) != 0) return -1;
  text_start_filter(in);
  return 0;
}

size_t text_columns(const struct input *in) { return in->text->layout.wanted; }

const char *text_label(const struct input *in, size_t column) {
  const char *const label = in->text->layout.label[column];
  return label ? label : "";
}

uint64_t text_bad_lines(const struct input *in) { return in->text->bad; }
