/* tokens.h - the tokens of a condition */
#ifndef HEDDLE_CLI_EXPRESSION_TOKENS_H
#define HEDDLE_CLI_EXPRESSION_TOKENS_H

#include <stddef.h>

#include "heddle.h"
#include "report/failure.h"
#include "value.h"

enum token_kind {
  TOKEN_END,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_OR,
  TOKEN_AND,
  TOKEN_NOT,
  TOKEN_COMPARISON,
  TOKEN_NUMBER,
  TOKEN_TEXT,
  TOKEN_NAME, /* of a column */
  TOKEN_IS,
  TOKEN_WORD_NOT,
  TOKEN_MISSING
};

struct token {
  enum token_kind kind;
  const char *begin, *end; /* its characters */
  heddle_comparison comparison;
  struct value number;
  char *text; /* of TEXT and NAME: what it says, ends with '\0'; in the tokens' storage */
  size_t length;
};

struct tokens {
  const char *whole, *at;
  char *storage; /* room for all that texts and names say: twice the condition's bytes */
  struct failure *why;
};

/* The next token; -1 and *why. */
int token_next(struct tokens *t, struct token *out);
/* Fills *why: the condition, the character that `at` is, and what is wrong there. */
int token_fail(const struct tokens *t, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
