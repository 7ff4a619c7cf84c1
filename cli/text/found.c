/* found.c - integers beside f64 until the first other number
 *
 * Method  The scanner of a column reads integers only, and so stops at the first thing that is
 *         none; the careful way then comes here. i64 turns to u64 in place, since what was read
 *         so far is not negative; to f64 by a conversion, which rounds as reading would. */
#include "found.h"

#include <string.h>

static const int64_t exact_most = (int64_t)1 << 53;

static bool any_negative(const int64_t *v, size_t n) {
  bool negative = false;
  for (size_t i = 0; i < n; i++) negative |= v[i] < 0;
  return negative;
}

/* Converts n integers; returns whether one was rounded. reals may be the same block. */
static bool to_reals(heddle_type type, const void *integers, void *reals, size_t n) {
  const unsigned char *from = integers;
  unsigned char *to = reals;
  bool rounded = false;
  for (size_t i = 0; i < n; i++, from += 8, to += 8) {
    int64_t v;
    memcpy(&v, from, sizeof v);
    const bool large = type == HEDDLE_U64 && v < 0; /* beyond i64 */
    const double x = large ? (double)(uint64_t)v : (double)v;
    if (large || v > exact_most || v < -exact_most)
      rounded |= large ? x >= 0x1p64 || (uint64_t)x != (uint64_t)v : x >= 0x1p63 || (int64_t)x != v;
    memcpy(to, &x, sizeof x);
  }
  return rounded;
}

static void set_type(struct text_rows *r, size_t k, heddle_type type) {
  r->type[k] = type;
  r->scan[k] = number_found_scanner(type);
  r->checks_rounding[k] = type == HEDDLE_F64;
}

void found_start(struct text_found *f, struct text_rows *r, bool integers) {
  r->rounded = f->rounded;
  for (size_t k = 0; k < r->fields; k++) {
    r->found[k] = true;
    set_type(r, k, integers ? HEDDLE_I64 : HEDDLE_F64);
    f->column[k].negative = f->column[k].left = false;
    f->column[k].whole = 0;
    f->rounded[k] = false;
  }
}

static bool reads(const struct text_rows *r, const struct text_complaint *about, heddle_type type) {
  uint64_t value;
  const size_t bytes = (size_t)(about->end - about->begin);
  return number_parse_styled(&r->style, about->begin, bytes, type, &value, NULL) == NUMBER_OK;
}

bool found_widen(struct text_found *f, struct text_rows *r, const struct text_complaint *about,
                 size_t row) {
  if (!about->number || !r->found[about->index]) return false;
  if (about->begin == about->end && r->no_empty) return false;
  const size_t k = about->index;
  struct found_column *const c = &f->column[k];
  if (r->type[k] == HEDDLE_F64 || !reads(r, about, HEDDLE_F64)) return false;
  const bool negative = c->negative || any_negative((const int64_t *)(void *)r->values[k], row);
  if (r->type[k] == HEDDLE_I64 && !negative && *about->begin != '-' &&
      reads(r, about, HEDDLE_U64)) {
    set_type(r, k, HEDDLE_U64);
    return true;
  }
  c->integers = r->type[k];
  c->left = true;
  c->whole = row;
  memcpy(c->side, r->values[k], row * sizeof(int64_t));
  f->rounded[k] |= to_reals(c->integers, c->side, r->values[k], row);
  set_type(r, k, HEDDLE_F64);
  return true;
}

void found_block(struct text_found *f, struct text_rows *r, size_t rows) {
  for (size_t k = 0; k < r->fields; k++) {
    struct found_column *const c = &f->column[k];
    if (r->type[k] == HEDDLE_F64) {
      if (f->rounded[k]) r->checks_rounding[k] = false; /* known */
      if (!c->left) c->whole = 0;
      c->left = false;
      continue;
    }
    c->integers = r->type[k];
    c->whole = rows;
    if (r->type[k] == HEDDLE_I64 && !c->negative)
      c->negative = any_negative((const int64_t *)(void *)r->values[k], rows);
    f->rounded[k] |= to_reals(c->integers, r->values[k], c->side, rows);
  }
}

void found_get(const struct text_found *f, const struct text_rows *r, struct found_state *state) {
  for (size_t k = 0; k < r->fields; k++) {
    state->type[k] = r->type[k];
    state->negative[k] = f->column[k].negative;
    state->rounded[k] = f->rounded[k];
  }
}

void found_set(struct text_found *f, struct text_rows *r, const struct found_state *state) {
  r->rounded = f->rounded;
  for (size_t k = 0; k < r->fields; k++) {
    struct found_column *const c = &f->column[k];
    r->found[k] = true;
    set_type(r, k, state->type[k]);
    r->checks_rounding[k] = state->type[k] == HEDDLE_F64 && !state->rounded[k];
    c->negative = state->negative[k];
    c->left = false;
    c->whole = 0;
    f->rounded[k] = state->rounded[k];
  }
}

bool found_follow(const struct text_found *f, const struct text_rows *r,
                  const struct found_state *assumed, struct found_state *state) {
  struct found_state behind;
  for (size_t k = 0; k < r->fields; k++) {
    const bool changed = r->type[k] != assumed->type[k];
    if (assumed->type[k] != state->type[k]) return false;
    if (changed && assumed->negative[k] != state->negative[k]) return false;
    behind.type[k] = r->type[k];
    behind.negative[k] = state->negative[k] || f->column[k].negative;
    behind.rounded[k] = state->rounded[k] || f->rounded[k];
  }
  *state = behind;
  return true;
}

const void *found_reals(const struct text_found *f, const struct text_rows *r, size_t k) {
  return r->found[k] && r->type[k] != HEDDLE_F64 ? f->column[k].side : r->values[k];
}

const void *found_integers(const struct text_found *f, const struct text_rows *r, size_t k) {
  if (!r->found[k] || f->column[k].whole == 0) return NULL;
  return r->type[k] != HEDDLE_F64 ? r->values[k] : f->column[k].side;
}
