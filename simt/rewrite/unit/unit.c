/* Shapes that several passes look for, by brackets (unit.h); messages and the end. */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

void unit_free(struct unit *u) {
  for (size_t i = 1; i < u->edit_count; i++) {
    text_free(&u->edits[i].before);
    text_free(&u->edits[i].after);
    text_free(&u->edits[i].instead);
  }
  for (size_t i = 0; i < u->file_count; i++) free(u->files[i].name);
  free(u->edits);
  free(u->files);
  free(u->tokens);
  free(u->declarations);
  free(u->inside);
  names_free(u->names);
}

void unit_error(struct unit *u, uint32_t token, const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  const struct token *t = &u->tokens[token];
  if (++u->errors > MOST_ERRORS) return;
  text_add_format(u->messages, "%s:%u: error: %s\n", u->files[t->file].name, t->line, message);
  u->failed = true;
}

/* Template arguments longer than this are taken for comparisons; bounds hostile text. */
enum { LONGEST_ANGLE = 1024 };

/* Tokens i and i + 1 are the operator <<, which opens no template arguments. */
static bool is_shift(const struct unit *u, uint32_t i) {
  return is_mark(u, i, '<') && is_mark(u, i + 1, '<') && is_adjacent(u, i);
}

uint32_t unit_angle_close(const struct unit *u, uint32_t i) {
  unsigned depth = 0;
  for (uint32_t steps = 0; steps < LONGEST_ANGLE; steps++, i++) {
    const struct token *t = &u->tokens[i];
    if (t->kind == TOKEN_END) return NONE;
    if (t->kind != TOKEN_MARK) continue;
    switch (t->name) {
    case '<':
      if (is_shift(u, i)) {
        if (!depth) return NONE;
        i++;
      } else {
        depth++;
      }
      break;
    case '>':
      if (!--depth) return i;
      break;
    case '(':
    case '[':
    case '{':
      if (t->match == NONE) return NONE;
      i = t->match;
      break;
    case ')':
    case ']':
    case '}':
    case ';': return NONE;
    default: break;
    }
  }
  return NONE;
}

uint32_t unit_angle_open(const struct unit *u, uint32_t i) {
  unsigned depth = 0;
  for (uint32_t steps = 0; steps < LONGEST_ANGLE; steps++, i--) {
    const struct token *t = &u->tokens[i];
    if (t->kind == TOKEN_MARK) {
      switch (t->name) {
      case '>': depth++; break;
      case '<':
        if (i && is_shift(u, i - 1)) {
          i--;
        } else if (!--depth) {
          return i;
        }
        break;
      case ')':
      case ']':
      case '}':
        if (t->match == NONE) return NONE;
        i = t->match;
        break;
      case '(':
      case '[':
      case '{':
      case ';': return NONE;
      default: break;
      }
    }
    if (!i) return NONE;
  }
  return NONE;
}

bool unit_is_launch(const struct unit *u, uint32_t i) {
  if (!is_mark(u, i, '<') || !is_mark(u, i + 1, '<') || !is_mark(u, i + 2, '<')) return false;
  if (i == 0 || is_keyword(u, i - 1, KEYWORD_OPERATOR) || is_mark(u, i - 1, '<')) return false;
  return true;
}

uint32_t unit_lambda_body(const struct unit *u, uint32_t i, bool *marked) {
  *marked = false;
  if (!is_mark(u, i, '[') || u->tokens[i].match == NONE || is_mark(u, i + 1, '[')) return NONE;
  if (i > 0) {
    const struct token *before = &u->tokens[i - 1];
    if (before->kind == TOKEN_NAME && before->name != KEYWORD_RETURN &&
        before->name != KEYWORD_CASE && before->name != KEYWORD_ELSE &&
        before->name != KEYWORD_DO) {
      return NONE;
    }
    if (before->kind == TOKEN_STRING || before->kind == TOKEN_NUMBER) return NONE;
    if (before->kind == TOKEN_MARK && (before->name == ')' || before->name == ']')) return NONE;
  }
  uint32_t at = u->tokens[i].match + 1;
  for (uint32_t steps = 0; steps < 256; steps++) {
    if (is_mark(u, at, '{')) return u->tokens[at].match == NONE ? NONE : at;
    if (is_mark(u, at, '(')) {
      if (u->tokens[at].match == NONE) return NONE;
      at = u->tokens[at].match + 1;
      continue;
    }
    if (is_end(u, at) || is_mark(u, at, ';') || is_mark(u, at, ')') || is_mark(u, at, '}') ||
        is_mark(u, at, ',') || is_mark(u, at, '=')) {
      return NONE;
    }
    if (is_mark(u, at, '<')) {
      const uint32_t close = unit_angle_close(u, at);
      if (close == NONE) return NONE;
      at = close;
    }
    *marked |= is_keyword(u, at, KEYWORD_DEVICE);
    at++;
  }
  return NONE;
}

uint32_t unit_class_body(const struct unit *u, uint32_t i) {
  if (!is_keyword(u, i, KEYWORD_STRUCT) && !is_keyword(u, i, KEYWORD_CLASS) &&
      !is_keyword(u, i, KEYWORD_UNION)) {
    return NONE;
  }
  for (uint32_t steps = 0; steps < 1024; steps++) {
    i++;
    if (is_end(u, i) || is_mark(u, i, ';') || is_mark(u, i, ')') || is_mark(u, i, '}') ||
        is_mark(u, i, '=') || is_mark(u, i, '*') || is_mark(u, i, '&') || is_mark(u, i, '>')) {
      return NONE;
    }
    if (is_mark(u, i, '{')) return u->tokens[i].match == NONE ? NONE : i;
    if (is_mark(u, i, '(') || is_mark(u, i, '[')) {
      if (u->tokens[i].match == NONE) return NONE;
      i = u->tokens[i].match;
    } else if (is_mark(u, i, '<')) {
      i = unit_angle_close(u, i);
      if (i == NONE) return NONE;
    }
  }
  return NONE;
}

bool unit_is_member(const struct unit *u, uint32_t i) {
  return i && (is_mark(u, i - 1, '.') || is_mark(u, i - 1, MARK_ARROW));
}
