/* Device functions with functions of a warp, written a second time for a whole warp, and those with
 * barriers, for a whole block (phases.h).
 *
 * Result   behind `float sum(float v) {..}`: simt_warp_sum(lanes, values of v), which gives the results
 *          of all lanes; or simt_block_sum. Its text is cut into phases as a kernel's is
 * Method   once with parameters that are each lane's own, and if control flow asks for one of them,
 *          once more with all that are never changed as the same for the warp
 * Limits   parameters by value, one `return` at the end, no members, no overloads
 */
#include <stdlib.h>
#include <string.h>

#include "phases.h"

enum { MOST_PARAMETERS = 8 };

static void add_raw(const struct unit *u, struct text *out, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    char *word = unit_spelling(u, i);
    text_add_format(out, "%s ", word);
    free(word);
  }
}

bool phases_needs_coordinates(const struct unit *u, const struct declaration *d) {
  uint32_t name, last;
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    if (tile_statement(u, i, &name, &last)) i = last;
    if (tile_is_asked(u, i)) i += 4;
    /* The headers' own text is not looked at: a block or a grid that is asked. */
    if (unit_is_member(u, i) &&
        (phases_spells(u, i, "thread_rank") || phases_spells(u, i, "thread_index")))
      return true;
    if (!is_name(u, i) || phases_is_warp_function(u, i)) continue;
    for (size_t k = 0; k < u->declaration_count; k++) {
      const struct declaration *other = &u->declarations[k];
      if (other != d && other->coordinates && !other->for_warps && !other->for_blocks &&
          other->name != NONE && u->tokens[other->name].name == u->tokens[i].name)
        return true;
    }
  }
  return u->all_coordinates;
}

/* ---- What a function says of itself --------------------------------------------------------------- */

static bool is_of_function(const struct unit *u, uint32_t i) {
  return (keyword_flags(u->tokens[i].name) & DROPPED) || is_keyword(u, i, KEYWORD_FORCEINLINE) ||
         is_keyword(u, i, KEYWORD_NOINLINE) || is_keyword(u, i, KEYWORD_STATIC) ||
         is_keyword(u, i, KEYWORD_INLINE) || is_keyword(u, i, KEYWORD_INLINE2) ||
         is_keyword(u, i, KEYWORD_INLINE3) || is_keyword(u, i, KEYWORD_CONSTEXPR);
}

char *helper_type(const struct unit *u, const struct declaration *d) {
  struct text out = {0};
  bool known = true;
  for (uint32_t i = d->head; i < d->name; i++) {
    if (is_keyword(u, i, KEYWORD_ATTRIBUTE) && u->tokens[i + 1].match != NONE) {
      i = u->tokens[i + 1].match;
      continue;
    }
    if (is_name(u, i) && is_of_function(u, i)) continue;
    known &= !phases_spells(u, i, "auto") && !is_keyword(u, i, KEYWORD_DECLTYPE) &&
             !is_keyword(u, i, KEYWORD_EXTERN) && !is_mark(u, i, '&') && !is_mark(u, i, '[');
    add_raw(u, &out, i, i + 1);
  }
  char *type = known && out.length ? text_copy(out.data, out.length) : NULL;
  text_free(&out);
  return type;
}

uint32_t helper_parameter(const struct unit *u, const struct declaration *d, unsigned number,
                          struct range *type) {
  for (uint32_t i = d->open + 1; i < d->close; number--) {
    uint32_t end = i, value = NONE;
    for (; end < d->close && !is_mark(u, end, ','); end++) {
      if (is_mark(u, end, '=') && value == NONE) value = end;
      const uint32_t match = is_mark(u, end, '<') ? unit_angle_close(u, end) : u->tokens[end].match;
      if (match != NONE && match > end && match < d->close) end = match;
    }
    const uint32_t name = (value == NONE ? end : value) - 1;
    if (number == 0) {
      if (type) *type = (struct range){i, name};
      return name;
    }
    i = end + 1;
  }
  return NONE;
}

/* All are values with names. */
static bool has_plain_parameters(const struct unit *u, const struct declaration *d) {
  struct range type;
  for (unsigned k = 0;; k++) {
    const uint32_t name = helper_parameter(u, d, k, &type);
    if (name == NONE) return true;
    if (k == MOST_PARAMETERS || !is_name(u, name) || phases_type_end(u, type.from) == type.from)
      return false;
    uint32_t i = phases_type_end(u, type.from);
    while (is_mark(u, i, '*') || is_keyword(u, i, KEYWORD_CONST) ||
           phases_spells(u, i, "__restrict__"))
      i++;
    if (i != name) return false;
  }
}

bool helper_is_uniform(const struct declaration *d, unsigned parameter) {
  return d->uniform >> parameter & 1;
}

static bool is_alone(const struct unit *u, const struct declaration *d) {
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *other = &u->declarations[k];
    if (other != d && other->name != NONE && other->open != NONE && other->body != NONE &&
        u->tokens[other->name].name == u->tokens[d->name].name)
      return false;
  }
  return true;
}

static bool is_possible(const struct unit *u, const struct declaration *d) {
  const unsigned never = IS_MEMBER | IS_UNNAMED | IS_SPECIAL | IS_GLOBAL | IS_FRIEND | IS_C_LINKAGE;
  if (!(d->flags & IS_DEVICE) || (d->flags & never) || !d->barriers || d->open == NONE ||
      d->body != d->close + 1 || is_mark(u, d->name - 1, MARK_SCOPE))
    return false;
  bool marked;
  for (uint32_t i = d->body + 1; i < d->end; i++)
    if (unit_lambda_body(u, i, &marked) != NONE || unit_class_body(u, i) != NONE) return false;
  return has_plain_parameters(u, d) && is_alone(u, d);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static bool names_template_parameter(const struct unit *u, const struct declaration *d,
                                     struct range type) {
  for (uint32_t i = type.from; i < type.to; i++)
    for (uint32_t k = d->first; k < d->head && is_name(u, i); k++)
      if (is_name(u, k) && u->tokens[k].name == u->tokens[i].name &&
          !is_keyword(u, k, KEYWORD_TYPENAME))
        return true;
  return false;
}

/* `const T v` as values of T; any other type as values of whatever is given. */
static void add_parameter(const struct unit *u, const struct declaration *d, unsigned k,
                          struct range type, struct text *own, struct text *list) {
  if (helper_is_uniform(d, k)) {
    text_add_string(list, ", ");
    add_raw(u, list, type.from, type.to);
  } else if (names_template_parameter(u, d, type)) {
    bool pointer = false;
    for (uint32_t i = type.from; i < type.to; i++) pointer |= is_mark(u, i, '*');
    text_add_format(list, ", const simt::%s<", d->for_warps ? "lane_values" : "block_values");
    for (uint32_t i = type.from; i < type.to; i++)
      if (pointer || !is_keyword(u, i, KEYWORD_CONST)) add_raw(u, list, i, i + 1);
    text_add_string(list, "> &");
  } else {
    text_add_format(own, "%sclass SimtA%u", own->length ? ", " : "", k);
    text_add_format(list, ", const SimtA%u &", k);
  }
  add_raw(u, list, type.to, type.to + 1);
}

static void write_helper(struct unit *u, const struct declaration *d, const char *type,
                         const char *body) {
  struct text own = {0}, list = {0}, head = {0};
  struct range each;
  if (d->for_warps) text_add_string(&own, "class SimtLanes");
  for (unsigned k = 0; helper_parameter(u, d, k, &each) != NONE; k++)
    add_parameter(u, d, k, each, &own, &list);
  if (d->flags & IS_TEMPLATE) {
    add_raw(u, &head, d->first, d->head - 1);
    text_add_format(&head, "%s%s>", own.length ? ", " : "", own.length ? own.data : "");
  } else if (own.length) {
    text_add_format(&head, "template <%s>", own.data);
  }
  char *name = unit_spelling(u, d->name);
  const bool nothing = !strcmp(type, "void ");
  edit_after(u, d->end, " %s inline %s%s%s %s%s(%s%s) %s", head.length ? head.data : "",
             nothing        ? ""
             : d->for_warps ? "simt::lane_values<"
                            : "simt::block_values<",
             type, nothing ? "" : ">", d->for_warps ? "simt_warp_" : "simt_block_", name,
             d->for_warps ? "const SimtLanes &simt_lanes"
                          : "uint3 blockDim, unsigned long long &simt_barriers",
             list.length ? list.data : "", body);
  free(name);
  text_free(&own);
  text_free(&list);
  text_free(&head);
}

static bool is_changed_parameter(const struct phases *p, uint32_t name) {
  for (size_t k = 0; k < p->variable_count; k++)
    if (p->variables[k].token == name) return true;
  return false;
}

/* Writes it with uniform parameters or without; false: that is not possible. */
static bool write_once(struct unit *u, struct declaration *d, const char *type, bool uniform) {
  struct phases *p = NULL;
  const bool found = phases_find_helper(u, d, phases_needs_coordinates(u, d), type, uniform, &p);
  for (unsigned k = 0; found && uniform; k++) {
    const uint32_t name = helper_parameter(u, d, k, NULL);
    if (name == NONE) break;
    if (!is_changed_parameter(p, name)) d->uniform |= (uint64_t)1 << k;
  }
  char *body = found ? phases_write(p) : NULL;
  if (body) {
    d->for_warps = p->lanes, d->for_blocks = !p->lanes;
    d->rows = p->rows, d->whole = p->whole;
    write_helper(u, d, type, body);
  }
  free(body);
  phases_free(p);
  return body != NULL;
}

void rewrite_helper(struct unit *u, struct declaration *d) {
  if (!is_possible(u, d)) return;
  char *type = helper_type(u, d);
  if (type && !write_once(u, d, type, false)) (void)write_once(u, d, type, true);
  free(type);
}
