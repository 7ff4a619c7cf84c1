/* Which kernels may run as a plain loop over their threads.
 *
 * Result  declaration.waits of every function: its threads may wait for each other, poll
 *         memory, or show the order in which they ran; declaration.coordinates: it, or what it
 *         calls, reads threadIdx or one of its kin; unit.all_general, unit.all_coordinates
 * Method  by name: a function has a property if its own tokens have it or name a function or
 *         variable that has it; spread backwards over "is named by" edges, linear in the text.
 *         Bodies that run without being named (operators, constructors, lambdas, functions
 *         whose address is taken) give the property to every kernel of the file
 * Limits  errs towards "waits", which costs time and never a result
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"
#include "rewrite/passes.h"

struct edge {
  uint32_t user; /* declaration */
  uint32_t next;
};

struct graph {
  struct unit *u;
  uint32_t *declared; /* of a name: 0, or NONE where nothing has it */
  uint32_t *edges_of; /* of a name: first edge, or NONE */
  struct edge *edges;
  size_t edge_count, edge_room;
  uint32_t *last_user; /* of a name: declaration that made its last edge */
};

static bool starts_with(const struct unit *u, uint32_t i, const char *prefix) {
  const struct token *t = &u->tokens[i];
  const size_t length = strlen(prefix);
  return t->length >= length && !memcmp(u->text + t->start, prefix, length);
}

static bool is_waiting_name(const struct unit *u, uint32_t i) {
  static const char *const prefixes[] = {
      "__syncthreads", "__syncwarp",   "__shfl",         "__ballot",     "__any",
      "__all",         "__match_",     "__reduce_",      "__activemask", "__threadfence",
      "__pipeline_",   "__barrier_",   "__cooperative_", "simt_",        "memcpy_async",
      "__mbarrier_",   "__nv_atomic_", "atomicCAS",      "atomicExch"};
  if (keyword_flags(u->tokens[i].name) & WAITS) return true;
  if (is_keyword(u, i, KEYWORD_ON_DEVICE)) return false;
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
    if (starts_with(u, i, prefixes[k])) return true;
  }
  return false;
}

static bool is_atomic(const struct unit *u, uint32_t i) {
  return is_name(u, i) && starts_with(u, i, "atomic") && is_mark(u, i + 1, '(');
}

static bool has_atomic(const struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (is_atomic(u, i)) return true;
  }
  return false;
}

/* An atomic whose old value goes somewhere: not the start of a statement. */
static bool has_used_atomic(const struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    if (!is_atomic(u, i)) continue;
    if (i && !is_mark(u, i - 1, ';') && !is_mark(u, i - 1, '{') && !is_mark(u, i - 1, '}') &&
        !is_mark(u, i - 1, ')') && !is_keyword(u, i - 1, KEYWORD_ELSE)) {
      return true;
    }
  }
  return false;
}

/* The token behind the statement that begins at i. */
static uint32_t statement_end(const struct unit *u, uint32_t i, uint32_t to) {
  if (is_mark(u, i, '{')) return u->tokens[i].match == NONE ? to : u->tokens[i].match;
  for (; i < to && !is_mark(u, i, ';'); i++) {
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
  }
  return i;
}

/* A loop that may poll: an atomic in its condition, an empty body, or an unbounded loop that
 * goes by what an atomic returned. */
static bool may_poll(const struct unit *u, uint32_t i, uint32_t to) {
  const uint32_t word = u->tokens[i].name;
  if (word == KEYWORD_DO) {
    return has_used_atomic(u, i + 1, statement_end(u, i + 1, to));
  }
  if (word != KEYWORD_IF && word != KEYWORD_WHILE && word != KEYWORD_FOR) return false;
  const uint32_t open = i + 1;
  if (!is_mark(u, open, '(') || u->tokens[open].match == NONE) return false;
  const uint32_t close = u->tokens[open].match;
  if (has_atomic(u, open, close)) return true;
  if (word == KEYWORD_IF) return false;
  const bool after_do = word == KEYWORD_WHILE && i && is_mark(u, i - 1, '}');
  if (is_mark(u, close + 1, '{') && u->tokens[close + 1].match == close + 2) return true;
  if (is_mark(u, close + 1, ';')) return !after_do;
  bool bounded = word == KEYWORD_FOR;
  for (uint32_t k = open; bounded && k < close; k++) {
    if (is_mark(u, k, ';') && is_mark(u, k + 1, ';')) bounded = false;
  }
  return !bounded && has_used_atomic(u, close + 1, statement_end(u, close + 1, to));
}

static bool spells(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

/* `__syncthreads();`, `__shared__` or a function of a warp: what may be in a kernel of phases. */
static bool is_of_phases(const struct unit *u, uint32_t i) {
  return is_keyword(u, i, KEYWORD_SHARED) || phases_is_warp_function(u, i) ||
         (spells(u, i, "__syncthreads") && is_mark(u, i + 1, '(') && is_mark(u, i + 2, ')') &&
          is_mark(u, i + 3, ';'));
}

/* A tile that is asked or does something with its threads; `cg` in front of that, or of an operator. */
static bool is_of_tile(const struct unit *u, uint32_t i) {
  static const char *const operators[] = {"plus",    "less",   "greater",
                                          "bit_and", "bit_or", "bit_xor"};
  if (tile_is_asked(u, i)) return true;
  if (is_mark(u, i + 1, '.')) return tile_at(u, i) && phases_is_warp_function(u, i + 2);
  if (is_mark(u, i - 1, '(') && phases_is_warp_function(u, i - 2)) return tile_at(u, i) != 0;
  const uint32_t end = is_mark(u, i + 1, MARK_SCOPE) ? group_qualified_end(u, i) : i;
  for (size_t k = 0; k < sizeof operators / sizeof *operators && end > i; k++)
    if (phases_spells(u, end - 1, operators[k])) return true;
  return end > i && phases_is_warp_function(u, end - 1);
}

/* A kernel that waits, but nowhere else than at what may be in one of phases; or a device function of
 * that kind. `waits` of all functions is known, and this of those in front. */
static bool waits_at_barriers(const struct graph *g, const struct declaration *d,
                              const uint8_t *waiting) {
  const struct unit *u = g->u;
  if (!(d->flags & (IS_GLOBAL | IS_DEVICE)) || !d->waits || d->body == NONE) return false;
  uint32_t last, name;
  bool syncs, groups = false;
  for (uint32_t i = d->head; i < d->end; i++) {
    const enum group group = i > d->body ? group_statement(u, i, &last, &syncs) : NO_GROUP;
    if (group != NO_GROUP) {
      if (syncs && group == GRID_GROUP && !(d->flags & IS_GLOBAL)) return false;
      groups = true;
      i = last;
      continue;
    }
    if (i > d->body && tile_statement(u, i, &name, &last)) {
      groups = true;
      i = last;
      continue;
    }
    if (unit_is_launch(u, i) || may_poll(u, i, d->end)) return false;
    if (!is_name(u, i) || i == d->name || is_of_phases(u, i)) continue;
    if (groups && is_of_tile(u, i)) continue;
    if (groups && tile_at(u, i)) return false;
    if (groups && !group_is_asked(u, i) && group_at(u, i) != NO_GROUP) return false;
    if (is_waiting_name(u, i)) return false;
    const struct declaration *called = waiting[u->tokens[i].name] ? phases_helper(u, i) : NULL;
    if (waiting[u->tokens[i].name] && (!called || !called->barriers)) return false;
  }
  return true;
}

/* `extern __shared__ int s[];` of the file. Lanes go in step where it is volatile (lockstep.c). */
static bool is_shared_variable(const struct unit *u, const struct declaration *d) {
  if (d->open != NONE || !(d->flags & IS_SHARED)) return false;
  for (uint32_t i = d->first; i < d->name; i++)
    if (is_keyword(u, i, KEYWORD_VOLATILE)) return false;
  return true;
}

static void find_barriers(const struct graph *g) {
  struct unit *u = g->u;
  uint8_t *waiting = text_allocate(names_count(u->names)); /* of a name */
  for (size_t i = 0; i < u->declaration_count; i++)
    if (u->declarations[i].waits && u->declarations[i].name != NONE &&
        !is_shared_variable(u, &u->declarations[i]))
      waiting[u->tokens[u->declarations[i].name].name] = 1;
  for (size_t i = 0; i < u->declaration_count; i++)
    u->declarations[i].barriers = waits_at_barriers(g, &u->declarations[i], waiting);
  free(waiting);
}

static bool waits_itself(const struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->head; i < d->end; i++) {
    if (unit_is_launch(u, i)) return true;
    if (!is_name(u, i)) continue;
    if (is_waiting_name(u, i)) {
      /* `cuda` and `clock` are also the names of variables. */
      if (is_keyword(u, i, KEYWORD_CUDA) && !is_mark(u, i + 1, MARK_SCOPE)) continue;
      return true;
    }
    if (may_poll(u, i, d->end)) return true;
  }
  return false;
}

static bool reads_coordinates(const struct unit *u, const struct declaration *d) {
  for (uint32_t i = d->head; i < d->end; i++) {
    if (is_name(u, i) && (keyword_flags(u->tokens[i].name) & COORDINATE)) return true;
  }
  return false;
}

static void add_edges(struct graph *g, uint32_t user) {
  const struct unit *u = g->u;
  const struct declaration *d = &u->declarations[user];
  for (uint32_t i = d->head; i < d->end; i++) {
    if (!is_name(u, i) || i == d->name) continue;
    const uint32_t name = u->tokens[i].name;
    if (g->declared[name] == NONE || g->last_user[name] == user) continue;
    g->last_user[name] = user;
    g->edges = array_room(g->edges, g->edge_count, &g->edge_room, sizeof *g->edges);
    g->edges[g->edge_count] = (struct edge){user, g->edges_of[name]};
    g->edges_of[name] = (uint32_t)g->edge_count++;
  }
}

static bool has(const struct declaration *d, bool waits) {
  return waits ? d->waits : d->coordinates;
}

/* Spreads one property from every declaration that has it to those that name it. */
static void spread(struct graph *g, bool waits) {
  struct unit *u = g->u;
  uint32_t *stack = text_allocate((u->declaration_count + 1) * sizeof *stack);
  size_t depth = 0;
  for (uint32_t i = 0; i < u->declaration_count; i++) {
    if (has(&u->declarations[i], waits)) stack[depth++] = i;
  }
  while (depth) {
    const struct declaration *d = &u->declarations[stack[--depth]];
    if (d->name == NONE) continue;
    for (uint32_t e = g->edges_of[u->tokens[d->name].name]; e != NONE; e = g->edges[e].next) {
      struct declaration *user = &u->declarations[g->edges[e].user];
      if (has(user, waits)) continue;
      *(waits ? &user->waits : &user->coordinates) = true;
      stack[depth++] = g->edges[e].user;
    }
  }
  free(stack);
}

/* A function with a property whose name stands where it is not called: its address travels. */
static void find_travellers(struct graph *g) {
  struct unit *u = g->u;
  enum { OWN_WAITS = 1, OWN_COORDINATES = 2 };
  uint8_t *has_any = text_allocate(names_count(u->names)); /* of a name */
  uint8_t *declares = text_allocate(u->token_count);       /* of a token */
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    if (d->name == NONE) continue;
    declares[d->name] = 1;
    if (d->open == NONE || !(d->flags & IS_DEVICE)) continue;
    uint8_t *of = &has_any[u->tokens[d->name].name];
    *of |= (uint8_t)((d->waits ? OWN_WAITS : 0) | (d->coordinates ? OWN_COORDINATES : 0));
  }
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (!is_name(u, i) || declares[i] || is_mark(u, i + 1, '(') || is_mark(u, i + 1, '<')) continue;
    u->all_general |= (has_any[u->tokens[i].name] & OWN_WAITS) != 0;
    u->all_coordinates |= (has_any[u->tokens[i].name] & OWN_COORDINATES) != 0;
  }
  free(has_any);
  free(declares);
}

void rewrite_mark_waiting(struct unit *u) {
  const size_t names = names_count(u->names);
  struct graph g = {.u = u,
                    .declared = text_allocate(names * sizeof(uint32_t)),
                    .edges_of = text_allocate(names * sizeof(uint32_t)),
                    .last_user = text_allocate(names * sizeof(uint32_t))};
  for (size_t i = 0; i < names; i++) g.declared[i] = g.edges_of[i] = g.last_user[i] = NONE;
  for (uint32_t i = 0; i < u->declaration_count; i++) {
    struct declaration *d = &u->declarations[i];
    d->waits = waits_itself(u, d);
    d->coordinates = reads_coordinates(u, d);
    if (d->name != NONE) g.declared[u->tokens[d->name].name] = 0;
  }
  for (uint32_t i = 0; i < u->declaration_count; i++) add_edges(&g, i);
  /* A kernel reads its own coordinates as values: only what it calls counts for it. */
  for (uint32_t i = 0; i < u->declaration_count; i++) {
    if (u->declarations[i].flags & IS_GLOBAL) u->declarations[i].coordinates = false;
  }
  spread(&g, true);
  spread(&g, false);
  for (uint32_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    const bool device = (d->flags & (IS_DEVICE | IS_CONST)) != 0;
    if (!(d->flags & IS_UNNAMED) || !device) continue;
    u->all_general |= d->waits;
    u->all_coordinates |= d->coordinates;
  }
  find_travellers(&g);
  find_barriers(&g);
  free(g.declared);
  free(g.edges_of);
  free(g.last_user);
  free(g.edges);
}
