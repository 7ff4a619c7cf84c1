/* Which variables of a kernel have one value in the whole block (phases.h).
 *
 * Method   all are taken for uniform until something speaks against it: a value that is not made
 *          of uniform names alone, or a change that is no statement of the block's own; again
 *          until nothing changes. What memory holds is not uniform, whoever reads it
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"

struct variable *phases_variable(struct phases *p, uint32_t i) {
  struct variable *found = NULL;
  for (size_t k = 0; k < p->variable_count; k++) {
    struct variable *v = &p->variables[k];
    if (v->name == p->u->tokens[i].name && v->token <= i && i <= v->scope_end &&
        (!found || v->token > found->token))
      found = v;
  }
  return found;
}

static bool names_within(const struct unit *u, uint32_t from, uint32_t to, uint32_t name) {
  for (uint32_t i = from; i < to; i++)
    if (is_name(u, i) && u->tokens[i].name == name) return true;
  return false;
}

/* One of `enum { A, B = 2 };` outside of functions. */
static bool is_enumerator(const struct unit *u, uint32_t name) {
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (!is_keyword(u, i, KEYWORD_ENUM) || u->inside[i]) continue;
    uint32_t open = i + 1;
    while (is_name(u, open) || is_mark(u, open, ':') || is_mark(u, open, MARK_SCOPE)) open++;
    if (!is_mark(u, open, '{') || u->tokens[open].match == NONE) continue;
    for (uint32_t k = open + 1; k < u->tokens[open].match; k++)
      if (is_name(u, k) && u->tokens[k].name == name &&
          (is_mark(u, k - 1, '{') || is_mark(u, k - 1, ',')))
        return true;
  }
  return false;
}

bool phases_is_constant(const struct unit *u, const struct declaration *d, uint32_t i) {
  const uint32_t name = u->tokens[i].name;
  if (names_within(u, d->first, d->head, name)) return true;
  for (uint32_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *c = &u->declarations[k];
    if (c->name != NONE && c->open == NONE && (c->flags & IS_CONST) &&
        !(c->flags & (IS_DEVICE | IS_MANAGED | IS_CONSTANT | IS_MEMBER)) &&
        u->tokens[c->name].name == name)
      return true;
  }
  return is_enumerator(u, name);
}

bool phases_is_known_word(const struct unit *u, uint32_t i) {
  static const char *const words[] = {"true", "false", "warpSize"};
  static const char *const calls[] = {"min", "max"};
  const bool called = is_mark(u, i + 1, '(');
  for (size_t k = 0; k < sizeof words / sizeof *words && !called; k++)
    if (phases_spells(u, i, words[k])) return true;
  for (size_t k = 0; k < sizeof calls / sizeof *calls && called; k++)
    if (phases_spells(u, i, calls[k])) return true;
  return phases_is_built_in(u, i) || is_keyword(u, i, KEYWORD_SIZEOF) ||
         is_keyword(u, i, KEYWORD_BLOCK_IDX) || is_keyword(u, i, KEYWORD_BLOCK_DIM) ||
         is_keyword(u, i, KEYWORD_GRID_DIM);
}

bool phases_is_uniform_name(struct phases *p, uint32_t i) {
  const struct unit *u = p->u;
  if (unit_is_member(u, i)) return is_mark(u, i - 1, '.') && !is_mark(u, i + 1, '(');
  const struct variable *v = phases_variable(p, i);
  if (v) return p->by_thread ? v->again : v->uniform;
  if (phases_is_known_word(u, i)) return true;
  if (p->by_thread && is_keyword(u, i, KEYWORD_THREAD_IDX)) return true;
  if (is_mark(u, i + 1, '(') || is_mark(u, i + 1, '<') || is_mark(u, i + 1, MARK_SCOPE))
    return is_mark(u, i + 1, '<') && (names_within(u, p->d->open, p->d->close, u->tokens[i].name) ||
                                      phases_is_constant(u, p->d, i));
  return names_within(u, p->d->open, p->d->close, u->tokens[i].name) ||
         phases_is_constant(u, p->d, i);
}

/* `(int)`, `(const float *)`: not `sizeof(int)`. */
static bool ends_cast(const struct unit *u, uint32_t close) {
  const uint32_t open = is_mark(u, close, ')') ? u->tokens[close].match : NONE;
  return open != NONE && open > 0 && !is_keyword(u, open - 1, KEYWORD_SIZEOF) &&
         (phases_is_built_in(u, open + 1) || phases_is_const_word(u, open + 1));
}

bool phases_is_unary(const struct unit *u, uint32_t i) {
  if (!is_mark(u, i, '*') && !is_mark(u, i, '&')) return false;
  if (unit_is_doubled(u, i, '&') || unit_is_doubled(u, i - 1, '&')) return false;
  return unit_expects_operand(u, i - 1) || ends_cast(u, i - 1);
}

/* An expression, a declaration or a header at [from, to): nothing but uniform names. */
static bool is_uniform(struct phases *p, uint32_t from, uint32_t to) {
  const struct unit *u = p->u;
  for (uint32_t i = from; i < to; i++) {
    if (tile_is_counted(u, i)) {
      i += 4;
    } else if (is_name(u, i)) {
      if (!phases_is_uniform_name(p, i) && !is_keyword(u, i, KEYWORD_CONST)) return false;
    } else if (u->tokens[i].kind == TOKEN_STRING) {
      return false;
    } else if (is_mark(u, i, '[') || is_mark(u, i, '{') || is_mark(u, i, MARK_ARROW) ||
               is_mark(u, i, MARK_SCOPE)) {
      return false;
    } else if (phases_is_unary(u, i)) {
      return false;
    }
  }
  return true;
}

bool phases_is_uniform(struct phases *p, uint32_t from, uint32_t to, uint32_t region) {
  return is_uniform(p, from, to) || (region && phases_is_warp_uniform(p, from, to));
}

/* ---- Parameters ------------------------------------------------------------------------------ */

uint32_t phases_parameter(const struct unit *u, const struct declaration *d, uint32_t name) {
  for (uint32_t i = d->open + 1; i < d->close; i++)
    if (is_name(u, i) && u->tokens[i].name == name &&
        (is_mark(u, i + 1, ',') || is_mark(u, i + 1, ')') || is_mark(u, i + 1, '[') ||
         is_mark(u, i + 1, '=')))
      return i;
  return NONE;
}

/* Of a helper: all of them, but those that must be the same in the warp. */
static void find_lanes_parameters(struct phases *p) {
  struct range type;
  for (unsigned number = 0;; number++) {
    const uint32_t at = helper_parameter(p->u, p->d, number, &type);
    if (at == NONE) return;
    struct variable v = {.name = p->u->tokens[at].name,
                         .token = at,
                         .type = type,
                         .scope_end = p->d->end,
                         .region = p->lanes,
                         .crossing = true};
    bool changed = false;
    for (uint32_t i = p->d->body; i < p->d->end; i++)
      changed |= is_name(p->u, i) && p->u->tokens[i].name == v.name && phases_changes(p, i);
    if (p->uniform_parameters && !changed) continue;
    while (v.type.to > type.from && !is_mark(p->u, v.type.to - 1, '*')) v.type.to--;
    if (v.type.to > type.from) { /* T const * const */
      while (!is_mark(p->u, v.type.from, '*')) v.type.from++;
      v.stars = (struct range){v.type.from, type.to};
      v.type = (struct range){type.from, v.type.from};
    } else {
      v.type = type;
    }
    if (p->variable_count == MOST_VARIABLES) p->failed = true;
    if (p->failed) return;
    p->variables[p->variable_count++] = v;
  }
}

/* Parameters that threads change are variables of theirs. */
static void find_parameters(struct phases *p) {
  const struct unit *u = p->u;
  if (p->helper) {
    find_lanes_parameters(p);
    return;
  }
  for (uint32_t i = p->d->body + 1; i < p->d->end && !p->failed; i++) {
    if (!is_name(u, i) || !phases_changes(p, i) || phases_variable(p, i)) continue;
    const uint32_t at = phases_parameter(p->u, p->d, u->tokens[i].name);
    if (at == NONE) continue;
    if (p->variable_count == MOST_VARIABLES) p->failed = true;
    if (p->failed) return;
    p->variables[p->variable_count++] = (struct variable){.name = u->tokens[i].name,
                                                          .token = at,
                                                          .scope_end = p->d->end,
                                                          .phase = 0,
                                                          .crossing = true};
  }
}

/* ---- What is uniform ------------------------------------------------------------------------- */

/* All warps go the same way through the region, and change what is uniform in the block alike. */
static bool is_same_for_warps(struct phases *p, uint32_t region) {
  for (size_t k = 0; k < p->header_count; k++)
    if (p->headers[k].region == region &&
        !is_uniform(p, p->headers[k].range.from, p->headers[k].range.to))
      return false;
  return true;
}

/* A variable of the block's is changed in a region as in others, if every warp begins with its old
 * value (phases_open_region). */
static bool may_change(struct phases *p, const struct variable *v, uint32_t region) {
  return region == v->region || (v->region == 0 && is_same_for_warps(p, region));
}

static bool in_header(struct phases *p, const struct variable *v, uint32_t i) {
  for (size_t k = 0; k < p->header_count; k++)
    if (i >= p->headers[k].range.from && i < p->headers[k].range.to)
      return may_change(p, v, p->headers[k].region);
  return false;
}

/* The change at token i is the block's own, or that of the region v is of, of a uniform value. */
static bool is_of_block(struct phases *p, const struct variable *v, uint32_t i) {
  for (size_t k = 0; k < p->assignment_count; k++)
    if (p->assignments[k].target == i)
      return may_change(p, v, p->assignments[k].region) &&
             phases_is_uniform(p, p->assignments[k].all.from, p->assignments[k].all.to, v->region);
  return in_header(p, v, i);
}

static bool is_constant_variable(const struct unit *u, const struct variable *v) {
  for (uint32_t i = v->type.from; i < v->type.to && v->stars.to == v->stars.from; i++)
    if (is_keyword(u, i, KEYWORD_CONST) || is_keyword(u, i, KEYWORD_CONSTEXPR)) return true;
  return false;
}

static bool stays_uniform(struct phases *p, const struct variable *v) {
  const struct unit *u = p->u;
  if (!v->uniform || !phases_is_uniform(p, v->init.from, v->init.to, v->region)) return false;
  for (uint32_t i = v->token + 1; i <= v->scope_end && !is_constant_variable(u, v); i++) {
    if (!is_name(u, i) || u->tokens[i].name != v->name || unit_is_member(u, i)) continue;
    if (!phases_changes(p, i) || phases_variable(p, i) != v) continue;
    if (!is_of_block(p, v, i)) return false;
  }
  return true;
}

/* A statement's variables are of one kind. */
static void join_statements(struct phases *p) {
  for (size_t i = 0; i < p->variable_count; i++)
    for (size_t k = 0; k < p->variable_count; k++)
      if (p->variables[k].type.to && p->variables[k].type.from == p->variables[i].type.from &&
          !p->variables[k].uniform)
        p->variables[i].uniform = false;
}

bool phases_is_never_changed(struct phases *p, const struct variable *v) {
  if (is_constant_variable(p->u, v)) return true;
  for (uint32_t i = v->token + 1; i <= v->scope_end; i++)
    if (is_name(p->u, i) && p->u->tokens[i].name == v->name && i > p->d->body &&
        phases_changes(p, i) && phases_variable(p, i) == v)
      return false;
  return true;
}

/* In the order of the text, since one is made of others that stand before it. */
static void find_again(struct phases *p) {
  p->by_thread = true;
  for (size_t k = 0; k < p->variable_count; k++) {
    struct variable *v = &p->variables[k];
    const bool plain = v->phase != 0 && v->init.to > v->init.from && !v->is_reference &&
                       v->dims.to == v->dims.from;
    v->again = plain && is_mark(p->u, v->init.from - 1, '=') && phases_is_never_changed(p, v) &&
               is_uniform(p, v->init.from, v->init.to);
    v->again |= v->tile != 0;
  }
  p->by_thread = false;
}

static void find_crossing(struct phases *p) {
  const struct unit *u = p->u;
  for (size_t k = 0; k < p->variable_count && !p->failed; k++) {
    struct variable *v = &p->variables[k];
    for (uint32_t i = v->token + 1; i <= v->scope_end && !v->uniform; i++) {
      if (!is_name(u, i) || u->tokens[i].name != v->name || unit_is_member(u, i)) continue;
      if (i <= p->d->body || phases_variable(p, i) != v) continue;
      if (p->phase_of[i - p->d->open] != v->phase) v->crossing = true;
    }
    /* Of these the type is not spelled, or there is no place to keep them. */
    if (v->again) v->crossing = false;
    if (v->crossing && (v->is_reference || v->is_auto)) p->failed = true;
  }
}

/* One name for two things that are there at once: which one a text made anew means is not looked into. */
static bool hides(const struct phases *p, const struct variable *v) {
  if (v->phase != 0 && phases_parameter(p->u, p->d, v->name) != NONE) return true;
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *outer = &p->variables[k];
    if (outer != v && outer->name == v->name && outer->token < v->token &&
        v->token <= outer->scope_end)
      return true;
  }
  return false;
}

static void settle(struct phases *p) {
  for (size_t k = 0; k < p->variable_count; k++) p->failed |= hides(p, &p->variables[k]);
  find_parameters(p);
  for (bool again = true; again;) {
    again = false;
    join_statements(p);
    for (size_t k = 0; k < p->variable_count; k++) {
      struct variable *v = &p->variables[k];
      if (!v->uniform || stays_uniform(p, v)) continue;
      v->uniform = false;
      again = true;
    }
  }
  for (size_t k = 0; k < p->header_count; k++) {
    const struct header *h = &p->headers[k];
    if (phases_is_uniform(p, h->range.from, h->range.to, h->region)) continue;
    p->failed |= !h->returns;
    p->some = true;
  }
}

/* Where threads wait for the last time, and whether they do so at barriers. */
static void find_waits(struct phases *p) {
  p->pure = true;
  for (uint32_t i = p->d->body + 1; i < p->d->end; i++) {
    const bool barrier = phases_has_barrier(p->u, i, i);
    p->pure &= !barrier;
    if (barrier || phases_has_call(p->u, i, i)) p->last_wait = i;
  }
}

static bool find(struct phases *p) {
  const struct declaration *d = p->d;
  p->failed = d->end - d->open > MOST_TOKENS;
  if (p->failed) return false;
  p->changes = text_allocate(d->end - d->open + 1);
  p->phase_of = text_allocate((d->end - d->open + 1) * sizeof *p->phase_of);
  phases_find_changes(p);
  find_waits(p);
  p->step = FIND;
  phases_walk(p);
  if (!p->failed) phases_doubt(p);
  if (!p->failed) settle(p);
  if (p->failed) return false;
  p->step = NUMBER;
  phases_walk(p);
  if (!p->failed) find_again(p);
  if (!p->failed) find_crossing(p);
  if (!p->failed) phases_escapes(p);
  if (!p->failed) phases_returns(p);
  return !p->failed;
}

bool phases_find(struct unit *u, const struct declaration *d, bool coordinates,
                 struct phases **out) {
  struct phases *p = text_allocate(sizeof *p);
  *out = p;
  p->u = u, p->d = d, p->coordinates = coordinates;
  return find(p);
}

bool phases_find_helper(struct unit *u, const struct declaration *d, bool coordinates,
                        const char *returned, bool uniform_parameters, struct phases **out) {
  struct phases *p = text_allocate(sizeof *p);
  *out = p;
  p->u = u, p->d = d, p->coordinates = coordinates;
  p->helper = true, p->lanes = !phases_has_barrier(u, d->body, d->end);
  p->rows = p->lanes, p->returned = returned, p->uniform_parameters = uniform_parameters;
  return find(p);
}

void phases_free(struct phases *p) {
  if (!p) return;
  free(p->changes);
  free(p->phase_of);
  text_free(&p->out);
  text_free(&p->pending);
  text_free(&p->into);
  free(p);
}
