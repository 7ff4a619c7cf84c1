/* tokens.c - one character decides what a token is; words have a table
 *
 * Method  What a text or a name says is copied into the storage, which has a byte for each of the
 *         condition and one more for the end of each. */
#include "tokens.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/record.h"

int token_fail(const struct tokens *t, const char *at, const char *format, ...) {
  char what[300], shown[200];
  size_t line = 1;
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  text_show(t->whole, strlen(t->whole), shown, sizeof shown);
  return fail(t->why, EXIT_USAGE, "the condition '%s', character %zu: %s", shown,
              text_column_of(t->whole, at, &line), what);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static bool is_in_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

/* ---- signs --------------------------------------------------------------------------------- */

static const struct {
  const char *sign;
  enum token_kind kind;
  heddle_comparison comparison;
} signs[] = {{"||", TOKEN_OR, HEDDLE_NONZERO},
             {"&&", TOKEN_AND, HEDDLE_NONZERO},
             {"==", TOKEN_COMPARISON, HEDDLE_EQUAL},
             {"!=", TOKEN_COMPARISON, HEDDLE_NOT_EQUAL},
             {"<=", TOKEN_COMPARISON, HEDDLE_LESS_EQUAL},
             {">=", TOKEN_COMPARISON, HEDDLE_GREATER_EQUAL},
             {"<", TOKEN_COMPARISON, HEDDLE_LESS},
             {">", TOKEN_COMPARISON, HEDDLE_GREATER},
             {"!", TOKEN_NOT, HEDDLE_NONZERO},
             {"(", TOKEN_OPEN, HEDDLE_NONZERO},
             {")", TOKEN_CLOSE, HEDDLE_NONZERO}};

static int take_sign(struct tokens *t, struct token *out) {
  static const struct {
    char sign;
    const char *remedy;
  } others[] = {{'=', "equality is written =="}, {'&', "'and' is written &&"},
                {'|', "'or' is written ||"},     {'\'', "text stands between double quotes"},
                {'*', "there is no arithmetic"}, {'/', "there is no arithmetic"},
                {'%', "there is no arithmetic"}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    const size_t length = strlen(signs[i].sign);
    if (strncmp(t->at, signs[i].sign, length) != 0) continue;
    out->kind = signs[i].kind;
    out->comparison = signs[i].comparison;
    t->at += length;
    return 0;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (*t->at == others[i].sign)
      return token_fail(t, t->at, "'%c' means nothing here: %s", *t->at, others[i].remedy);
  return token_fail(t, t->at,
                    "this character means nothing here; a column with such a name stands "
                    "between backticks");
}

/* ---- numbers, text, names ------------------------------------------------------------------ */

static int take_number(struct tokens *t, struct token *out) {
  const char *p = t->at;
  while (is_digit(*p) || begins_name(*p) || *p == '.' || *p == '+' || *p == '-') p++;
  out->kind = TOKEN_NUMBER;
  out->number = value_read(t->at, (size_t)(p - t->at));
  if (out->number.kind == VALUE_NONE || out->number.kind == VALUE_MISSING) {
    char shown[60];
    text_show(t->at, (size_t)(p - t->at), shown, sizeof shown);
    return token_fail(t, t->at,
                      "'%s' is no number; a column with such a name stands between "
                      "backticks",
                      shown);
  }
  t->at = p;
  return 0;
}

/* Up to the closing mark: in text a backslash takes a quote or a backslash, in names a backtick that
 * is doubled is one. */
static int take_marked(struct tokens *t, struct token *out, char mark) {
  const char *const open = t->at++;
  out->kind = mark == '"' ? TOKEN_TEXT : TOKEN_NAME;
  out->text = t->storage;
  for (;; t->at++) {
    char c = *t->at;
    if (c == '\0')
      return token_fail(t, open,
                        mark == '"' ? "this quote is not closed" : "this backtick is not closed");
    if (c == mark && !(mark == '`' && t->at[1] == '`')) break;
    if (c == mark) t->at++;
    if (c == '\\' && mark == '"') {
      c = *++t->at;
      if (c != '"' && c != '\\')
        return token_fail(t, t->at - 1, "in text a backslash has a quote or a backslash behind it");
    }
    *t->storage++ = c;
  }
  t->at++;
  out->length = (size_t)(t->storage - out->text);
  *t->storage++ = '\0';
  if (mark == '`' && out->length == 0) return token_fail(t, open, "a column's name is not empty");
  return 0;
}

static int take_word(struct tokens *t, struct token *out) {
  static const struct {
    const char *word;
    enum token_kind kind;
  } words[] = {{"is", TOKEN_IS}, {"not", TOKEN_WORD_NOT}, {"missing", TOKEN_MISSING}};
  const char *const begin = t->at;
  while (is_in_name(*t->at)) t->at++;
  out->length = (size_t)(t->at - begin);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].word) != out->length || memcmp(begin, words[i].word, out->length) != 0)
      continue;
    out->kind = words[i].kind;
    return 0;
  }
  out->number = value_read(begin, out->length); /* inf, nan */
  if (out->number.kind == VALUE_MISSING)
    return token_fail(t, begin, "nothing is equal to NaN; 'is missing' asks for it");
  out->kind = TOKEN_NUMBER;
  if (out->number.kind == VALUE_REAL) return 0;
  out->kind = TOKEN_NAME;
  out->text = t->storage;
  memcpy(out->text, begin, out->length);
  out->text[out->length] = '\0';
  t->storage += out->length + 1;
  return 0;
}

int token_next(struct tokens *t, struct token *out) {
  while (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r') t->at++;
  const char c = *t->at;
  int status = 0;
  memset(out, 0, sizeof *out);
  out->begin = t->at;
  if (c == '\0')
    out->kind = TOKEN_END;
  else if (is_digit(c) || c == '.' || c == '+' || c == '-')
    status = take_number(t, out);
  else if (c == '"' || c == '`')
    status = take_marked(t, out, c);
  else if (begins_name(c))
    status = take_word(t, out);
  else
    status = take_sign(t, out);
  out->end = t->at;
  return status;
}
