/* Finds the functions and variables of the user's text.
 *
 * Result  unit.declarations: namespace and class members, and every lambda marked __device__
 * Method  one pass that knows brackets, template arguments, class bodies and initialisers, and
 *         no types: what has a parameter list and then a brace is a function
 * Limits  the inside of function bodies is not looked at, but for lambdas
 */
#include "unit.h"

enum { DEEPEST_SCOPE = 200 };

struct scope {
  uint32_t to;    /* token behind the last */
  uint32_t flags; /* what every member has */
  uint32_t class; /* name of the class, NONE in a namespace */
  unsigned depth;
};

/* What has been seen of one declaration. */
struct seen {
  struct declaration d;
  uint32_t last_name;
  bool initialiser, members; /* behind `=`; behind the `:` of a constructor */
};

static void find_members(struct unit *u, uint32_t from, const struct scope *s);

static uint32_t skip_to_semicolon(const struct unit *u, uint32_t i, uint32_t to) {
  for (; i < to && !is_mark(u, i, ';'); i++) {
    const uint32_t match = u->tokens[i].match;
    if (match != NONE && match > i) i = match;
    if (is_mark(u, i, '}') && match == NONE) break;
  }
  return i < to ? i + 1 : to;
}

static void add_declaration(struct unit *u, const struct declaration *d) {
  u->declarations =
      array_room(u->declarations, u->declaration_count, &u->declaration_room, sizeof *d);
  u->declarations[u->declaration_count++] = *d;
}

static uint32_t namespace_end(struct unit *u, uint32_t i, const struct scope *s) {
  while (i < s->to && !is_mark(u, i, '{') && !is_mark(u, i, ';') && !is_mark(u, i, '=')) i++;
  if (i >= s->to || !is_mark(u, i, '{') || u->tokens[i].match == NONE) {
    return skip_to_semicolon(u, i, s->to);
  }
  struct scope inner = *s;
  inner.to = u->tokens[i].match;
  inner.depth++;
  find_members(u, i + 1, &inner);
  return u->tokens[i].match + 1;
}

/* Words whose following parentheses are theirs, not a parameter list. */
static bool takes_call(const struct unit *u, uint32_t i) {
  if (!is_name(u, i) || !is_mark(u, i + 1, '(')) return false;
  switch (u->tokens[i].name) {
  case KEYWORD_ATTRIBUTE:
  case KEYWORD_DECLSPEC:
  case KEYWORD_ALIGN:
  case KEYWORD_ALIGNAS:
  case KEYWORD_DECLTYPE:
  case KEYWORD_NOEXCEPT:
  case KEYWORD_ASM:
  case KEYWORD_ASM2:
  case KEYWORD_ASM3:
  case KEYWORD_REQUIRES: return true;
  default: return (keyword_flags(u->tokens[i].name) & DROPPED_CALL) != 0;
  }
}

static uint32_t flag_of_word(uint32_t name) {
  switch (name) {
  case KEYWORD_GLOBAL: return IS_GLOBAL;
  case KEYWORD_DEVICE: return IS_DEVICE;
  case KEYWORD_HOST: return IS_HOST;
  case KEYWORD_CONSTANT: return IS_CONSTANT;
  case KEYWORD_MANAGED: return IS_MANAGED;
  case KEYWORD_SHARED: return IS_SHARED;
  case KEYWORD_STATIC: return IS_STATIC;
  case KEYWORD_EXTERN: return IS_EXTERN;
  case KEYWORD_FORCEINLINE:
  case KEYWORD_INLINE2:
  case KEYWORD_INLINE3:
  case KEYWORD_INLINE: return IS_INLINE;
  case KEYWORD_CONST:
  case KEYWORD_CONSTEXPR: return IS_CONST;
  case KEYWORD_FRIEND: return IS_FRIEND;
  case KEYWORD_TYPEDEF: return IS_TYPEDEF;
  default: return 0;
  }
}

static uint32_t class_name(const struct unit *u, uint32_t key, uint32_t body) {
  for (uint32_t i = key + 1; i < body; i++) {
    if (takes_call(u, i) && u->tokens[i + 1].match != NONE) {
      i = u->tokens[i + 1].match;
    } else if (is_name(u, i)) {
      return u->tokens[i].name;
    }
  }
  return NONE;
}

static uint32_t class_end(struct unit *u, uint32_t key, uint32_t body, uint32_t flags,
                          unsigned depth) {
  const struct scope inner = {.to = u->tokens[body].match,
                              .flags = IS_MEMBER | (flags & IS_TEMPLATE),
                              .class = class_name(u, key, body),
                              .depth = depth + 1};
  find_members(u, body + 1, &inner);
  return u->tokens[body].match + 1;
}

/* From `operator` to the parenthesis of its parameters. */
static uint32_t operator_parameters(const struct unit *u, uint32_t i, uint32_t to) {
  i++;
  if (is_mark(u, i, '(') && is_mark(u, i + 1, ')') && is_mark(u, i + 2, '(')) return i + 2;
  while (i < to && !is_mark(u, i, '(') && !is_mark(u, i, ';') && !is_mark(u, i, '{')) i++;
  return i;
}

/* A parenthesis: the parameters, a declarator `(*name)`, or something passed over. */
static uint32_t parenthesis(struct unit *u, uint32_t i, const struct scope *s, struct seen *seen) {
  const uint32_t close = u->tokens[i].match;
  if (close == NONE || close >= s->to) return i + 1;
  struct declaration *d = &seen->d;
  if (seen->initialiser || seen->members || d->open != NONE) return close + 1;
  if (close == i + 2 && is_name(u, i + 1) && is_mark(u, close + 1, '(')) {
    seen->last_name = i + 1; /* void (name)(int) */
    return close + 1;
  }
  if (is_mark(u, i + 1, '*') || is_mark(u, i + 1, '&')) {
    for (uint32_t k = i + 1; k < close && !is_mark(u, k, '('); k++) {
      if (is_name(u, k)) d->name = k;
    }
    return is_mark(u, close + 1, '(') && u->tokens[close + 1].match != NONE
               ? u->tokens[close + 1].match + 1
               : close + 1;
  }
  if (seen->last_name == NONE) return close + 1;
  d->open = i, d->close = close;
  d->name = seen->last_name;
  const uint32_t before = d->name > d->first ? d->name - 1 : d->name;
  const uint32_t name = u->tokens[d->name].name;
  if (is_mark(u, before, '~') || name == s->class ||
      (is_mark(u, before, MARK_SCOPE) && before > d->first && u->tokens[before - 1].name == name &&
       is_name(u, before - 1))) {
    d->flags |= IS_UNNAMED;
  }
  return close + 1;
}

/* A name inside a declaration: returns the next token to look at. */
static uint32_t word(struct unit *u, uint32_t i, const struct scope *s, struct seen *seen) {
  const uint32_t name = u->tokens[i].name;
  struct declaration *d = &seen->d;
  if (seen->initialiser) return i + 1;
  if (d->open == NONE) d->flags |= flag_of_word(name);
  if (takes_call(u, i)) {
    return u->tokens[i + 1].match == NONE ? i + 2 : u->tokens[i + 1].match + 1;
  }
  if (d->open == NONE &&
      (name == KEYWORD_STRUCT || name == KEYWORD_CLASS || name == KEYWORD_UNION)) {
    const uint32_t body = unit_class_body(u, i);
    if (body != NONE && u->tokens[body].match < s->to) {
      /* `struct A f() {` has parentheses before its brace; a base list has none there. */
      for (uint32_t k = i + 1; k < body; k++) {
        if (takes_call(u, k) && u->tokens[k + 1].match != NONE) {
          k = u->tokens[k + 1].match;
        } else if (is_mark(u, k, '(')) {
          return i + 1;
        }
      }
      return class_end(u, i, body, d->flags, s->depth);
    }
  }
  if (name == KEYWORD_OPERATOR && d->open == NONE) {
    d->flags |= IS_UNNAMED;
    const uint32_t open = operator_parameters(u, i, s->to);
    if (open < s->to && is_mark(u, open, '(') && u->tokens[open].match != NONE) {
      d->name = i, d->open = open, d->close = u->tokens[open].match;
      return d->close + 1;
    }
    return open;
  }
  seen->last_name = i;
  return i + 1;
}

static uint32_t finish(struct unit *u, uint32_t i, struct seen *seen) {
  struct declaration *d = &seen->d;
  if (d->name == NONE) d->name = seen->last_name;
  d->end = i;
  if (d->name != NONE) add_declaration(u, d);
  return i + 1;
}

/* A brace: a function's body ends the declaration, an initialiser does not. */
static bool enter_brace(struct unit *u, uint32_t i, const struct scope *s, struct seen *seen,
                        uint32_t *next) {
  const uint32_t close = u->tokens[i].match;
  if (close == NONE || close >= s->to) {
    *next = s->to;
    return true;
  }
  const bool member =
      seen->members && (is_name(u, i - 1) || is_mark(u, i - 1, '>')) && i > seen->d.close + 1;
  if (seen->d.open == NONE || seen->initialiser || member) {
    if (seen->d.open == NONE && !seen->initialiser && seen->last_name == NONE) {
      *next = close + 1; /* a stray block */
      return true;
    }
    *next = close + 1;
    return false;
  }
  seen->d.body = i, seen->d.end = close;
  add_declaration(u, &seen->d);
  *next = close + 1;
  return true;
}

/* One mark of a declaration; true when the declaration ends before *next. */
static bool pass_mark(struct unit *u, uint32_t i, const struct scope *s, struct seen *seen,
                      uint32_t *next) {
  *next = i + 1;
  switch (u->tokens[i].name) {
  case '(': *next = parenthesis(u, i, s, seen); return false;
  case '[':
    if (u->tokens[i].match != NONE) *next = u->tokens[i].match + 1;
    return false;
  case '<':
    if (!seen->initialiser && i > seen->d.first && is_name(u, i - 1)) {
      const uint32_t close = unit_angle_close(u, i);
      if (close != NONE && close < s->to) *next = close + 1;
    }
    return false;
  case ':': seen->members = seen->d.open != NONE; return false;
  case '=': seen->initialiser = true; return false;
  case '{': return enter_brace(u, i, s, seen, next);
  case ';': *next = finish(u, i, seen); return true;
  case '}': return true;
  default: return false;
  }
}

static uint32_t template_head(struct unit *u, uint32_t i, uint32_t *flags) {
  while (is_keyword(u, i, KEYWORD_TEMPLATE)) {
    *flags |= IS_TEMPLATE;
    if (!is_mark(u, i + 1, '<')) {
      *flags |= IS_SPECIAL;
      return i + 1;
    }
    const uint32_t close = unit_angle_close(u, i + 1);
    if (close == NONE) return i + 1;
    if (close == i + 2) *flags |= IS_SPECIAL;
    i = close + 1;
  }
  return i;
}

static uint32_t declaration(struct unit *u, uint32_t i, const struct scope *s) {
  struct seen seen = {.d = {.first = i,
                            .name = NONE,
                            .open = NONE,
                            .close = NONE,
                            .body = NONE,
                            .end = NONE,
                            .flags = s->flags},
                      .last_name = NONE};
  i = seen.d.head = template_head(u, i, &seen.d.flags);
  if (is_keyword(u, i, KEYWORD_INLINE) && is_keyword(u, i + 1, KEYWORD_NAMESPACE)) i++;
  if (is_keyword(u, i, KEYWORD_NAMESPACE)) return namespace_end(u, i, s);
  if (is_keyword(u, i, KEYWORD_EXTERN) && u->tokens[i + 1].kind == TOKEN_STRING) {
    if (is_mark(u, i + 2, '{')) {
      struct scope linkage = *s;
      linkage.flags |= IS_C_LINKAGE;
      return namespace_end(u, i + 2, &linkage);
    }
    i = seen.d.head = i + 2;
    seen.d.flags |= IS_C_LINKAGE | IS_EXTERN;
  }
  if (is_keyword(u, i, KEYWORD_USING) || is_keyword(u, i, KEYWORD_STATIC_ASSERT) ||
      is_keyword(u, i, KEYWORD_ENUM) || is_keyword(u, i, KEYWORD_CONCEPT)) {
    return skip_to_semicolon(u, i, s->to);
  }
  if ((is_keyword(u, i, KEYWORD_PUBLIC) || is_keyword(u, i, KEYWORD_PRIVATE) ||
       is_keyword(u, i, KEYWORD_PROTECTED)) &&
      is_mark(u, i + 1, ':')) {
    return i + 2;
  }
  while (i < s->to) {
    const uint8_t kind = u->tokens[i].kind;
    if (kind == TOKEN_NAME) {
      i = word(u, i, s, &seen);
    } else if (kind != TOKEN_MARK) {
      i++;
    } else if (pass_mark(u, i, s, &seen, &i)) {
      break;
    }
  }
  return i;
}

static void find_members(struct unit *u, uint32_t from, const struct scope *s) {
  if (s->depth > DEEPEST_SCOPE) return;
  for (uint32_t i = from; i < s->to;) {
    const uint32_t next = declaration(u, i, s);
    i = next > i ? next : i + 1;
  }
}

static void find_lambdas(struct unit *u) {
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    bool marked = false;
    if (!is_mark(u, i, '[')) continue;
    const uint32_t body = unit_lambda_body(u, i, &marked);
    if (body == NONE || !marked) continue;
    add_declaration(u, &(struct declaration){.first = i,
                                             .head = i,
                                             .name = NONE,
                                             .open = NONE,
                                             .close = NONE,
                                             .body = body,
                                             .end = u->tokens[body].match,
                                             .flags = IS_DEVICE | IS_UNNAMED});
  }
}

static void mark_bodies(struct unit *u) {
  u->inside = text_allocate(u->token_count);
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    if (d->body == NONE) continue;
    const bool marked = d->flags & (IS_DEVICE | IS_GLOBAL), host = d->flags & IS_HOST;
    const bool device = marked || (u->device_default && !host);
    const uint8_t kind = !device ? INSIDE_HOST : host ? INSIDE_BOTH : INSIDE_DEVICE;
    for (uint32_t k = d->body; k <= d->end; k++) u->inside[k] = kind;
  }
}

void unit_find_declarations(struct unit *u) {
  const struct scope all = {.to = (uint32_t)u->token_count - 1, .class = NONE};
  find_members(u, 0, &all);
  find_lambdas(u);
  mark_bodies(u);
}
