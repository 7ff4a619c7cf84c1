/* Declarations of variables in a kernel's text (phases.h). What might be one and is not known for
 * certain is none, and then no kernel of phases. */
#include <string.h>

#include "phases.h"

bool phases_is_built_in(const struct unit *u, uint32_t i) {
  static const char *const words[] = {
      "bool",    "char",     "short",    "int",      "long",    "unsigned", "signed",
      "float",   "double",   "size_t",   "int8_t",   "int16_t", "int32_t",  "int64_t",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint",    "ushort",   "uchar"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (phases_spells(u, i, words[k])) return true;
  return false;
}

bool phases_is_const_word(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_CONST) || is_keyword(u, i, KEYWORD_CONSTEXPR) ||
         phases_spells(u, i, "register") || is_keyword(u, i, KEYWORD_TYPENAME);
}

uint32_t phases_type_end(const struct unit *u, uint32_t i) {
  const uint32_t first = i;
  while (phases_is_const_word(u, i)) i++;
  uint32_t named = i;
  if (phases_is_built_in(u, i)) {
    while (phases_is_built_in(u, i) || phases_is_const_word(u, i)) i++;
    return i;
  }
  for (;;) {
    if (!is_name(u, named)) return first;
    i = named + 1;
    if (is_mark(u, i, '<')) {
      const uint32_t close = unit_angle_close(u, i);
      if (close == NONE) return first;
      i = close + 1;
    }
    if (!is_mark(u, i, MARK_SCOPE)) break;
    named = i + 1;
  }
  while (phases_is_const_word(u, i)) i++;
  return i;
}

/* Behind the * and & and const in front of a name. */
static uint32_t stars_end(const struct unit *u, uint32_t i) {
  while (is_mark(u, i, '*') || is_mark(u, i, '&') || is_keyword(u, i, KEYWORD_CONST) ||
         phases_spells(u, i, "__restrict__") || phases_spells(u, i, "__restrict"))
    i++;
  return i;
}

/* Whether a declaration begins at i: a type, and then a name with what may follow one. */
bool phases_is_declaration(const struct unit *u, uint32_t i) {
  static const uint8_t statements[] = {KEYWORD_RETURN, KEYWORD_DELETE, KEYWORD_NEW, KEYWORD_GOTO,
                                       KEYWORD_THROW,  KEYWORD_ELSE,   KEYWORD_CASE};
  for (size_t k = 0; k < sizeof statements; k++)
    if (is_keyword(u, i, statements[k])) return false;
  const uint32_t type = phases_type_end(u, i);
  if (type == i) return false;
  const uint32_t name = stars_end(u, type);
  if (!is_name(u, name)) return false;
  return is_mark(u, name + 1, ';') || is_mark(u, name + 1, '=') || is_mark(u, name + 1, ',') ||
         is_mark(u, name + 1, '[') || is_mark(u, name + 1, '(') || is_mark(u, name + 1, '{');
}

/* Behind an initialiser, at the , or ; that ends it. */
static uint32_t init_end(const struct unit *u, uint32_t i, uint32_t last) {
  for (; i < last && !is_mark(u, i, ','); i++) {
    const uint32_t close =
        is_mark(u, i, '<') && is_name(u, i - 1) ? unit_angle_close(u, i) : u->tokens[i].match;
    if (close != NONE && close > i && close < last) i = close;
  }
  return i;
}

static bool add_variable(struct phases *p, const struct variable *v) {
  if (p->variable_count == MOST_VARIABLES) return false;
  p->variables[p->variable_count++] = *v;
  return true;
}

/* The variables of the declaration at [i, last], last being its `;`. */
void phases_declare(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end) {
  const struct unit *u = p->u;
  const uint32_t type = phases_type_end(u, i);
  bool is_auto = false;
  for (uint32_t k = i; k < type; k++) is_auto |= phases_spells(u, k, "auto");
  for (uint32_t at = type; at < last;) {
    const uint32_t name = stars_end(u, at);
    struct variable v = {
        .type = {i, type}, .stars = {at, name}, .is_auto = is_auto, .uniform = true};
    if (!is_name(u, name)) break;
    v.name = u->tokens[name].name, v.token = name, v.scope_end = scope_end, v.phase = p->phase;
    /* In a scope that the region is but a part of, the block has the place. */
    v.region = p->lanes || scope_end <= p->region_tokens.to ? p->region : 0;
    for (uint32_t k = at; k < name; k++) v.is_reference |= is_mark(u, k, '&');
    uint32_t next = name + 1;
    v.dims.from = next;
    while (is_mark(u, next, '[') && u->tokens[next].match != NONE) next = u->tokens[next].match + 1;
    v.dims.to = next;
    const bool plain = is_mark(u, next, '=');
    const uint32_t from = plain ? next + 1 : next;
    next = init_end(u, from, last);
    v.init = (struct range){from, next};
    /* T x(..), T x{..}: whatever a class makes of it */
    if (v.dims.to > v.dims.from || v.is_reference || (!plain && next > from)) v.uniform = false;
    if (!add_variable(p, &v)) break;
    at = next + 1;
    if (at > last) return;
    if (next == last) return;
  }
  p->failed = true;
}
