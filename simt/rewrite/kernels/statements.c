/* Where statements of a kernel's text end, and what is in them (phases.h). */
#include <string.h>

#include "phases.h"

bool phases_spells(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

bool phases_is_barrier(const struct unit *u, uint32_t i) {
  return (phases_spells(u, i, "__syncthreads") && !unit_is_member(u, i)) ||
         group_synchronised(u, i) != NO_GROUP;
}

bool phases_has_barrier(const struct unit *u, uint32_t from, uint32_t last) {
  for (uint32_t i = from; i <= last; i++)
    if (phases_is_barrier(u, i) || phases_calls_block(u, i)) return true;
  return false;
}

bool phases_has_word(const struct unit *u, uint32_t from, uint32_t last, const char *word) {
  for (uint32_t i = from; i <= last; i++)
    if (phases_spells(u, i, word)) return true;
  return false;
}

uint32_t phases_header_open(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_IF) && is_keyword(u, i + 1, KEYWORD_CONSTEXPR) ? i + 2 : i + 1;
}

/* The last token of the statement that begins at i, NONE where it does not end before `to`. */
uint32_t phases_statement_last(const struct unit *u, uint32_t i, uint32_t to, unsigned depth) {
  enum { DEEPEST = 100 };
  if (i >= to || depth > DEEPEST) return NONE;
  if (is_mark(u, i, '{')) return u->tokens[i].match < to ? u->tokens[i].match : NONE;
  if (is_keyword(u, i, KEYWORD_DO)) {
    const uint32_t body = phases_statement_last(u, i + 1, to, depth + 1);
    if (body == NONE || !is_keyword(u, body + 1, KEYWORD_WHILE)) return NONE;
    const uint32_t close = u->tokens[body + 2].match;
    return is_mark(u, body + 2, '(') && close < to && is_mark(u, close + 1, ';') ? close + 1 : NONE;
  }
  if (is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_FOR) ||
      is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_SWITCH)) {
    const uint32_t open = phases_header_open(u, i), close = u->tokens[open].match;
    if (!is_mark(u, open, '(') || close == NONE || close >= to) return NONE;
    const uint32_t last = phases_statement_last(u, close + 1, to, depth + 1);
    if (last == NONE || !is_keyword(u, i, KEYWORD_IF) || !is_keyword(u, last + 1, KEYWORD_ELSE))
      return last;
    return phases_statement_last(u, last + 2, to, depth + 1);
  }
  for (; i < to && !is_mark(u, i, ';'); i++) {
    const uint32_t match = u->tokens[i].match;
    if (match != NONE && match < i) return NONE;
    if (match != NONE) i = match;
  }
  return i < to ? i : NONE;
}

bool phases_names_numbers(const struct unit *u, uint32_t i) {
  if (!is_keyword(u, i, KEYWORD_ENUM) || !is_mark(u, i + 1, '{')) return false;
  const uint32_t close = u->tokens[i + 1].match;
  for (uint32_t k = i + 2; k < close; k++)
    if (is_name(u, k) && !is_mark(u, k - 1, '{') && !is_mark(u, k - 1, ',')) return false;
  return is_mark(u, close + 1, ';');
}

bool phases_leaves_loop(const struct unit *u, uint32_t i, uint32_t last, bool in_switch) {
  for (; i <= last; i++) {
    if (phases_spells(u, i, "continue") || (!in_switch && phases_spells(u, i, "break")))
      return true;
    const bool switches = is_keyword(u, i, KEYWORD_SWITCH);
    if (!switches && !is_keyword(u, i, KEYWORD_FOR) && !is_keyword(u, i, KEYWORD_WHILE) &&
        !is_keyword(u, i, KEYWORD_DO))
      continue;
    const uint32_t end = phases_statement_last(u, i, last + 1, 0);
    if (end == NONE || (switches && phases_leaves_loop(u, i + 1, end, true))) return true;
    i = end;
  }
  return false;
}

bool phases_has_atomic(const struct unit *u, uint32_t from, uint32_t last) {
  for (uint32_t i = from; i <= last; i++)
    if (is_name(u, i) && u->tokens[i].length > 6 &&
        !memcmp(u->text + u->tokens[i].start, "atomic", 6))
      return true;
  return false;
}

bool phases_is_of_block(const struct unit *u, uint32_t i, uint32_t last) {
  if (phases_names_numbers(u, i)) return true;
  if (is_keyword(u, i, KEYWORD_TYPEDEF) || is_keyword(u, i, KEYWORD_USING) ||
      is_keyword(u, i, KEYWORD_STATIC_ASSERT))
    return true;
  for (uint32_t k = i; k < last && !is_mark(u, k, '='); k++)
    if (is_keyword(u, k, KEYWORD_SHARED)) return true;
  return false;
}
