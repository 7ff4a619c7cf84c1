/* text.c - columns of numbers out of text, in blocks
 *
 * Method    One buffer of whole lines. text_quick_rows reads lines that consist of plain numbers
 *           where they are wanted; at any other line it stops, and careful_row passes over it
 *           (blank, comment), reads it by the rules of text/record.h, or says what is wrong.
 * Limits    a record has at most RECORD_MAX bytes, so memory is bounded. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "text/record.h"
#include "text_reader.h"

size_t text_buffer_bytes = 1 << 20;

enum { RECORD_MAX = 16 << 20, BLOCK_ROWS = 1 << 17, SAMPLE_MAX = 1 << 16 };

/* ---- the buffer ---------------------------------------------------------------------------- */

static int grow(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  if (r->room >= RECORD_MAX)
    return fail(why, EXIT_DATA,
                "%s:%llu: the line, or a quoted field on it, is longer than %d MiB; is this text?",
                in->name, (unsigned long long)r->line, RECORD_MAX >> 20);
  char *const larger = realloc(r->buffer, 2 * r->room + NUMBER_PADDING + 1);
  if (!larger) return fail(why, EXIT_DATA, "%s: no memory for a long line", in->name);
  r->buffer = larger;
  r->room *= 2;
  return 0;
}

/* A lone CR that ends the first line ends all of them, as it did on old machines: it becomes LF in
 * what has been read from `fresh` on. A CR before LF is a blank, and stays. */
static void turn_line_ends(struct text_reader *r, size_t fresh) {
  char *const begin = r->buffer, *const end = begin + r->end;
  if (r->ends == ENDS_UNKNOWN) {
    const char *const lf = memchr(begin, '\n', r->end), *const limit = lf ? lf : end;
    const char *const cr = memchr(begin, '\r', (size_t)(limit - begin));
    if (cr && (cr + 1 < limit || (!lf && r->ended)))
      r->ends = ENDS_CR;
    else if (lf)
      r->ends = ENDS_LF;
    fresh = 0;
  }
  if (r->ends != ENDS_CR) return;
  for (char *p = begin + fresh; p < end && (p = memchr(p, '\r', (size_t)(end - p))); p++) *p = '\n';
}

/* More of the text behind what is unread. */
static int refill(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
  r->end -= r->begin;
  r->begin = 0;
  if (r->end == r->room && grow(in, why) != 0) return -1;
  size_t got;
  if (stream_read(in->stream, r->buffer + r->end, r->room - r->end, &got, why) != 0) return -1;
  r->ended = got < r->room - r->end;
  r->end += got;
  turn_line_ends(r, r->end - got);
  if (r->ended && r->end > 0 && r->buffer[r->end - 1] != '\n') r->buffer[r->end++] = '\n';
  memset(r->buffer + r->end, 0, NUMBER_PADDING);
  const char *const last = memrchr(r->buffer, '\n', r->end);
  r->whole = last ? (size_t)(last - r->buffer) + 1 : 0;
  return 0;
}

/* ---- one record --------------------------------------------------------------------------- */

static int report(const struct input *in, const char *record, const struct text_complaint *about,
                  struct failure *why) {
  size_t line = 0;
  const size_t column = text_column_of(record, about->at, &line);
  return fail(why, EXIT_DATA, "%s:%llu:%zu: %s; --skip-bad passes over such lines", in->name,
              (unsigned long long)(in->text->line + line), column, about->text);
}

static int no_line(const struct input *in, struct failure *why) {
  return fail(why, EXIT_DATA, "%s: no memory for its lines", in->name);
}

static void pass_record(struct text_reader *r, const char *end) {
  const char *const begin = r->buffer + r->begin;
  size_t lines = 1;
  for (const char *p = begin; (p = memchr(p, '\n', (size_t)(end - p))); p++) lines += 1;
  r->line += lines;
  r->begin = (size_t)(end - r->buffer) + 1;
}

/* A blank line or a comment, which ends at `line`. */
static int pass_over(struct input *in, const char *line, struct failure *why) {
  struct text_reader *const r = in->text;
  if (r->lines && text_lines_pass(r->lines, r->buffer + r->begin, line + 1) != 0)
    return no_line(in, why);
  pass_record(r, line);
  return 0;
}

/* The record at begin; *rows grows if it was one of data. */
static int careful_row(struct input *in, size_t *rows, struct failure *why) {
  struct text_reader *const r = in->text;
  const char *const record = r->buffer + r->begin, *const limit = r->buffer + r->end;
  const char delimiter = r->layout.delimiter;
  const char *unclosed;
  struct text_complaint about;
  const char *const line = memchr(record, '\n', (size_t)(limit - record));
  if (text_is_passed_over(record, line, delimiter)) return pass_over(in, line, why);
  const char *end = text_record_end(record, limit, delimiter, &unclosed);
  if (!end && !r->ended && r->end - r->begin < RECORD_MAX) return refill(in, why);
  bool good = false;
  if (!end) {
    about = (struct text_complaint){.at = unclosed, .text = "this quote is not closed"};
    end = line;
  } else {
    do good = text_careful_row(&r->rows, record, end, *rows, &about);
    while (!good && found_widen(&r->found, &r->rows, &about, *rows));
  }
  if (!good && !in->options.skip_bad) return report(in, record, &about, why);
  if (good && r->lines && text_lines_add(r->lines, record, end + 1, 1) != 0)
    return no_line(in, why);
  *rows += good;
  r->bad += !good;
  pass_record(r, end);
  return 0;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* The first record that is neither blank nor a comment: begin is moved there. *end is its end, or
 * NULL if there is none. */
static int find_first(struct input *in, const char **end, struct failure *why) {
  struct text_reader *const r = in->text;
  const char *unclosed;
  for (;;) {
    const char *const p = r->buffer + r->begin, *const limit = r->buffer + r->end;
    const char *const line = memchr(p, '\n', r->end - r->begin);
    *end = NULL;
    if (line && text_is_passed_over(p, line, r->layout.delimiter)) {
      if (pass_over(in, line, why) != 0) return -1;
      continue;
    }
    if (line) *end = text_record_end(p, limit, r->layout.delimiter, &unclosed);
    if (*end || (r->ended && r->begin == r->end)) return 0;
    if (r->ended) {
      const struct text_complaint about = {.at = unclosed, .text = "this quote is not closed"};
      return report(in, p, &about, why);
    }
    if (refill(in, why) != 0) return -1;
  }
}

static int check_encoding(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const unsigned char *const b = (const unsigned char *)r->buffer;
  if (r->end >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff)))
    return fail(why, EXIT_DATA, "%s is UTF-16 text; convert it by iconv -f UTF-16 -t UTF-8",
                in->name);
  if (memchr(b, '\0', r->end < SAMPLE_MAX ? r->end : SAMPLE_MAX))
    return fail(why, EXIT_DATA,
                "%s is not text: it has zero bytes; say what it is: --type f32 for raw numbers, or "
                "--bytes",
                in->name);
  return 0;
}

/* To the start of the text, behind a byte order mark. */
static int begin_text(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  r->begin = r->end = r->whole = 0;
  r->ends = ENDS_UNKNOWN;
  r->line = 1;
  r->bad = r->delivered = 0;
  r->to_skip = in->options.offset;
  if (refill(in, why) != 0) return -1;
  if (r->end < 3 || memcmp(r->buffer, "\xef\xbb\xbf", 3) != 0) return 0;
  r->begin = 3;
  const bool kept = !r->lines || text_lines_front(r->lines, r->buffer, r->buffer + 3) == 0;
  return kept ? 0 : no_line(in, why);
}

static int compare_fields(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Each wanted field once, in rising order, with memory for a block of it. */
static int arrange_columns(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const struct text_layout *const l = &r->layout;
  struct text_rows *const t = &r->rows;
  size_t sorted[INPUT_MAX_COLUMNS];
  memcpy(sorted, l->field, l->wanted * sizeof *sorted);
  qsort(sorted, l->wanted, sizeof *sorted, compare_fields);
  for (size_t k = 0; k < l->wanted; k++)
    if (k == 0 || sorted[k] != sorted[k - 1]) t->field[t->fields++] = sorted[k];
  for (size_t k = 0; k < l->wanted; k++)
    while (t->field[r->source[k]] != l->field[k]) r->source[k] += 1;
  for (size_t k = 0; k < t->fields; k++) {
    t->values[k] = malloc(BLOCK_ROWS * t->element_bytes);
    if (r->finds) r->found.column[k].side = malloc(BLOCK_ROWS * t->element_bytes);
    if (!t->values[k] || (r->finds && !r->found.column[k].side))
      return fail(why, EXIT_DATA, "%s: no memory for a block", in->name);
    t->type[k] = in->type;
    t->scan[k] = number_scanner(in->type);
  }
  if (r->finds) found_start(&r->found, t, r->integers);
  t->no_empty = in->options.skip_bad;
  t->delimiter = l->delimiter;
  t->only = in->options.column_count == 0;
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
    *found = line && !text_is_passed_over(p, line, r->layout.delimiter);
    if (*found || (!line && r->ended)) return 0;
    if ((line ? pass_over(in, line, why) : refill(in, why)) != 0) return -1;
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
  if (end && in->text->lines && text_lines_front(in->text->lines, header, end + 1) != 0)
    return no_line(in, why);
  if (end) pass_record(in->text, end);
  return check_lone_header(in, line, why);
}

static int find_layout(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  while (r->whole <= r->begin && !r->ended)
    if (refill(in, why) != 0) return -1;
  size_t sample = r->end - r->begin;
  if (sample > SAMPLE_MAX) sample = SAMPLE_MAX;
  const char *const text = r->buffer + r->begin;
  r->layout.delimiter = in->options.delimiter != '\0' ? in->options.delimiter
                                                      : text_detect_delimiter(text, text + sample);
  const char *end;
  if (find_first(in, &end, why) != 0) return -1;
  const char *const record = end ? r->buffer + r->begin : NULL;
  return text_find_columns(&in->options, in->name, record, end, &r->layout, why);
}

int text_open(struct input *in, struct failure *why) {
  if (check_delimiter(in, why) != 0) return -1;
  struct text_reader *const r = calloc(1, sizeof *r);
  if (!r) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  in->text = r;
  r->finds = r->integers = in->options.type == HEDDLE_TYPE_DEFAULT;
  in->type = r->finds ? HEDDLE_F64 : in->options.type;
  r->rows.element_bytes = heddle_type_size(in->type);
  if (r->rows.element_bytes == 0) return fail(why, EXIT_USAGE, "text cannot be read as that type");
  r->room = text_buffer_bytes;
  r->buffer = malloc(r->room + NUMBER_PADDING + 1);
  if (in->options.lines) r->lines = text_lines_new(BLOCK_ROWS);
  if (!r->buffer || (in->options.lines && !r->lines))
    return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  if (begin_text(in, why) != 0 || check_encoding(in, why) != 0 || find_layout(in, why) != 0 ||
      arrange_columns(in, why) != 0)
    return -1;
  return pass_header(in, why);
}

void text_close(struct input *in) {
  struct text_reader *const r = in->text;
  if (!r) return;
  text_free_labels(&r->layout);
  for (size_t k = 0; k < r->rows.fields; k++) {
    free(r->rows.values[k]);
    free(r->found.column[k].side);
  }
  text_lines_free(r->lines);
  free(r->buffer);
  free(r);
}

/* ---- reading ------------------------------------------------------------------------------- */

static int fill_block(struct input *in, size_t *rows, size_t limit, struct failure *why) {
  struct text_reader *const r = in->text;
  if (r->lines) r->lines->rows = r->lines->used = 0;
  while (*rows < limit && !(r->lines && r->lines->used >= TEXT_LINES_BYTES)) {
    if (r->begin >= r->whole) {
      if (r->ended) return 0;
      if (refill(in, why) != 0) return -1;
      continue;
    }
    const char *const begin = r->buffer + r->begin;
    const size_t before = *rows;
    const char *const stop = text_quick_rows(&r->rows, begin, r->buffer + r->whole, rows, limit);
    r->begin += (size_t)(stop - begin);
    r->line += *rows - before;
    if (r->lines && *rows > before && text_lines_add(r->lines, begin, stop, *rows - before) != 0)
      return no_line(in, why);
    if (*rows < limit && r->begin < r->whole && careful_row(in, rows, why) != 0) return -1;
  }
  return 0;
}

int text_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  struct text_reader *const r = in->text;
  for (;;) {
    const bool skipping = r->to_skip > 0;
    const uint64_t left = skipping ? r->to_skip : in->options.count - r->delivered;
    size_t rows = 0;
    if (fill_block(in, &rows, left < BLOCK_ROWS ? (size_t)left : BLOCK_ROWS, why) != 0) return -1;
    if (r->finds) found_block(&r->found, &r->rows, rows);
    if (skipping && rows > 0) {
      r->to_skip -= rows;
      continue;
    }
    for (size_t k = 0; k < r->layout.wanted; k++)
      data[k] = found_reals(&r->found, &r->rows, r->source[k]);
    r->delivered += rows;
    r->block = rows;
    *count = rows;
    return 0;
  }
}

int text_rewind(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  if (stream_rewind(in->stream, why) != 0 || begin_text(in, why) != 0) return -1;
  if (r->finds) found_start(&r->found, &r->rows, r->integers);
  return pass_header(in, why);
}

size_t text_columns(const struct input *in) { return in->text->layout.wanted; }

const char *text_label(const struct input *in, size_t column) {
  const char *const label = in->text->layout.label[column];
  return label ? label : "";
}

uint64_t text_bad_lines(const struct input *in) { return in->text->bad; }
