/* A kernel of phases as text: loops over threads, and what runs once a block (phases.h). */
#include <stdlib.h>
#include <string.h>

#include "phases.h"

static void add_place(struct phases *p, struct text *to, const struct variable *v) {
  char *name = unit_spelling(p->u, v->token);
  text_add_format(to, "simt_of_%s_%u", name, v->token);
  free(name);
}

/* The type of what is kept: without const of its own. */
static void add_type(struct phases *p, struct text *to, const struct variable *v) {
  const struct unit *u = p->u;
  if (v->phase == 0 && v->type.to == 0) {
    char *name = unit_spelling(u, v->token);
    text_add_format(to, "decltype(%s)", name);
    free(name);
    return;
  }
  const bool pointer = v->stars.to > v->stars.from;
  for (uint32_t i = v->type.from; i < v->type.to; i++) {
    if (phases_spells(u, i, "register") || is_keyword(u, i, KEYWORD_CONSTEXPR) ||
        (is_keyword(u, i, KEYWORD_CONST) && !pointer))
      continue;
    char *word = unit_render(u, i, i + 1);
    text_add_format(to, "%s ", word);
    free(word);
  }
  for (uint32_t i = v->stars.from; i < v->stars.to; i++)
    if (is_mark(u, i, '*')) text_add_string(to, "*");
  char *dims = unit_render(u, v->dims.from, v->dims.to);
  text_add_string(to, dims);
  free(dims);
}

static bool is_array(const struct variable *v) { return v->dims.to > v->dims.from; }

/* Named in the present phase, and whether it may be changed there. */
static bool is_used(struct phases *p, const struct variable *v, bool *changed) {
  bool used = false;
  *changed = false;
  for (uint32_t i = p->pending_tokens.from; i < p->pending_tokens.to; i++) {
    if (p->phase_of[i - p->d->open] != p->phase || !is_name(p->u, i)) continue;
    if (p->u->tokens[i].name != v->name || phases_variable(p, i) != v) continue;
    used = true;
    *changed |= phases_changes(p, i) || is_mark(p->u, i + 1, '.') || is_mark(p->u, i + 1, '[');
  }
  return used;
}

/* A place for each thread of the block, or for each lane. */
static void add_slots(struct phases *p, const struct variable *v) {
  text_add_string(&p->out, "simt::slots<");
  add_type(p, &p->out, v);
  text_add_string(&p->out, v->region ? ", simt::lanes_a_warp> "
                           : p->grid ? ", simt::most_threads_a_block, true> "
                                     : "> ");
  add_place(p, &p->out, v);
  text_add_string(&p->out, "; ");
}

/* Places for what this phase declares. Those of the block stand in front of the region. */
static void add_places(struct phases *p) {
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (v->crossing && v->phase == p->phase && (v->region || !p->region)) add_slots(p, v);
  }
}

static const char *own_index(const struct variable *v) { return v->region ? "simt_l" : "simt_t"; }

static void take(struct phases *p, const struct variable *v, const char *name) {
  if (is_array(v)) {
    text_add_format(&p->out, "auto &%s = ", name);
  } else {
    text_add_string(&p->out, "typename simt::held<");
    add_type(p, &p->out, v);
    text_add_format(&p->out, ">::type %s = ", name);
  }
  add_place(p, &p->out, v);
  text_add_format(&p->out, "[%s]; ", own_index(v));
}

static void put(struct phases *p, const struct variable *v, const char *name) {
  text_add_string(&p->out, "simt::keep(");
  add_place(p, &p->out, v);
  text_add_format(&p->out, "[%s], %s); ", own_index(v), name);
}

void phases_make_tile(struct phases *p, const struct variable *v, const char *thread) {
  char *name = unit_spelling(p->u, v->token);
  text_add_format(&p->out, "const simt::lane_tile<%u, %u> %s(%s, blockDim); ", v->tile, v->parent,
                  name, thread);
  free(name);
}

static void make(struct phases *p, const struct variable *v) {
  if (v->tile) {
    phases_make_tile(p, v, "threadIdx");
    return;
  }
  char *type = unit_render(p->u, v->type.from, v->type.to);
  char *name = unit_render(p->u, v->stars.from, v->token + 1);
  char *init = unit_render(p->u, v->init.from, v->init.to);
  text_add_format(&p->out, "%s %s = %s; ", type, name, init);
  free(type);
  free(name);
  free(init);
}

void phases_make(struct phases *p, uint32_t i, uint32_t last) {
  for (size_t k = 0; k < p->variable_count && p->region && p->step == WRITE; k++) {
    const struct variable *v = &p->variables[k];
    if (v->again && v->token >= i && v->token <= last) make(p, v);
  }
}

/* Declares those anew, in the scope of tokens [from, to), that are made of coordinates. What nobody uses
 * the compiler leaves out. */
static void make_again(struct phases *p, uint32_t from, uint32_t to) {
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->again || v->uniform || (!v->tile && v->phase == p->phase) || v->token > from ||
        v->scope_end < to)
      continue;
    make(p, v);
  }
}

static void write_phase(struct phases *p) {
  bool changed;
  add_places(p);
  const char *coordinates = p->grid ? "simt::exactly" : p->coordinates ? "true" : "false";
  const bool gives = p->into.length != 0;
  if (!p->region)
    text_add_format(&p->out, "%s%s>(blockDim, [&](uint3 threadIdx, unsigned long simt_t) ",
                    gives ? p->into.data : "simt::each<", coordinates);
  else
    text_add_format(
        &p->out, "%s%s>(simt_lanes, [&](uint3 threadIdx, unsigned long simt_t, unsigned simt_l) ",
        gives ? p->into.data : "simt::each_lane<", coordinates);
  text_add_string(&p->out, "__attribute__((always_inline)) { ");
  make_again(p, p->pending_tokens.from, p->pending_tokens.to);
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->crossing || v->phase == p->phase || !is_used(p, v, &changed)) continue;
    char *name = unit_spelling(p->u, v->token);
    take(p, v, name);
    free(name);
  }
  text_add(&p->out, p->pending.data, p->pending.length);
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->crossing) continue;
    if (v->phase != p->phase && (is_array(v) || !is_used(p, v, &changed) || !changed)) continue;
    char *name = unit_spelling(p->u, v->token);
    put(p, v, name);
    free(name);
  }
  text_add_string(&p->out, gives ? "return simt_v; }); " : "}); ");
}

/* Variables of the block's that the region changes: before it, and at its beginning for each warp. */
static void keep_changed(struct phases *p, bool before) {
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    bool changed = false;
    if (!v->uniform || v->region || v->token >= p->region_tokens.from) continue;
    for (uint32_t i = p->region_tokens.from; i < p->region_tokens.to; i++)
      changed |= is_name(p->u, i) && phases_changes(p, i) && phases_variable(p, i) == v;
    if (!changed || phases_is_never_changed(p, v)) continue;
    char *name = unit_spelling(p->u, v->token);
    if (before)
      text_add_format(&p->out, "const auto simt_was_%u = %s; ", v->token, name);
    else
      text_add_format(&p->out, "%s = simt_was_%u; ", name, v->token);
    free(name);
  }
}

void phases_open_region(struct phases *p) {
  const struct range tokens = p->region_tokens;
  keep_changed(p, true);
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (v->crossing && !v->region && v->token >= tokens.from && v->token < tokens.to)
      add_slots(p, v);
  }
  text_add_format(&p->out,
                  "simt::each_warp(blockDim, [&](simt::%s simt_lanes) "
                  "__attribute__((always_inline)) { const uint3 threadIdx = "
                  "simt_lanes.start; (void)threadIdx; ",
                  p->some ? "some_lanes" : "lanes");
  keep_changed(p, false);
  make_again(p, tokens.from, tokens.to);
}

void phases_close_region(struct phases *p) { text_add_string(&p->out, "}); "); }

void phases_flush(struct phases *p) {
  if (p->pending_tokens.to == 0) return;
  if (p->step == WRITE) write_phase(p);
  p->pending.length = 0;
  p->pending_tokens = (struct range){0, 0};
  p->phase++;
}

/* A type that is spelled with a name of the body's own is known at token `at` of the block's text. */
static bool is_known_at(struct phases *p, const struct variable *v, uint32_t at) {
  const struct unit *u = p->u;
  for (uint32_t i = v->type.from; i < v->type.to; i++) {
    const struct variable *named = is_name(u, i) ? phases_variable(p, i) : NULL;
    if (named && (!named->uniform || (named->region && !p->lanes) || named->scope_end < p->d->end ||
                  named->token > at))
      return false;
    for (uint32_t k = at; k < p->d->end && is_name(u, i); k++)
      if ((is_keyword(u, k, KEYWORD_TYPEDEF) || is_keyword(u, k, KEYWORD_USING))) return false;
  }
  return true;
}

/* What is copied from phase to phase may have no destructor, which only the compiler knows. */
static void add_carried(struct phases *p, uint32_t at) {
  bool any = false;
  text_add_string(&p->out, "simt::carried<");
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->crossing || v->type.to == 0 || v->stars.to > v->stars.from ||
        phases_is_built_in(p->u, v->type.from))
      continue;
    p->failed |= !is_known_at(p, v, at);
    struct variable single = *v;
    single.dims.to = single.dims.from;
    text_add_string(&p->out, any ? ", " : "");
    add_type(p, &p->out, &single);
    any = true;
  }
  text_add_string(&p->out, ">");
}

/* All that a kernel returns is of one type. */
void phases_end(struct phases *p, uint32_t i) {
  if (p->step != WRITE) return;
  text_add_string(&p->out, p->helper ? "static_assert(" : "return ");
  add_carried(p, i);
  text_add_string(&p->out, p->helper ? "::possible, \"\"); " : "(); ");
}

char *phases_write(struct phases *p) {
  p->step = WRITE;
  /* With it come shared variables of the file, and more braces. */
  char *open = unit_render(p->u, p->d->body, p->d->body + 1);
  text_add_format(&p->out, "%s const simt::no_step simt_step; ", open);
  int braces = 0;
  for (const char *c = open; *c; c++) braces += (*c == '{') - (*c == '}');
  free(open);
  if (p->lanes)
    text_add_string(&p->out, "const uint3 threadIdx = simt_lanes.start, blockDim = simt_lanes.dim; "
                             "(void)threadIdx; (void)blockDim; ");
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (v->phase != 0) continue;
    char *name = unit_spelling(p->u, v->token);
    add_slots(p, v);
    text_add_string(&p->out, p->lanes    ? "simt::fill_lanes(simt_lanes, "
                             : p->helper ? "simt::fill_block("
                                         : "simt::fill(");
    add_place(p, &p->out, v);
    text_add_format(&p->out, ", %s%s); ", name, p->lanes ? "" : ", blockDim");
    free(name);
  }
  phases_walk(p);
  phases_end(p, p->d->end);
  while (braces-- > 0) text_add_string(&p->out, "}");
  return p->failed ? NULL : text_copy(p->out.data, p->out.length);
}
