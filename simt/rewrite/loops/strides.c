/* Loops in which a thread strides over the data: `for (i = tid; i < n; i += blockDim.x * ...)`.
 *
 * Result   a plain kernel that is nothing but such a loop is run round by round, all threads
 *          of a round before the next: SIMT_ROUNDS. In any other such loop a thread rests
 *          after every few steps (simt_step), and a plain kernel becomes a general one
 * Method   a thread that went through its whole loop alone would use one element of each
 *          cache line and leave the rest to its neighbours, long after the line is gone: 30
 *          times slower. Threads of a plain kernel are independent, so the rounds may be
 *          taken in any order between threads. The loop qualifies when nothing but its
 *          variable is carried from one step to the next:
 *            declarations without side effects; for (T i = a; i < b; i += c) statement
 *            declarations without side effects; while (i < b) { ...; i += c; }
 * Limits   what is not recognised stays a loop
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/groups.h"
#include "rewrite/passes.h"
#include "rewrite/strides.h"

/* A function with more loops than this is no author's; looking at each costs its whole length. */
enum { MOST_NAMES = 64, MOST_LOOPS = 200 };

static bool is_plus_assign(const struct unit *u, uint32_t i) {
  const struct token *t = &u->tokens[i];
  return is_mark(u, i, MARK_ASSIGN) && t->length == 2 && u->text[t->start] == '+';
}

static bool spells(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

/* `g.size()` of a block or grid. */
static bool is_group_size(const struct unit *u, uint32_t i) {
  return (spells(u, i, "size") || spells(u, i, "num_threads")) && is_mark(u, i - 1, '.') &&
         is_mark(u, i + 1, '(') && group_at(u, i - 2) != NO_GROUP;
}

/* Every name in [from, to) that the amount goes back to: itself or its first declaration. */
static bool by_block_or_grid(const struct unit *u, const struct declaration *d, uint32_t from,
                             uint32_t to, unsigned depth) {
  for (uint32_t i = from; i < to; i++) {
    if (is_keyword(u, i, KEYWORD_BLOCK_DIM) || is_keyword(u, i, KEYWORD_GRID_DIM)) return true;
    if (is_group_size(u, i)) return true;
    if (!is_name(u, i) || depth == 0) continue;
    for (uint32_t k = d->body + 1; k + 1 < from; k++) {
      if (!is_name(u, k) || u->tokens[k].name != u->tokens[i].name || !is_mark(u, k + 1, '='))
        continue;
      uint32_t stop = k + 2;
      while (stop < from && !is_mark(u, stop, ';') && !is_mark(u, stop, ',')) stop++;
      if (by_block_or_grid(u, d, k + 2, stop, depth - 1)) return true;
    }
  }
  return false;
}

/* The last token of the statement that begins at i; `to` ends what is looked at. */
static uint32_t statement_last(const struct unit *u, uint32_t i, uint32_t to) {
  for (; i < to; i++) {
    if (is_mark(u, i, '{')) return u->tokens[i].match;
    if (is_mark(u, i, ';')) return i;
    if (is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_FOR) ||
        is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_DO) ||
        is_keyword(u, i, KEYWORD_ELSE) || is_keyword(u, i, KEYWORD_SWITCH))
      return NONE;
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return NONE;
}

/* `name += amount` at [from, to): the step. */
static bool is_step(const struct unit *u, struct stride_loop *l, uint32_t from, uint32_t to) {
  if (from + 2 >= to || !is_name(u, from) || !is_plus_assign(u, from + 1)) return false;
  l->step = from + 2;
  l->step_end = to;
  return by_block_or_grid(u, l->d, l->step, to, 2);
}

static bool match_for(const struct unit *u, struct stride_loop *l) {
  uint32_t marks[2] = {NONE, NONE}, n = 0;
  for (uint32_t i = l->open + 1; i < l->close; i++) {
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
    if (is_mark(u, i, ';') && n < 2) marks[n++] = i;
  }
  if (n < 2 || !is_step(u, l, marks[1] + 1, l->close)) return false;
  l->first = marks[0];
  l->second = marks[1];
  l->variable = marks[1] + 1;
  return true;
}

static bool match_while(const struct unit *u, struct stride_loop *l) {
  if (!is_mark(u, l->body, '{')) return false;
  for (uint32_t i = l->body + 1; i < l->end; i++) {
    if (!is_name(u, i) || !is_plus_assign(u, i + 1)) continue;
    uint32_t stop = i;
    while (stop < l->end && !is_mark(u, stop, ';')) stop++;
    bool tested = false;
    for (uint32_t k = l->open + 1; k < l->close; k++)
      tested |= is_name(u, k) && u->tokens[k].name == u->tokens[i].name;
    if (!tested || !is_step(u, l, i, stop)) continue;
    l->variable = i;
    l->first = i;
    l->second = stop;
    return true;
  }
  return false;
}

bool strides_match(const struct unit *u, const struct declaration *d, uint32_t i,
                   struct stride_loop *l) {
  if (!is_keyword(u, i, KEYWORD_FOR) && !is_keyword(u, i, KEYWORD_WHILE)) return false;
  if (!is_mark(u, i + 1, '(') || u->tokens[i + 1].match == NONE) return false;
  *l = (struct stride_loop){.d = d, .word = i, .open = i + 1, .close = u->tokens[i + 1].match};
  l->body = l->close + 1;
  l->end = statement_last(u, l->body, d->end);
  if (l->end == NONE || l->end >= d->end || l->end == l->body) return false;
  return is_keyword(u, i, KEYWORD_FOR) ? match_for(u, l) : match_while(u, l);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

struct name_set {
  uint32_t names[MOST_NAMES];
  size_t count;
  bool full;
};

static bool contains(const struct name_set *s, uint32_t name) {
  for (size_t i = 0; i < s->count; i++)
    if (s->names[i] == name) return true;
  return false;
}

static void add_names(const struct unit *u, struct name_set *s, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (!is_name(u, i) || contains(s, u->tokens[i].name)) continue;
    if (s->count == MOST_NAMES)
      s->full = true;
    else
      s->names[s->count++] = u->tokens[i].name;
  }
}

/* Tokens that could do more than compute a value from names and numbers. */
static bool is_pure(const struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (is_mark(u, i, '[') || is_mark(u, i, '{') || is_mark(u, i, MARK_ARROW) ||
        is_mark(u, i, MARK_ASSIGN) || unit_is_doubled(u, i, '+') || unit_is_doubled(u, i, '-'))
      return false;
    if ((is_mark(u, i, '*') || is_mark(u, i, '&')) && unit_expects_operand(u, i - 1)) return false;
    if (is_name(u, i) && is_mark(u, i + 1, '(') && i + 1 < to) return false;
    if (is_name(u, i) && (u->tokens[i].name == KEYWORD_STATIC || u->tokens[i].name == KEYWORD_IF ||
                          u->tokens[i].name == KEYWORD_RETURN || u->tokens[i].name == KEYWORD_DO ||
                          u->tokens[i].name == KEYWORD_SWITCH || u->tokens[i].name == KEYWORD_GOTO))
      return false;
  }
  return true;
}

/* Nothing in [from, to] changes a name of the set, leaves the loop or may do so unseen. */
static bool carries_nothing(const struct unit *u, const struct name_set *s, uint32_t from,
                            uint32_t to) {
  for (uint32_t i = from; i <= to; i++) {
    const struct token *t = &u->tokens[i];
    if (is_mark(u, i, '[') && unit_expects_operand(u, i - 1)) return false; /* a lambda */
    if (!is_name(u, i)) continue;
    if (t->name == KEYWORD_RETURN || t->name == KEYWORD_GOTO ||
        (t->length == 5 && !memcmp(u->text + t->start, "break", 5)))
      return false;
    if (unit_is_member(u, i)) continue;
    if (contains(s, t->name) && unit_changes_at(u, i)) return false;
    if (is_mark(u, i + 1, '(') && unit_takes_reference(u, i)) return false;
  }
  return true;
}

/* `i < ...` or `i <= ...`, or the other way round; nothing is called there. */
static bool is_bound(const struct unit *u, const struct stride_loop *l, uint32_t from,
                     uint32_t to) {
  bool compared = false;
  for (uint32_t i = from; i < to; i++) {
    if (is_name(u, i) && is_mark(u, i + 1, '(')) return false;
    if (is_mark(u, i, '|') || is_mark(u, i, '&') || is_mark(u, i, '!')) return false;
    compared |= is_mark(u, i, '<') || is_mark(u, i, MARK_COMPARE) || is_mark(u, i, '>');
  }
  return compared && is_name(u, from) && u->tokens[from].name == u->tokens[l->variable].name;
}

static bool is_continue_free(const struct unit *u, const struct stride_loop *l) {
  for (uint32_t i = l->body; i < l->end; i++)
    if (is_name(u, i) && u->tokens[i].length == 8 &&
        !memcmp(u->text + u->tokens[i].start, "continue", 8))
      return false;
  return true;
}

/* The kernel is declarations and this loop, and the loop carries only its variable. */
static bool goes_by_rounds(const struct unit *u, const struct stride_loop *l) {
  const struct declaration *d = l->d;
  const bool is_for = is_keyword(u, l->word, KEYWORD_FOR);
  struct name_set names = {.count = 0};
  if (l->end + 1 != d->end || !is_pure(u, d->body + 1, l->word)) return false;
  if (!is_pure(u, l->step, l->step_end)) return false;
  add_names(u, &names, d->open + 1, d->close);
  add_names(u, &names, d->body + 1, l->word);
  add_names(u, &names, l->variable, l->variable + 1);
  if (names.full) return false;
  if (is_for) {
    const uint32_t before = l->first;
    uint32_t equal = l->open + 1;
    while (equal < before && !is_mark(u, equal, '=')) equal++;
    if (equal == before || equal < l->open + 3 || !is_pure(u, l->open + 1, before)) return false;
    if (u->tokens[equal - 1].name != u->tokens[l->variable].name) return false;
    for (uint32_t i = equal; i < before; i++)
      if (is_mark(u, i, ',')) return false;
    return is_bound(u, l, l->first + 1, l->second) && carries_nothing(u, &names, l->body, l->end);
  }
  if (l->second + 1 != l->end || !is_continue_free(u, l)) return false;
  return is_bound(u, l, l->open + 1, l->close) && carries_nothing(u, &names, l->body, l->first - 1);
}

static void write_rounds(struct unit *u, const struct stride_loop *l) {
  char *step = unit_render(u, l->step, l->step_end), *variable = unit_spelling(u, l->variable);
  if (is_keyword(u, l->word, KEYWORD_FOR)) {
    edit_replace(u, l->word, "{");
    edit_delete(u, l->open);
    edit_after(u, l->first, " %s += static_cast<decltype(%s)>(simt_round * (%s)); if (", variable,
               variable, step);
    edit_replace(u, l->second, ") { simt_more |= 1; do");
    for (uint32_t i = l->second + 1; i <= l->close; i++) edit_delete(u, i);
    edit_after(u, l->end, " while (0); } }");
  } else {
    edit_replace(u, l->word, "%s += static_cast<decltype(%s)>(simt_round * (%s)); if", variable,
                 variable, step);
    edit_after(u, l->close, " { simt_more |= 1; do");
    edit_after(u, l->end, " while (0); }");
  }
  free(step);
  free(variable);
}

/* ---- The pass -------------------------------------------------------------------------------- */

/* Atomics count their own steps. */
static bool has_atomic(const struct unit *u, const struct stride_loop *l) {
  for (uint32_t i = l->body; i <= l->end; i++)
    if (is_name(u, i) && u->tokens[i].length > 6 && is_mark(u, i + 1, '(') &&
        !memcmp(u->text + u->tokens[i].start, "atomic", 6))
      return true;
  return false;
}

/* By a name that a kernel of phases has another meaning for. */
static void insert_rest(struct unit *u, const struct stride_loop *l) {
  if (has_atomic(u, l)) return;
  if (is_mark(u, l->body, '{')) {
    edit_after(u, l->body, " simt_step();");
    return;
  }
  edit_before(u, l->body, "{ simt_step(); ");
  edit_after(u, l->end, " }");
}

void rewrite_strides(struct unit *u) {
  for (uint32_t n = 0; n < u->declaration_count; n++) {
    struct declaration *d = &u->declarations[n];
    if (d->body == NONE || !(d->flags & (IS_GLOBAL | IS_DEVICE))) continue;
    const bool plain = (d->flags & IS_GLOBAL) && !d->waits && !u->all_general;
    unsigned loops = 0;
    for (uint32_t i = d->body + 1; i < d->end && loops < MOST_LOOPS; i++) {
      struct stride_loop l;
      if (is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE)) loops++;
      if (!strides_match(u, d, i, &l)) continue;
      if (plain && goes_by_rounds(u, &l)) {
        d->rounds = true;
        write_rounds(u, &l);
        break;
      }
      if (d->flags & IS_GLOBAL) d->waits = true;
      insert_rest(u, &l);
    }
  }
}
