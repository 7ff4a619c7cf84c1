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

bool unit_changes_at(const struct unit *u, uint32_t i) {
  uint32_t next = i + 1;
  while (is_mark(u, next, '.') && is_name(u, next + 1)) next += 2;
  if (is_mark(u, next, '=') || is_mark(u, next, MARK_ASSIGN) || is_shift_assign(u, next))
    return true;
  if (unit_is_doubled(u, next, '+') || unit_is_doubled(u, next, '-')) return true;
  if (i >= 2 && (unit_is_doubled(u, i - 2, '+') || unit_is_doubled(u, i - 2, '-'))) return true;
  return is_mark(u, i - 1, '&') && unit_expects_operand(u, i - 2);
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
