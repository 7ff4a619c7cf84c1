/* typed_texts.c - the texts of a column of a table with types, and their ids
 *
 * Method  Of a small dictionary each word is looked up once. A text of a larger one is met again at one address, which a
 *         small table remembers for the rows of one call, so that it is hashed once; so are numbers, by their bits. */
#include <stdlib.h>
#include <string.h>

#include "text/types.h"
#include "typed_view.h"

enum { MEMO = 1 << 11, MEMO_BITS = 11, TILE = 256, TRIED = 4 * TILE, WORDS_MOST = 1 << 12 };

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

/* ---- as text ----------------------------------------------------------------------------------------- */

static int64_t whole_of(const struct view *v, size_t row) {
  int64_t wide;
  int32_t narrow;
  if (v->of->type == HEDDLE_I64) {
    memcpy(&wide, view_element(v, row), sizeof wide);
    return wide;
  }
  memcpy(&narrow, view_element(v, row), sizeof narrow);
  return narrow;
}

struct table_text view_text(const struct view *v, size_t row, char scratch[TYPED_SCRATCH]) {
  struct table_text text = {"", 0};
  if (!view_is_there(v, row)) return text;
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
    text.bytes = (size_t)element_text(scratch, v->of->type, view_element(v, row));
  }
  return text;
}

/* ---- ids --------------------------------------------------------------------------------------------- */

/* Whether what is there is a number as text, whatever its value. */
static bool is_whole(const struct view *v) {
  return v->of->kind == TABLE_NUMBERS && v->of->unit == UNIT_NONE && !type_is_float(v->of->type);
}

/* Numbers that were met before are not written again. */
static int intern_numbers(struct interned *to, const struct view *v, bool *fresh, text_added *added,
                          struct batch *b, struct failure *why) {
  struct number_memo memo;
  char scratch[TYPED_SCRATCH];
  const bool whole = is_whole(v);
  memset(&memo, 0, sizeof memo);
  for (size_t row = 0; row < v->rows; row++) {
    uint64_t bits = 0;
    if (view_is_there(v, row)) memcpy(&bits, view_element(v, row), v->size);
    const size_t slot = (size_t)(bits * 0x9e3779b97f4a7c15u >> (64 - MEMO_BITS));
    if (memo.of[slot].set && memo.of[slot].bits == bits && view_is_there(v, row)) {
      to->ids[row] = memo.of[slot].id;
      continue;
    }
    const struct table_text text = view_text(v, row, scratch);
    if (batch_intern(to, row, text.at, text.bytes, fresh, why) != 0) return -1;
    if (*fresh && added && !(whole && view_is_there(v, row))) added(b, text.at, text.bytes);
    if (!view_is_there(v, row)) continue;
    memo.of[slot].bits = bits;
    memo.of[slot].id = to->ids[row];
    memo.of[slot].set = true;
  }
  return 0;
}

/* Texts of a dictionary, by where they lie: of `rows` from `first` on. Returns how many were met before; -1: no
 * memory. */
static int intern_met(struct interned *to, struct memo *memo, const struct table_text *texts,
                      size_t first, size_t rows, text_added *added, struct batch *b,
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
                      size_t rows, text_added *added, struct batch *b, struct failure *why) {
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
                        text_added *added, struct batch *b, struct failure *why) {
  struct table_text texts[TILE];
  size_t met = 0;
  memset(memo, 0, sizeof *memo);
  for (size_t first = 0, rows; first < v->rows; first += rows) {
    rows = v->rows - first < TILE ? v->rows - first : TILE;
    v->table->format->texts(v->table, v->column, v->first + first, rows, texts);
    for (size_t i = 0; i < rows && v->part->valid; i++)
      if (!view_is_there(v, first + i)) texts[i] = (struct table_text){"", 0};
    const bool worth_it = first < TRIED || met > first / 4;
    const int now = worth_it ? intern_met(to, memo, texts, first, rows, added, b, why)
                             : intern_all(to, texts, first, rows, added, b, why);
    if (now < 0) return -1;
    met += (size_t)now;
  }
  return 0;
}

/* Words of a dictionary that is so small that each is looked up once. */
static int intern_words(struct interned *to, const struct view *v, size_t words, text_added *added,
                        struct batch *b, struct failure *why) {
  uint32_t id[WORDS_MOST + 1], places[TILE]; /* the last id is of what is missing */
  for (size_t i = 0; i <= words; i++) id[i] = KEYS_NONE;
  for (size_t first = 0, rows; first < v->rows; first += rows) {
    rows = v->rows - first < TILE ? v->rows - first : TILE;
    (void)v->table->format->places(v->table, v->column, v->first + first, rows, places);
    for (size_t i = 0; i < rows; i++) {
      const bool there = view_is_there(v, first + i);
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

int view_intern(const struct view *v, struct interned *to, text_added *added, struct batch *b,
                struct failure *why) {
  struct memo memo;
  char scratch[TYPED_SCRATCH];
  bool fresh;
  if (v->of->kind == TABLE_NUMBERS) return intern_numbers(to, v, &fresh, added, b, why);
  const size_t words = v->of->kind == TABLE_TEXT ? words_of(v) : 0;
  if (words > 0) return intern_words(to, v, words, added, b, why);
  if (v->of->kind == TABLE_TEXT && v->table->format->texts)
    return intern_texts(to, v, &memo, added, b, why);
  for (size_t row = 0; row < v->rows; row++) {
    const struct table_text text = view_text(v, row, scratch);
    if (batch_intern(to, row, text.at, text.bytes, &fresh, why) != 0) return -1;
    if (fresh && added) added(b, text.at, text.bytes);
  }
  return 0;
}
