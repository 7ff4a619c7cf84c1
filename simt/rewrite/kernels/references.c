/* Kernel parameters that are references.
 *
 * Result   ", &a, &b": what the lambda of a kernel captures beside its copies. A kernel gets
 *          the address of what such a parameter refers to, as on a GPU, and no copy of it
 * Limits   a reference within nested brackets is seen only as (&name)
 */
#include <stdlib.h>

#include "signature.h"

/* The name that the parameter at [from, end) gives to a reference, or NONE. */
static uint32_t reference_name(const struct unit *u, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end && !is_mark(u, i, '='); i++) {
    const bool inner = is_mark(u, i, '(') && !is_mark(u, i + 1, '&');
    const uint32_t close = is_mark(u, i, '<') ? unit_angle_close(u, i)
                           : inner            ? u->tokens[i].match
                                              : NONE;
    if (close != NONE && close > i && close < end) i = close;
    if (!is_mark(u, i, '&')) continue;
    while (i < end && (is_mark(u, i, '&') || is_mark(u, i, '.'))) i++;
    if (i + 1 < end && is_name(u, i) && is_name(u, i + 1)) i++; /* & __restrict__ name */
    return i < end && is_name(u, i) ? i : NONE;
  }
  return NONE;
}

char *kernel_references(const struct unit *u, const struct declaration *d) {
  struct text out = {0};
  text_add(&out, "", 0);
  for (uint32_t i = d->open + 1; i < d->close;) {
    uint32_t end = i;
    while (end < d->close && !is_mark(u, end, ',')) {
      const uint32_t inner = is_mark(u, end, '<') ? unit_angle_close(u, end) : u->tokens[end].match;
      end = inner != NONE && inner > end && inner < d->close ? inner + 1 : end + 1;
    }
    const uint32_t name = reference_name(u, i, end);
    if (name != NONE) {
      char *spelled = unit_spelling(u, name);
      text_add_format(&out, ", &%s%s", spelled, is_mark(u, name - 1, '.') ? "..." : "");
      free(spelled);
    }
    i = end + 1;
  }
  return out.data;
}
