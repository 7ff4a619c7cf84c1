/* Old warp-synchronous code: `s[t] += s[t + 16];` on volatile arrays, without a __syncwarp.
 *
 * Result   s[t] += x becomes simt::in_step(s[t]) += x, at which the lanes meet before and after
 *          they store (lockstep.hpp). `if (c) s[t] += x;` gets an else in which the lanes that
 *          have nothing to store rest as often
 * Method   by name: variables that a device function, or the file, declares volatile, where
 *          an element of them is assigned to. On the GPUs for which such code was written all
 *          lanes of a warp execute a statement together; here each lane would go on alone
 * Limits   only what is spelled as an assignment to an element; names behind typedefs and
 *          members are not seen. Code that synchronises is right with and without this
 */
#include <stdlib.h>

#include "rewrite/passes.h"

enum { VOLATILE_HERE = 1, VOLATILE_EVERYWHERE = 2 };

/* The variable that the declaration with `volatile` at token i introduces, or NONE. */
static uint32_t declared_name(const struct unit *u, uint32_t i) {
  for (i++; !is_end(u, i); i++) {
    if (is_mark(u, i, '<')) {
      i = unit_angle_close(u, i);
      if (i == NONE) return NONE;
    } else if (is_mark(u, i, '(') &&
               (is_keyword(u, i - 1, KEYWORD_ALIGN) || is_keyword(u, i - 1, KEYWORD_ALIGNAS))) {
      i = u->tokens[i].match;
      if (i == NONE) return NONE;
    } else if (!is_name(u, i) && !is_mark(u, i, '*') && !is_mark(u, i, '&') &&
               !is_mark(u, i, MARK_SCOPE)) {
      break;
    }
  }
  const bool ends = is_mark(u, i, '[') || is_mark(u, i, '=') || is_mark(u, i, ',') ||
                    is_mark(u, i, ')') || is_mark(u, i, ';');
  return ends && is_name(u, i - 1) && !is_keyword(u, i - 1, KEYWORD_VOLATILE) ? i - 1 : NONE;
}

/* A shared array of the whole file; parameters of functions are nobody else's. */
static bool is_of_file(const struct unit *u, uint32_t i, uint32_t name) {
  if (u->inside[i] != INSIDE_NONE) return false;
  while (i > 0 && (is_name(u, i - 1) || is_mark(u, i - 1, ')'))) i--;
  for (; i < name; i++) {
    if (is_keyword(u, i, KEYWORD_SHARED)) return true;
  }
  return false;
}

static void note_names(const struct unit *u, uint8_t *is_volatile, uint32_t from, uint32_t to,
                       bool outside) {
  for (uint32_t i = from; i < to; i++) {
    if (!is_keyword(u, i, KEYWORD_VOLATILE)) continue;
    const uint32_t name = declared_name(u, i);
    if (name != NONE && (!outside || is_of_file(u, i, name)))
      is_volatile[u->tokens[name].name] |= outside ? VOLATILE_EVERYWHERE : VOLATILE_HERE;
  }
}

/* The last token of `name[i][j].member` if that is assigned to, or NONE. */
static uint32_t assigned_element(const struct unit *u, const uint8_t *is_volatile, uint32_t i) {
  if (!is_name(u, i) || !is_volatile[u->tokens[i].name] || !is_mark(u, i + 1, '[')) return NONE;
  const bool begins = !is_name(u, i - 1) || is_keyword(u, i - 1, KEYWORD_ELSE) ||
                      is_keyword(u, i - 1, KEYWORD_DO) || is_keyword(u, i - 1, KEYWORD_RETURN);
  if (!begins || unit_is_member(u, i) || is_mark(u, i - 1, '*') || is_mark(u, i - 1, '&') ||
      is_mark(u, i - 1, MARK_SCOPE))
    return NONE;
  uint32_t last = i;
  for (;;) {
    if (is_mark(u, last + 1, '[') && u->tokens[last + 1].match != NONE)
      last = u->tokens[last + 1].match;
    else if (is_mark(u, last + 1, '.') && is_name(u, last + 2))
      last += 2;
    else
      break;
  }
  return is_mark(u, last + 1, '=') || is_mark(u, last + 1, MARK_ASSIGN) ? last : NONE;
}

/* The last token of the expression or block that an `if` with its `)` at `close` controls. */
static uint32_t controlled_last(const struct unit *u, uint32_t close, uint32_t to) {
  uint32_t i = close + 1;
  if (is_mark(u, i, '{')) return u->tokens[i].match;
  for (; i < to && !is_mark(u, i, ';'); i++) {
    if (is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_FOR) ||
        is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_DO) ||
        is_keyword(u, i, KEYWORD_SWITCH))
      return NONE;
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return i < to ? i : NONE;
}

/* How many assignments the `if` at token i controls, 0 if it is none to be balanced: long
 * sequences are controlled by the number of the warp, and all its lanes go through them. */
static unsigned controlled_steps(const struct unit *u, const uint8_t *is_volatile, uint32_t i,
                                 uint32_t to, uint32_t *last) {
  enum { MOST = 2 };
  if (!is_keyword(u, i, KEYWORD_IF) || !is_mark(u, i + 1, '(') || u->tokens[i + 1].match == NONE)
    return 0;
  const uint32_t close = u->tokens[i + 1].match;
  *last = controlled_last(u, close, to);
  if (*last == NONE || *last >= to || is_keyword(u, *last + 1, KEYWORD_ELSE)) return 0;
  unsigned steps = 0;
  for (uint32_t k = close + 1; k < *last; k++) {
    if (is_keyword(u, k, KEYWORD_FOR) || is_keyword(u, k, KEYWORD_WHILE) ||
        is_keyword(u, k, KEYWORD_ELSE) || is_keyword(u, k, KEYWORD_RETURN))
      return 0;
    steps += assigned_element(u, is_volatile, k) != NONE;
  }
  return steps <= MOST ? steps : 0;
}

static void rewrite_body(struct unit *u, const struct declaration *d, const uint8_t *is_volatile) {
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    uint32_t last = NONE;
    const unsigned steps = controlled_steps(u, is_volatile, i, d->end, &last);
    if (steps) edit_after(u, last, " else simt::rest(%u);", 2 * steps);
    last = assigned_element(u, is_volatile, i);
    if (last == NONE) continue;
    edit_before(u, i, "simt::in_step(");
    edit_after(u, last, ")");
  }
}

void rewrite_lockstep(struct unit *u) {
  uint8_t *is_volatile = text_allocate(names_count(u->names) + 1);
  note_names(u, is_volatile, 0, (uint32_t)u->token_count, true);
  for (uint32_t n = 0; n < u->declaration_count; n++) {
    const struct declaration *d = &u->declarations[n];
    if (d->body == NONE || d->open == NONE || !(d->flags & (IS_GLOBAL | IS_DEVICE))) continue;
    note_names(u, is_volatile, d->open, d->end, false);
    rewrite_body(u, d, is_volatile);
    for (uint32_t i = d->open; i < d->end; i++) {
      if (is_name(u, i)) is_volatile[u->tokens[i].name] &= VOLATILE_EVERYWHERE;
    }
  }
  free(is_volatile);
}
