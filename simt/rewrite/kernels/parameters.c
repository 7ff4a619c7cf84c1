/* The parameters of a kernel by name.
 *
 * Result   of (int n, T *p, A... a): "simt::argument<decltype(n)> n, ...", and "n, p, a..."
 * Method   an instrumented kernel's text is a function of its own, called with these, so that its
 *          parameters are local variables and no memory that somebody else might touch
 * Limits   a name in a declarator that is not seen stays what the lambda around it captured
 */
#include <string.h>

#include "signature.h"

static bool is_qualifier(const struct unit *u, uint32_t i) {
  switch (u->tokens[i].name) {
  case KEYWORD_CONST:
  case KEYWORD_VOLATILE:
  case KEYWORD_STRUCT:
  case KEYWORD_CLASS:
  case KEYWORD_UNION:
  case KEYWORD_ENUM:
  case KEYWORD_TYPENAME:
  case KEYWORD_GRID_CONSTANT: return true;
  default: return false;
  }
}

static bool is_builtin_type(const struct unit *u, uint32_t i) {
  static const char *const all[] = {"int",   "unsigned", "signed", "long", "short",
                                    "float", "double",   "char",   "bool", "size_t"};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const struct token *t = &u->tokens[i];
    if (t->length == strlen(all[k]) && !memcmp(u->text + t->start, all[k], t->length)) return true;
  }
  return false;
}

/* The name in the parameter at [from, end), or NONE. `end` is its `=`, comma or parenthesis. */
static uint32_t parameter_name(const struct unit *u, uint32_t from, uint32_t end) {
  uint32_t name = NONE, type = NONE;
  for (uint32_t i = from; i < end; i++) {
    if (is_mark(u, i, '[')) break;
    const bool inner = is_mark(u, i, '(') && (is_mark(u, i + 1, '*') || is_mark(u, i + 1, '&'));
    if (inner) { /* (*name)(..), (&name)[4] */
      for (i++; i < end && !is_name(u, i); i++) {
      }
      return i < end ? i : NONE;
    }
    const uint32_t close = is_mark(u, i, '<')   ? unit_angle_close(u, i)
                           : is_mark(u, i, '(') ? u->tokens[i].match
                                                : NONE;
    if (close != NONE && close > i && close < end) {
      i = close;
      name = NONE;
      type = close;
    } else if (is_name(u, i) && !is_qualifier(u, i)) {
      if (name != NONE) type = name;
      name = i;
    } else if (is_mark(u, i, MARK_SCOPE)) {
      i++; /* what follows belongs to a type */
      type = i;
      name = NONE;
    } else if (!is_name(u, i)) { /* stars, dots */
      if (name != NONE) type = name;
      name = NONE;
    }
  }
  return type == NONE || name == NONE || is_builtin_type(u, name) ? NONE : name;
}

void kernel_parameters(const struct unit *u, const struct declaration *d, struct text *declared,
                       struct text *named) {
  text_add(declared, "", 0);
  text_add(named, "", 0);
  for (uint32_t i = d->open + 1; i < d->close;) {
    uint32_t end = i, value = NONE;
    while (end < d->close && !is_mark(u, end, ',')) {
      if (is_mark(u, end, '=') && value == NONE) value = end;
      const uint32_t inner = is_mark(u, end, '<') ? unit_angle_close(u, end) : u->tokens[end].match;
      end = inner != NONE && inner > end && inner < d->close ? inner + 1 : end + 1;
    }
    const uint32_t name = parameter_name(u, i, value == NONE ? end : value);
    if (name != NONE) {
      const struct token *t = &u->tokens[name];
      const char *dots = is_mark(u, name - 1, '.') ? "..." : "";
      const char *comma = named->length ? ", " : "";
      text_add_format(declared, "%ssimt::argument<decltype(%.*s)>%s %.*s", comma, (int)t->length,
                      u->text + t->start, dots, (int)t->length, u->text + t->start);
      text_add_format(named, "%s%.*s%s", comma, (int)t->length, u->text + t->start, dots);
    }
    i = end + 1;
  }
}
