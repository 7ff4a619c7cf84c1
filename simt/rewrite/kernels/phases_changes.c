/* Which names of a kernel's text may be changed where they stand (phases.h): what is assigned to, referred
 * to, given to a function by reference, or called a method of. */
#include <string.h>

#include "phases.h"

static void mark_names(struct phases *p, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && i < p->d->end; i++)
    if (is_name(p->u, i)) p->changes[i - p->d->open] = 1;
}

static bool is_declared(const struct unit *u, uint32_t name) {
  for (uint32_t k = 0; k < u->declaration_count; k++)
    if (u->declarations[k].name != NONE && u->tokens[u->declarations[k].name].name == name)
      return true;
  return false;
}

/* A call may change what it is given by reference: of a function that is known to take something so,
 * or of a library's. */
static bool may_change_arguments(const struct unit *u, uint32_t call) {
  const struct token *t = &u->tokens[call];
  for (uint32_t k = 0; k + 4 <= t->length; k++)
    if (!memcmp(u->text + t->start + k, "swap", 4)) return true;
  if (is_mark(u, call - 1, MARK_SCOPE) && !is_declared(u, t->name)) return true;
  return unit_takes_reference(u, call);
}

/* One of the functions of this name takes its argument of this number by reference, or has no
 * parameter for it. */
static bool refers(const struct unit *u, uint32_t call, unsigned number) {
  struct range type;
  for (uint32_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->name == NONE || d->open == NONE || u->tokens[d->name].name != u->tokens[call].name)
      continue;
    const uint32_t name = helper_parameter(u, d, number, &type);
    if (name == NONE) return true;
    for (uint32_t i = type.from; i <= name; i++)
      if (is_mark(u, i, '&') || is_mark(u, i, '.')) return true;
  }
  return false;
}

/* The arguments of a function of this text, between its brackets. */
static void mark_referred_arguments(struct phases *p, uint32_t call, uint32_t open) {
  const uint32_t close = p->u->tokens[open].match;
  unsigned number = 0;
  for (uint32_t i = open + 1; i < close; number++) {
    const uint32_t end = phases_argument_end(p->u, i, close);
    if (refers(p->u, call, number)) mark_names(p, i, end);
    i = end + 1;
  }
}

static void mark_arguments(struct phases *p, uint32_t call) {
  const struct unit *u = p->u;
  uint32_t open = call + 1;
  if (is_mark(u, open, '<')) {
    const uint32_t close = unit_angle_close(u, open);
    if (close == NONE) return;
    open = close + 1;
  }
  if (!is_mark(u, open, '(') || u->tokens[open].match == NONE) return;
  if (!may_change_arguments(u, call)) return;
  if (is_declared(u, u->tokens[call].name))
    mark_referred_arguments(p, call, open);
  else
    mark_names(p, open + 1, u->tokens[open].match);
}

/* `T &r = ..;`, whatever is done by it later; and a cast to a reference. */
static void mark_referred(struct phases *p, uint32_t i) {
  const struct unit *u = p->u;
  if (is_mark(u, i + 1, '>') || is_mark(u, i + 1, ')')) p->failed = true;
  const bool typed = is_name(u, i - 1) || is_mark(u, i - 1, '>');
  const bool named = is_name(u, i + 1) &&
                     (is_mark(u, i + 2, '=') || is_mark(u, i + 2, '{') || is_mark(u, i + 2, ':') ||
                      (is_mark(u, i + 2, '(') &&
                       (phases_is_built_in(u, i - 1) || phases_spells(u, i - 1, "auto"))));
  uint32_t end = i + 2;
  while (end < p->d->end && !is_mark(u, end, ';')) end++;
  if (typed && named) mark_names(p, i + 3, end);
}

/* `x.f(..)` may change x. */
static bool has_method_called(const struct unit *u, uint32_t i) {
  uint32_t next = i + 1;
  while (is_mark(u, next, '.') && is_name(u, next + 1)) next += 2;
  return next > i + 1 && is_mark(u, next, '(');
}

/* && is no address taken. */
static bool is_changed(const struct unit *u, uint32_t i) {
  if (!unit_changes_at(u, i)) return false;
  if (!is_mark(u, i - 1, '&') || !unit_is_doubled(u, i - 2, '&')) return true;
  uint32_t next = i + 1;
  while (is_mark(u, next, '.') && is_name(u, next + 1)) next += 2;
  return !is_mark(u, next, ')') && !is_mark(u, next, '&') && !is_mark(u, next, '|');
}

void phases_find_changes(struct phases *p) {
  const struct unit *u = p->u;
  for (uint32_t i = p->d->body + 1; i < p->d->end; i++) {
    if (is_mark(u, i, '&')) mark_referred(p, i);
    if (!is_name(u, i) || unit_is_member(u, i)) continue;
    if (is_changed(u, i) || has_method_called(u, i)) p->changes[i - p->d->open] = 1;
    mark_arguments(p, i);
  }
}
