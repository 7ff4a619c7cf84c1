/* `static int calls;` in a function of the device, which is a variable of the device.
 *
 * Result  it stands in the section of such variables, by which the runtime and the checker know it
 * Method  for g++ each has a section of its own (linkage.c), since those of templates and of members, which
 *         several files may have, go into no other's
 * Limits  constants stay where they are, and so do variables of functions that are the host's as well
 */
#include "rewrite/passes.h"

static bool is_looked_at(const struct declaration *d) {
  const unsigned never = IS_HOST | IS_SPECIAL | IS_UNNAMED | IS_FRIEND;
  if (d->body == NONE || d->open == NONE || (d->flags & never)) return false;
  return (d->flags & (IS_DEVICE | IS_GLOBAL)) != 0;
}

/* The declaration behind `static` at i is of a variable that is no constant, and not in shared memory. */
static bool is_variable(const struct unit *u, uint32_t i) {
  for (; !is_mark(u, i, ';') && !is_mark(u, i, '=') && !is_mark(u, i, '{'); i++) {
    if (is_keyword(u, i, KEYWORD_CONST) || is_keyword(u, i, KEYWORD_CONSTEXPR) ||
        is_keyword(u, i, KEYWORD_SHARED) || is_keyword(u, i, KEYWORD_STATIC_ASSERT) ||
        is_mark(u, i, '('))
      return false;
    if (i + 1 >= u->token_count) return false;
  }
  return true;
}

void rewrite_static_locals(struct unit *u) {
  for (size_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (!is_looked_at(d)) continue;
    for (uint32_t i = d->body + 1; i < d->end; i++)
      if (is_keyword(u, i, KEYWORD_STATIC) && is_variable(u, i + 1))
        edit_after(u, i, " __attribute__((section(\"simt_device,\\\"aw\\\"#%u\")))", i);
  }
}
