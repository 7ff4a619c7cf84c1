/* Classes that functions return and take by value: `q[i] = a[i] + b[i];` of float4.
 *
 * Result   in an instrumented program q[i] = simt::kept(simt::seen(a[i]) + simt::seen(b[i])): the
 *          compiler puts no call before an access that is part of a function call, so that the
 *          store and the two copies would be missed (instrumented_class.hpp)
 * Method   by shape: what is assigned from an expression with a call or an operator in it; the
 *          operands of operators, and the arguments where every function of that name takes
 *          them by value, that are elements, members or dereferenced pointers, also of casts. What
 *          the unit declares with a builtin type only is a number and left alone
 * Limits   arguments of functions that are members of other classes, of functors and lambdas;
 *          the object itself where a member function is called on it; elements of what a function
 *          returns, and `i[p]`
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/passes.h"

enum { IS_NUMBER = 1, IS_OTHER = 2, IS_BITS = 4 };
enum { LONGEST_EXPRESSION = 400 };

/* A postfix expression: a name, with elements and members of it, and stars in front. */
struct postfix {
  uint32_t from, last;
  uint32_t deciding; /* its last name: the type is that of this one's elements */
  bool reaches;      /* an element, a member, or dereferenced */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool is_builtin(const struct unit *u, uint32_t i) {
  static const char *const all[] = {"int",     "unsigned", "signed",   "long",     "short",
                                    "float",   "double",   "char",     "bool",     "size_t",
                                    "uint8_t", "int32_t",  "uint32_t", "uint64_t", "int64_t",
                                    "uint",    "uchar",    "void",     "clock_t",  "uint16_t"};
  const struct token *t = &u->tokens[i];
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    if (t->length == strlen(all[k]) && !memcmp(u->text + t->start, all[k], t->length)) return true;
  }
  return false;
}

static bool is_between(const struct unit *u, uint32_t i) {
  return is_mark(u, i, '*') || is_mark(u, i, '&') || is_keyword(u, i, KEYWORD_CONST) ||
         is_keyword(u, i, KEYWORD_VOLATILE) ||
         (is_name(u, i) && u->text[u->tokens[i].start] == '_' &&
          u->tokens[i].length > 8); /* __restrict__ */
}

static bool is_no_type(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_RETURN) || is_keyword(u, i, KEYWORD_ELSE) ||
         is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_CASE) ||
         is_keyword(u, i, KEYWORD_GOTO) || is_keyword(u, i, KEYWORD_SIZEOF) ||
         is_keyword(u, i, KEYWORD_DELETE) || is_keyword(u, i, KEYWORD_NEW) ||
         is_keyword(u, i, KEYWORD_THROW);
}

/* What the name at i is declared as there; 0: it is used, not declared. */
static uint8_t declared_type(const struct unit *u, uint32_t i, const uint8_t *variables) {
  uint32_t before = i - 1;
  while (before && is_between(u, before)) before--;
  const bool starred = before != i - 1;
  if (is_mark(u, before, '>') && !starred) return IS_OTHER; /* A<B> x */
  if (!is_name(u, before) || is_no_type(u, before)) return 0;
  if (is_builtin(u, before)) return IS_NUMBER;
  /* a *b is a product where a is a variable */
  return starred && (!variables || variables[u->tokens[before].name]) ? 0 : IS_OTHER;
}

/* `T a : 3, b : 5;`: no reference can be to these. */
static bool is_bit_field(const struct unit *u, uint32_t i, uint8_t type) {
  return is_mark(u, i + 1, ':') && (type || is_mark(u, i - 1, ',')) &&
         (is_mark(u, i + 3, ';') || is_mark(u, i + 3, ','));
}

/* What each name of the unit is declared as. */
static uint8_t *declared_types(const struct unit *u) {
  uint8_t *types = text_allocate(names_count(u->names) + 1);
  for (unsigned round = 0; round < 2; round++) {
    for (uint32_t i = 1; i + 1 < u->token_count; i++) {
      if (!is_name(u, i) || is_between(u, i)) continue;
      const uint8_t type = declared_type(u, i, round ? types : NULL);
      types[u->tokens[i].name] |= is_bit_field(u, i, type) ? type | IS_BITS : type;
    }
  }
  return types;
}

static bool is_number(const struct unit *u, const uint8_t *types, const struct postfix *p) {
  const struct token *t = &u->tokens[p->deciding];
  if (keyword_flags(u->tokens[p->from].name) & COORDINATE) return true;
  const bool component = t->length == 1 && strchr("xyzw", u->text[t->start]);
  const uint8_t type = types[t->name];
  return type == IS_NUMBER || type & IS_BITS || (component && !(type & IS_OTHER));
}

/* ---- Parentheses ----------------------------------------------------------------------------- */

static bool is_spelled(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

/* Where the `reinterpret_cast<T>` begins whose `>` is at i; NONE: it is another one's. */
static uint32_t cast_begin(const struct unit *u, uint32_t i) {
  enum { LONGEST_TYPE = 64 };
  for (uint32_t k = i; k > 1 && i - k < LONGEST_TYPE; k--) {
    if (!is_mark(u, k, '<') || unit_angle_close(u, k) != i) continue;
    const bool is_cast =
        is_spelled(u, k - 1, "reinterpret_cast") || is_spelled(u, k - 1, "static_cast");
    return is_cast ? k - 1 : NONE;
  }
  return NONE;
}

/* The parentheses that close at i belong to a statement, or are a type's. */
static bool is_condition(const struct unit *u, uint32_t i) {
  const uint32_t open = u->tokens[i].match;
  if (open == NONE || !open) return false;
  return is_keyword(u, open - 1, KEYWORD_IF) || is_keyword(u, open - 1, KEYWORD_WHILE) ||
         is_keyword(u, open - 1, KEYWORD_FOR) || is_keyword(u, open - 1, KEYWORD_SWITCH) ||
         is_spelled(u, open - 1, "constexpr");
}

/* Where an expression in parentheses, or a cast, begins that closes at i; NONE: it is a call, or
 * part of a declaration: `T (*p)[4] = ...`. */
static uint32_t group_begin(const struct unit *u, uint32_t i) {
  const uint32_t open = u->tokens[i].match;
  if (open == NONE || !open) return NONE;
  if (is_mark(u, open - 1, '>')) return cast_begin(u, open - 1);
  if (is_name(u, open - 1) && !is_keyword(u, open - 1, KEYWORD_ELSE) &&
      !is_keyword(u, open - 1, KEYWORD_DO))
    return NONE;
  if (is_mark(u, open - 1, ')') && !is_condition(u, open - 1))
    return NONE; /* decltype(x) (*p)[4] */
  const bool declared = is_mark(u, open - 1, ',') && is_mark(u, open + 1, '&'); /* , (&r)[2] = */
  return is_mark(u, open - 1, ']') || declared ? NONE : open;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static bool is_operand_end(const struct unit *u, uint32_t i) {
  const uint8_t kind = u->tokens[i].kind;
  return (kind == TOKEN_NAME && !is_no_type(u, i)) || kind == TOKEN_NUMBER || is_mark(u, i, ')') ||
         is_mark(u, i, ']');
}

/* Elements and members behind p->last; false: that is a call, or a type. */
static bool extend_postfix(const struct unit *u, struct postfix *p) {
  for (uint32_t k = p->last + 1;; k = p->last + 1) {
    if (is_mark(u, k, '[') && u->tokens[k].match != NONE) {
      p->last = u->tokens[k].match;
    } else if ((is_mark(u, k, '.') || is_mark(u, k, MARK_ARROW)) && is_name(u, k + 1)) {
      p->last = p->deciding = k + 1;
    } else {
      break;
    }
    p->reaches = true;
  }
  return !is_mark(u, p->last + 1, '(') && !is_mark(u, p->last + 1, MARK_SCOPE) &&
         !is_mark(u, p->last + 1, '{') && !is_mark(u, p->last + 1, '<');
}

/* The postfix expression that begins at the name i; false: it is a call, or a type. */
static bool find_postfix(const struct unit *u, uint32_t i, struct postfix *p) {
  *p = (struct postfix){.from = i, .last = i, .deciding = i};
  if (!extend_postfix(u, p)) return false;
  while (p->from && is_mark(u, p->from - 1, '*') && !is_operand_end(u, p->from - 2)) {
    p->from--;
    p->reaches = true;
  }
  return true;
}

/* The last token of what begins at i in parentheses or with a cast's word; NONE: nothing does. */
static uint32_t group_last(const struct unit *u, uint32_t i) {
  if (is_spelled(u, i, "reinterpret_cast") || is_spelled(u, i, "static_cast")) {
    const uint32_t close = is_mark(u, i + 1, '<') ? unit_angle_close(u, i + 1) : NONE;
    if (close == NONE) return NONE;
    i = close + 1;
  }
  return is_mark(u, i, '(') ? u->tokens[i].match : NONE;
}

/* `((T *)p)[n]`, `reinterpret_cast<T *>(p)->member`: begins at i */
static bool find_group(const struct unit *u, uint32_t i, struct postfix *p) {
  const uint32_t last = group_last(u, i);
  if (last == NONE || group_begin(u, last) != i) return false;
  *p = (struct postfix){.from = i, .last = last, .deciding = last};
  return (is_mark(u, last + 1, '[') || is_mark(u, last + 1, MARK_ARROW)) && extend_postfix(u, p);
}

/* `*(T *)p`, `*(p + n)`, `*reinterpret_cast<T *>(p)`: begins at the star at i */
static bool find_dereferenced(const struct unit *u, uint32_t i, struct postfix *p) {
  uint32_t k = i + 1, last = NONE;
  if (is_operand_end(u, i - 1)) return false; /* a product */
  for (uint32_t next = group_last(u, k); next != NONE; next = group_last(u, k)) {
    last = next;
    k = last + 1;
  }
  if (last == NONE) return false;
  *p = (struct postfix){.from = i, .last = last, .deciding = last, .reaches = true};
  if (is_mark(u, k, '&')) k++;
  if (!is_name(u, k)) return k == last + 1 && extend_postfix(u, p);
  struct postfix of;
  if (!find_postfix(u, k, &of)) return false;
  p->last = of.last;
  return true;
}

static bool is_operator(const struct unit *u, uint32_t i) {
  const struct token *t = &u->tokens[i];
  return t->kind == TOKEN_MARK &&
         ((t->name < 128 && strchr("+-*/%^|", (int)t->name)) || t->name == MARK_EQUAL);
}

static bool is_step(const struct unit *u, uint32_t i) {
  return (is_mark(u, i, '+') && is_mark(u, i + 1, '+')) ||
         (is_mark(u, i, '-') && is_mark(u, i + 1, '-'));
}

/* `T *a[2]` at the beginning of a statement, or with a value behind it, is no product. */
static bool is_declared(const struct unit *u, const struct postfix *p) {
  uint32_t k = p->from - 1;
  if (!is_mark(u, k, '*')) return false;
  while (k && is_mark(u, k, '*')) k--;
  if (!is_name(u, k) || is_no_type(u, k)) return false;
  if (is_mark(u, p->last + 1, '=')) return true;
  while (k && ((is_name(u, k) && !is_no_type(u, k)) || is_mark(u, k, MARK_SCOPE))) k--;
  return is_mark(u, k, ';') || is_mark(u, k, '{') || is_mark(u, k, '}');
}

/* An operator stands on either side. */
static bool is_operand(const struct unit *u, const struct postfix *p) {
  const uint32_t after = p->last + 1, before = p->from - 1;
  if (is_step(u, after) || (before && is_step(u, before - 1)) || is_mark(u, before, '&') ||
      is_declared(u, p))
    return false;
  return is_operator(u, after) || is_operator(u, before) || is_mark(u, before, MARK_ASSIGN);
}

/* The last token of the expression behind the `=` at i; NONE: it is not to be touched. */
static uint32_t value_last(const struct unit *u, uint32_t i, bool *computed) {
  unsigned choices = 0;
  *computed = false;
  if (is_mark(u, i + 1, '{')) return NONE;
  for (uint32_t k = i + 1; k < i + LONGEST_EXPRESSION; k++) {
    const struct token *t = &u->tokens[k];
    if (t->kind == TOKEN_END || is_keyword(u, k, KEYWORD_THROW)) return NONE;
    if (t->kind != TOKEN_MARK) continue;
    if (t->name == '=' || t->name == MARK_ASSIGN) return NONE;
    if (t->name == ';' || t->name == ',' || t->name == ')' || t->name == ']' || t->name == '}' ||
        (t->name == ':' && !choices))
      return k > i + 1 ? k - 1 : NONE;
    choices += t->name == '?';
    choices -= t->name == ':';
    *computed |= t->name == '(' || (is_operator(u, k) && k > i + 1);
    if (t->name == '<' && is_name(u, k - 1)) {
      const uint32_t close = unit_angle_close(u, k);
      if (close != NONE && (is_mark(u, close + 1, '(') || is_mark(u, close + 1, MARK_SCOPE) ||
                            is_mark(u, close + 1, '{')))
        k = close;
    } else if (t->match != NONE && t->match > k) {
      k = t->match;
    }
  }
  return NONE;
}

/* What the `=` at i assigns to; false: it declares, or is no assignment. A type that a cast gives
 * is not looked at. */
static bool find_assigned(const struct unit *u, uint32_t i, struct postfix *p) {
  uint32_t k = i - 1;
  *p = (struct postfix){.last = k, .deciding = NONE};
  for (;;) {
    if (is_mark(u, k, ']') && u->tokens[k].match != NONE && u->tokens[k].match) {
      k = u->tokens[k].match - 1;
    } else if (is_mark(u, k, ')') && u->tokens[k].match != NONE) {
      if (p->deciding == NONE) p->deciding = k; /* (*p) =, ((T *)p)[i] = */
      const uint32_t begins = group_begin(u, k);
      if (begins == NONE && k != i - 1) return false;
      k = begins == NONE ? u->tokens[k].match : begins;
      break;
    } else if (is_name(u, k) && !is_keyword(u, k, KEYWORD_OPERATOR)) {
      if (p->deciding == NONE) p->deciding = k;
      if (!is_mark(u, k - 1, '.') && !is_mark(u, k - 1, MARK_ARROW)) break;
      k -= 2;
    } else {
      return false;
    }
  }
  while (k && is_mark(u, k - 1, '*')) k--;
  p->from = k;
  uint32_t before = k - 1;
  if (is_mark(u, before, '&') && is_mark(u, before - 1, ')')) { /* *(T *)&a[i] = */
    const uint32_t open = u->tokens[before - 1].match;
    if (open == NONE || !open || !is_mark(u, open - 1, '*')) return false;
    before--;
  }
  if (is_mark(u, before, ')') && !is_condition(u, before)) p->deciding = before; /* *(T *)p = */
  return k && !is_mark(u, before, '&') && !is_mark(u, before, '>') && !is_mark(u, before, '~') &&
         !is_mark(u, before, MARK_SCOPE) &&
         (!is_name(u, before) || is_keyword(u, before, KEYWORD_ELSE) ||
          is_keyword(u, before, KEYWORD_DO));
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Parameter `number` of the function declared as d is passed by value. */
static bool is_by_value(const struct unit *u, const struct declaration *d, unsigned number) {
  unsigned at = 0;
  for (uint32_t i = d->open + 1; i < d->close; i++) {
    if (is_mark(u, i, '<')) {
      const uint32_t close = unit_angle_close(u, i);
      if (close != NONE && close < d->close) i = close;
    } else if (u->tokens[i].match != NONE && u->tokens[i].match > i) {
      i = u->tokens[i].match;
    } else if (is_mark(u, i, ',')) {
      at++;
    } else if (at == number && (is_mark(u, i, '&') || is_mark(u, i, '*'))) {
      return false;
    }
  }
  return at >= number;
}

/* Every function of the name takes its argument by value; ours of CUDA's API do. */
static bool takes_value(const struct unit *u, uint32_t name, unsigned number) {
  const struct token *t = &u->tokens[name];
  bool declared = false;
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->name == NONE || d->open == NONE || u->tokens[d->name].name != t->name) continue;
    if (!is_by_value(u, d, number)) return false;
    declared = true;
  }
  if (declared) return true;
  const char *spelled = u->text + t->start;
  return t->length > 3 &&
         (!memcmp(spelled, "__", 2) || !memcmp(spelled, "cuC", 3) || !memcmp(spelled, "cuc", 3));
}

/* The expression is a whole argument of a call of such a function. */
static bool is_value_argument(const struct unit *u, const struct postfix *p) {
  if (!is_mark(u, p->last + 1, ',') && !is_mark(u, p->last + 1, ')')) return false;
  unsigned number = 0;
  uint32_t k = p->from - 1;
  if (!is_mark(u, k, ',') && !is_mark(u, k, '(')) return false;
  for (uint32_t steps = 0; k && steps < LONGEST_EXPRESSION; k--, steps++) {
    if (is_mark(u, k, ')') || is_mark(u, k, ']') || is_mark(u, k, '}')) {
      if (u->tokens[k].match == NONE) return false;
      k = u->tokens[k].match;
    } else if (is_mark(u, k, ',')) {
      number++;
    } else if (is_mark(u, k, '(')) {
      return is_name(u, k - 1) && takes_value(u, k - 1, number);
    } else if (is_mark(u, k, ';') || is_mark(u, k, '{') || is_mark(u, k, '[')) {
      return false;
    }
  }
  return false;
}

/* ---- The pass -------------------------------------------------------------------------------- */

/* What is read as an object at token i; false: nothing begins there, or a number. */
static bool read_at(const struct unit *u, const uint8_t *types, uint32_t i, struct postfix *p) {
  if (is_mark(u, i, '*')) return find_dereferenced(u, i, p);
  if (unit_is_member(u, i) || is_mark(u, i - 1, MARK_SCOPE)) return false;
  if (!find_group(u, i, p) && !(is_name(u, i) && find_postfix(u, i, p) && p->reaches)) return false;
  return !is_name(u, p->deciding) || !is_number(u, types, p);
}

static void rewrite_assignment(struct unit *u, const uint8_t *types, uint32_t i) {
  struct postfix to;
  bool computed = false;
  if (!find_assigned(u, i, &to)) return;
  const uint32_t last = value_last(u, i, &computed);
  if (last == NONE || !computed || (is_name(u, to.deciding) && is_number(u, types, &to))) return;
  edit_before(u, i + 1, "simt::kept(");
  edit_after(u, last, ")");
}

void rewrite_classes(struct unit *u) {
  uint8_t *types = declared_types(u);
  for (uint32_t i = 2; i + 1 < u->token_count; i++) {
    if (u->inside[i] != INSIDE_DEVICE && u->inside[i] != INSIDE_BOTH) continue;
    if (is_mark(u, i, '=')) rewrite_assignment(u, types, i);
    struct postfix p;
    if (!read_at(u, types, i, &p)) continue;
    if (!is_operand(u, &p) && !is_value_argument(u, &p)) continue;
    edit_before(u, p.from, "simt::seen(");
    edit_after(u, p.last, ")");
  }
  free(types);
}
