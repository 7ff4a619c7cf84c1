/* Masks of a warp's functions that name all lanes for certain (phases.h): the number, ~0, -1, and constants
 * that stand for them. */
#include <stdlib.h>
#include <string.h>

#include "phases.h"

static bool is_full_number(const struct unit *u, uint32_t i) {
  if (u->tokens[i].kind != TOKEN_NUMBER) return false;
  char *text = unit_spelling(u, i), *end;
  const unsigned long long value = strtoull(text, &end, 0);
  const bool full = value == 0xffffffff && end[strspn(end, "uUlL")] == 0;
  free(text);
  return full;
}

static bool is_zero_or_one(const struct unit *u, uint32_t i, char digit) {
  const struct token *t = &u->tokens[i];
  const char *text = u->text + t->start;
  return t->kind == TOKEN_NUMBER && text[0] == digit &&
         (t->length == 1 || (t->length == 2 && (text[1] == 'u' || text[1] == 'U')));
}

static bool is_full(struct phases *p, uint32_t from, uint32_t to, unsigned depth);

/* A constant whose initialiser is a full mask. */
static bool is_full_name(struct phases *p, uint32_t i, unsigned depth) {
  const struct unit *u = p->u;
  const struct variable *v = phases_variable(p, i);
  if (v)
    return v->init.to > v->init.from && phases_is_never_changed(p, v) &&
           is_full(p, v->init.from, v->init.to, depth + 1);
  for (uint32_t k = p->d->first; k < p->d->body; k++)
    if (is_name(u, k) && u->tokens[k].name == u->tokens[i].name) return false;
  unsigned found = 0;
  bool full = false;
  for (uint32_t k = 0; k + 2 < u->token_count; k++) {
    if (!is_name(u, k) || u->tokens[k].name != u->tokens[i].name || u->inside[k]) continue;
    if (unit_is_member(u, k) || !is_mark(u, k + 1, '=')) continue;
    uint32_t end = k + 2;
    while (end < k + 8 && !is_mark(u, end, ';') && !is_mark(u, end, ',') && !is_mark(u, end, '}'))
      end++;
    full = is_full(p, k + 2, end, depth + 1) && phases_is_uniform_name(p, i);
    found++;
  }
  return full && found == 1;
}

static bool is_full(struct phases *p, uint32_t from, uint32_t to, unsigned depth) {
  const struct unit *u = p->u;
  enum { DEEPEST = 8 };
  if (depth > DEEPEST || from >= to) return false;
  if (is_mark(u, from, '(') && u->tokens[from].match == to - 1)
    return is_full(p, from + 1, to - 1, depth + 1);
  if (is_mark(u, from, '(') &&
      (phases_spells(u, from + 1, "unsigned") || phases_spells(u, from + 1, "uint32_t")))
    return u->tokens[from].match < to - 1 && u->tokens[from].match <= from + 3 &&
           is_full(p, u->tokens[from].match + 1, to, depth + 1);
  if (to == from + 2)
    return (is_mark(u, from, '~') && is_zero_or_one(u, from + 1, '0')) ||
           (is_mark(u, from, '-') && is_zero_or_one(u, from + 1, '1'));
  if (to != from + 1) return false;
  return is_full_number(u, from) || (is_name(u, from) && is_full_name(p, from, depth));
}

bool phases_is_full_mask(struct phases *p, uint32_t from, uint32_t to) {
  return is_full(p, from, to, 0);
}
