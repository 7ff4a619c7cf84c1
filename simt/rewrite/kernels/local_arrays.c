/* Arrays of a thread's own, and its variables without a value, in a program to be checked.
 *
 * Result  `T x[8] = {1};` and `T x;` in device code get a zone on either side that nobody may touch, and
 *         `x` becomes a reference, so that what runs over the end is seen whatever pointer it goes
 *         through, and so is a read of what has not been written (include/simt/local_array.hpp)
 * Method  x keeps its type for all but decltype. What might be no declaration stays as it stands
 * Limits  functions that are constexpr, or have a goto or a decltype; arrays beside a `case`, whose
 *         number of elements their values tell, or whose type is spelled with a class key
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"
#include "rewrite/passes.h"

/* Arrays of so many elements by their brackets: [4][3], and no []. */
static bool has_elements(const struct unit *u, uint32_t name) {
  uint32_t i = name + 1;
  if (!is_mark(u, i, '[')) return false;
  while (is_mark(u, i, '[')) {
    const uint32_t close = u->tokens[i].match;
    if (close == NONE || close == i + 1 || is_mark(u, i + 1, '[')) return false;
    i = close + 1;
  }
  return is_mark(u, i, ';') || is_mark(u, i, ',') || is_mark(u, i, '=') || is_mark(u, i, '{');
}

/* `T x;`, perhaps among others: no array, and no value. */
static bool has_no_value(const struct unit *u, uint32_t name) {
  return is_mark(u, name + 1, ';') || is_mark(u, name + 1, ',');
}

static uint32_t behind_brackets(const struct unit *u, uint32_t i) {
  while (is_mark(u, i, '[')) i = u->tokens[i].match + 1;
  return i;
}

static uint32_t behind_stars(const struct unit *u, uint32_t i) {
  while (is_mark(u, i, '*') || is_keyword(u, i, KEYWORD_CONST)) i++;
  return i;
}

/* The , or ; behind the declarator whose name is at i. */
static uint32_t declarator_end(const struct unit *u, uint32_t i, uint32_t last) {
  for (i++; i < last && !is_mark(u, i, ','); i++) {
    const uint32_t close =
        is_mark(u, i, '<') && is_name(u, i - 1) ? unit_angle_close(u, i) : u->tokens[i].match;
    if (close != NONE && close > i && close < last) i = close;
  }
  return i;
}

/* `T name[4] = {1}` up to the , or ; at `end`. */
static void guard_object(struct unit *u, uint32_t name, uint32_t end) {
  char *x = unit_spelling(u, name);
  const bool array = is_mark(u, name + 1, '[');
  const char *kind = array ? "local_array" : "local_variable";
  const uint32_t value = behind_brackets(u, name + 1);
  edit_replace(u, name, "simt_type_%s", x);
  if (is_mark(u, value, '=')) {
    edit_replace(u, value, "; simt::%s<simt_type_%s> simt_array_%s = {{}, ", kind, x, x);
    edit_before(u, end, ", {}}");
  } else if (value != end) {
    edit_before(u, value, "; simt::%s<simt_type_%s> simt_array_%s = {{}, ", kind, x, x);
    edit_before(u, end, ", {}}");
  } else {
    edit_before(u, end, "; simt::%s<simt_type_%s> simt_array_%s", kind, x, x);
  }
  edit_before(u, end, "; simt_type_%s &%s = simt_array_%s.begin%s()", x, x, x,
              value == end ? "_unwritten" : "");
  free(x);
}

/* The declaration at [i, last], last being its `;`: each declarator becomes one of its own. */
static void guard_declaration(struct unit *u, uint32_t i, uint32_t last) {
  const uint32_t type = phases_type_end(u, i);
  bool any = false;
  for (uint32_t at = type; at < last;) {
    const uint32_t name = behind_stars(u, at);
    const uint32_t edit = u->tokens[name].edit;
    if (!is_name(u, name) || (edit && u->edits[edit].replaced)) return;
    any |= has_elements(u, name) || has_no_value(u, name);
    at = declarator_end(u, name, last) + 1;
  }
  if (!any) return;
  char *spelled = unit_render(u, i, type);
  for (uint32_t at = type; at < last;) {
    const uint32_t name = behind_stars(u, at), end = declarator_end(u, name, last);
    const bool guarded = has_elements(u, name) || has_no_value(u, name);
    if (at == type) {
      if (guarded) edit_before(u, i, "typedef ");
    } else {
      edit_replace(u, at - 1, "; %s%s", guarded ? "typedef " : "", spelled);
      edit_after(u, at - 1, " ");
    }
    if (guarded) guard_object(u, name, end);
    at = end + 1;
  }
  free(spelled);
}

static bool is_plain_type(const struct unit *u, uint32_t i) {
  const uint32_t type = phases_type_end(u, i);
  if (is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_STRUCT) ||
      is_keyword(u, i, KEYWORD_CLASS) || is_keyword(u, i, KEYWORD_UNION) ||
      is_keyword(u, i, KEYWORD_ENUM) || phases_spells(u, i, "using") ||
      phases_spells(u, i, "extern") || phases_spells(u, i, "static") ||
      phases_spells(u, i, "typedef") || phases_spells(u, i, "volatile"))
    return false;
  for (uint32_t k = i; k < type; k++)
    if (is_keyword(u, k, KEYWORD_CONSTEXPR) || phases_spells(u, k, "auto") ||
        phases_spells(u, k, "asm") || phases_spells(u, k, "sizeof"))
      return false;
  return phases_is_declaration(u, i);
}

/* The braces at i are those of a switch: a jump to a case may not pass by what is made there. */
static bool is_switch(const struct unit *u, uint32_t i) {
  if (!i || !is_mark(u, i - 1, ')') || u->tokens[i - 1].match == NONE) return false;
  const uint32_t open = u->tokens[i - 1].match;
  return open && is_keyword(u, open - 1, KEYWORD_SWITCH);
}

static bool begins_statement(const struct unit *u, uint32_t i) {
  return is_mark(u, i - 1, ';') || is_mark(u, i - 1, '{') || is_mark(u, i - 1, '}');
}

/* The statements of the braces at `open` and of those in them. */
static void guard_block(struct unit *u, uint32_t open, unsigned depth) {
  enum { DEEPEST = 100 };
  const uint32_t close = u->tokens[open].match;
  const bool in_switch = is_switch(u, open);
  if (close == NONE || depth > DEEPEST) return;
  for (uint32_t i = open + 1; i < close; i++) {
    const uint32_t members = unit_class_body(u, i);
    if (members != NONE && u->tokens[members].match != NONE) {
      i = u->tokens[members].match;
      continue;
    }
    if (is_mark(u, i, '{') && u->tokens[i].match != NONE) {
      guard_block(u, i, depth + 1);
      i = u->tokens[i].match;
      continue;
    }
    if (in_switch || !begins_statement(u, i) || !is_plain_type(u, i)) continue;
    const uint32_t last = phases_statement_last(u, i, close, 0);
    if (last != NONE) guard_declaration(u, i, last);
  }
}

static bool may_have_guards(const struct unit *u, const struct declaration *d) {
  if (d->body == NONE || d->open == NONE || !(d->flags & (IS_DEVICE | IS_GLOBAL))) return false;
  for (uint32_t i = d->first; i < d->body; i++)
    if (is_keyword(u, i, KEYWORD_CONSTEXPR)) return false;
  return !phases_has_word(u, d->body, d->end, "goto") &&
         !phases_has_word(u, d->body, d->end, "decltype");
}

void rewrite_local_arrays(struct unit *u) {
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (may_have_guards(u, d)) guard_block(u, d->body, 0);
  }
}
