/* Functions of a warp in a kernel's text (phases.h): a phase ends where one is called.
 *
 * Method   of each call in a statement, the inner before the outer, every argument is brought by a
 *          phase of its own, then the call is made for the whole warp, and the statement goes on with
 *          simt_x_N[simt_l] in its place
 * Limits   a call that is not made in any case, one that something is evaluated before which it may
 *          see, and one whose mask is not known to be full, is none of phases
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"
#include "warp_functions.h"

enum { MOST_CALLS = 16, MOST_ARGUMENTS = 8 };

struct call {
  const struct warp_function *function; /* or */
  const struct declaration *helper;
  unsigned tile;              /* its threads; 0: the warp */
  uint32_t from, open, close; /* from: the name, or what qualifies it */
  uint32_t number;            /* of its result */
  struct range arguments[MOST_ARGUMENTS];
  unsigned argument_count;
};

struct calls {
  struct call all[MOST_CALLS];
  size_t count, done; /* so many stand in the text as their results */
};

/* ---- Which calls there are ------------------------------------------------------------------- */

const struct declaration *phases_helper(const struct unit *u, uint32_t i) {
  if (!is_name(u, i) || unit_is_member(u, i)) return NULL;
  if (!is_mark(u, i + 1, '(') && !is_mark(u, i + 1, '<')) return NULL;
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->name != NONE && d->open != NONE && d->waits && (d->flags & IS_DEVICE) &&
        u->tokens[d->name].name == u->tokens[i].name && d->body != NONE)
      return d;
  }
  return NULL;
}

bool phases_calls_block(const struct unit *u, uint32_t i) {
  const struct declaration *d = phases_helper(u, i);
  return d && d->for_blocks;
}

bool phases_has_call(const struct unit *u, uint32_t from, uint32_t last) {
  for (uint32_t i = from; i <= last; i++)
    if (phases_is_warp_function(u, i) || (phases_helper(u, i) && !phases_calls_block(u, i)))
      return true;
  return false;
}

uint32_t phases_argument_end(const struct unit *u, uint32_t i, uint32_t close) {
  while (i < close && !is_mark(u, i, ',')) {
    const uint32_t match =
        is_mark(u, i, '<') && is_name(u, i - 1) ? unit_angle_close(u, i) : u->tokens[i].match;
    i = match != NONE && match > i && match < close ? match + 1 : i + 1;
  }
  return i;
}

static bool find_arguments(const struct unit *u, struct call *c) {
  for (uint32_t i = c->open + 1; i < c->close;) {
    if (c->argument_count == MOST_ARGUMENTS) return false;
    const uint32_t end = phases_argument_end(u, i, c->close);
    if (end == i) return false;
    c->arguments[c->argument_count++] = (struct range){i, end};
    i = end + 1;
  }
  return true;
}

/* ---- Calls that can be taken out of a statement -------------------------------------------------- */

/* Between `from` and the call stands nothing that decides whether it is made, and nothing that is
 * for certain evaluated before it. */
static bool is_made_anyway(const struct unit *u, uint32_t from, uint32_t call) {
  for (uint32_t i = from; i < call; i++) {
    const uint32_t match = u->tokens[i].match;
    if (is_mark(u, i, '(') || is_mark(u, i, '[')) {
      if (match < call) i = match;
      continue;
    }
    if (is_mark(u, i, '{') || is_mark(u, i, '?') || unit_is_doubled(u, i, '&') ||
        unit_is_doubled(u, i, '|'))
      return false;
    if (is_mark(u, i, ',')) { /* of a call's arguments? */
      uint32_t open = i;
      while (open > from && !(u->tokens[open].match != NONE && u->tokens[open].match > call))
        open--;
      if (!is_mark(u, open, '(') || !(is_name(u, open - 1) || is_mark(u, open - 1, '>')) ||
          is_keyword(u, open - 1, KEYWORD_IF) || is_keyword(u, open - 1, KEYWORD_RETURN))
        return false;
    }
  }
  return true;
}

static bool has_lambda(const struct unit *u, uint32_t from, uint32_t last) {
  bool marked;
  for (uint32_t i = from; i <= last; i++)
    if (is_mark(u, i, '[') && unit_lambda_body(u, i, &marked) != NONE) return true;
  return false;
}

/* `cg::plus<int>()`: of a class, without arguments. */
static bool makes_operator(const struct unit *u, struct range r) {
  const uint32_t type = phases_type_end(u, r.from);
  return type > r.from && type + 2 == r.to && u->tokens[type].match == type + 1;
}

static bool is_usable(struct phases *p, struct call *c) {
  const struct unit *u = p->u;
  if (!find_arguments(u, c)) return false;
  const struct warp_function *f = c->function;
  if (f) {
    if (!p->region) return false;
    const bool one = c->argument_count >= f->least && c->argument_count <= f->most;
    if (c->tile) return one && (c->argument_count < 3 || makes_operator(u, c->arguments[2]));
    return one && (c->argument_count == 0 || p->step == FIND ||
                   phases_is_full_mask(p, c->arguments[0].from, c->arguments[0].to));
  }
  const struct declaration *d = c->helper;
  unsigned parameters = 0;
  while (helper_parameter(u, d, parameters, NULL) != NONE) parameters++;
  if (!(p->region ? d->for_warps : d->for_blocks) || d->end > p->d->first ||
      parameters != c->argument_count)
    return false;
  p->rows |= d->rows, p->whole |= d->whole;
  for (unsigned k = 0; k < parameters && p->step != FIND; k++)
    if (helper_is_uniform(d, k) &&
        !phases_is_uniform(p, c->arguments[k].from, c->arguments[k].to, p->region))
      return false;
  return true;
}

static bool collect(struct phases *p, uint32_t i, uint32_t last, struct calls *all) {
  const struct unit *u = p->u;
  if (has_lambda(u, i, last)) return false;
  for (uint32_t k = i; k <= last; k++) {
    struct call c = {.from = k};
    c.function = warp_function_at(u, k, &c.tile, &c.from);
    if (!c.function) c.helper = phases_helper(u, k);
    if (!c.function && !c.helper) continue;
    if (all->count == MOST_CALLS || (!c.tile && is_mark(u, k - 1, MARK_SCOPE))) return false;
    c.open = k + 1;
    if (is_mark(u, c.open, '<')) {
      const uint32_t angle = unit_angle_close(u, c.open);
      if (angle == NONE) return false;
      c.open = angle + 1;
    }
    if (!is_mark(u, c.open, '(')) return false;
    c.close = u->tokens[c.open].match;
    if (c.close > last || !is_made_anyway(u, i, c.from) || !is_usable(p, &c)) return false;
    /* The inner one closes first. */
    size_t at = all->count++;
    for (; at && all->all[at - 1].close > c.close; at--) all->all[at] = all->all[at - 1];
    all->all[at] = c;
  }
  return true;
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static const struct call *done_at(const struct calls *all, uint32_t i) {
  const struct call *outer = NULL;
  for (size_t k = 0; k < all->done; k++)
    if (all->all[k].from == i) outer = &all->all[k];
  return outer;
}

/* Tokens [from, to) with results in the place of calls; they are the present phase's. */
static void take(struct phases *p, const struct calls *all, uint32_t from, uint32_t to,
                 struct text *out) {
  uint32_t begin = from;
  for (uint32_t i = from; i <= to; i++) {
    const struct call *c = i < to ? done_at(all, i) : NULL;
    if (!c && i < to) continue;
    if (begin < i || i == to) phases_of_threads(p, begin, i);
    if (p->step == WRITE) {
      char *text = unit_render(p->u, begin, i);
      text_add_format(out, "%s ", text);
      if (c) text_add_format(out, "simt_x_%u[simt_%c] ", c->number, p->region ? 'l' : 't');
      free(text);
    }
    if (c) begin = c->close + 1, i = c->close;
  }
}

/* A phase that ends with the value of `text`, which goes to `into`. */
static void bring(struct phases *p, const char *into, const char *declared, const char *text) {
  if (p->step == WRITE) {
    text_add_format(&p->pending, "%s = %s; ", declared, text);
    p->into.length = 0;
    text_add_string(&p->into, into);
  }
  phases_flush(p);
  p->into.length = 0;
}

/* What a tile's call goes into: `simt::tile_voted<simt::vote_any, 16, `, `simt::tile_folded<cg::plus<int>, 16,` */
static void tile_call(struct phases *p, const struct call *c, struct text *into) {
  const struct warp_function *f = c->function;
  text_add_format(into, "const auto simt_x_%u = simt::%s", c->number, f->call);
  if (c->argument_count == 3) {
    char *type = unit_render(p->u, c->arguments[2].from, c->arguments[2].to - 2);
    text_add_string(into, type);
    free(type);
  }
  if (!f->shuffles) text_add_format(into, ", %u", c->tile);
  text_add_string(into, ", ");
}

static void warp_call(const struct call *c, struct text *into) {
  text_add_format(into, "const auto simt_x_%u = simt::%s, ", c->number, c->function->call);
}

/* What a lane brings. */
static void add_brought(const struct call *c, const char *value, const char *operand,
                        const char *width, struct text *made) {
  const struct warp_function *f = c->function;
  if (f->shuffles) {
    text_add_format(made, "simt::shuffle_operand<%s>(simt_l, ", strchr(f->call, '<') + 1);
    if (f->typed)
      text_add_format(made, "static_cast<decltype(%s(0u, (%s), 0))>(%s)", f->name, value, value);
    else
      text_add_format(made, "(%s)", value);
    text_add_format(made, ", unsigned(%s), unsigned(%s))", operand, width);
  } else if (f->typed) {
    text_add_format(made, "static_cast<decltype(%s(0u, (%s)))>(%s)", f->name, value, value);
  } else {
    text_add_string(made, value);
  }
}

static void call_function(struct phases *p, const struct calls *all, const struct call *c) {
  const struct warp_function *f = c->function;
  const unsigned first = f->of == TILE_METHOD ? 0 : 1;
  const bool generic = f->typed || f->of == TILE_FUNCTION;
  struct text value = {0}, operand = {0}, width = {0}, into = {0}, made = {0};
  text_add_format(&width, "%u", c->tile ? c->tile : MOST_TILE);
  take(p, all, c->arguments[first].from, c->arguments[first].to, &value);
  if (f->shuffles) take(p, all, c->arguments[first + 1].from, c->arguments[first + 1].to, &operand);
  if (c->argument_count == 4) {
    width.length = 0;
    take(p, all, c->arguments[3].from, c->arguments[3].to, &width);
  }
  if (p->step == WRITE) {
    c->tile ? tile_call(p, c, &into) : warp_call(c, &into);
    add_brought(c, value.data, operand.data, width.data, &made);
    bring(p, into.data, generic || f->shuffles ? "const auto simt_v" : "const int simt_v",
          made.data);
  } else {
    bring(p, NULL, NULL, NULL);
  }
  text_free(&value);
  text_free(&operand);
  text_free(&width);
  text_free(&into);
  text_free(&made);
}

bool phases_leave(struct phases *p, uint32_t from, uint32_t to) {
  if (p->step == FIND) return false;
  if (phases_is_uniform(p, from, to, p->region)) return false;
  if (phases_has_call(p->u, from, to) || has_lambda(p->u, from, to)) p->failed = true;
  const struct calls none = {.count = 0};
  struct text value = {0}, into = {0};
  const uint32_t number = ++p->exchanges;
  take(p, &none, from, to, &value);
  if (p->step == WRITE)
    text_add_format(&into, "const auto simt_x_%u = simt::voted<simt::vote_ballot, ", number);
  struct text stays = {0};
  if (p->step == WRITE) text_add_format(&stays, "!(%s)", value.data);
  bring(p, into.data, "const int simt_v", stays.data);
  text_free(&stays);
  if (p->step == WRITE)
    text_add_format(&p->out, "if (!simt_lanes.keep(simt_x_%u[0])) return; ", number);
  text_free(&value);
  text_free(&into);
  return true;
}

static const char *gathered(const struct phases *p) {
  return p->region ? "gathered" : "block_gathered";
}

static void bring_argument(struct phases *p, const struct calls *all, const struct call *c,
                           unsigned k) {
  struct text value = {0}, into = {0};
  take(p, all, c->arguments[k].from, c->arguments[k].to, &value);
  if (p->step == WRITE)
    text_add_format(&into, "const auto simt_a_%u_%u = simt::%s<", c->number, k, gathered(p));
  bring(p, into.data, "const auto simt_v", value.data);
  text_free(&value);
  text_free(&into);
}

static bool returns_nothing(const struct unit *u, const struct declaration *d) {
  char *type = helper_type(u, d);
  const bool nothing = type && !strcmp(type, "void ");
  free(type);
  return nothing;
}

static void call_helper(struct phases *p, const struct calls *all, const struct call *c) {
  for (unsigned k = 0; k < c->argument_count; k++)
    if (!helper_is_uniform(c->helper, k)) bring_argument(p, all, c, k);
  phases_flush(p);
  if (p->step != WRITE) return;
  char *name = unit_render(p->u, c->from, c->open);
  if (!returns_nothing(p->u, c->helper))
    text_add_format(&p->out, "const auto simt_x_%u = ", c->number);
  text_add_format(&p->out,
                  p->region ? "simt_warp_%s(simt_lanes" : "simt_block_%s(blockDim, simt_barriers",
                  name);
  for (unsigned k = 0; k < c->argument_count; k++) {
    char *argument = unit_render(p->u, c->arguments[k].from, c->arguments[k].to);
    if (helper_is_uniform(c->helper, k))
      text_add_format(&p->out, ", %s", argument);
    else
      text_add_format(&p->out, ", simt_a_%u_%u", c->number, k);
    free(argument);
  }
  text_add_string(&p->out, "); ");
  free(name);
}

/* Nothing is left of `f(..);`, which may be a call that gives nothing. */
static bool is_call_alone(const struct calls *all, uint32_t i, uint32_t last) {
  const struct call *c = all->count ? &all->all[all->count - 1] : NULL;
  return c && c->from == i && c->close + 1 == last;
}

void phases_calls(struct phases *p, uint32_t i, uint32_t last, const char *returned) {
  struct calls all = {.count = 0};
  if (!collect(p, i, last, &all)) {
    p->failed = true;
    return;
  }
  for (size_t k = 0; k < all.count; k++) {
    struct call *c = &all.all[k];
    const bool sync = c->function && !*c->function->call;
    const bool nothing = sync || (c->helper && returns_nothing(p->u, c->helper));
    c->number = ++p->exchanges;
    if (nothing && (all.count > 1 || !is_call_alone(&all, i, last))) p->failed = true;
    if (sync)
      phases_flush(p);
    else if (c->function)
      call_function(p, &all, c);
    else
      call_helper(p, &all, c);
    all.done++;
    if (nothing) return;
  }
  struct text rest = {0}, into = {0}, declared = {0};
  if (returned) {
    take(p, &all, i + 1, last, &rest);
    if (p->step == WRITE) {
      text_add_format(&into, "return simt::%s<", gathered(p));
      text_add_format(&declared, "const %s simt_v", returned);
    }
    bring(p, into.data, declared.data, rest.data);
  } else {
    take(p, &all, i, last + 1, &p->pending);
  }
  text_free(&rest);
  text_free(&into);
  text_free(&declared);
}
