/* The statements of a kernel, cut into phases at its barriers (phases.h).
 *
 * Method   three walks over the body: variables and headers are found; with what is uniform known,
 *          tokens get the numbers of their phases; the text is written
 * Limits   what is not understood for certain is no kernel of phases: labels, goto, a switch or a
 *          loop with break around a barrier, a return before the last one, static variables
 */
#include "phases.h"

#include <stdlib.h>
#include <string.h>

#define FAIL(p) ((p)->failed = true)

bool phases_spells(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

bool phases_is_built_in(const struct unit *u, uint32_t i) {
  static const char *const words[] = {
      "bool",    "char",     "short",    "int",      "long",    "unsigned", "signed",
      "float",   "double",   "size_t",   "int8_t",   "int16_t", "int32_t",  "int64_t",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint",    "ushort",   "uchar"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (phases_spells(u, i, words[k])) return true;
  return false;
}

static bool is_barrier(const struct unit *u, uint32_t i) {
  return phases_spells(u, i, "__syncthreads") && !unit_is_member(u, i);
}

static bool has_barrier(const struct unit *u, uint32_t from, uint32_t last) {
  for (uint32_t i = from; i <= last; i++)
    if (is_barrier(u, i)) return true;
  return false;
}

static bool has_word(const struct unit *u, uint32_t from, uint32_t last, const char *word) {
  for (uint32_t i = from; i <= last; i++)
    if (phases_spells(u, i, word)) return true;
  return false;
}

/* ---- Statements ------------------------------------------------------------------------------ */

static uint32_t header_open(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_IF) && is_keyword(u, i + 1, KEYWORD_CONSTEXPR) ? i + 2 : i + 1;
}

/* The last token of the statement that begins at i, NONE where it does not end before `to`. */
static uint32_t statement_last(const struct unit *u, uint32_t i, uint32_t to, unsigned depth) {
  enum { DEEPEST = 100 };
  if (i >= to || depth > DEEPEST) return NONE;
  if (is_mark(u, i, '{')) return u->tokens[i].match < to ? u->tokens[i].match : NONE;
  if (is_keyword(u, i, KEYWORD_DO)) {
    const uint32_t body = statement_last(u, i + 1, to, depth + 1);
    if (body == NONE || !is_keyword(u, body + 1, KEYWORD_WHILE)) return NONE;
    const uint32_t close = u->tokens[body + 2].match;
    return is_mark(u, body + 2, '(') && close < to && is_mark(u, close + 1, ';') ? close + 1 : NONE;
  }
  if (is_keyword(u, i, KEYWORD_IF) || is_keyword(u, i, KEYWORD_FOR) ||
      is_keyword(u, i, KEYWORD_WHILE) || is_keyword(u, i, KEYWORD_SWITCH)) {
    const uint32_t open = header_open(u, i), close = u->tokens[open].match;
    if (!is_mark(u, open, '(') || close == NONE || close >= to) return NONE;
    const uint32_t last = statement_last(u, close + 1, to, depth + 1);
    if (last == NONE || !is_keyword(u, i, KEYWORD_IF) || !is_keyword(u, last + 1, KEYWORD_ELSE))
      return last;
    return statement_last(u, last + 2, to, depth + 1);
  }
  for (; i < to && !is_mark(u, i, ';'); i++) {
    const uint32_t match = u->tokens[i].match;
    if (match != NONE && match < i) return NONE;
    if (match != NONE) i = match;
  }
  return i < to ? i : NONE;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

static bool is_const_word(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_CONST) || is_keyword(u, i, KEYWORD_CONSTEXPR) ||
         phases_spells(u, i, "register") || is_keyword(u, i, KEYWORD_TYPENAME);
}

/* Behind the type that begins at i; i itself where none does. */
static uint32_t type_end(const struct unit *u, uint32_t i) {
  const uint32_t first = i;
  while (is_const_word(u, i)) i++;
  uint32_t named = i;
  if (phases_is_built_in(u, i)) {
    while (phases_is_built_in(u, i) || is_const_word(u, i)) i++;
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
  while (is_const_word(u, i)) i++;
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
static bool is_declaration(const struct unit *u, uint32_t i) {
  static const uint8_t statements[] = {KEYWORD_RETURN, KEYWORD_DELETE, KEYWORD_NEW, KEYWORD_GOTO,
                                       KEYWORD_THROW,  KEYWORD_ELSE,   KEYWORD_CASE};
  for (size_t k = 0; k < sizeof statements; k++)
    if (is_keyword(u, i, statements[k])) return false;
  const uint32_t type = type_end(u, i);
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
static void declare(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end) {
  const struct unit *u = p->u;
  const uint32_t type = type_end(u, i);
  bool is_auto = false;
  for (uint32_t k = i; k < type; k++) is_auto |= phases_spells(u, k, "auto");
  for (uint32_t at = type; at < last;) {
    const uint32_t name = stars_end(u, at);
    struct variable v = {
        .type = {i, type}, .stars = {at, name}, .is_auto = is_auto, .uniform = true};
    if (!is_name(u, name)) break;
    v.name = u->tokens[name].name, v.token = name, v.scope_end = scope_end, v.phase = p->phase;
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
  FAIL(p);
}

/* In NUMBER and WRITE: whether all variables that are declared at [i, last] are uniform. */
static bool declares_uniform(struct phases *p, uint32_t i, uint32_t last) {
  bool uniform = true;
  for (size_t k = 0; k < p->variable_count; k++) {
    struct variable *v = &p->variables[k];
    if (v->token < i || v->token > last) continue;
    v->phase = p->phase;
    uniform &= v->uniform;
  }
  return uniform;
}

/* ---- The walk -------------------------------------------------------------------------------- */

static void statements(struct phases *p, uint32_t from, uint32_t to, bool in_loop);

static void add_rendered(struct phases *p, struct text *to, uint32_t from, uint32_t last) {
  if (p->step != WRITE) return;
  char *text = unit_render(p->u, from, last + 1);
  text_add_format(to, "%s ", text);
  free(text);
}

static void once_a_block(struct phases *p, uint32_t from, uint32_t last) {
  add_rendered(p, &p->out, from, last);
}

static void of_threads(struct phases *p, uint32_t from, uint32_t last) {
  if (p->pending_tokens.to == 0) p->pending_tokens.from = from;
  p->pending_tokens.to = last + 1;
  for (uint32_t i = from; i <= last && p->step == NUMBER; i++)
    p->phase_of[i - p->d->open] = p->phase;
  add_rendered(p, &p->pending, from, last);
}

static void header(struct phases *p, uint32_t from, uint32_t to) {
  if (p->step != FIND) return;
  if (p->header_count == MOST_HEADERS)
    FAIL(p);
  else
    p->headers[p->header_count++] = (struct range){from, to};
}

/* The statement, or those in braces, that control flow of the block is about. */
static void controlled(struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  if (p->step == WRITE) text_add_string(&p->out, "{ ");
  if (is_mark(p->u, i, '{'))
    statements(p, i + 1, last, in_loop);
  else
    statements(p, i, last + 1, in_loop);
  if (p->step == WRITE) text_add_string(&p->out, "} ");
}

static void loop(struct phases *p, uint32_t i, uint32_t last) {
  const struct unit *u = p->u;
  const uint32_t open = i + 1, close = u->tokens[open].match;
  header(p, open + 1, close);
  if (p->step == FIND && is_keyword(u, i, KEYWORD_FOR)) {
    uint32_t semicolon = open + 1;
    while (semicolon < close && !is_mark(u, semicolon, ';')) semicolon++;
    if (semicolon == close) FAIL(p); /* for (x : y) */
    if (is_declaration(u, open + 1)) declare(p, open + 1, semicolon, last);
  }
  once_a_block(p, i, close);
  controlled(p, close + 1, last, true);
}

static void branch(struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  const struct unit *u = p->u;
  const uint32_t open = header_open(u, i), close = u->tokens[open].match;
  const uint32_t then = statement_last(u, close + 1, last + 1, 0);
  header(p, open + 1, close);
  once_a_block(p, i, close);
  controlled(p, close + 1, then, in_loop);
  if (then == last) return;
  if (p->step == WRITE) text_add_string(&p->out, "else ");
  controlled(p, then + 2, last, in_loop);
}

/* A statement with a barrier in it. */
static void control(struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  const struct unit *u = p->u;
  phases_flush(p);
  if (last > p->last_cut) p->last_cut = last;
  if (is_mark(u, i, '{')) {
    controlled(p, i, last, in_loop);
  } else if (is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE)) {
    loop(p, i, last);
  } else if (is_keyword(u, i, KEYWORD_IF)) {
    branch(p, i, last, in_loop);
  } else if (is_keyword(u, i, KEYWORD_DO)) {
    const uint32_t body = statement_last(u, i + 1, last, 0);
    header(p, body + 3, last - 1);
    once_a_block(p, i, i);
    controlled(p, i + 1, body, true);
    once_a_block(p, body + 1, last);
  } else {
    FAIL(p);
  }
}

/* `name = ..;`, `name += ..;`, `name++;`: of the block, if the name is uniform. */
static bool assigns(struct phases *p, uint32_t i, uint32_t last) {
  const struct unit *u = p->u;
  const uint32_t target = is_name(u, i) ? i : i + 2;
  if (!is_name(u, target) || !phases_changes(p, target) || is_mark(u, target + 1, '.'))
    return false;
  if (target != i && !unit_is_doubled(u, i, '+') && !unit_is_doubled(u, i, '-')) return false;
  const struct variable *v = phases_variable(p, target);
  if (!v) return false;
  if (p->step == FIND && p->assignment_count < MOST_ASSIGNMENTS)
    p->assignments[p->assignment_count++] = (struct assignment){target, {i, last}};
  return p->step != FIND && v->uniform;
}

/* What stands in the block's own text as it is: shared variables, names of types. */
static bool is_of_block(const struct unit *u, uint32_t i, uint32_t last) {
  if (is_keyword(u, i, KEYWORD_TYPEDEF) || is_keyword(u, i, KEYWORD_USING) ||
      is_keyword(u, i, KEYWORD_STATIC_ASSERT))
    return true;
  for (uint32_t k = i; k < last && !is_mark(u, k, '='); k++)
    if (is_keyword(u, k, KEYWORD_SHARED)) return true;
  return false;
}

static bool leaves_wrongly(const struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  const struct unit *u = p->u;
  const bool loops = is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE) ||
                     is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_SWITCH);
  if (in_loop && !loops && (has_word(u, i, last, "break") || has_word(u, i, last, "continue")))
    return true;
  return has_word(u, i, last, "return") && (p->step == FIND ? in_loop : last <= p->last_cut);
}

static void statement(struct phases *p, uint32_t i, uint32_t last, uint32_t to, bool in_loop) {
  const struct unit *u = p->u;
  if (is_name(u, i) && is_mark(u, i + 1, ':')) {
    FAIL(p); /* a label */
  } else if (is_barrier(u, i) && last == i + 3) {
    phases_flush(p);
    if (last > p->last_cut) p->last_cut = last;
    if (p->step == WRITE) text_add_string(&p->out, "simt_barriers++; ");
  } else if (has_barrier(u, i, last)) {
    control(p, i, last, in_loop);
  } else if (is_of_block(u, i, last)) {
    once_a_block(p, i, last);
  } else if (has_word(u, i, last, "static") || has_word(u, i, last, "goto") ||
             leaves_wrongly(p, i, last, in_loop)) {
    FAIL(p);
  } else if (is_declaration(u, i)) {
    if (p->step == FIND) declare(p, i, last, to);
    if (p->step != FIND && declares_uniform(p, i, last))
      once_a_block(p, i, last);
    else
      of_threads(p, i, last);
  } else if (is_const_word(u, i) || phases_is_built_in(u, i) || phases_spells(u, i, "auto")) {
    FAIL(p); /* a declaration of a kind that is not known here */
  } else if (assigns(p, i, last)) {
    phases_flush(p);
    once_a_block(p, i, last);
  } else if (last > i || !is_mark(u, i, ';')) {
    of_threads(p, i, last);
  }
}

static void statements(struct phases *p, uint32_t from, uint32_t to, bool in_loop) {
  for (uint32_t i = from; i < to && !p->failed;) {
    const uint32_t last = statement_last(p->u, i, to, 0);
    if (last == NONE) {
      FAIL(p);
      return;
    }
    statement(p, i, last, to, in_loop);
    i = last + 1;
  }
  phases_flush(p);
}

void phases_walk(struct phases *p) {
  p->phase = 1;
  p->pending_tokens = (struct range){0, 0};
  statements(p, p->d->body + 1, p->d->end, false);
}
