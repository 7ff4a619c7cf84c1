/* Which expressions have one value in a warp (phases.h): threadIdx.x / 32 == 0 and its like.
 *
 * Method   the tokens are parsed as an expression, of which each part has a kind: the same for all
 *          lanes; a multiple of 32 besides; or the lane's number and a multiple of 32. Of the last,
 *          a quotient by a multiple of 32 and a comparison with one are the same for all lanes
 * Limits   what is not understood is OTHER. Blocks must have rows of whole warps, or be one row
 *          (SIMT_ROWS); where blockDim.x must be a multiple of 32, that is noted (SIMT_WHOLE)
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"

enum kind { OTHER, UNIFORM, MULTIPLE, LANE };

enum { WARP = 32, MOST_DEPTH = 60 };

struct parser {
  struct phases *p;
  const struct unit *u;
  uint32_t at, to;
  unsigned depth;
  bool failed;
};

static enum kind expression(struct parser *s, unsigned least);

static bool is_same(enum kind k) { return k == UNIFORM || k == MULTIPLE; }

/* ---- Constants ------------------------------------------------------------------------------- */

/* The value of a number of an integer type, or -1. */
static long number_at(const struct unit *u, uint32_t i) {
  if (u->tokens[i].kind != TOKEN_NUMBER) return -1;
  char *text = unit_spelling(u, i), *end;
  const long value = strtol(text, &end, 0);
  const bool whole = end[strspn(end, "uUlL")] == 0 && value >= 0 && value < 1L << 30;
  free(text);
  return whole ? value : -1;
}

/* The number that is the initialiser at [from, to), or -1. */
static long number_in(const struct unit *u, uint32_t from, uint32_t to) {
  return to == from + 1 ? number_at(u, from) : -1;
}

/* `const int N = 32;` of the file, and `N = 32` of an enum. */
static long constant_of_file(const struct phases *p, uint32_t i) {
  const struct unit *u = p->u;
  const uint32_t name = u->tokens[i].name;
  long value = -1;
  unsigned found = 0;
  for (uint32_t k = p->d->first; k < p->d->body; k++)
    if (is_name(u, k) && u->tokens[k].name == name) return -1;
  for (uint32_t k = 1; k + 2 < u->token_count; k++) {
    if (!is_name(u, k) || u->tokens[k].name != name || u->inside[k]) continue;
    if (!is_mark(u, k + 1, '=') || unit_is_member(u, k)) continue;
    if (!is_mark(u, k + 3, ';') && !is_mark(u, k + 3, ',') && !is_mark(u, k + 3, '}')) return -1;
    value = number_at(u, k + 2);
    found++;
  }
  return found == 1 ? value : -1;
}

static long constant(struct phases *p, uint32_t i) {
  const struct unit *u = p->u;
  if (u->tokens[i].kind == TOKEN_NUMBER) return number_at(u, i);
  if (!is_name(u, i)) return -1;
  if (phases_spells(u, i, "warpSize")) return WARP;
  const struct variable *v = phases_variable(p, i);
  if (v)
    return phases_is_never_changed(p, v) && v->dims.to == v->dims.from
               ? number_in(u, v->init.from, v->init.to)
               : -1;
  return phases_is_uniform_name(p, i) ? constant_of_file(p, i) : -1;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_integer(const struct unit *u, const struct variable *v) {
  bool integer = v->stars.to == v->stars.from;
  for (uint32_t i = v->type.from; i < v->type.to; i++)
    integer &= (phases_is_built_in(u, i) || phases_is_const_word(u, i)) &&
               !phases_spells(u, i, "float") && !phases_spells(u, i, "double") &&
               !phases_spells(u, i, "bool");
  return integer;
}

/* Of a variable that stands for its initialiser. */
static enum kind of_variable(struct parser *s, const struct variable *v) {
  const bool stands = v->phase != 0 && v->init.to > v->init.from && !v->is_reference &&
                      v->dims.to == v->dims.from && is_mark(s->u, v->init.from - 1, '=') &&
                      phases_is_never_changed(s->p, v);
  if (!stands) return v->uniform ? UNIFORM : OTHER;
  struct parser inner = {s->p, s->u, v->init.from, v->init.to, s->depth + 1, false};
  if (s->depth > MOST_DEPTH) return OTHER;
  enum kind k = expression(&inner, 0);
  if (inner.failed || inner.at != inner.to) k = OTHER;
  if ((k == LANE || k == MULTIPLE) && !is_integer(s->u, v)) k = k == LANE ? OTHER : UNIFORM;
  return k == OTHER && v->uniform ? UNIFORM : k;
}

static enum kind of_coordinate(struct parser *s, uint32_t i) {
  const struct unit *u = s->u;
  const bool x = phases_spells(u, i + 2, "x");
  s->at = i + 3;
  if (is_keyword(u, i, KEYWORD_THREAD_IDX)) return x ? LANE : UNIFORM;
  if (!is_keyword(u, i, KEYWORD_BLOCK_DIM) || !x) return UNIFORM;
  s->p->whole = true;
  return MULTIPLE;
}

static enum kind call(struct parser *s, uint32_t open) {
  const uint32_t close = s->u->tokens[open].match;
  enum kind all = UNIFORM;
  s->at = open + 1;
  while (s->at < close && !s->failed) {
    if (!is_same(expression(s, 1))) all = OTHER;
    if (s->at < close && !is_mark(s->u, s->at, ',')) s->failed = true;
    if (s->at < close) s->at++;
  }
  s->at = close + 1;
  return all;
}

/* Of a tile that is the warp: its lane, its place in the block, how many they are. */
static enum kind of_tile(struct parser *s, uint32_t i) {
  const bool warp = tile_at(s->u, i) == WARP;
  s->at = i + 5;
  if (tile_is_counted(s->u, i)) return UNIFORM;
  if (!warp) return OTHER;
  return phases_spells(s->u, i + 2, "thread_rank") ? LANE : UNIFORM;
}

static enum kind name(struct parser *s) {
  const struct unit *u = s->u;
  const uint32_t i = s->at;
  if (tile_is_asked(u, i)) return of_tile(s, i);
  const bool coordinate = is_keyword(u, i, KEYWORD_THREAD_IDX) ||
                          is_keyword(u, i, KEYWORD_BLOCK_IDX) ||
                          is_keyword(u, i, KEYWORD_BLOCK_DIM) || is_keyword(u, i, KEYWORD_GRID_DIM);
  if (coordinate && is_mark(u, i + 1, '.') && i + 2 < s->to) return of_coordinate(s, i);
  s->at++;
  if (phases_spells(u, i, "static_cast") && is_mark(u, i + 1, '<')) {
    const uint32_t close = unit_angle_close(u, i + 1);
    if (close == NONE || close != i + 3 || !phases_is_built_in(u, i + 2)) return OTHER;
    s->at = close + 1;
    return expression(s, 100);
  }
  if (is_mark(u, i + 1, '(') && (phases_spells(u, i, "min") || phases_spells(u, i, "max")))
    return call(s, i + 1);
  const struct variable *v = phases_variable(s->p, i);
  const long value = constant(s->p, i);
  if (value > 0 && value % WARP == 0) return MULTIPLE;
  if (v) return of_variable(s, v);
  return phases_is_uniform_name(s->p, i) ? UNIFORM : OTHER;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static bool is_cast(const struct unit *u, uint32_t open) {
  uint32_t i = open + 1;
  while (phases_is_built_in(u, i) || phases_is_const_word(u, i)) i++;
  return i > open + 1 && i == u->tokens[open].match && !phases_spells(u, i - 1, "float") &&
         !phases_spells(u, i - 1, "double") && !phases_spells(u, i - 1, "bool");
}

static enum kind operand(struct parser *s) {
  const struct unit *u = s->u;
  const uint32_t i = s->at;
  if (i >= s->to || s->depth > MOST_DEPTH) return s->failed = true, OTHER;
  if (u->tokens[i].kind == TOKEN_NUMBER || u->tokens[i].kind == TOKEN_CHAR) {
    const long value = number_at(u, i);
    s->at++;
    return value > 0 && value % WARP == 0 ? MULTIPLE : UNIFORM;
  }
  if (is_name(u, i)) return name(s);
  if (is_mark(u, i, '(') && is_cast(u, i)) {
    s->at = u->tokens[i].match + 1;
    return expression(s, 100);
  }
  if (is_mark(u, i, '(')) {
    const uint32_t to = s->to;
    s->at++;
    s->to = u->tokens[i].match;
    const enum kind k = expression(s, 0);
    s->failed |= s->at != s->to;
    s->at = s->to + 1;
    s->to = to;
    return k;
  }
  const bool doubled = unit_is_doubled(u, i, '+') || unit_is_doubled(u, i, '-');
  if (doubled || is_mark(u, i, '-') || is_mark(u, i, '+') || is_mark(u, i, '!') ||
      is_mark(u, i, '~')) {
    s->at += doubled ? 2 : 1;
    return is_same(expression(s, 100)) ? UNIFORM : OTHER;
  }
  return s->failed = true, OTHER;
}

/* The operator at s->at: its precedence, 0 where none is; its tokens. */
static unsigned operator_at(const struct parser *s, unsigned *length) {
  const struct unit *u = s->u;
  const uint32_t i = s->at;
  *length = 1;
  if (i >= s->to || u->tokens[i].kind != TOKEN_MARK) return 0;
  const uint32_t mark = u->tokens[i].name;
  const bool twice = unit_is_doubled(u, i, mark) && i + 1 < s->to;
  if (mark == MARK_ASSIGN || mark == '=') return 1;
  if ((mark == '<' || mark == '>') && is_mark(u, i + 1, MARK_COMPARE) && is_adjacent(u, i))
    return *length = 2, 1; /* <<=, >>= */
  if (mark == '?') return 2;
  if (twice) *length = 2;
  if (mark == '|') return twice ? 3 : 5;
  if (mark == '&') return twice ? 4 : 7;
  if (mark == '^') return 6;
  if (mark == MARK_EQUAL) return 8;
  if (mark == MARK_COMPARE) return 9;
  if (mark == '<' || mark == '>') return twice ? 10 : 9;
  *length = 1;
  if (mark == '+' || mark == '-') return 11;
  if (mark == '*' || mark == '/' || mark == '%') return 12;
  return 0;
}

/* `a op b`, where op is the token at i. */
static enum kind combined(struct parser *s, uint32_t i, unsigned rank, enum kind a, uint32_t right,
                          enum kind b) {
  const struct unit *u = s->u;
  const bool alone = s->at == right + 1; /* b is one token */
  const uint32_t mark = u->tokens[i].name;
  const char first = u->text[u->tokens[i].start];
  if (a == LANE || b == LANE) {
    const long value = alone ? constant(s->p, right) : -1;
    if (mark == '/' && b == MULTIPLE) return value > 0 ? UNIFORM : OTHER;
    if (rank == 10 && first == '>') return value >= 5 && value < 31 ? UNIFORM : OTHER;
    if (mark == '+') return a == MULTIPLE || b == MULTIPLE ? LANE : OTHER;
    if (rank != 9) return OTHER;
    const bool less = mark == '<', not_less = mark == MARK_COMPARE && first == '>';
    const bool more = mark == '>', not_more = mark == MARK_COMPARE && first == '<';
    if (a == LANE && b == MULTIPLE) return less || not_less ? UNIFORM : OTHER;
    if (a == MULTIPLE && b == LANE) return more || not_more ? UNIFORM : OTHER;
    return OTHER;
  }
  if (!is_same(a) || !is_same(b)) return OTHER;
  if (mark == '*') return a == MULTIPLE || b == MULTIPLE ? MULTIPLE : UNIFORM;
  if (mark == '+') return a == MULTIPLE && b == MULTIPLE ? MULTIPLE : UNIFORM;
  return UNIFORM;
}

static enum kind expression(struct parser *s, unsigned least) {
  unsigned length;
  s->depth++;
  enum kind a = operand(s);
  while (!s->failed) {
    const uint32_t i = s->at;
    if (i + 1 < s->to && (unit_is_doubled(s->u, i, '+') || unit_is_doubled(s->u, i, '-')) &&
        (i + 2 >= s->to || is_mark(s->u, i + 2, ')'))) { /* x++ */
      s->at += 2;
      a = is_same(a) ? UNIFORM : OTHER;
      continue;
    }
    const unsigned rank = operator_at(s, &length);
    if (!rank || rank < least) break;
    s->at += length;
    if (rank == 2) {
      const enum kind b = expression(s, 0);
      s->failed |= !is_mark(s->u, s->at, ':');
      s->at++;
      const enum kind c = expression(s, 1);
      a = is_same(a) && is_same(b) && is_same(c) ? UNIFORM : OTHER;
      continue;
    }
    const uint32_t right = s->at;
    const enum kind b = expression(s, rank == 1 ? 1 : rank + 1);
    a = combined(s, i, rank, a, right, b);
  }
  s->depth--;
  return a;
}

/* One expression, or one declaration whose variables are looked at by themselves. */
static bool is_uniform_part(struct phases *p, uint32_t from, uint32_t to) {
  if (from == to) return true;
  if (phases_is_declaration(p->u, from)) {
    for (size_t k = 0; k < p->variable_count; k++) {
      const struct variable *v = &p->variables[k];
      if (v->token >= from && v->token < to && !v->uniform) return false;
    }
    return true;
  }
  struct parser s = {p, p->u, from, to, 0, false};
  bool same = is_same(expression(&s, 0));
  while (same && !s.failed && is_mark(p->u, s.at, ',') && s.at < to) {
    s.at++;
    same = is_same(expression(&s, 0));
  }
  return same && !s.failed && s.at == to;
}

bool phases_is_warp_uniform(struct phases *p, uint32_t from, uint32_t to) {
  const bool whole = p->whole;
  uint32_t begin = from;
  for (uint32_t i = from; i <= to; i++) {
    if (i < to && !is_mark(p->u, i, ';')) continue;
    if (!is_uniform_part(p, begin, i)) {
      p->whole = whole; /* what did not help need not hold */
      return false;
    }
    begin = i + 1;
  }
  return true;
}
