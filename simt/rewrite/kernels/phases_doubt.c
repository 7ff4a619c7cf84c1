/* What may change a variable of a kernel of phases unseen, or keep its address (phases.h).
 *
 * Result   phases_doubt: p->changes of the names behind brackets, in asm, of what constructors,
 *          methods and objects that are called may take by reference; phases_escapes: p->failed
 *          where a pointer to what moves from phase to phase outlives its own
 * Limits   errs towards changes, which cost time and never a result
 */
#include <string.h>

#include "phases.h"

/* ---- Changes --------------------------------------------------------------------------------- */

/* Not those with an index: what is changed there is memory, or an array, which is no value of the block. */
static void mark(struct phases *p, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && i < p->d->end; i++) {
    if (is_mark(p->u, i, '[') && p->u->tokens[i].match < to) i = p->u->tokens[i].match;
    if (is_name(p->u, i) && !unit_is_member(p->u, i) && !is_mark(p->u, i + 1, '['))
      p->changes[i - p->d->open] = 1;
  }
}

static bool has_header(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_FOR) ||
         is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_SWITCH) ||
         is_keyword(u, i, KEYWORD_CONSTEXPR);
}

/* `(a) = ..`, `(c ? a : b)++`, `++(a)`, `&(a)`. */
static void mark_bracketed(struct phases *p, uint32_t open) {
  const struct unit *u = p->u;
  const uint32_t close = u->tokens[open].match;
  if (close == NONE) return;
  const bool before =
      open >= 2 && (unit_is_doubled(u, open - 2, '+') || unit_is_doubled(u, open - 2, '-') ||
                    (is_mark(u, open - 1, '&') && !is_mark(u, open - 2, '&') &&
                     (unit_expects_operand(u, open - 2) || is_mark(u, open - 2, ')'))));
  if (before || (unit_assigns_at(u, close + 1) && !has_header(u, open - 1)))
    mark(p, open + 1, close);
}

/* A word of a type that has no constructor of its own. */
static bool is_plain_word(const struct unit *u, uint32_t i) {
  static const char *const vectors[] = {
      "float1", "float2", "float3", "float4", "int2",    "int3",    "int4",    "uint2",  "uint3",
      "uint4",  "dim3",   "char4",  "uchar4", "double2", "double3", "double4", "short2", "ushort2"};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    if (phases_spells(u, i, vectors[k])) return true;
  return phases_is_built_in(u, i) || phases_is_const_word(u, i);
}

static bool is_plain_type(const struct phases *p, const struct variable *v) {
  for (uint32_t i = v->type.from; i < v->type.to; i++)
    if (!is_plain_word(p->u, i)) return false;
  return true;
}

/* What an object of a class is made of; without anything its constructor may make it of coordinates. */
static void doubt_variable(struct phases *p, struct variable *v) {
  if (v->type.to == 0 || v->stars.to > v->stars.from || is_plain_type(p, v)) return;
  const bool nothing = v->init.to <= v->init.from;
  if (nothing) v->uniform = false;
  if (nothing || (is_mark(p->u, v->init.from - 1, '=') && !is_mark(p->u, v->init.from, '{')))
    return;
  mark(p, v->init.from, v->init.to);
}

/* A parameter that is neither a pointer nor an array. */
static bool is_value_parameter(const struct phases *p, uint32_t name) {
  const struct unit *u = p->u;
  for (uint32_t i = p->d->open + 1; i < p->d->close; i++) {
    if (!is_name(u, i) || u->tokens[i].name != name) continue;
    if (!is_mark(u, i + 1, ',') && !is_mark(u, i + 1, ')') && !is_mark(u, i + 1, '=')) continue;
    uint32_t k = i - 1;
    while (k > p->d->open && !is_mark(u, k, ',') && !is_mark(u, k, '*') && !is_mark(u, k, '&')) k--;
    return k == p->d->open || is_mark(u, k, ',');
  }
  return false;
}

/* `x[i]`, `x(i)` and `x << i` are functions of a class, and may change x. */
static void mark_operator(struct phases *p, uint32_t i) {
  const struct unit *u = p->u;
  const bool index = is_mark(u, i + 1, '[');
  const struct variable *v = phases_variable(p, i);
  if (v) {
    const bool of_class = v->type.to != 0 && v->stars.to == v->stars.from &&
                          v->dims.to == v->dims.from && !is_plain_type(p, v);
    const bool shift = unit_is_doubled(u, i + 1, '<') || unit_is_doubled(u, i + 1, '>');
    if (of_class && v->token != i && (index || shift || is_mark(u, i + 1, '(')))
      p->changes[i - p->d->open] = 1;
  } else {
    const bool changes = is_mark(u, i + 1, '(') || (index && u->tokens[i + 1].match != NONE &&
                                                    unit_assigns_at(u, u->tokens[i + 1].match + 1));
    if (changes && is_value_parameter(p, u->tokens[i].name)) p->changes[i - p->d->open] = 1;
  }
}

/* A lambda, or another object, that is called. */
static bool is_object(struct phases *p, uint32_t i) {
  if (phases_variable(p, i)) return true;
  for (uint32_t k = p->d->open + 1; k < p->d->close; k++)
    if (is_name(p->u, k) && p->u->tokens[k].name == p->u->tokens[i].name &&
        (is_mark(p->u, k + 1, ',') || is_mark(p->u, k + 1, ')')))
      return true;
  return false;
}

/* The call whose ( is at open is not by a function's name: `f()(x)`, `(*f)(x)`, `table[i](x)`, `[&]{}(x)`. */
static bool is_called_value(const struct unit *u, uint32_t open) {
  const uint32_t match = u->tokens[open - 1].match;
  if (is_mark(u, open - 1, '}')) return true;
  if (match == NONE || match == 0) return false;
  if (is_mark(u, open - 1, ']')) return is_name(u, match - 1);
  if (!is_mark(u, open - 1, ')')) return false;
  return match + 1 == open - 1 || is_mark(u, match + 1, '*') ||
         (is_name(u, match - 1) && !has_header(u, match - 1));
}

static void doubt_call(struct phases *p, uint32_t open) {
  const struct unit *u = p->u;
  const uint32_t close = u->tokens[open].match;
  if (close == NONE) return;
  bool changes = is_called_value(u, open);
  if (is_name(u, open - 1)) {
    const struct variable *v = phases_variable(p, open - 1);
    if (v && v->token == open - 1) return; /* T x(..) */
    changes =
        unit_is_member(u, open - 1) ? unit_takes_reference(u, open - 1) : is_object(p, open - 1);
  }
  if (changes) mark(p, open + 1, close);
}

static bool is_asm(const struct unit *u, uint32_t i) {
  return phases_spells(u, i, "asm") || phases_spells(u, i, "__asm__") ||
         phases_spells(u, i, "__asm");
}

/* `T{a}`, `T x{a}`, `T x = {a}`: of a class, which may keep a reference. */
static void doubt_braces(struct phases *p, uint32_t open) {
  const struct unit *u = p->u;
  if (is_keyword(u, open - 1, KEYWORD_ELSE) || is_keyword(u, open - 1, KEYWORD_DO)) return;
  uint32_t type = open - 1;
  if (is_mark(u, type, '=') && is_name(u, open - 2)) type = open - 3;
  if (is_name(u, type) && is_name(u, type - 1)) type--;
  const bool typed = is_name(u, type) || is_mark(u, type, '>');
  if (typed && !is_plain_word(u, type)) mark(p, open + 1, u->tokens[open].match);
}

void phases_doubt(struct phases *p) {
  const struct unit *u = p->u;
  for (size_t k = 0; k < p->variable_count; k++) doubt_variable(p, &p->variables[k]);
  for (uint32_t i = p->d->body + 1; i < p->d->end; i++) {
    const uint32_t match = u->tokens[i].match;
    if (is_mark(u, i, '(')) {
      mark_bracketed(p, i);
      doubt_call(p, i);
    } else if (is_mark(u, i, '{') && match != NONE) {
      doubt_braces(p, i);
    } else if (unit_is_doubled(u, i, '&') && is_name(u, i + 2) && is_mark(u, i + 3, '=')) {
      for (uint32_t k = i + 3; k < p->d->end && !is_mark(u, k, ';'); k++) mark(p, k, k + 1);
    } else if (is_asm(u, i)) {
      for (uint32_t k = i; k < p->d->end && !is_mark(u, k, ';'); k++)
        if (is_name(u, k)) p->changes[k - p->d->open] = 1;
    } else if (is_name(u, i) && !unit_is_member(u, i)) {
      mark_operator(p, i);
      /* (T *)&a */
      if (is_mark(u, i - 1, '&') && is_mark(u, i - 2, ')') && is_mark(u, i - 3, '*') &&
          !is_mark(u, i + 1, '[') && !is_mark(u, i + 1, MARK_ARROW))
        p->changes[i - p->d->open] = 1;
    }
  }
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The name at i stands for its address: an array without an index, or behind &. */
static bool is_address(const struct unit *u, const struct variable *v, uint32_t i) {
  const size_t dims = v->dims.to - v->dims.from;
  if (dims == 0 && (is_mark(u, i + 1, '[') || is_mark(u, i + 1, MARK_ARROW))) return false;
  uint32_t first = i - 1;
  while (is_mark(u, first, '(')) first--;
  if (is_mark(u, first, '&') && !is_mark(u, first - 1, '&') &&
      (unit_expects_operand(u, first - 1) || is_mark(u, first - 1, ')') ||
       is_keyword(u, first - 1, KEYWORD_RETURN)))
    return true;
  if (dims == 0 || is_keyword(u, i - 2, KEYWORD_SIZEOF)) return false;
  uint32_t next = i + 1, indices = 0, wanted = 0;
  for (; is_mark(u, next, '['); next = u->tokens[next].match + 1) indices++;
  for (uint32_t k = v->dims.from; k < v->dims.to; k = u->tokens[k].match + 1) wanted++;
  return indices < wanted;
}

/* What the statement at `first` gives a value to may hold an address, and is there in another phase, or
 * can be given to a helper. */
static bool keeps(struct phases *p, uint32_t first, uint32_t at, bool gives) {
  const struct unit *u = p->u;
  bool kept = false;
  if (phases_is_declaration(u, first)) {
    for (size_t k = 0; k < p->variable_count; k++) {
      const struct variable *v = &p->variables[k];
      const bool own = v->token > first && v->token < at;
      kept |=
          own && (v->crossing || gives) && (v->stars.to > v->stars.from || !is_plain_type(p, v));
    }
    return kept;
  }
  uint32_t sign = first;
  for (; sign < at && !unit_assigns_at(u, sign); sign++) {
    if (is_mark(u, sign, '(') && has_header(u, sign - 1)) return false;
    if (is_mark(u, sign, '(') && unit_is_member(u, sign - 1)) return true; /* x.f(&y) */
    if (is_mark(u, sign, '[') && u->tokens[sign].match < at) sign = u->tokens[sign].match;
  }
  if (sign >= at) return false;
  const struct variable *v = is_name(u, first) ? phases_variable(p, first) : NULL;
  if (!v) return is_mark(u, at - 1, '&') && is_mark(u, at - 2, '=');
  return v->stars.to > v->stars.from || !is_plain_type(p, v);
}

/* A class of this text that hands out `this`: an object may point to itself. */
static bool points_to_itself(const struct phases *p, const struct variable *v) {
  const struct unit *u = p->u;
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (!is_keyword(u, i, KEYWORD_STRUCT) && !is_keyword(u, i, KEYWORD_CLASS)) continue;
    bool of_type = false;
    for (uint32_t k = v->type.from; k < v->type.to; k++)
      of_type |= is_name(u, k) && u->tokens[k].name == u->tokens[i + 1].name;
    const uint32_t open = of_type ? unit_class_body(u, i) : NONE;
    if (open == NONE) continue;
    for (uint32_t k = open; k < u->tokens[open].match; k++)
      if (phases_spells(u, k, "this") && !is_mark(u, k + 1, MARK_ARROW) && !is_mark(u, k - 1, '*'))
        return true;
  }
  return false;
}

/* What is given to a helper goes through phases of its own. */
static bool goes_to_helper(const struct phases *p, uint32_t first, uint32_t i) {
  for (uint32_t k = first; k < i; k++) {
    if (!phases_helper(p->u, k)) continue;
    const uint32_t angle = is_mark(p->u, k + 1, '<') ? unit_angle_close(p->u, k + 1) : k;
    if (angle == NONE || !is_mark(p->u, angle + 1, '(') || p->u->tokens[angle + 1].match > i)
      return true;
  }
  return false;
}

/* A helper may be given an address that was kept before. */
static bool gives_pointers(const struct phases *p) {
  struct range type;
  for (uint32_t i = p->d->body + 1; i < p->d->end; i++) {
    const struct declaration *d = phases_helper(p->u, i);
    for (unsigned k = 0; d && helper_parameter(p->u, d, k, &type) != NONE; k++)
      for (uint32_t t = type.from; t < type.to; t++)
        if (is_mark(p->u, t, '*') || (is_name(p->u, t) && !is_plain_word(p->u, t))) return true;
  }
  return false;
}

void phases_escapes(struct phases *p) {
  const struct unit *u = p->u;
  const bool gives = gives_pointers(p);
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (v->crossing && v->phase != 0 && !is_plain_type(p, v)) p->failed |= points_to_itself(p, v);
  }
  for (uint32_t i = p->d->body + 1; i < p->d->end && !p->failed; i++) {
    if (!is_name(u, i) || unit_is_member(u, i)) continue;
    const struct variable *v = phases_variable(p, i);
    if (!v || v->uniform || (!v->crossing && !gives) || v->token == i || !is_address(u, v, i))
      continue;
    uint32_t first = i;
    while (first > p->d->body + 1 && !is_mark(u, first - 1, ';') && !is_mark(u, first - 1, '{') &&
           !is_mark(u, first - 1, '}'))
      first--;
    /* Behind = { the braces are an initialiser. */
    if (is_mark(u, first - 1, '{') &&
        (is_mark(u, first - 2, '=') || is_mark(u, first - 2, ',') || is_mark(u, first - 2, ']')))
      p->failed = true;
    while (is_keyword(u, first, KEYWORD_ELSE) ||
           (has_header(u, first) && is_mark(u, first + 1, '(') && u->tokens[first + 1].match < i))
      first = is_keyword(u, first, KEYWORD_ELSE) ? first + 1 : u->tokens[first + 1].match + 1;
    p->failed |= keeps(p, first, i, gives) || goes_to_helper(p, first, i);
  }
}

/* A thread that has returned has no later phase. */
void phases_returns(struct phases *p) {
  uint32_t phase = 0;
  const uint32_t cut = p->last_cut > p->d->body ? p->last_cut : p->d->body;
  for (uint32_t i = cut + 1; i < p->d->end; i++) {
    const uint32_t own = p->phase_of[i - p->d->open];
    if (is_keyword(p->u, i, KEYWORD_RETURN) && phase == 0) phase = own;
    if (phase != 0 && own > phase) p->failed = true;
  }
}
