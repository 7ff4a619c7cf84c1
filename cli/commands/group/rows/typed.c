/* typed.c - numbers as they are, texts as their bytes
 *
 * Result  Integers are i64, or f64 where that does not hold them; floats f64. Keys and figures of text have numbers as
 *         the shortest decimals, truth values as 0 and 1, dates as ISO 8601.
 * Missing NaN as a number, and the column is f64 then; empty as a text.
 * Method  Column by column. Of a small dictionary each word is looked up once. A text of a larger one is met again at
 *         one address, which a small table remembers for the rows of one call, so that it is hashed once; so are
 *         numbers, by their bits. */
#include "typed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "input/table/table.h"
#include "text/element.h"
#include "text/number.h"
#include "text/types.h"

enum {
  SCRATCH = (int)NUMBER_TEXT + (int)DATE_TEXT,
  MEMO = 1 << 11,
  MEMO_BITS = 11,
  TILE = 256,
  TRIED = 4 * TILE,
  WORDS_MOST = 1 << 12
};

/* A column of the table, and the rows of it that are wanted. */
struct view {
  const struct table *table;
  size_t column, first, rows;
  const struct table_column *of;
  const struct table_part *part;
  size_t size;
};

struct memo {
  struct {
    struct table_text text;
    uint32_t id;
  } of[MEMO];
};

/* Of numbers, by their bits. */
struct number_memo {
  struct {
    uint64_t bits;
    uint32_t id;
    bool set;
  } of[1 << MEMO_BITS];
};

static struct view view_of(const struct typed_rows *rows, size_t wanted) {
  const struct table *const t = input_table(rows->in);
  const size_t column = input_table_column(rows->in, wanted);
  const struct table_column *const of = &t->column[column];
  return (struct view){t,
                       column,
                       rows->first,
                       rows->count,
                       of,
                       &t->part[column],
                       of->kind == TABLE_NUMBERS ? heddle_type_size(of->type) : 0};
}

static inline bool is_there(const struct view *v, size_t row) {
  return !v->part->valid || table_bit(v->part->valid, v->first + row);
}

static inline const unsigned char *element(const struct view *v, size_t row) {
  return v->part->values + (v->first + row) * v->size;
}

/* ---- as text ----------------------------------------------------------------------------------------- */

static int64_t whole_of(const struct view *v, size_t row) {
  int64_t wide;
  int32_t narrow;
  if (v->of->type == HEDDLE_I64) {
    memcpy(&wide, element(v, row), sizeof wide);
    return wide;
  }
  memcpy(&narrow, element(v, row), sizeof narrow);
  return narrow;
}

static inline struct table_text text_at(const struct view *v, size_t row, char scratch[SCRATCH]) {
  struct table_text text = {"", 0};
  if (!is_there(v, row)) return text;
  if (v->of->kind == TABLE_TEXT) {
    v->table->format->text(v->table, v->column, v->first + row, &text.at, &text.bytes);
    return text;
  }
  text.at = scratch;
  if (v->of->kind == TABLE_BITS) {
    scratch[0] = table_bit(v->part->values, v->first + row) ? '1' : '0';
    text.bytes = 1;
  } else if (v->of->unit != UNIT_NONE) {
    text.bytes = (size_t)date_text(scratch, v->of->unit, whole_of(v, row), v->of->utc);
  } else {
    text.bytes = (size_t)element_text(scratch, v->of->type, element(v, row));
  }
  return text;
}

/* Whether what is there is a number as text, whatever its value. */
static bool is_whole(const struct view *v) {
  return v->of->kind == TABLE_NUMBERS && v->of->unit == UNIT_NONE && !type_is_float(v->of->type);
}

/* Numbers that were met before are not written again. */
static int intern_numbers(struct interned *to, const struct view *v, bool *fresh,
                          void added(struct batch *b, const char *text, size_t bytes),
                          struct batch *b, struct failure *why) {
  struct number_memo memo;
  char scratch[SCRATCH];
  const bool whole = is_whole(v);
  memset(&memo, 0, sizeof memo);
  for (size_t row = 0; row < v->rows; row++) {
    uint64_t bits = 0;
    if (is_there(v, row)) memcpy(&bits, element(v, row), v->size);
    const size_t slot = (size_t)(bits * 0x9e3779b97f4a7c15u >> (64 - MEMO_BITS));
    if (memo.of[slot].set && memo.of[slot].bits == bits && is_there(v, row)) {
      to->ids[row] = memo.of[slot].id;
      continue;
    }
    const struct table_text text = text_at(v, row, scratch);
    if (batch_intern(to, row, text.at, text.bytes, fresh, why) != 0) return -1;
    if (*fresh && added && !(whole && is_there(v, row))) added(b, text.at, text.bytes);
    if (!is_there(v, row)) continue;
    memo.of[slot].bits = bits;
    memo.of[slot].id = to->ids[row];
    memo.of[slot].set = true;
  }
  return 0;
}

/* Texts of a dictionary, by where they lie: of `rows` from `first` on. Returns how many were met before; -1: no
 * memory. */
static int intern_met(struct interned *to, struct memo *memo, const struct table_text *texts,
                      size_t first, size_t rows,
                      void added(struct batch *b, const char *text, size_t bytes), struct batch *b,
                      struct failure *why) {
  int met = 0;
  for (size_t i = 0; i < rows; i++) {
    const struct table_text text = texts[i];
    const size_t slot = ((uintptr_t)text.at >> 3 ^ (uintptr_t)text.at) % MEMO;
    bool fresh;
    if (memo->of[slot].text.at == text.at && memo->of[slot].text.bytes == text.bytes) {
      to->ids[first + i] = memo->of[slot].id;
      met++;
      continue;
    }
    if (batch_intern(to, first + i, text.at, text.bytes, &fresh, why) != 0) return -1;
    if (fresh && added) added(b, text.at, text.bytes);
    memo->of[slot].text = text;
    memo->of[slot].id = to->ids[first + i];
  }
  return met;
}

/* Texts that lie anywhere; their hashes are found together. */
static int intern_all(struct interned *to, const struct table_text *texts, size_t first,
                      size_t rows, void added(struct batch *b, const char *text, size_t bytes),
                      struct batch *b, struct failure *why) {
  uint32_t tag[TILE];
  for (size_t i = 0; i < rows; i++) tag[i] = (uint32_t)keys_hash(texts[i].at, texts[i].bytes);
  for (size_t i = 0; i < rows; i++) {
    const struct table_text text = texts[i];
    bool fresh;
    if (batch_intern_tagged(to, first + i, text.at, text.bytes, tag[i], &fresh, why) != 0)
      return -1;
    if (fresh && added) added(b, text.at, text.bytes);
  }
  return 0;
}

static int intern_texts(struct interned *to, const struct view *v, struct memo *memo,
                        void added(struct batch *b, const char *text, size_t bytes),
                        struct batch *b, struct failure *why) {
  struct table_text texts[TILE];
  size_t met = 0;
  memset(memo, 0, sizeof *memo);
  for (size_t first = 0, rows; first < v->rows; first += rows) {
    rows = v->rows - first < TILE ? v->rows - first : TILE;
    v->table->format->texts(v->table, v->column, v->first + first, rows, texts);
    for (size_t i = 0; i < rows && v->part->valid; i++)
      if (!is_there(v, first + i)) texts[i] = (struct table_text){"", 0};
    const bool worth_it = first < TRIED || met > first / 4;
    const int now = worth_it ? intern_met(to, memo, texts, first, rows, added, b, why)
                             : intern_all(to, texts, first, rows, added, b, why);
    if (now < 0) return -1;
    met += (size_t)now;
  }
  return 0;
}

/* Words of a dictionary that is so small that each is looked up once. */
static int intern_words(struct interned *to, const struct view *v, size_t words,
                        void added(struct batch *b, const char *text, size_t bytes),
                        struct batch *b, struct failure *why) {
  uint32_t id[WORDS_MOST + 1], places[TILE]; /* the last id is of what is missing */
  for (size_t i = 0; i <= words; i++) id[i] = KEYS_NONE;
  for (size_t first = 0, rows; first < v->rows; first += rows) {
    rows = v->rows - first < TILE ? v->rows - first : TILE;
    (void)v->table->format->places(v->table, v->column, v->first + first, rows, places);
    for (size_t i = 0; i < rows; i++) {
      const bool there = is_there(v, first + i);
      uint32_t *const known = &id[there ? places[i] : words];
      if (*known == KEYS_NONE) {
        struct table_text text = {"", 0};
        bool fresh;
        if (there) text = v->table->format->word(v->table, v->column, places[i]);
        if (batch_intern(to, first + i, text.at, text.bytes, &fresh, why) != 0) return -1;
        if (fresh && added) added(b, text.at, text.bytes);
        *known = to->ids[first + i];
      }
      to->ids[first + i] = *known;
    }
  }
  return 0;
}

/* How many words a column has, where it is worth to go by them; else 0. */
static size_t words_of(const struct view *v) {
  const struct table_format *const f = v->table->format;
  const size_t words = f->places ? f->places(v->table, v->column, v->first, 0, NULL) : 0;
  return words <= WORDS_MOST && words <= v->rows / 4 ? words : 0;
}

static int intern(struct interned *to, const struct view *v, struct memo *memo,
                  void added(struct batch *b, const char *text, size_t bytes), struct batch *b,
                  struct failure *why) {
  char scratch[SCRATCH];
  bool fresh;
  if (v->of->kind == TABLE_NUMBERS) return intern_numbers(to, v, &fresh, added, b, why);
  const size_t words = v->of->kind == TABLE_TEXT ? words_of(v) : 0;
  if (words > 0) return intern_words(to, v, words, added, b, why);
  if (v->of->kind == TABLE_TEXT && v->table->format->texts)
    return intern_texts(to, v, memo, added, b, why);
  for (size_t row = 0; row < v->rows; row++) {
    const struct table_text text = text_at(v, row, scratch);
    if (batch_intern(to, row, text.at, text.bytes, &fresh, why) != 0) return -1;
    if (fresh && added) added(b, text.at, text.bytes);
  }
  return 0;
}

/* ---- keys -------------------------------------------------------------------------------------------- */

static int add_to_key(struct batch *b, size_t *used, struct table_text text, bool last,
                      struct failure *why) {
  const uint32_t bytes = (uint32_t)text.bytes;
  if (text.bytes > UINT32_MAX / 4)
    return fail(why, EXIT_DATA, "%s: a key of %zu bytes", command_file_label(b->q->path),
                text.bytes);
  const size_t most = *used + text.bytes + sizeof bytes;
  if (most > b->key_room) {
    char *const larger = realloc(b->key, 2 * most);
    if (!larger) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(b->q->path));
    b->key = larger;
    b->key_room = 2 * most;
  }
  if (!last) {
    memcpy(b->key + *used, &bytes, sizeof bytes);
    *used += sizeof bytes;
  }
  if (bytes > 0) memcpy(b->key + *used, text.at, bytes);
  *used += bytes;
  return 0;
}

/* Several fields as one text (keys.h). */
static int take_joined(struct batch *b, const struct typed_rows *rows, struct failure *why) {
  struct view views[INPUT_MAX_COLUMNS];
  char scratch[SCRATCH];
  bool fresh;
  for (size_t k = 0; k < b->q->keys; k++) views[k] = view_of(rows, k);
  for (size_t row = 0; row < rows->count; row++) {
    size_t used = 0;
    for (size_t k = 0; k < b->q->keys; k++)
      if (add_to_key(b, &used, text_at(&views[k], row, scratch), k + 1 == b->q->keys, why) != 0)
        return -1;
    if (batch_intern(&b->groups, row, b->key, used, &fresh, why) != 0) return -1;
    if (fresh) batch_look_at_key(b, b->key, used);
  }
  return 0;
}

static int take_keys(struct batch *b, const struct typed_rows *rows, struct memo *memo,
                     struct failure *why) {
  if (b->q->keys == 0) return 0;
  if (b->q->keys > 1) return take_joined(b, rows, why);
  const struct view v = view_of(rows, 0);
  return intern(&b->groups, &v, memo, batch_look_at_key, b, why);
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static int widen(struct batch_column *to, size_t rows, struct failure *why) {
  if (to->type == HEDDLE_F64) return 0;
  if (batch_widen(to->values, rows, &to->rounded, why) != 0) return -1;
  to->type = HEDDLE_F64;
  return 0;
}

static int no_number(const struct batch *b, const struct typed_rows *rows, const struct view *v,
                     size_t row, struct table_text text, struct failure *why) {
  char shown[60];
  text_show(text.at, text.bytes, shown, sizeof shown);
  return fail(
      why, EXIT_DATA,
      "%s: column '%s', row %llu: '%s' is no number; figures of text are count, first, last and "
      "distinct",
      command_file_label(b->q->path), v->of->name,
      (unsigned long long)(rows->before + v->first + row + 1), shown);
}

/* Numbers that are written as text. */
static int take_written(struct batch *b, const struct typed_rows *rows, const struct view *v,
                        struct batch_column *to, bool any, struct failure *why) {
  char scratch[SCRATCH];
  for (size_t row = 0; row < v->rows; row++) {
    const struct table_text text = text_at(v, row, scratch);
    uint64_t *const out = &to->values[row];
    int64_t whole = 0;
    double real;
    if (to->type == HEDDLE_I64 &&
        number_parse(text.at, text.bytes, HEDDLE_I64, &whole) == NUMBER_OK &&
        !(whole == 0 && *text.at == '-')) {
      memcpy(out, &whole, sizeof whole);
      continue;
    }
    if (number_parse(text.at, text.bytes, HEDDLE_F64, &real) != NUMBER_OK) {
      if (!any) return no_number(b, rows, v, row, text, why);
      to->words = true;
      *out = 0; /* as in parse.c */
      continue;
    }
    if (widen(to, row, why) != 0) return -1;
    to->rounded |= fabs(real) >= 0x1p53 && number_is_digits(text.at, text.at + text.bytes) &&
                   number_is_rounded(text.at, text.bytes, real);
    memcpy(out, &real, sizeof real);
  }
  return 0;
}

static bool is_beyond(const struct view *v) {
  bool beyond = false;
  for (size_t row = 0; row < v->rows && v->of->type == HEDDLE_U64; row++)
    beyond |= element(v, row)[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : 7] > 127;
  return beyond;
}

/* Integers of u64 that i64 does not hold, as f64. */
static void take_beyond(const struct view *v, struct batch_column *to) {
  for (size_t row = 0; row < v->rows; row++) {
    uint64_t whole;
    memcpy(&whole, element(v, row), sizeof whole);
    const double real = (double)whole;
    to->rounded |= real >= 0x1p64 || (uint64_t)real != whole;
    memcpy(&to->values[row], &real, sizeof real);
  }
}

static int take_elements(const struct view *v, struct batch_column *to, struct failure *why) {
  const bool whole = v->of->kind == TABLE_BITS || !type_is_float(v->of->type);
  const bool beyond = v->of->kind == TABLE_NUMBERS && is_beyond(v);
  if (!whole || beyond) to->type = HEDDLE_F64;
  if (v->of->kind == TABLE_BITS) {
    for (size_t row = 0; row < v->rows; row++)
      to->values[row] = table_bit(v->part->values, v->first + row);
  } else if (beyond) {
    take_beyond(v, to);
  } else if (command_check(heddle_convert(v->of->type, element(v, 0),
                                          whole ? HEDDLE_I64 : HEDDLE_F64, to->values, v->rows),
                           NULL, why) != 0) {
    return -1;
  }
  if (whole && !beyond && to->type == HEDDLE_F64)
    return batch_widen(to->values, v->rows, &to->rounded, why);
  return 0;
}

static int take_numbers(struct batch *b, const struct typed_rows *rows, size_t c,
                        struct failure *why) {
  struct batch_column *const to = &b->column[c];
  const struct view v = view_of(rows, b->q->keys + c);
  const double nan = (double)NAN;
  if (v.of->kind == TABLE_TEXT || v.of->unit != UNIT_NONE)
    return take_written(b, rows, &v, to, b->q->column[c].any, why);
  if (take_elements(&v, to, why) != 0) return -1;
  bool missing = false;
  for (size_t row = 0; row < v.rows && v.part->valid; row++) missing |= !is_there(&v, row);
  if (missing && widen(to, v.rows, why) != 0) return -1;
  for (size_t row = 0; row < v.rows && missing; row++)
    if (!is_there(&v, row)) memcpy(&to->values[row], &nan, sizeof nan);
  return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static int make_room(struct batch *b, size_t rows, struct failure *why) {
  while (b->room < rows) {
    b->rows = b->room;
    if (batch_grow(b, why) != 0) return -1;
  }
  b->rows = 0;
  return 0;
}

int batch_typed(struct batch *b, const struct typed_rows *rows, struct failure *why) {
  struct memo memo;
  if (make_room(b, rows->count, why) != 0 || take_keys(b, rows, &memo, why) != 0) return -1;
  for (size_t c = 0; c < b->q->columns; c++) {
    const struct view v = view_of(rows, b->q->keys + c);
    if (b->q->column[c].text ? intern(&b->column[c].texts, &v, &memo, NULL, b, why) != 0
                             : take_numbers(b, rows, c, why) != 0)
      return -1;
  }
  b->rows = rows->count;
  return 0;
}
