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
  if (v->phase == 0) {
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

/* Places for what this phase declares. */
static void add_places(struct phases *p) {
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->crossing || v->phase != p->phase) continue;
    text_add_string(&p->out, "simt::slots<");
    add_type(p, &p->out, v);
    text_add_string(&p->out, "> ");
    add_place(p, &p->out, v);
    text_add_string(&p->out, "; ");
  }
}

static void take(struct phases *p, const struct variable *v, const char *name) {
  if (is_array(v)) {
    text_add_format(&p->out, "auto &%s = ", name);
  } else {
    text_add_string(&p->out, "typename simt::held<");
    add_type(p, &p->out, v);
    text_add_format(&p->out, ">::type %s = ", name);
  }
  add_place(p, &p->out, v);
  text_add_string(&p->out, "[simt_t]; ");
}

static void put(struct phases *p, const struct variable *v, const char *name) {
  text_add_string(&p->out, "simt::keep(");
  add_place(p, &p->out, v);
  text_add_format(&p->out, "[simt_t], %s); ", name);
}

/* Declares those anew that are made of coordinates. What nobody uses the compiler leaves out. */
static void make_again(struct phases *p) {
  const struct unit *u = p->u;
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->again || v->uniform || v->phase == p->phase || v->token > p->pending_tokens.from ||
        v->scope_end < p->pending_tokens.to)
      continue;
    char *type = unit_render(u, v->type.from, v->type.to);
    char *name = unit_render(u, v->stars.from, v->token + 1);
    char *init = unit_render(u, v->init.from, v->init.to);
    text_add_format(&p->out, "%s %s = %s; ", type, name, init);
    free(type);
    free(name);
    free(init);
  }
}

static void write_phase(struct phases *p) {
  bool changed;
  add_places(p);
  text_add_format(&p->out,
                  "simt::each<%s>(blockDim, [&](uint3 threadIdx, unsigned long simt_t) "
                  "__attribute__((always_inline)) { ",
                  p->coordinates ? "true" : "false");
  make_again(p);
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
  text_add_string(&p->out, "}); ");
}

void phases_flush(struct phases *p) {
  if (p->pending_tokens.to == 0) return;
  if (p->step == WRITE) write_phase(p);
  p->pending.length = 0;
  p->pending_tokens = (struct range){0, 0};
  p->phase++;
}

/* What is copied from phase to phase may have no destructor, which only the compiler knows. */
static void add_carried(struct phases *p) {
  bool any = false;
  text_add_string(&p->out, "return simt::carried<");
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (!v->crossing || v->phase == 0 || v->stars.to > v->stars.from ||
        phases_is_built_in(p->u, v->type.from))
      continue;
    struct variable single = *v;
    single.dims.to = single.dims.from;
    text_add_string(&p->out, any ? ", " : "");
    add_type(p, &p->out, &single);
    any = true;
  }
  text_add_string(&p->out, ">(); ");
}

char *phases_write(struct phases *p) {
  p->step = WRITE;
  text_add_string(&p->out, "{ const simt::no_step simt_step; ");
  for (size_t k = 0; k < p->variable_count; k++) {
    const struct variable *v = &p->variables[k];
    if (v->phase != 0) continue;
    char *name = unit_spelling(p->u, v->token);
    text_add_string(&p->out, "simt::slots<");
    add_type(p, &p->out, v);
    text_add_string(&p->out, "> ");
    add_place(p, &p->out, v);
    text_add_string(&p->out, "; simt::fill(");
    add_place(p, &p->out, v);
    text_add_format(&p->out, ", %s, blockDim); ", name);
    free(name);
  }
  phases_walk(p);
  add_carried(p);
  text_add_string(&p->out, "}");
  return p->failed ? NULL : text_copy(p->out.data, p->out.length);
}
