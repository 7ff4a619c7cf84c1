/* Tests with which a plain kernel's threads begin (guards.h).
 *
 * Method   statements from the kernel's first on: declarations of numbers and pointers,
 *          assignments to these, `if (test) return;`, and at the end of the kernel
 *          `if (test) statement`. All are made of numbers, coordinates, parameters and constants
 *          alone, so that to ask twice, or before other threads' work is done, changes nothing
 * Limits   the first statement that is none of these ends it; a test that reads memory or calls a
 *          function is none
 */
#include "guards.h"

#include <stdlib.h>

#include "phases.h"

enum { MOST_LOCALS = 64, MOST_TESTS = 16 };

struct test {
  uint32_t word, open, close; /* if, and the parentheses of its test */
  bool leaves;                /* `if (test) return;` */
};

struct guards {
  struct unit *u;
  const struct declaration *d;
  uint32_t locals[MOST_LOCALS];
  struct test tests[MOST_TESTS];
  size_t local_count, test_count;
};

static bool is_local(const struct guards *g, uint32_t i) {
  for (size_t k = 0; k < g->local_count; k++)
    if (g->locals[k] == g->u->tokens[i].name) return true;
  return false;
}

static bool is_type_word(const struct unit *u, uint32_t i) {
  return phases_is_built_in(u, i) || phases_is_const_word(u, i);
}

/* A parameter that is a number or a pointer, whose operators are the language's. */
static bool is_plain_parameter(const struct guards *g, uint32_t at) {
  const struct unit *u = g->u;
  uint32_t i = at - 1;
  while (is_mark(u, i, '*') || phases_spells(u, i, "__restrict__") ||
         phases_spells(u, i, "__restrict"))
    i--;
  if (i < at - 1 && is_name(u, i)) return true;
  if (!is_type_word(u, i)) return false;
  while (is_type_word(u, i)) i--;
  return i == g->d->open || is_mark(u, i, ',');
}

/* `static_cast<long>(`: of a type of the language. */
static bool is_cast(const struct unit *u, uint32_t i) {
  if (!phases_spells(u, i, "static_cast") || !is_mark(u, i + 1, '<')) return false;
  uint32_t k = i + 2;
  while (is_type_word(u, k)) k++;
  return k > i + 2 && is_mark(u, k, '>') && is_mark(u, k + 1, '(');
}

static bool is_known(const struct guards *g, uint32_t i) {
  const struct unit *u = g->u;
  const bool member = is_mark(u, i + 1, '.') && is_name(u, i + 2);
  if (unit_is_member(u, i)) return is_mark(u, i - 1, '.') && !is_mark(u, i + 1, '(');
  if (is_local(g, i)) return !is_mark(u, i + 1, '(');
  if (is_keyword(u, i, KEYWORD_THREAD_IDX) || is_keyword(u, i, KEYWORD_BLOCK_IDX) ||
      is_keyword(u, i, KEYWORD_BLOCK_DIM) || is_keyword(u, i, KEYWORD_GRID_DIM))
    return member;
  const uint32_t parameter = phases_parameter(u, g->d, u->tokens[i].name);
  if (parameter != NONE)
    return !is_mark(u, i + 1, '(') && (member || is_plain_parameter(g, parameter));
  if (phases_is_known_word(u, i) || is_cast(u, i)) return true;
  return !is_mark(u, i + 1, '(') && !is_mark(u, i + 1, '<') && !is_mark(u, i + 1, MARK_SCOPE) &&
         phases_is_constant(u, g->d, i);
}

/* The expression at [from, to) is a value of known names, and no more. */
static bool is_value(const struct guards *g, uint32_t from, uint32_t to) {
  const struct unit *u = g->u;
  for (uint32_t i = from; i < to; i++) {
    if (is_name(u, i) ? !is_known(g, i) : u->tokens[i].kind == TOKEN_STRING) return false;
    if (is_mark(u, i, '[') || is_mark(u, i, '{') || is_mark(u, i, ';') || is_mark(u, i, '=') ||
        is_mark(u, i, MARK_ASSIGN) || is_mark(u, i, MARK_ARROW) || is_mark(u, i, MARK_SCOPE) ||
        unit_is_doubled(u, i, '+') || unit_is_doubled(u, i, '-'))
      return false;
    /* <<= and >>= */
    if (phases_is_unary(u, i) ||
        (is_mark(u, i, MARK_COMPARE) && (is_mark(u, i - 1, '<') || is_mark(u, i - 1, '>'))))
      return false;
  }
  return from < to;
}

/* The `;` of the statement at i, which has no braces. */
static uint32_t semicolon(const struct guards *g, uint32_t i) {
  const struct unit *u = g->u;
  for (; i < g->d->end && !is_mark(u, i, ';'); i++) {
    if (is_mark(u, i, '{')) return NONE;
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return i < g->d->end ? i : NONE;
}

/* One of `int i = .., *p = .., j;` at [i, end). */
static bool declarator(struct guards *g, uint32_t i, uint32_t end) {
  const struct unit *u = g->u;
  while (is_mark(u, i, '*') || is_keyword(u, i, KEYWORD_CONST)) i++;
  if (i >= end || !is_name(u, i) || (keyword_flags(u->tokens[i].name) & COORDINATE)) return false;
  if (i + 1 < end && (!is_mark(u, i + 1, '=') || !is_value(g, i + 2, end))) return false;
  if (g->local_count == MOST_LOCALS) return false;
  g->locals[g->local_count++] = u->tokens[i].name;
  return true;
}

static bool declaration(struct guards *g, uint32_t i, uint32_t end) {
  const struct unit *u = g->u;
  uint32_t from = i;
  while (is_type_word(u, from) || phases_spells(u, from, "auto")) from++;
  if (from == i) return false;
  for (uint32_t k = from; k <= end; k++) {
    if (k < end && !is_mark(u, k, ',')) {
      if (u->tokens[k].match != NONE && u->tokens[k].match > k) k = u->tokens[k].match;
      continue;
    }
    if (!declarator(g, from, k)) return false;
    from = k + 1;
  }
  return true;
}

static bool assignment(const struct guards *g, uint32_t i, uint32_t end) {
  return is_name(g->u, i) && is_local(g, i) && is_mark(g->u, i + 1, '=') && is_value(g, i + 2, end);
}

/* Behind `return;` or `{ return; }`, or i. */
static uint32_t behind_return(const struct unit *u, uint32_t i) {
  const bool braces = is_mark(u, i, '{');
  const uint32_t word = i + braces;
  if (!is_keyword(u, word, KEYWORD_RETURN) || !is_mark(u, word + 1, ';')) return i;
  if (!braces) return word + 2;
  return is_mark(u, word + 2, '}') ? word + 3 : i;
}

/* The statement at i is the kernel's last: no `else` is behind it. */
static bool is_last(const struct guards *g, uint32_t i) {
  const struct unit *u = g->u;
  while (is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE) ||
         is_keyword(u, i, KEYWORD_IF)) {
    if (!is_mark(u, i + 1, '(') || u->tokens[i + 1].match == NONE) return false;
    i = u->tokens[i + 1].match + 1;
  }
  if (is_mark(u, i, '{')) return u->tokens[i].match + 1 == g->d->end;
  if (is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_SWITCH)) return false;
  const uint32_t end = semicolon(g, i);
  return end != NONE && end + 1 == g->d->end;
}

/* Behind `if (test) return;`; NONE: this test is the last thing that is looked at. */
static uint32_t test(struct guards *g, uint32_t i) {
  const struct unit *u = g->u;
  const uint32_t open = i + 1, close = u->tokens[open].match;
  if (!is_mark(u, open, '(') || close == NONE || g->test_count == MOST_TESTS) return NONE;
  if (!is_value(g, open + 1, close)) return NONE;
  const uint32_t next = behind_return(u, close + 1);
  const bool leaves = next > close + 1 && !is_keyword(u, next, KEYWORD_ELSE);
  if (!leaves && !is_last(g, close + 1)) return NONE;
  g->tests[g->test_count++] = (struct test){i, open, close, leaves};
  return leaves ? next : NONE;
}

static void find(struct guards *g) {
  const struct unit *u = g->u;
  for (uint32_t i = g->d->body + 1; i < g->d->end;) {
    if (is_keyword(u, i, KEYWORD_IF)) {
      i = test(g, i);
      if (i == NONE) return;
      continue;
    }
    const uint32_t end = semicolon(g, i);
    if (end == NONE || !(assignment(g, i, end) || declaration(g, i, end))) return;
    i = end + 1;
  }
}

char *guards_write(struct unit *u, const struct declaration *d) {
  struct guards g = {.u = u, .d = d};
  struct text out = {0};
  find(&g);
  uint32_t from = d->body + 1;
  for (size_t k = 0; k < g.test_count; k++) {
    const struct test *t = &g.tests[k];
    char *before = unit_render(u, from, t->word);
    char *test = unit_render(u, t->open, t->close + 1);
    text_add_format(&out, t->leaves ? "%s if %s return false; " : "%s if (!%s) return false; ",
                    before, test);
    free(before);
    free(test);
    from = t->leaves ? behind_return(u, t->close + 1) : d->end;
    edit_after(u, t->open, t->leaves ? "!simt_inside && (" : "simt_inside || (");
    edit_before(u, t->close, ")");
  }
  if (g.test_count) text_add_string(&out, "return true; ");
  return out.data;
}
