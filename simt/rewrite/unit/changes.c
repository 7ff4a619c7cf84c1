/* What an expression does to a name, as far as its tokens tell. */
#include "unit.h"

bool unit_expects_operand(const struct unit *u, uint32_t before) {
  return !is_name(u, before) && u->tokens[before].kind != TOKEN_NUMBER &&
         !is_mark(u, before, ')') && !is_mark(u, before, ']');
}

bool unit_is_doubled(const struct unit *u, uint32_t i, uint32_t mark) {
  return is_mark(u, i, mark) && is_mark(u, i + 1, mark) && is_adjacent(u, i);
}

/* <<= and >>=, of which the second half is a mark of two bytes. */
static bool is_shift_assign(const struct unit *u, uint32_t i) {
  return (is_mark(u, i, '<') || is_mark(u, i, '>')) && is_mark(u, i + 1, MARK_COMPARE) &&
         is_adjacent(u, i) && u->text[u->tokens[i].start] == u->text[u->tokens[i + 1].start];
}

bool unit_assigns_at(const struct unit *u, uint32_t i) {
  return is_mark(u, i, '=') || is_mark(u, i, MARK_ASSIGN) || is_shift_assign(u, i) ||
         unit_is_doubled(u, i, '+') || unit_is_doubled(u, i, '-');
}

/* A member of some class, declared as an array. */
static bool is_array_member(const struct unit *u, uint32_t name) {
  for (uint32_t i = 1; i + 1 < u->token_count; i++)
    if (is_name(u, i) && u->tokens[i].name == name && is_mark(u, i + 1, '[') && !u->inside[i] &&
        !unit_is_member(u, i))
      return true;
  return false;
}

/* `a.b[i] = ..` changes a where b is an array in it. */
static bool changes_element(const struct unit *u, uint32_t i) {
  uint32_t next = i + 1;
  bool index = false, inner = false;
  for (;;) {
    const bool member = is_mark(u, next, '.') && is_name(u, next + 1);
    if (!member && !(is_mark(u, next, '[') && u->tokens[next].match != NONE && next > i + 1)) break;
    index |= !member;
    next = member ? next + 2 : u->tokens[next].match + 1;
  }
  if (!index || !unit_assigns_at(u, next)) return false;
  for (uint32_t k = i + 2; k < next; k = is_mark(u, k, '[') ? u->tokens[k].match + 1 : k + 1)
    inner |= is_name(u, k) && is_mark(u, k + 1, '[') && is_array_member(u, u->tokens[k].name);
  return inner;
}

/* `(a)`: neither what a function is given nor a header. */
static bool stands_in_brackets(const struct unit *u, uint32_t first, uint32_t next) {
  if (!is_mark(u, first - 1, '(') || u->tokens[first - 1].match != next || first < 2) return false;
  return !is_name(u, first - 2) || is_keyword(u, first - 2, KEYWORD_RETURN) ||
         is_keyword(u, first - 2, KEYWORD_ELSE) || is_keyword(u, first - 2, KEYWORD_DO);
}

bool unit_changes_at(const struct unit *u, uint32_t i) {
  uint32_t first = i, next = i + 1;
  while (is_mark(u, next, '.') && is_name(u, next + 1)) next += 2;
  while (stands_in_brackets(u, first, next)) first--, next++;
  if (unit_assigns_at(u, next) || changes_element(u, i)) return true;
  if (first >= 2 && (unit_is_doubled(u, first - 2, '+') || unit_is_doubled(u, first - 2, '-')))
    return true;
  return is_mark(u, first - 1, '&') && unit_expects_operand(u, first - 2);
}

bool unit_takes_reference(const struct unit *u, uint32_t call) {
  for (uint32_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->name == NONE || d->open == NONE || u->tokens[d->name].name != u->tokens[call].name)
      continue;
    for (uint32_t i = d->open; i < d->close; i++)
      if (is_mark(u, i, '&')) return true;
  }
  return false;
}
