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

void phases_of_threads(struct phases *p, uint32_t from, uint32_t to) {
  if (p->pending_tokens.to == 0) p->pending_tokens = (struct range){from, to};
  if (to > p->pending_tokens.to) p->pending_tokens.to = to;
  for (uint32_t i = from; i < to && p->step == NUMBER; i++) p->phase_of[i - p->d->open] = p->phase;
}

static void of_threads(struct phases *p, uint32_t from, uint32_t last) {
  phases_of_threads(p, from, last + 1);
  add_rendered(p, &p->pending, from, last);
}

static void header(struct phases *p, uint32_t from, uint32_t to) {
  if (p->step != FIND) return;
  if (p->header_count == MOST_HEADERS)
    FAIL(p);
  else
    p->headers[p->header_count++] = (struct header){{from, to}, p->region, false};
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
  const uint32_t open = phases_header_open(u, i), close = u->tokens[open].match;
  const uint32_t then = phases_statement_last(u, close + 1, last + 1, 0);
  header(p, open + 1, close);
  once_a_block(p, i, close);
  controlled(p, close + 1, then, in_loop);
  if (then == last) return;
  if (p->step == WRITE) text_add_string(&p->out, "else ");
  controlled(p, then + 2, last, in_loop);
}

/* A statement with a barrier in it, or, in a region, with a function of a warp. */
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
    const uint32_t body = phases_statement_last(u, i + 1, last, 0);
    header(p, body + 3, last - 1);
    once_a_block(p, i, i);
    controlled(p, i + 1, body, true);
    once_a_block(p, body + 1, last);
  } else {
    FAIL(p);
  }
}

/* ---- Loops that stride over the data --------------------------------------------------------- */

/* In the block's own text such a loop goes by rounds, a step of all threads at a time: what
 * neighbours read together is in the cache together, and side by side. One of atomic operations is no
 * faster so: a fibre keeps its place in a register. */
static void rounds(struct phases *p, const struct stride_loop *l) {
  const struct unit *u = p->u;
  const bool is_for = is_keyword(u, l->word, KEYWORD_FOR);
  phases_flush(p);
  if (l->end > p->last_cut)
    p->last_cut = l->end; /* who has returned must not come to the next round */
  if (phases_has_word(u, l->body, l->end, "break") ||
      phases_has_word(u, l->body, l->end, "continue") ||
      phases_has_word(u, l->body, l->end, "return") || phases_has_atomic(u, l->body, l->end))
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
    p->assignments[p->assignment_count++] = (struct assignment){target, p->region, {i, last}};
  return p->step != FIND && v->uniform;
}

/* A type that a part of the block's text alone would know, up to `to`. */
static bool names_inner_type(const struct phases *p, uint32_t i, uint32_t to) {
  const struct unit *u = p->u;
  const bool to_end = to == p->d->end && (p->helper || !p->region);
  if (is_keyword(u, i, KEYWORD_TYPEDEF) || is_keyword(u, i, KEYWORD_USING) ||
      phases_names_numbers(u, i))
    return !to_end;
  return is_keyword(u, i, KEYWORD_ENUM) || is_keyword(u, i, KEYWORD_STRUCT) ||
         is_keyword(u, i, KEYWORD_CLASS) || is_keyword(u, i, KEYWORD_UNION);
}

static bool leaves_wrongly(const struct phases *p, uint32_t i, uint32_t last, bool in_loop) {
  const struct unit *u = p->u;
  if (in_loop && phases_leaves_loop(u, i, last, false)) return true;
  return phases_has_word(u, i, last, "return") &&
         (p->helper || (p->step == FIND ? in_loop : last <= p->last_cut));
}

/* ---- Regions --------------------------------------------------------------------------------- */

/* `if (..) return;` in front of what all threads wait at. */
static bool leaves_early(const struct phases *p, uint32_t i, uint32_t last) {
  const struct unit *u = p->u;
  if (p->helper || i > p->last_wait || !is_keyword(u, i, KEYWORD_IF)) return false;
  const uint32_t then = u->tokens[phases_header_open(u, i)].match + 1;
  if (is_mark(u, then, '{'))
    return last == then + 3 && is_keyword(u, then + 1, KEYWORD_RETURN) && is_mark(u, then + 2, ';');
  return last == then + 1 && is_keyword(u, then, KEYWORD_RETURN);
}

/* For all threads of the block or, where nothing follows the region, of the warp, or for some lanes. */
static void leave_early(struct phases *p, uint32_t i, uint32_t last) {
  const uint32_t open = phases_header_open(p->u, i), close = p->u->tokens[open].match;
  phases_flush(p);
  if (p->region ? !p->pure : p->pure) FAIL(p);
  header(p, open + 1, close);
  if (p->step == FIND && !p->failed) p->headers[p->header_count - 1].returns = p->region != 0;
  if (!p->region) {
    once_a_block(p, i, close);
    phases_end(p, i);
  } else if (!phases_leave(p, open + 1, close)) {
    once_a_block(p, i, last);
  }
}

/* A statement in which functions of a warp are called, in a region, or helpers with barriers. */
static void with_calls(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end,
                       bool in_loop) {
  const struct unit *u = p->u;
  const bool is_if = is_keyword(u, i, KEYWORD_IF);
  const uint32_t close = is_if ? u->tokens[phases_header_open(u, i)].match : i;
  if (last > p->last_cut) p->last_cut = last;
  if (is_mark(u, i, '{') || is_keyword(u, i, KEYWORD_FOR) || is_keyword(u, i, KEYWORD_WHILE) ||
      is_keyword(u, i, KEYWORD_DO) ||
      (is_if && (phases_has_call(u, close + 1, last) || phases_has_barrier(u, close + 1, last)))) {
    control(p, i, last, in_loop);
    return;
  }
  const bool declares = phases_is_declaration(u, i);
  for (uint32_t k = i; k <= last; k++)
    if (phases_is_barrier(u, k)) FAIL(p); /* within an expression */
  if (phases_has_word(u, i, last, "static") || phases_has_word(u, i, last, "goto") ||
      is_keyword(u, i, KEYWORD_SWITCH) || phases_has_word(u, i, last, "return") ||
      leaves_wrongly(p, i, last, in_loop) || strides_inside(p, i, last) ||
      (!declares &&
       (phases_is_const_word(u, i) || phases_is_built_in(u, i) || phases_spells(u, i, "auto"))))
    FAIL(p);
  if (declares && p->step == FIND) phases_declare(p, i, last, scope_end);
  phases_calls(p, i, last, NULL);
  if (declares && p->step != FIND) (void)declares_uniform(p, i, last);
  phases_make(p, i, last);
}

static bool begins_region(const struct phases *p, uint32_t i, uint32_t last) {
  if (p->region || phases_has_barrier(p->u, i, last)) return false;
  return phases_has_call(p->u, i, last) ||
         (p->pure && i < p->last_wait && phases_has_word(p->u, i, last, "return"));
}

/* The region that begins at i, up to its last token. In a kernel without barriers all that follows
 * is in it. */
static uint32_t region(struct phases *p, uint32_t i, uint32_t last, uint32_t to, bool in_loop) {
  uint32_t end = last + 1;
  while (!p->pure && end < to) {
    const uint32_t next = phases_statement_last(p->u, end, to, 0);
    if (next == NONE || !begins_region(p, end, next)) break;
    end = next + 1;
  }
  if (p->pure) end = to;
  phases_flush(p);
  p->region = ++p->regions, p->rows = true;
  p->region_tokens = (struct range){i, end};
  p->outer_end = to;
  if (p->step == WRITE) phases_open_region(p);
  statements(p, i, end, in_loop);
  if (p->step == WRITE) phases_close_region(p);
  p->region = 0;
  if (end - 1 > p->last_cut && !p->pure) p->last_cut = end - 1;
  return end - 1;
}

/* Of a helper: the end, and nothing but the end. */
static void returns(struct phases *p, uint32_t i, uint32_t last) {
  if (last + 1 != p->d->end || last == i + 1 || !strcmp(p->returned, "void ") ||
      (p->region && !p->lanes))
    FAIL(p);
  else
    phases_calls(p, i, last, p->returned);
}

/* Whole blocks wait for the grid, each on a stack of its own. */
static void barrier(struct phases *p, uint32_t i, uint32_t last, enum group of) {
  phases_flush(p);
  if (last > p->last_cut) p->last_cut = last;
  if (of == GRID_GROUP) {
    p->grid = true;
    once_a_block(p, i, last);
  } else if (p->step == WRITE) {
    text_add_string(&p->out, "simt_barriers++; ");
  }
}

/* A tile is an object of each phase; in the block's own text it is asked no more than how large it is. */
static void makes_tile(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end) {
  uint32_t name, end;
  const unsigned threads = tile_statement(p->u, i, &name, &end);
  phases_flush(p);
  if (p->step == FIND) {
    phases_declare(p, i, last, scope_end);
    struct variable *v = p->failed ? NULL : &p->variables[p->variable_count - 1];
    if (v) v->tile = threads, v->parent = tile_parent(p->u, last), v->uniform = false;
  } else if (p->step == NUMBER) {
    (void)declares_uniform(p, i, last);
  } else {
    phases_make_tile(p, phases_variable(p, name), p->region ? "threadIdx" : "uint3{0, 0, 0}");
  }
}

static void statement(struct phases *p, uint32_t i, uint32_t last, uint32_t to, bool in_loop) {
  const struct unit *u = p->u;
  struct stride_loop l;
  uint32_t end, name;
  bool syncs;
  if (is_name(u, i) && is_mark(u, i + 1, ':')) {
    FAIL(p); /* a label */
  } else if (phases_spells(u, i, "__syncthreads") && last == i + 3) {
    barrier(p, i, last, BLOCK_GROUP);
  } else if (group_statement(u, i, &end, &syncs) != NO_GROUP && end == last) {
    if (syncs)
      barrier(p, i, last, group_statement(u, i, &end, &syncs));
    else
      once_a_block(p, i, last);
  } else if (tile_statement(u, i, &name, &end) && end == last) {
    makes_tile(p, i, last, to);
  } else if (p->helper && is_keyword(u, i, KEYWORD_RETURN)) {
    returns(p, i, last);
  } else if (phases_has_barrier(u, i, last)) {
    with_calls(p, i, last, to, in_loop);
  } else if (names_inner_type(p, i, to)) {
    FAIL(p);
  } else if (leaves_early(p, i, last)) {
    leave_early(p, i, last);
  } else if (p->region && phases_has_call(u, i, last)) {
    with_calls(p, i, last, to, in_loop);
  } else if (phases_is_of_block(u, i, last)) {
    once_a_block(p, i, last);
  } else if (strides_match(u, p->d, i, &l)) {
    rounds(p, &l);
  } else if (strides_inside(p, i, last)) {
    FAIL(p);
  } else if (phases_has_word(u, i, last, "static") || phases_has_word(u, i, last, "goto") ||
             leaves_wrongly(p, i, last, in_loop)) {
    FAIL(p);
  } else if (phases_is_declaration(u, i)) {
    if (p->step == FIND) phases_declare(p, i, last, to);
    if (p->step != FIND && declares_uniform(p, i, last)) {
      once_a_block(p, i, last);
    } else {
      phases_make(p, i, last);
      of_threads(p, i, last);
    }
  } else if (phases_is_const_word(u, i) || phases_is_built_in(u, i) ||
             phases_spells(u, i, "auto")) {
    FAIL(p); /* a declaration of a kind that is not known here */
  } else if (assigns(p, i, last)) {
    phases_flush(p);
    if (last > p->last_cut) p->last_cut = last;
    once_a_block(p, i, last);
  } else if (last > i || !is_mark(u, i, ';')) {
    of_threads(p, i, last);
  }
}

static void statements(struct phases *p, uint32_t from, uint32_t to, bool in_loop) {
  for (uint32_t i = from; i < to && !p->failed;) {
    const uint32_t last = phases_statement_last(p->u, i, to, 0);
    if (last == NONE) {
      FAIL(p);
      return;
    }
    if (begins_region(p, i, last)) {
      i = region(p, i, last, to, in_loop) + 1;
      continue;
    }
    const bool top = p->region && to == p->region_tokens.to && !p->lanes;
    statement(p, i, last, top ? p->outer_end : to, in_loop);
    i = last + 1;
  }
  phases_flush(p);
}

void phases_walk(struct phases *p) {
  p->phase = 1;
  p->region = p->lanes, p->regions = p->exchanges = 0;
  p->pending_tokens = (struct range){0, 0};
  statements(p, p->d->body + 1, p->d->end, false);
}
