/* The statements of a kernel, cut into phases at its barriers (phases.h).
 *
 * Method   three walks over the body: variables and headers are found; with what is uniform known,
 *          tokens get the numbers of their phases; the text is written
 * Limits   what is not understood for certain is no kernel of phases: labels, goto, a switch or a
 *          loop with break around a barrier, a return before the last one, static variables
 */
#include "phases.h"
#include "rewrite/strides.h"

#include <stdlib.h>
#include <string.h>

#define FAIL(p) ((p)->failed = true)

bool phases_spells(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
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
  if (p->pending_tokens.to == 0) p->pending_tokens = (struct range){from, last + 1};
  if (last + 1 > p->pending_tokens.to) p->pending_tokens.to = last + 1;
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
    if (phases_is_declaration(u, open + 1)) phases_declare(p, open + 1, semicolon, last);
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

/* ---- Loops that stride over the data --------------------------------------------------------- */

static bool has_atomic(const struct unit *u, uint32_t from, uint32_t last) {
  for (uint32_t i = from; i <= last; i++)
    if (is_name(u, i) && u->tokens[i].length > 6 &&
        !memcmp(u->text + u->tokens[i].start, "atomic", 6))
      return true;
  return false;
}

/* In the block's own text such a loop goes by rounds, a step of all threads at a time: what
 * neighbours read together is in the cache together, and side by side. One of atomic operations is no
 * faster so: a fibre keeps its place in a register. */
static void rounds(struct phases *p, const struct stride_loop *l) {
  const struct unit *u = p->u;
  const bool is_for = is_keyword(u, l->word, KEYWORD_FOR);
  phases_flush(p);
  if (has_word(u, l->body, l->end, "break") || has_word(u, l->body, l->end, "continue") ||
      has_word(u, l->body, l->end, "return") || has_atomic(u, l->body, l->end))
    FAIL(p);
  if (p->step == WRITE) text_add_string(&p->out, "{ ");
  if (is_for && l->first > l->open + 1) {
    if (p->step == FIND && phases_is_declaration(u, l->open + 1))
      phases_declare(p, l->open + 1, l->first, l->end);
    if (p->step != FIND) (void)declares_uniform(p, l->open + 1, l->first);
    of_threads(p, l->open + 1, l->first);
    phases_flush(p);
  }
  if (p->step == WRITE) {
    text_add_string(&p->out, "for (bool simt_more = true; simt_more;) { simt_more = false; ");
    text_add_string(&p->pending, "if (");
  }
  of_threads(p, (is_for ? l->first : l->open) + 1, (is_for ? l->second : l->close) - 1);
  if (p->step == WRITE) text_add_string(&p->pending, ") { simt_more = true; ");
  of_threads(p, l->body, l->end);
  if (is_for) of_threads(p, l->second + 1, l->close - 1);
  if (p->step == WRITE) text_add_string(&p->pending, "; } ");
  phases_flush(p);
  if (p->step == WRITE) text_add_string(&p->out, "} } ");
}

/* Within what is a thread's own: it would go through its whole loop alone. */
static bool strides_inside(const struct phases *p, uint32_t i, uint32_t last) {
  struct stride_loop l;
  for (; i <= last; i++)
    if (strides_match(p->u, p->d, i, &l)) return true;
  return false;
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

static bool names_type(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_TYPEDEF) || is_keyword(u, i, KEYWORD_USING);
}

static bool defines_class(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_ENUM) || is_keyword(u, i, KEYWORD_STRUCT) ||
         is_keyword(u, i, KEYWORD_CLASS) || is_keyword(u, i, KEYWORD_UNION);
}

static bool leaves_wrongly(const struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  const struct unit *u = p->u;
  const bool loops = is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE) ||
                     is_keyword(u, i, KEYWORD_DO) || is_keyword(u, i, KEYWORD_SWITCH);
  if (in_loop && !loops && (has_word(u, i, last, "break") || has_word(u, i, last, "continue")))
    return true;
  if (in_loop && is_keyword(u, i, KEYWORD_SWITCH) && has_word(u, i, last, "continue")) return true;
  return has_word(u, i, last, "return") && (p->step == FIND ? in_loop : last <= p->last_cut);
}

static void statement(struct phases *p, uint32_t i, uint32_t last, uint32_t to, bool in_loop) {
  const struct unit *u = p->u;
  struct stride_loop l;
  if (is_name(u, i) && is_mark(u, i + 1, ':')) {
    FAIL(p); /* a label */
  } else if (is_barrier(u, i) && last == i + 3) {
    phases_flush(p);
    if (last > p->last_cut) p->last_cut = last;
    if (p->step == WRITE) text_add_string(&p->out, "simt_barriers++; ");
  } else if (has_barrier(u, i, last)) {
    control(p, i, last, in_loop);
  } else if (defines_class(u, i) || (names_type(u, i) && to != p->d->end)) {
    FAIL(p); /* known to a part of the block's text alone */
  } else if (is_of_block(u, i, last)) {
    once_a_block(p, i, last);
  } else if (strides_match(u, p->d, i, &l)) {
    rounds(p, &l);
  } else if (strides_inside(p, i, last)) {
    FAIL(p);
  } else if (has_word(u, i, last, "static") || has_word(u, i, last, "goto") ||
             leaves_wrongly(p, i, last, in_loop)) {
    FAIL(p);
  } else if (phases_is_declaration(u, i)) {
    if (p->step == FIND) phases_declare(p, i, last, to);
    if (p->step != FIND && declares_uniform(p, i, last))
      once_a_block(p, i, last);
    else
      of_threads(p, i, last);
  } else if (phases_is_const_word(u, i) || phases_is_built_in(u, i) ||
             phases_spells(u, i, "auto")) {
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
