/* Calls of host functions in device code, which nvcc refuses.
 *
 * Result   an error at the call, that names the function's line and the remedy
 * Method   by name: every function of the name that the unit declares is a plain one of the
 *          host, with a body, and no header of the system's or of ours calls or declares one of
 *          that name. What is called must be meant by the name alone: no member, nothing
 *          qualified, no parameter or local variable
 * Limits   errs towards silence: templates, members, constexpr functions, functions of which only a
 *          prototype is there, and what is __host__ __device__ are not looked at. The text is that
 *          of the device, since __CUDA_ARCH__ may give it another function of the name
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/passes.h"

enum { UNSEEN, HOST, HOST_ONLY, UNCLEAR }; /* HOST_ONLY: and in no header */

struct called {
  uint8_t state;
  uint32_t where;                   /* the function's name */
  const struct declaration *looked; /* the last function that was asked for other uses */
  bool otherwise;                   /* what it said */
};

static bool is_spelled(const struct unit *u, uint32_t i, const char *word) {
  const struct token *t = &u->tokens[i];
  return is_name(u, i) && t->length == strlen(word) && !memcmp(u->text + t->start, word, t->length);
}

/* A plain function of the host: no template, no member, not constexpr. */
static bool is_host_function(const struct unit *u, const struct declaration *d) {
  if (d->open == NONE || is_mark(u, d->name - 1, MARK_SCOPE)) return false;
  for (uint32_t i = d->first; i < d->open; i++)
    if (is_spelled(u, i, "device")) return false; /* __attribute__((device)) */
  return !(d->flags & (IS_GLOBAL | IS_DEVICE | IS_TEMPLATE | IS_MEMBER | IS_UNNAMED | IS_CONST |
                       IS_FRIEND | IS_SPECIAL | IS_TYPEDEF));
}

static void find_host_functions(const struct unit *u, struct called *all) {
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->name == NONE || !d->name) continue;
    struct called *c = &all[u->tokens[d->name].name];
    if (!is_host_function(u, d)) {
      c->state = UNCLEAR;
    } else if (d->body != NONE && c->state != UNCLEAR) {
      *c = (struct called){.state = HOST, .where = d->name};
    }
  }
  for (uint32_t i = 0; i + 1 < u->token_count; i++) { /* using a::b; */
    if (!is_keyword(u, i, KEYWORD_USING)) continue;
    for (uint32_t k = i + 1; k < i + 16 && !is_mark(u, k, ';') && !is_end(u, k); k++)
      if (is_name(u, k)) all[u->tokens[k].name].state = UNCLEAR;
  }
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A token of the user's begins there. */
static bool is_token(const struct unit *u, size_t at) {
  size_t low = 0, high = u->token_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (u->tokens[middle].start < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < u->token_count && u->tokens[low].start == at;
}

/* Text that is not the user's has the name in front of a parenthesis. */
static bool is_in_header(const struct unit *u, uint32_t name) {
  const struct token *t = &u->tokens[name];
  const char *word = u->text + t->start, *end = u->text + u->length;
  for (const char *p = u->text; (p = memmem(p, (size_t)(end - p), word, t->length)); p++) {
    const char *next = p + t->length;
    while (next < end && (*next == ' ' || *next == '\n')) next++;
    if (next == end || *next != '(' || (p > u->text && is_letter(p[-1]))) continue;
    if (!is_token(u, (size_t)(p - u->text))) return true;
  }
  return false;
}

/* The name at i is called; where it is declared a type stands before it. */
static bool is_call(const struct unit *u, uint32_t i) {
  if (!is_mark(u, i + 1, '(') || unit_is_member(u, i) || is_mark(u, i - 1, MARK_SCOPE))
    return false;
  if (!is_name(u, i - 1)) return true;
  return is_keyword(u, i - 1, KEYWORD_RETURN) || is_keyword(u, i - 1, KEYWORD_ELSE) ||
         is_keyword(u, i - 1, KEYWORD_DO) || is_keyword(u, i - 1, KEYWORD_CASE);
}

/* sizeof(f()), decltype(f()): nothing is called. */
static bool is_unevaluated(const struct unit *u, uint32_t i) {
  return is_mark(u, i - 1, '(') &&
         (is_keyword(u, i - 2, KEYWORD_SIZEOF) || is_keyword(u, i - 2, KEYWORD_DECLTYPE) ||
          is_keyword(u, i - 2, KEYWORD_NOEXCEPT));
}

/* Something else has the name in this function, or it is passed on. */
static bool is_used_otherwise(const struct unit *u, const struct declaration *d, uint32_t name,
                              struct called *c) {
  if (c->looked == d) return c->otherwise;
  c->looked = d;
  c->otherwise = false;
  for (uint32_t i = d->first; i < d->end && !c->otherwise; i++)
    c->otherwise = is_name(u, i) && u->tokens[i].name == name && i && !is_call(u, i);
  return c->otherwise;
}

static void look_at(struct unit *u, const struct declaration *d, struct called *all) {
  for (uint32_t i = d->body + 1; i < d->end; i++) {
    if (!is_name(u, i)) continue;
    struct called *c = &all[u->tokens[i].name];
    if ((c->state != HOST && c->state != HOST_ONLY) || !is_call(u, i) || is_unevaluated(u, i))
      continue;
    if (is_used_otherwise(u, d, u->tokens[i].name, c)) continue;
    if (c->state == HOST) c->state = is_in_header(u, i) ? UNCLEAR : HOST_ONLY;
    if (c->state == UNCLEAR) continue;
    char *function = unit_spelling(u, i), *caller = unit_spelling(u, d->name);
    unit_error(u, i,
               "%s is a function of the host (line %u), and %s runs on the device: mark it "
               "__device__, or __host__ __device__ if the host calls it, too",
               function, u->tokens[c->where].line, caller);
    free(function);
    free(caller);
  }
}

bool rewrite_refuse_host_calls(struct unit *u) {
  if (u->device_default) return true;
  struct called *all = text_allocate(names_count(u->names) * sizeof *all);
  find_host_functions(u, all);
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->body == NONE || d->open == NONE || d->name == NONE) continue;
    if (!(d->flags & (IS_DEVICE | IS_GLOBAL)) || d->flags & (IS_HOST | IS_TEMPLATE | IS_UNNAMED))
      continue;
    look_at(u, d, all);
  }
  free(all);
  return !u->failed;
}
