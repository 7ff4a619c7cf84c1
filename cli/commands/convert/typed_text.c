/* typed_text.c - the records of a text as typed rows
 *
 * Method  Two passes: in the first each column is of integers until something else stands in it, then of f64, then of
 *         texts, which it stays; the second reads by these types.
 * Missing An empty field, or a word of --na, unless it is quoted, and NaN: of a column of texts a quoted empty field is
 *         the empty text. A column that has nothing else is of f64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "text/number.h"
#include "typed.h"

struct kind {
  bool whole, negative, beyond, real, text; /* what was seen; beyond: an integer that needs u64 */
  bool rounded;
};

struct reading {
  const struct settings *s;
  struct source *src;
  struct records *records;
  struct input_options options;
  size_t columns, last;                       /* that are wanted; the last field of them */
  size_t order[INPUT_MAX_COLUMNS];            /* the wanted ones, by their fields */
  struct text_field field[INPUT_MAX_COLUMNS]; /* of the record at hand */
  const char *record, *end;
  uint64_t line, rows; /* before the record at hand; rows beside those passed over */
  uint64_t passed;
  number_scan *integer, *real;
  struct kind kind[INPUT_MAX_COLUMNS];
  struct typed *t;
  typed_take *take;
  void *user;
};

typedef int take_row(struct reading *r, struct failure *why);

/* ---- the records --------------------------------------------------------------------------- */

static int open_records(struct reading *r, struct failure *why) {
  if (records_open(r->src->in, r->s->columns, r->s->column_count, false, &r->records, why) != 0)
    return -1;
  const struct text_layout *const layout = records_layout(r->records);
  r->columns = layout->wanted;
  r->line = records_next_line(r->records);
  r->last = 0;
  for (size_t k = 0; k < layout->wanted; k++) {
    size_t to = k;
    for (; to > 0 && layout->field[r->order[to - 1]] > layout->field[k]; to--)
      r->order[to] = r->order[to - 1];
    r->order[to] = k;
    if (layout->field[k] > r->last) r->last = layout->field[k];
  }
  r->rows = r->passed = 0;
  return 0;
}

static int bad(const struct reading *r, const char *at, const char *what, struct failure *why) {
  size_t line = 0;
  const size_t column = text_column_of(r->record, at, &line);
  return fail(why, EXIT_DATA, "%s:%llu:%zu: %s", command_file_label(r->src->path),
              (unsigned long long)(r->line + line), column, what);
}

/* A field of a record without a quote; *at goes behind it, or is NULL behind the last one. */
static void next_plain(const char **at, const char *end, char delimiter, struct text_field *f) {
  const char *const stop = memchr(*at, delimiter, (size_t)(end - *at));
  const char *begin = *at, *last = stop ? stop : end;
  *at = stop ? stop + 1 : NULL;
  while (begin < last && (*begin == ' ' || *begin == '\r' || (*begin == '\t' && delimiter != '\t')))
    begin++;
  while (begin < last &&
         (last[-1] == ' ' || last[-1] == '\r' || (last[-1] == '\t' && delimiter != '\t')))
    last--;
  *f = (struct text_field){begin, last, begin, false, TEXT_GOOD};
}

static int split(struct reading *r, bool quotes, struct failure *why) {
  const struct text_layout *const layout = records_layout(r->records);
  const bool plain = !quotes && layout->delimiter != TEXT_BLANKS && layout->delimiter != TEXT_NONE;
  const char *at = r->record;
  size_t next = 0;
  struct text_field f;
  for (size_t index = 0; index <= r->last; index++) {
    if (!at)
      return bad(r, r->end, "the line has too few columns; each line has as many as the first",
                 why);
    if (plain)
      next_plain(&at, r->end, layout->delimiter, &f);
    else
      text_next_field(&at, r->end, layout->delimiter, &f);
    for (; next < r->columns && layout->field[r->order[next]] == index; next++) {
      if (f.problem == TEXT_UNCLOSED) return bad(r, f.start, "this quote is not closed", why);
      if (f.problem == TEXT_TRAILING)
        return bad(r, f.start, "something stands behind the closing quote", why);
      r->field[r->order[next]] = f;
    }
  }
  const char *const beyond = r->last + 1 == layout->columns && layout->delimiter != TEXT_BLANKS
                                 ? text_field_beyond(at, r->end, layout->delimiter)
                                 : NULL;
  return beyond ? bad(r, beyond, TEXT_TOO_MANY, why) : 0;
}

static uint64_t lines_of(const char *begin, const char *end) {
  uint64_t lines = 0;
  for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++) lines++;
  return lines;
}

/* 1: the row is wanted; 0: it is not; 2: nor is any other. */
static int is_wanted(struct reading *r) {
  if (r->passed < r->options.offset) {
    r->passed += 1;
    return 0;
  }
  if (r->rows == r->options.count) return 2;
  r->rows += 1;
  return 1;
}

/* 0; 2: no more rows are wanted. */
static int take_block(struct reading *r, const struct records_block *b, take_row *take,
                      struct failure *why) {
  const char delimiter = records_layout(r->records)->delimiter, comment = r->options.comment;
  const char *const limit = b->text + b->bytes;
  for (const char *at = b->text; at < limit; at = r->end + 1) {
    const char *unclosed, *const line = memchr(at, '\n', (size_t)(limit - at));
    r->record = at;
    r->end = line;
    if (text_is_passed_over(at, line, delimiter, comment)) {
      r->line += 1;
      continue;
    }
    const bool quotes = b->quotes && memchr(at, '"', (size_t)(line - at)) != NULL;
    if (quotes) r->end = text_record_end(at, limit, delimiter, &unclosed);
    if (!r->end) return bad(r, unclosed ? unclosed : line, "this quote is not closed", why);
    if (split(r, quotes, why) != 0) return -1;
    const int wanted = is_wanted(r);
    if (wanted == 2) return 2;
    if (wanted == 1 && take(r, why) != 0) return -1;
    r->line += r->end == line ? 1 : lines_of(at, r->end + 1);
  }
  return 0;
}

static int read_blocks(struct reading *r, bool first, take_row *take, struct failure *why) {
  struct records_block block = {NULL, 0, 0, false};
  int status = 0;
  do {
    status = source_block(r->src, r->records, &block, why);
    if (status == 0) status = take_block(r, &block, take, why);
  } while (status == 0 && block.bytes > 0 && !first);
  free(block.text);
  return status < 0 ? -1 : 0;
}

/* ---- the first pass ------------------------------------------------------------------------ */

static bool is_missing(const struct reading *r, const struct text_field *f) {
  if (f->quoted) return false;
  if (f->begin == f->end) return true;
  return r->options.missing.count > 0 && text_is_missing(&r->options.missing, f);
}

static bool reads(const struct reading *r, const struct text_field *f, heddle_type type,
                  number_scan *scan, void *to) {
  const bool styled = number_is_styled(&r->options.style);
  if (f->begin == f->end) return false;
  if (!styled && scan && scan(f->begin, to) == f->end) return true;
  const size_t bytes = (size_t)(f->end - f->begin);
  const enum number_status status =
      styled ? number_parse_styled(&r->options.style, f->begin, bytes, type, to, NULL)
             : number_parse(f->begin, bytes, type, to);
  return status == NUMBER_OK;
}

static bool is_minus_zero(const struct text_field *f, int64_t value) {
  return value == 0 && *f->begin == '-';
}

static int look(struct reading *r, struct failure *why) {
  (void)why;
  for (size_t k = 0; k < r->columns; k++) {
    struct kind *const kind = &r->kind[k];
    const struct text_field *const f = &r->field[k];
    int64_t value;
    double real;
    if (kind->text || is_missing(r, f) || (f->quoted && f->begin == f->end)) continue;
    if (!kind->real) {
      kind->whole = true;
      if (reads(r, f, HEDDLE_I64, r->integer, &value) && !is_minus_zero(f, value)) {
        kind->negative |= value < 0;
        continue;
      }
      if (reads(r, f, HEDDLE_U64, NULL, &value) && value != 0) {
        kind->beyond = true;
        continue;
      }
    }
    kind->real = true;
    if (!reads(r, f, HEDDLE_F64, r->real, &real))
      kind->text = true;
    else if (fabs(real) >= 0x1p53 && number_is_digits(f->begin, f->end))
      kind->rounded |= number_is_rounded(f->begin, (size_t)(f->end - f->begin), real);
  }
  return 0;
}

static heddle_type type_of(const struct kind *kind) {
  if (kind->real || !kind->whole || (kind->negative && kind->beyond)) return HEDDLE_F64;
  return kind->beyond ? HEDDLE_U64 : HEDDLE_I64;
}

static int start(struct reading *r, const struct settings *s, struct source *src,
                 struct failure *why) {
  memset(r, 0, sizeof *r);
  r->s = s;
  r->src = src;
  r->integer = number_found_scanner(HEDDLE_I64);
  r->real = number_found_scanner(HEDDLE_F64);
  if (args_input_options(s, src->path, &r->options, why) != 0) return -1;
  if (src->in && !input_has_records(src->in)) return 0;
  r->options.comment = input_comment(src->in);
  return 0;
}

int typed_text_look(const struct settings *s, struct source *src, bool first,
                    enum typed_found *found, struct failure *why) {
  struct reading r;
  bool text = false, whole = false;
  int status = start(&r, s, src, why);
  if (status == 0) status = open_records(&r, why);
  if (status == 0) status = read_blocks(&r, first, look, why);
  for (size_t k = 0; k < r.columns; k++) {
    text |= r.kind[k].text;
    whole |= !r.kind[k].real;
  }
  *found = text ? FOUND_TEXT : whole && r.columns > 1 ? FOUND_NUMBERS : FOUND_REALS;
  records_close(r.records);
  return status;
}

/* ---- the second ---------------------------------------------------------------------------- */

static int put_text(struct reading *r, size_t k, struct failure *why) {
  const struct text_field *const f = &r->field[k];
  const size_t bytes = (size_t)(f->end - f->begin);
  if (!f->quoted || !memchr(f->begin, '"', bytes))
    return typed_put_text(r->t, k, f->begin, bytes, why);
  char *const copy = command_allocate(bytes, 1, "a field", why);
  size_t used = 0;
  if (!copy) return -1;
  for (const char *p = f->begin; p < f->end; p++) {
    copy[used++] = *p;
    if (*p == '"') p++; /* the second of two */
  }
  const int status = typed_put_text(r->t, k, copy, used, why);
  free(copy);
  return status;
}

static bool is_nan(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value != value;
}

static int put(struct reading *r, struct failure *why) {
  struct typed *const t = r->t;
  for (size_t k = 0; k < r->columns; k++) {
    const struct text_field *const f = &r->field[k];
    const heddle_type type = t->column[k].type;
    uint64_t bits;
    if (is_missing(r, f) || (!t->column[k].text && f->begin == f->end)) {
      typed_put_missing(t, k);
    } else if (t->column[k].text) {
      if (put_text(r, k, why) != 0) return -1;
    } else {
      number_scan *const scan = type == HEDDLE_F64   ? r->real
                                : type == HEDDLE_I64 ? r->integer
                                                     : NULL;
      if (!reads(r, f, type, scan, &bits))
        return bad(r, f->start, "it changed while it was being read: this was another number", why);
      if (type == HEDDLE_F64 && is_nan(bits))
        typed_put_missing(t, k);
      else
        typed_put_number(t, k, &bits);
    }
  }
  typed_next(t);
  if (!typed_is_full(t)) return 0;
  const int status = r->take(r->user, t, why);
  typed_clear(t);
  return status;
}

static int again(struct reading *r, struct failure *why) {
  records_close(r->records);
  r->records = NULL;
  if (source_rewind(r->src, why) != 0) return -1;
  return open_records(r, why);
}

/* Names that stay while the records are open. */
static int take_names(struct reading *r, struct failure *why) {
  const struct text_layout *const layout = records_layout(r->records);
  r->t->columns = r->columns;
  for (size_t k = 0; k < r->columns; k++) {
    r->t->column[k].name = layout->label[k];
    r->t->column[k].text = r->kind[k].text;
    r->t->column[k].type = type_of(&r->kind[k]);
    if (r->kind[k].rounded && !r->kind[k].text)
      command_note(r->s, "%s: integers beyond 2^53 in column %zu were rounded to f64",
                   command_file_label(r->src->path), layout->field[k] + 1);
  }
  return typed_start(r->t, why);
}

int typed_text_read(const struct settings *s, struct source *src, struct typed *t,
                    int begin(void *user, struct typed *t, struct failure *why), typed_take *take,
                    void *user, struct failure *why) {
  struct reading r;
  int status = start(&r, s, src, why);
  r.t = t;
  r.take = take;
  r.user = user;
  if (status == 0) status = again(&r, why);
  if (status == 0) status = read_blocks(&r, false, look, why);
  if (status == 0) status = again(&r, why);
  if (status == 0) status = take_names(&r, why);
  if (status == 0) status = begin(user, t, why);
  if (status == 0) status = read_blocks(&r, false, put, why);
  if (status == 0 && t->rows > 0) status = take(user, t, why);
  records_close(r.records);
  return status;
}
