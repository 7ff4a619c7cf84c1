/* Loops without a condition: `for (;;)`, `while (true)`.
 *
 * Result   in a program to be profiled such a loop is left by its condition too, though it never
 *          is: while (simt::always())
 * Method   where a break is the only way out the compiler puts what comes behind the loop in the
 *          break's place, in the middle of it. Lockstep goes by addresses and would take lanes
 *          that have left for lanes that are still inside
 * Limits   conditions that are spelled true or 1, or not at all
 */
#include <string.h>

#include "rewrite/passes.h"

static const char always[] = "::simt::always()";

static bool is_true(const struct unit *u, uint32_t i) {
  const struct token *t = &u->tokens[i];
  const char *text = u->text + t->start;
  return (t->length == 4 && !memcmp(text, "true", 4)) || (t->length == 1 && *text == '1');
}

/* The second semicolon of a for's header, if it follows the first at once; else NONE. */
static uint32_t empty_condition(const struct unit *u, uint32_t open) {
  const uint32_t close = u->tokens[open].match;
  if (close == NONE) return NONE;
  for (uint32_t i = open + 1; i < close; i++) {
    if (is_mark(u, i, ';')) return is_mark(u, i + 1, ';') ? i + 1 : NONE;
    const bool opens = is_mark(u, i, '(') || is_mark(u, i, '[') || is_mark(u, i, '{');
    if (opens && u->tokens[i].match != NONE) i = u->tokens[i].match;
  }
  return NONE;
}

void rewrite_endless(struct unit *u) {
  for (uint32_t i = 1; i + 3 < u->token_count; i++) {
    if (u->inside[i] != INSIDE_DEVICE && u->inside[i] != INSIDE_BOTH) continue;
    if (!is_mark(u, i + 1, '(')) continue;
    if (is_keyword(u, i, KEYWORD_WHILE) && is_true(u, i + 2) && u->tokens[i + 1].match == i + 3) {
      edit_replace(u, i + 2, "%s", always);
    } else if (is_keyword(u, i, KEYWORD_FOR)) {
      const uint32_t second = empty_condition(u, i + 1);
      if (second != NONE) edit_before(u, second, "%s", always);
    }
  }
}
