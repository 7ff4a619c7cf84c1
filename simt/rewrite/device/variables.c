/* Variables of the device that are templates: `template <class T> __constant__ T mask[4];`.
 *
 * Result  in functions of the host mask<float> becomes ::simt::device_object(mask<float>), which
 *         makes that instance known to the runtime as a variable of the device; in an instrumented
 *         program in kernels, too, since the observer has to know the memory's name
 * Method  g++ gives instances of templates sections of their own, whatever is asked for
 *         (linkage.c), and what is instantiated has no other moment to say so than its use
 * Limits  uses outside of functions, and operands of decltype, are left as they are
 */
#include <stdlib.h>

#include "rewrite/passes.h"

static bool is_template_variable(const struct declaration *d) {
  const uint32_t device = IS_DEVICE | IS_CONSTANT | IS_MANAGED;
  return d->name != NONE && d->open == NONE && d->body == NONE && (d->flags & IS_TEMPLATE) &&
         (d->flags & device) && !(d->flags & (IS_SHARED | IS_MEMBER | IS_TYPEDEF));
}

/* The first token of `a::b::name`. */
static uint32_t first_of_name(const struct unit *u, uint32_t i) {
  while (i > 1 && is_mark(u, i - 1, MARK_SCOPE)) i -= is_name(u, i - 2) ? 2 : 1;
  return i;
}

static bool is_operand_of_decltype(const struct unit *u, uint32_t i) {
  static const char word[] = "decltype";
  if (i < 2 || !is_mark(u, i - 1, '(') || !is_name(u, i - 2)) return false;
  char *name = unit_spelling(u, i - 2);
  bool same = true;
  for (size_t k = 0; k < sizeof word && same; k++) same = name[k] == word[k];
  free(name);
  return same;
}

void rewrite_variables(struct unit *u) {
  uint8_t *known = text_allocate(names_count(u->names) + 1);
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    if (is_template_variable(d)) known[u->tokens[d->name].name] = 1;
  }
  for (uint32_t i = 1; i + 1 < u->token_count; i++) {
    if (u->inside[i] == INSIDE_NONE || (u->inside[i] == INSIDE_DEVICE && !u->instrumented))
      continue;
    if (!is_name(u, i) || !known[u->tokens[i].name] || !is_mark(u, i + 1, '<')) continue;
    const uint32_t close = unit_angle_close(u, i + 1);
    if (close == NONE || unit_is_member(u, i) || is_mark(u, close + 1, MARK_SCOPE)) continue;
    const uint32_t first = first_of_name(u, i);
    if (is_operand_of_decltype(u, first)) continue;
    edit_before(u, first, "::simt::device_object(");
    edit_after(u, close, ")");
  }
  free(known);
}
