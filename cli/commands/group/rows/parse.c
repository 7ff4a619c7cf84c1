/* parse.c - the records of a block of text as rows of a batch
 *
 * Method  Lines are split by split.h, or what that leaves by text/record.h. The condition is asked first, then numbers are read, then texts are looked up.
 * Missing An empty field is NaN as a number, and makes its column f64; as a text it is empty. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "commands/command.h"
#include "split.h"
#include "text/number.h"

struct parsing {
  struct batch *b;
  const struct wanted *w;
  const char *record, *end; /* the one at hand */
  struct piece piece[INPUT_MAX_COLUMNS];
  size_t numbers, texts; /* columns of each kind */
  size_t number[INPUT_MAX_COLUMNS], text[INPUT_MAX_COLUMNS];
  number_scan *integer, *real;
  struct failure *why;
};

#define BAD_LINES "; --skip-bad passes over such lines"

enum outcome { ROW_TAKEN, ROW_LEFT, ROW_BAD, ROW_NO_MEMORY };

/* Says what is wrong with the record at `at`; it is bad. */
static enum outcome bad(struct parsing *p, const char *at, const char *what,
                        const struct piece *shown) {
  struct batch *const b = p->b;
  char text[60] = "";
  size_t line = 0;
  if (b->q->s->skip_bad) return ROW_BAD;
  b->fail_column = text_column_of(p->record, at, &line);
  b->fail_line = b->lines + line;
  if (shown) text_show(shown->begin, (size_t)(shown->end - shown->begin), text, sizeof text);
  (void)fail(&b->why, EXIT_DATA, shown ? "'%s' %s" : "%s%s", text, what);
  return ROW_BAD;
}

/* ---- fields ------------------------------------------------------------------------------------------ */

static enum outcome too_few(struct parsing *p) {
  return bad(p, p->end,
             "the line has too few columns; each line has as many as the first" BAD_LINES, NULL);
}

/* "" becomes one quote, in memory that holds all fields of a record. */
static int unquote(struct parsing *p, struct piece *piece, size_t *used) {
  struct batch *const b = p->b;
  const size_t most = (size_t)(p->end - p->record) + NUMBER_PADDING;
  if (b->copy_room < most && *used == 0) {
    char *const larger = realloc(b->copy, 2 * most);
    if (!larger)
      return fail(p->why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
    b->copy = larger;
    b->copy_room = 2 * most;
  }
  char *const to = b->copy + *used;
  size_t n = 0;
  for (const char *from = piece->begin; from < piece->end; from++) {
    to[n++] = *from;
    if (*from == '"') from++;
  }
  to[n] = '\0';
  *used += n + 1;
  piece->begin = to;
  piece->end = to + n;
  return 0;
}

static enum outcome split_careful(struct parsing *p) {
  const struct wanted *const w = p->w;
  const char *at = p->record;
  size_t u = 0, used = 0;
  for (size_t index = 0; u < w->count; index++) {
    struct text_field f;
    if (!at) return too_few(p);
    text_next_field(&at, p->end, w->delimiter, &f);
    if (index != w->field[u]) continue;
    if (f.problem == TEXT_UNCLOSED) return bad(p, f.start, "this quote is not closed", NULL);
    if (f.problem == TEXT_TRAILING)
      return bad(p, f.start, "something stands behind the closing quote", NULL);
    struct piece *const piece = &p->piece[u++];
    *piece = (struct piece){f.begin, f.end, f.start};
    if (f.quoted && memchr(f.begin, '"', (size_t)(f.end - f.begin)) &&
        unquote(p, piece, &used) != 0)
      return ROW_NO_MEMORY;
  }
  const char *const beyond = w->ends ? text_field_beyond(at, p->end, w->delimiter) : NULL;
  return beyond ? bad(p, beyond, TEXT_TOO_MANY BAD_LINES, NULL) : ROW_TAKEN;
}

/* ---- what a record says ------------------------------------------------------------------------------ */

static enum outcome ask(struct parsing *p) {
  const struct asked *const q = p->b->q;
  struct expression_field fields[EXPRESSION_COLUMNS];
  const size_t first = q->keys + q->columns;
  size_t column = 0;
  for (size_t k = 0; k < q->where.column_count; k++) {
    const struct piece *const from = &p->piece[p->w->of[first + k]];
    fields[k].text = from->begin;
    fields[k].length = (size_t)(from->end - from->begin);
    fields[k].read = false;
  }
  const enum expression_answer answer = expression_holds(&q->where, fields, &column);
  if (answer <= EXPRESSION_YES) return answer == EXPRESSION_YES ? ROW_TAKEN : ROW_LEFT;
  const struct piece *const piece = &p->piece[p->w->of[first + column]];
  const bool number = answer == EXPRESSION_NO_NUMBER;
  const char *const what =
      q->lines /* of heddle select, where the condition is no option */
          ? number ? "is no number, and is compared with one; --skip-bad passes over such lines"
                   : "is text, and has no order with a number; --skip-bad passes over such lines"
          : number ? "is no number, and --where compares it with one; --skip-bad passes over such "
                     "lines"
                   : "is text, and --where asks for its order with a number; --skip-bad passes "
                     "over such "
                     "lines";
  return bad(p, piece->start, what, piece);
}

/* -0 is a float's zero, not an integer's. */
static bool read_integer(const struct piece *f, number_scan *scan, uint64_t *to) {
  if (f->begin < f->end && scan(f->begin, to) == f->end) return true;
  int64_t value;
  if (number_parse(f->begin, (size_t)(f->end - f->begin), HEDDLE_I64, &value) != NUMBER_OK ||
      (value == 0 && *f->begin == '-'))
    return false;
  memcpy(to, &value, sizeof value);
  return true;
}

static bool read_real(const struct piece *f, number_scan *scan, uint64_t *to) {
  if (f->begin < f->end && scan(f->begin, to) == f->end) return true;
  return number_parse(f->begin, (size_t)(f->end - f->begin), HEDDLE_F64, to) == NUMBER_OK;
}

/* A number's field, of which a word for what is missing leaves nothing. */
static inline struct piece number_field(const struct wanted *w, const struct piece *f) {
  const struct text_field field = {.begin = f->begin, .end = f->end};
  if (!w->missing || !text_is_missing(w->missing, &field)) return *f;
  return (struct piece){f->begin, f->begin, f->start};
}

/* As they are written elsewhere: what is read as `type`, or false. */
static bool read_styled(const struct wanted *w, const struct piece *f, heddle_type type,
                        uint64_t *to) {
  return number_parse_styled(&w->style, f->begin, (size_t)(f->end - f->begin), type, to, NULL) ==
         NUMBER_OK;
}

static inline void look_for_rounding(struct batch_column *column, const struct piece *f,
                                     uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  if (!(fabs(value) >= 0x1p53) || !number_is_digits(f->begin, f->end)) return;
  column->rounded |= number_is_rounded(f->begin, (size_t)(f->end - f->begin), value);
}

/* A field that is no number. */
static enum outcome take_word(struct parsing *p, size_t c, const struct piece *f) {
  struct batch *const b = p->b;
  struct batch_column *const column = &b->column[c];
  if (!b->q->column[c].any)
    return bad(
        p, f->start,
        "is no number; figures of text are count, first, last and distinct, and --skip-bad passes "
        "over such lines",
        f);
  column->words = true;
  column->values[b->rows] = 0; /* whoever is told of words wants no numbers */
  return ROW_TAKEN;
}

static enum outcome take_number(struct parsing *p, size_t c) {
  struct batch *const b = p->b;
  const struct piece field = number_field(p->w, &p->piece[p->w->of[b->q->keys + c]]);
  const struct piece *const f = &field;
  const bool styled = number_is_styled(&p->w->style);
  struct batch_column *const column = &b->column[c];
  uint64_t value, *const to = &column->values[b->rows];
  if (column->type == HEDDLE_I64) {
    if (styled ? read_styled(p->w, f, HEDDLE_I64, to) : read_integer(f, p->integer, to))
      return ROW_TAKEN;
    if (!(styled ? read_styled(p->w, f, HEDDLE_F64, &value) : read_real(f, p->real, &value)))
      return take_word(p, c, f);
    if (batch_widen(column->values, b->rows, &column->rounded, p->why) != 0) return ROW_NO_MEMORY;
    column->type = HEDDLE_F64;
    *to = value;
    look_for_rounding(column, f, value);
    return ROW_TAKEN;
  }
  if (styled ? read_styled(p->w, f, HEDDLE_F64, to) : read_real(f, p->real, to)) {
    look_for_rounding(column, f, *to);
    return ROW_TAKEN;
  }
  return take_word(p, c, f);
}

static int take_text(struct parsing *p, size_t c) {
  struct batch *const b = p->b;
  const struct piece *const f = &p->piece[p->w->of[b->q->keys + c]];
  bool added;
  return batch_intern(&b->column[c].texts, b->rows, f->begin, (size_t)(f->end - f->begin), &added,
                      p->why);
}

/* The key of several fields as one text (keys.h). */
static int join_key(struct parsing *p, struct piece *key) {
  struct batch *const b = p->b;
  const size_t keys = b->q->keys;
  size_t used = 0, most = 0;
  for (size_t k = 0; k < keys; k++) {
    const struct piece *const f = &p->piece[p->w->of[k]];
    most += (size_t)(f->end - f->begin) + sizeof(uint32_t);
  }
  if (b->key_room < most) {
    char *const larger = realloc(b->key, 2 * most);
    if (!larger)
      return fail(p->why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
    b->key = larger;
    b->key_room = 2 * most;
  }
  for (size_t k = 0; k < keys; k++) {
    const struct piece *const f = &p->piece[p->w->of[k]];
    const uint32_t bytes = (uint32_t)(f->end - f->begin);
    if (k + 1 < keys) {
      memcpy(b->key + used, &bytes, sizeof bytes);
      used += sizeof bytes;
    }
    memcpy(b->key + used, f->begin, bytes);
    used += bytes;
  }
  *key = (struct piece){b->key, b->key + used, NULL};
  return 0;
}

static int take_key(struct parsing *p) {
  struct batch *const b = p->b;
  struct piece key = p->piece[p->w->of[0]];
  bool added;
  if (b->q->keys > 1 && join_key(p, &key) != 0) return -1;
  const size_t bytes = (size_t)(key.end - key.begin);
  if (batch_intern(&b->groups, b->rows, key.begin, bytes, &added, p->why) != 0) return -1;
  if (added) batch_look_at_key(b, key.begin, bytes);
  return 0;
}

/* There is room for all of the block. */
static void take_line(struct parsing *p) {
  struct batch *const b = p->b;
  const size_t bytes = (size_t)(p->end - p->record) + 1;
  memcpy(b->kept + b->kept_bytes, p->record, bytes);
  b->kept_bytes += bytes;
  b->places[b->rows] = b->records;
}

static inline enum outcome split(struct parsing *p, bool quotes) {
  if (p->w->delimiter == TEXT_BLANKS) return split_careful(p);
  switch ((quotes ? split_quoted : split_plain)(p->w, p->record, p->end, p->piece)) {
  case SPLIT_DONE: return ROW_TAKEN;
  case SPLIT_SHORT: return too_few(p);
  default: return split_careful(p);
  }
}

static inline enum outcome take_record(struct parsing *p, bool quotes) {
  struct batch *const b = p->b;
  const struct asked *const q = b->q;
  enum outcome outcome = split(p, quotes);
  if (outcome == ROW_TAKEN && q->condition) outcome = ask(p);
  if (outcome != ROW_TAKEN) return outcome;
  if (b->rows == b->room && batch_grow(b, p->why) != 0) return ROW_NO_MEMORY;
  for (size_t i = 0; i < p->numbers && outcome == ROW_TAKEN; i++)
    outcome = take_number(p, p->number[i]);
  if (outcome != ROW_TAKEN) return outcome;
  for (size_t i = 0; i < p->texts; i++)
    if (take_text(p, p->text[i]) != 0) return ROW_NO_MEMORY;
  if (q->keys > 0 && take_key(p) != 0) return ROW_NO_MEMORY;
  if (q->lines) take_line(p);
  b->rows += 1;
  return ROW_TAKEN;
}

/* ---- the block --------------------------------------------------------------------------------------- */

static uint64_t lines_of(const char *begin, const char *end) {
  uint64_t lines = 0;
  for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++) lines++;
  return lines;
}

void batch_wanted(const struct text_layout *layout, const struct input_options *options,
                  struct wanted *w) {
  w->comment = options->comment;
  w->style = options->style;
  w->missing = options->missing.count > 0 ? &options->missing : NULL;
  w->delimiter = layout->delimiter;
  w->names = layout->wanted;
  w->count = 0;
  for (size_t i = 0; i < layout->wanted; i++) {
    size_t at = 0;
    while (at < w->count && w->field[at] < layout->field[i]) at++;
    if (at < w->count && w->field[at] == layout->field[i]) continue;
    memmove(w->field + at + 1, w->field + at, (w->count - at) * sizeof *w->field);
    w->field[at] = layout->field[i];
    w->count += 1;
  }
  for (size_t i = 0; i < layout->wanted; i++)
    for (size_t u = 0; u < w->count; u++)
      if (w->field[u] == layout->field[i]) w->of[i] = u;
  w->ends =
      w->count > 0 && w->delimiter != TEXT_BLANKS && w->field[w->count - 1] + 1 == layout->columns;
}

/* The record that begins at `at`, whose first line ends at `line`: its end, or NULL, and it is bad. */
static const char *end_of(struct parsing *p, const char *at, const char *line, const char *limit) {
  const char *unclosed;
  const char *const end = text_record_end(at, limit, p->w->delimiter, &unclosed);
  p->record = at;
  if (!end) {
    (void)bad(p, unclosed ? unclosed : line, "this quote is not closed", NULL);
    if (p->b->q->s->skip_bad) p->b->bad += 1;
  }
  return end;
}

static void start(struct parsing *p) {
  const struct asked *const q = p->b->q;
  p->numbers = p->texts = 0;
  for (size_t c = 0; c < q->columns; c++) {
    if (q->column[c].text)
      p->text[p->texts++] = c;
    else
      p->number[p->numbers++] = c;
  }
  p->integer = number_found_scanner(HEDDLE_I64);
  p->real = number_found_scanner(HEDDLE_F64);
}

int batch_parse(struct batch *b, const struct wanted *w, const struct records_block *block,
                struct failure *why) {
  struct parsing p; /* of which few columns are used */
  const char *const limit = block->text + block->bytes;
  p.b = b;
  p.w = w;
  p.why = why;
  start(&p);
  if (b->q->lines && batch_keep(b, block->bytes, why) != 0) return -1;
  for (const char *at = block->text, *end; at < limit; at = end + 1) {
    const char *const line = memchr(at, '\n', (size_t)(limit - at));
    const bool quotes = block->quotes && memchr(at, '"', (size_t)(line - at)) != NULL;
    end = line;
    if (((unsigned char)*at <= '#' || *at == w->comment) &&
        text_is_passed_over(at, line, w->delimiter, w->comment)) {
      const char *first = at;
      while (*first == ' ' || *first == '\t' || *first == '\r') first++;
      b->comments += *first == w->comment;
      b->lines += 1;
      continue;
    }
    if (quotes && !(end = end_of(&p, at, line, limit))) {
      b->failed = !b->q->s->skip_bad;
      return 0;
    }
    p.record = at;
    p.end = end;
    const enum outcome outcome = take_record(&p, quotes);
    if (outcome == ROW_NO_MEMORY) return -1;
    if (outcome == ROW_BAD && !b->q->s->skip_bad) {
      b->failed = true;
      return 0;
    }
    b->bad += outcome == ROW_BAD;
    b->records += 1;
    b->lines += end == line ? 1 : lines_of(at, end + 1);
  }
  return 0;
}
