/* Launches: k<<<grid, block>>>(args) becomes (simt::configure(grid, block), k(args)).
 *
 * Method  the callee is found backwards from <<<: names with :: and template arguments,
 *         members, elements, parenthesised expressions; it moves behind the configuration
 */
#include <stdlib.h>

#include "rewrite/passes.h"

enum { LONGEST_LAUNCH = 4096 }; /* tokens from <<< to >>>; bounds hostile text */

/* The > of static_cast<type>(kernel). */
static bool ends_cast(const struct unit *u, uint32_t i) {
  if (!is_mark(u, i, '>')) return false;
  const uint32_t open = unit_angle_open(u, i);
  return open != NONE && open > 0 && is_name(u, open - 1);
}

/* The first token of the primary expression that ends at i, or NONE. */
static uint32_t primary_start(const struct unit *u, uint32_t i) {
  for (unsigned steps = 0; steps < 64; steps++) {
    const struct token *t = &u->tokens[i];
    if (t->kind == TOKEN_NAME) return i;
    if (t->kind != TOKEN_MARK) return NONE;
    if (t->name == '>') {
      i = unit_angle_open(u, i);
      if (i == NONE || i == 0 || !is_name(u, i - 1)) return NONE;
      return i - 1;
    }
    if ((t->name != ')' && t->name != ']') || t->match == NONE) return NONE;
    const bool element = t->name == ']';
    i = t->match;
    if (!i) return element ? NONE : i;
    const bool more = (is_name(u, i - 1) && !is_keyword(u, i - 1, KEYWORD_RETURN)) ||
                      is_mark(u, i - 1, ')') || is_mark(u, i - 1, ']') || ends_cast(u, i - 1);
    if (!element && !more) return i;
    i--;
  }
  return NONE;
}

static uint32_t callee_start(const struct unit *u, uint32_t launch) {
  if (!launch) return NONE;
  uint32_t i = primary_start(u, launch - 1);
  while (i != NONE && i > 0) {
    uint32_t before = i - 1;
    if (is_keyword(u, before, KEYWORD_TEMPLATE) && before) before--;
    if (is_mark(u, before, MARK_SCOPE)) {
      const bool qualified =
          before && ((is_name(u, before - 1) && !is_keyword(u, before - 1, KEYWORD_RETURN) &&
                      !is_keyword(u, before - 1, KEYWORD_ELSE)) ||
                     is_mark(u, before - 1, '>'));
      if (!qualified) return before;
      i = primary_start(u, before - 1);
    } else if (before && (is_mark(u, before, '.') || is_mark(u, before, MARK_ARROW))) {
      i = primary_start(u, before - 1);
    } else {
      return i;
    }
  }
  return i;
}

/* The first > of the >>> that ends the configuration begun at `launch`, or NONE. */
static uint32_t launch_end(const struct unit *u, uint32_t launch) {
  for (uint32_t i = launch + 3; i < u->token_count && i < launch + LONGEST_LAUNCH; i++) {
    const struct token *t = &u->tokens[i];
    if (t->kind == TOKEN_END || is_mark(u, i, ';') || is_mark(u, i, ')') || is_mark(u, i, '}')) {
      return NONE;
    }
    if (is_mark(u, i, '>') && is_mark(u, i + 1, '>') && is_mark(u, i + 2, '>') &&
        !is_mark(u, i + 3, '>')) {
      return i;
    }
    if (t->match != NONE && t->match > i) i = t->match;
  }
  return NONE;
}

/* Two values, or a pack that may hold them: <<<shape...>>>. */
static bool has_comma(const struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (is_mark(u, i, ',') || (is_mark(u, i, '.') && is_mark(u, i + 1, '.'))) return true;
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return false;
}

/* Braced extents have no type of their own: <<<{1, 2}, {64}>>>. */
static void name_braces(struct unit *u, uint32_t from, uint32_t to) {
  bool begins = true;
  for (uint32_t i = from; i < to; i++) {
    if (begins && is_mark(u, i, '{')) edit_before(u, i, "dim3");
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
    begins = is_mark(u, i, ',');
  }
}

static void rewrite_launch(struct unit *u, uint32_t at) {
  const uint32_t start = callee_start(u, at), end = launch_end(u, at);
  if (start == NONE || end == NONE) {
    unit_error(u, at, "this kernel launch has no %s", start == NONE ? "kernel" : "closing >>>");
    return;
  }
  if (!is_mark(u, end + 3, '(') || u->tokens[end + 3].match == NONE) {
    unit_error(u, end, "expected '(' and the kernel's arguments behind >>>");
    return;
  }
  if (!has_comma(u, at + 3, end)) {
    unit_error(u, at, "a launch needs a grid and a block: <<<grid, block>>>");
    return;
  }
  name_braces(u, at + 3, end);
  char *callee = unit_render(u, start, at);
  for (uint32_t i = start; i < at + 3; i++) {
    edit_delete(u, i);
    struct edit *e = &u->edits[u->tokens[i].edit];
    e->after.length = 0;
    if (i > start) e->before.length = 0;
  }
  struct edit *first = &u->edits[u->tokens[start].edit];
  first->before.length = 0;
  edit_before(u, start, "(simt::configure(");
  edit_replace(u, end, "), %s", callee);
  edit_delete(u, end + 1);
  edit_delete(u, end + 2);
  edit_after(u, u->tokens[end + 3].match, ")");
  free(callee);
}

void rewrite_launches(struct unit *u) {
  for (uint32_t i = 0; i + 3 < u->token_count; i++) {
    if (!unit_is_launch(u, i)) continue;
    if (u->errors > MOST_ERRORS) return;
    rewrite_launch(u, i);
    i += 2;
  }
}
