/* Loops in which a thread waits for another one's write: `while (*flag == 0);`.
 *
 * Result   in a program to be checked such a loop stands in a block with a simt::polls, which
 *          tells the checker that the reads in it are meant to see other threads at work
 * Method   a loop polls if it reads memory, changes nothing but local variables, and none of
 *          these leads from one turn to the next: what is read cannot depend on what was read.
 *          `do { v = *flag; } while (v == 0);` is one, `while (p) p = next[p];` is not
 * Limits   a function that is called in the condition is looked at one level deep
 */
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "rewrite/passes.h"

enum { LONGEST_LOOP = 160, MOST_NAMES = 16 };

struct loop {
  uint32_t first, last;     /* tokens of the statement */
  uint32_t open, close;     /* parentheses of its header */
  uint32_t body, body_last; /* tokens of what is repeated; body > body_last: nothing */
  bool endless;             /* it ends by a break */
};

struct names {
  uint32_t set[MOST_NAMES], changed[MOST_NAMES]; /* by `=`, and by `+=` or `++` */
  size_t set_count, changed_count;
};

static bool begins_with(const struct unit *u, uint32_t i, const char *with) {
  const size_t length = strlen(with);
  const struct token *t = &u->tokens[i];
  return t->length >= length && !memcmp(u->text + t->start, with, length);
}

static bool is_step(const struct unit *u, uint32_t i, char mark) {
  return is_mark(u, i, (uint32_t)mark) && is_mark(u, i + 1, (uint32_t)mark) && is_adjacent(u, i);
}

static bool contains(const uint32_t *all, size_t count, uint32_t name) {
  for (size_t i = 0; i < count; i++) {
    if (all[i] == name) return true;
  }
  return false;
}

/* flag.load(..) of cuda::atomic */
static bool is_member_load(const struct unit *u, uint32_t i) {
  return unit_is_member(u, i) && begins_with(u, i, "load") && u->tokens[i].length == 4;
}

/* What may be called in a loop that polls: it stores nothing, or does so atomically. */
static bool is_quiet_call(const struct unit *u, uint32_t i) {
  static const char *const known[] = {"atomic",      "__ld",         "__nanosleep",
                                      "__syncwarp",  "__activemask", "__threadfence",
                                      "static_cast", "sizeof",       "reinterpret_"};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (begins_with(u, i, known[k])) return true;
  }
  return is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_RETURN) || is_member_load(u, i);
}

/* A local variable stands at i: neither a member nor an element. */
static bool is_local(const struct unit *u, uint32_t i) {
  return is_name(u, i) && !unit_is_member(u, i) && !(is_mark(u, i - 1, '*') && !is_name(u, i - 2));
}

/* Notes what the assignment at token i changes; false: it stores into memory. */
static bool note_assignment(const struct unit *u, uint32_t i, struct names *n) {
  const bool plain = is_mark(u, i, '='), compound = is_mark(u, i, MARK_ASSIGN);
  const bool steps = is_step(u, i, '+') || is_step(u, i, '-');
  if (!plain && !compound && !steps) return true;
  const uint32_t name = steps && !is_name(u, i - 1) ? i + 2 : i - 1;
  if (!is_local(u, name)) return false;
  size_t *count = plain ? &n->set_count : &n->changed_count;
  if (*count == MOST_NAMES) return false;
  (plain ? n->set : n->changed)[(*count)++] = u->tokens[name].name;
  return true;
}

/* [from, to] stores nothing and calls nothing that might. */
static bool only_reads(const struct unit *u, uint32_t from, uint32_t to, struct names *n,
                       bool *reads, unsigned depth) {
  for (uint32_t i = from; i <= to; i++) {
    if (is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE) ||
        is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_SWITCH) ||
        is_keyword(u, i, KEYWORD_ASM) || is_keyword(u, i, KEYWORD_GOTO) ||
        is_keyword(u, i, KEYWORD_ASM2) || is_keyword(u, i, KEYWORD_ASM3))
      return false;
    if (!note_assignment(u, i, n)) return false;
    if (is_step(u, i, '+') || is_step(u, i, '-')) i++;
    *reads |= is_mark(u, i, '*') || is_mark(u, i, '[') || is_mark(u, i, MARK_ARROW) ||
              begins_with(u, i, "atomic") || begins_with(u, i, "__ld") || is_member_load(u, i);
    if (!is_name(u, i) || !is_mark(u, i + 1, '(') || is_quiet_call(u, i)) continue;
    if (!depth) return false;
    bool known = false;
    for (size_t k = 0; k < u->declaration_count; k++) {
      const struct declaration *d = &u->declarations[k];
      if (d->name == NONE || d->body == NONE || d->open == NONE ||
          u->tokens[d->name].name != u->tokens[i].name)
        continue;
      struct names inner = {.set_count = 0};
      if (d->end - d->body > LONGEST_LOOP) return false;
      known = only_reads(u, d->body + 1, d->end - 1, &inner, reads, depth - 1);
      if (!known) return false;
    }
    if (!known) return false;
  }
  return true;
}

/* In [from, to] no value that the loop computes goes into an address or another value. */
static bool is_independent(const struct unit *u, uint32_t from, uint32_t to,
                           const struct names *n) {
  unsigned brackets = 0;
  bool value = false; /* behind the `=` of an assignment */
  for (uint32_t i = from; i <= to; i++) {
    if (is_mark(u, i, '[')) brackets++;
    if (is_mark(u, i, ']') && brackets) brackets--;
    if (is_mark(u, i, '=')) value = true;
    if (is_mark(u, i, ';')) value = false;
    if (!is_name(u, i)) continue;
    const bool address = brackets || is_mark(u, i + 1, '[') || is_mark(u, i + 1, MARK_ARROW) ||
                         (is_mark(u, i - 1, '*') && !is_local(u, i));
    const uint32_t name = u->tokens[i].name;
    if ((value || address) &&
        (contains(n->set, n->set_count, name) || contains(n->changed, n->changed_count, name)))
      return false;
  }
  return true;
}

/* What ends the loop does not count its turns. */
static bool counts(const struct unit *u, uint32_t from, uint32_t to, const struct names *n) {
  for (uint32_t i = from; i <= to; i++) {
    if (is_name(u, i) && contains(n->changed, n->changed_count, u->tokens[i].name)) return true;
  }
  return false;
}

static bool polls(const struct unit *u, const struct loop *l) {
  if (l->last - l->first > LONGEST_LOOP) return false;
  struct names n = {.set_count = 0};
  bool reads = false, leaves = !l->endless;
  if (!only_reads(u, l->open + 1, l->close - 1, &n, &reads, 1)) return false;
  if (l->body <= l->body_last && !only_reads(u, l->body, l->body_last, &n, &reads, 1)) return false;
  for (uint32_t i = l->body; i <= l->body_last; i++) leaves |= begins_with(u, i, "break");
  return reads && leaves && is_independent(u, l->open + 1, l->close - 1, &n) &&
         (l->body > l->body_last || is_independent(u, l->body, l->body_last, &n)) &&
         !counts(u, l->open + 1, l->close - 1, &n);
}

/* The last token of the statement at i, if it is a block or ends at a semicolon. */
static uint32_t statement_last(const struct unit *u, uint32_t i) {
  if (is_mark(u, i, '{')) return u->tokens[i].match;
  for (uint32_t k = i; k < i + LONGEST_LOOP && k < u->token_count; k++) {
    if (is_mark(u, k, ';')) return is_keyword(u, k + 1, KEYWORD_ELSE) ? NONE : k;
    if (is_mark(u, k, '}') || is_end(u, k)) return NONE;
    if (u->tokens[k].match != NONE && u->tokens[k].match > k) k = u->tokens[k].match;
  }
  return NONE;
}

static bool find_header(const struct unit *u, uint32_t word, struct loop *l) {
  if (!is_mark(u, word + 1, '(') || u->tokens[word + 1].match == NONE) return false;
  l->open = word + 1;
  l->close = u->tokens[word + 1].match;
  l->endless = l->close == l->open + 2 || (is_mark(u, l->open + 1, ';') && l->close == l->open + 3);
  return l->close > l->open + 1;
}

/* The loop that begins at token i, while or for or do; false: it has another shape. */
static bool find_loop(const struct unit *u, uint32_t i, struct loop *l) {
  *l = (struct loop){.first = i};
  const bool turned = is_keyword(u, i, KEYWORD_DO);
  if (!turned && !find_header(u, i, l)) return false;
  l->body = turned ? i + 1 : l->close + 1;
  l->body_last = statement_last(u, l->body);
  if (l->body_last == NONE) return false;
  l->last = l->body_last;
  if (turned) {
    if (!is_keyword(u, l->last + 1, KEYWORD_WHILE) || !find_header(u, l->last + 1, l)) return false;
    l->last = l->close + 1;
    if (!is_mark(u, l->last, ';')) return false;
  }
  return true;
}

/* ---- Loops that end by themselves ------------------------------------------------------------ */

static uint32_t next_semicolon(const struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (is_mark(u, i, ';')) return i;
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return NONE;
}

/* A variable of the unit that other threads may write. */
static bool is_shared_by_threads(const struct unit *u, uint32_t name) {
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->flags & (IS_DEVICE | IS_MANAGED | IS_SHARED) && d->open == NONE && d->name != NONE &&
        u->tokens[d->name].name == u->tokens[name].name)
      return true;
  }
  return false;
}

/* The local variables that [from, to] changes; false: it calls something, or stores into memory. */
static bool find_changed(const struct unit *u, uint32_t from, uint32_t to, struct names *n) {
  for (uint32_t i = from; i < to; i++) {
    if (is_name(u, i) && is_mark(u, i + 1, '(')) return false;
    if (!note_assignment(u, i, n)) return false;
    if (is_step(u, i, '+') || is_step(u, i, '-')) i++;
  }
  return true;
}

bool loop_counts(const struct unit *u, uint32_t word) {
  struct loop l;
  struct names n = {.set_count = 0};
  if (!find_header(u, word, &l)) return false;
  uint32_t from = l.open + 1, to = l.close;
  if (is_keyword(u, word, KEYWORD_FOR)) {
    const uint32_t first = next_semicolon(u, from, to);
    to = first == NONE ? NONE : next_semicolon(u, first + 1, to);
    if (to == NONE || !find_changed(u, to + 1, l.close, &n)) return false;
    from = first + 1;
  }
  bool counted = false;
  if (!find_changed(u, from, to, &n)) return false;
  for (uint32_t i = from; i < to; i++) {
    const bool product = is_name(u, i - 1) || is_mark(u, i - 1, ')') || is_mark(u, i - 1, ']') ||
                         u->tokens[i - 1].kind == TOKEN_NUMBER;
    if (is_mark(u, i, '[') || is_mark(u, i, MARK_ARROW) || (is_mark(u, i, '*') && !product))
      return false;
    if (!is_name(u, i)) continue;
    if (is_shared_by_threads(u, i)) return false;
    counted |= contains(n.set, n.set_count, u->tokens[i].name) ||
               contains(n.changed, n.changed_count, u->tokens[i].name);
  }
  return counted;
}

/* ---- The pass -------------------------------------------------------------------------------- */

void rewrite_polling(struct unit *u) {
  uint8_t *is_tail = text_allocate(u->token_count); /* the `while` of a do */
  for (uint32_t i = 1; i + 1 < u->token_count; i++) {
    const bool loops = is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_FOR) ||
                       is_keyword(u, i, KEYWORD_DO);
    if (!loops || is_tail[i] || (u->inside[i] != INSIDE_DEVICE && u->inside[i] != INSIDE_BOTH))
      continue;
    struct loop l;
    if (!find_loop(u, i, &l)) continue;
    if (is_keyword(u, i, KEYWORD_DO)) is_tail[l.body_last + 1] = 1;
    if (!polls(u, &l)) continue;
    edit_before(u, l.first, "{ const simt::polls simt_polling; ");
    edit_after(u, l.last, " }");
  }
  free(is_tail);
}
