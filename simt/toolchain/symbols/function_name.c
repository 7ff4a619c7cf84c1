/* A demangled name, cut from both ends (function_name.h).
 *
 * Method   one pass over the demangled name that knows the depth of < > and ( ): at depth 0 the
 *          first parenthesis opens the parameters, the last blank before it ends the return
 *          type, and "::{lambda" ends the function around a lambda
 * Limits   a name in no known form stays as it is
 */
#include "function_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The bytes of `text` that are one unit, whatever brackets they hold; 0: none begins here. */
static size_t unit(const char *text) {
  static const char *const units[] = {"(anonymous namespace)", "{anonymous}", "{default arg#1}"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const size_t length = strlen(units[i]);
    if (!strncmp(text, units[i], length)) return length;
  }
  return 0;
}

/* "operator<<", "operator()", "operator new", "operator bool": its length up to the parameters;
 * 0 if no operator's name begins here. */
static size_t operator_name(const char *text, bool inside_word) {
  static const char word[] = "operator";
  size_t n = sizeof word - 1;
  if (inside_word || strncmp(text, word, n) || isalnum((unsigned char)text[n]) || text[n] == '_')
    return 0;
  if (!strncmp(text + n, "()", 2) || !strncmp(text + n, "[]", 2)) return n + 2;
  if (text[n] == ' ') { /* new, delete, "" _x, a type to convert to */
    while (text[n] && text[n] != '(' && text[n] != '<') n++;
    return n;
  }
  while (text[n] && strchr("+-*/%^&|~!=<>,", text[n])) n++;
  return n;
}

struct shape {
  size_t begin, end; /* of the name */
};

static bool opens(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
static bool closes(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

static bool in_word(const char *name, size_t at) {
  return at && (isalnum((unsigned char)name[at - 1]) || name[at - 1] == '_');
}

static struct shape shape_of(const char *name) {
  struct shape s = {0, strlen(name)};
  size_t depth = 0, i = 0;
  bool in_operator = false;
  while (name[i]) {
    const size_t skip = unit(name + i);
    const size_t called = depth ? 0 : operator_name(name + i, in_word(name, i));
    if (skip || called) {
      in_operator = in_operator || called;
      i += skip + (skip ? 0 : called);
      continue;
    }
    const char c = name[i];
    if (depth == 0 && c == '(' && !(i >= 8 && !strncmp(name + i - 8, "decltype", 8))) {
      s.end = i;
      return s;
    }
    if (depth == 0 && c == ' ' && !in_operator) s.begin = i + 1;
    if (opens(c)) depth++;
    if (closes(c) && depth && !(c == '>' && i && name[i - 1] == '-')) depth--;
    i++;
  }
  return s;
}

/* Where "::{lambda(" stands outside of all brackets; the length of the name if nowhere. */
static size_t before_lambda(const char *name) {
  size_t depth = 0, i = 0;
  while (name[i]) {
    if (depth == 0 && i && !strncmp(name + i, "::{lambda(", 10)) break;
    const size_t called = depth ? 0 : operator_name(name + i, in_word(name, i));
    if (called) {
      i += called;
      continue;
    }
    if (opens(name[i])) depth++;
    if (closes(name[i]) && depth && !(name[i] == '>' && i && name[i - 1] == '-')) depth--;
    i++;
  }
  return i;
}

unsigned symbols_clean(char *name) {
  unsigned lambdas = 0;
  for (size_t at = before_lambda(name); name[at]; at += before_lambda(name + at + 2) + 2) lambdas++;
  name[before_lambda(name)] = 0;
  const struct shape s = shape_of(name);
  if (s.begin >= s.end) return lambdas;
  memmove(name, name + s.begin, s.end - s.begin);
  name[s.end - s.begin] = 0;
  return lambdas;
}
