/* parse.c - a function for each rule of the language, one token ahead
 *
 * Method  Each rule adds its node behind the others and hands on its index. Parts of "||" and "&&" are a
 *         list, so that a long condition is no deep tree; what is deep is in parentheses or behind "!",
 *         and counted. The whole is put at index 0 at the end. */
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "text/record.h"
#include "tokens.h"

struct parser {
  struct tokens tokens;
  struct token token; /* the next */
  struct expression *e;
  size_t depth;
  bool named; /* a column was named; the element was meant, there: */
  const char *element_at, *name_at;
};

static int advance(struct parser *p) { return token_next(&p->tokens, &p->token); }

static int wrong(const struct parser *p, const char *what) {
  return token_fail(&p->tokens, p->token.begin, "%s", what);
}

static int add_node(struct parser *p, enum node_kind kind, size_t *index) {
  struct expression *const e = p->e;
  if (e->count == e->room) {
    const size_t room = e->room == 0 ? 16 : 2 * e->room;
    struct node *const nodes = realloc(e->nodes, room * sizeof *nodes);
    if (!nodes) return fail(p->tokens.why, EXIT_DATA, "no memory for the condition");
    e->nodes = nodes;
    e->room = room;
  }
  *index = e->count++;
  memset(&e->nodes[*index], 0, sizeof *e->nodes);
  e->nodes[*index].kind = kind;
  return 0;
}

/* ---- operands ------------------------------------------------------------------------------ */

static int take_column(struct parser *p, struct operand *out) {
  struct expression *const e = p->e;
  const char *const name = p->token.text;
  p->named = true;
  p->name_at = p->token.begin;
  for (out->column = 0; out->column < e->column_count; out->column++)
    if (strcmp(e->columns[out->column], name) == 0) return 0;
  if (e->column_count == EXPRESSION_COLUMNS)
    return token_fail(&p->tokens, p->token.begin, "a condition has at most %d columns",
                      EXPRESSION_COLUMNS);
  e->columns[e->column_count++] = name;
  return 0;
}

static bool is_operand(enum token_kind kind) {
  return kind == TOKEN_NUMBER || kind == TOKEN_TEXT || kind == TOKEN_NAME;
}

static int take_operand(struct parser *p, struct operand *out) {
  memset(out, 0, sizeof *out);
  switch (p->token.kind) {
  case TOKEN_NAME:
    out->kind = OPERAND_COLUMN;
    if (take_column(p, out) != 0) return -1;
    break;
  case TOKEN_NUMBER:
    out->kind = OPERAND_NUMBER;
    out->number = p->token.number;
    break;
  default:
    out->kind = OPERAND_TEXT;
    out->text = p->token.text;
    out->length = p->token.length;
  }
  return advance(p);
}

/* ---- tests --------------------------------------------------------------------------------- */

static int take_missing(struct parser *p, struct operand *a, size_t *index) {
  bool negated = false;
  if (advance(p) != 0) return -1;
  if (p->token.kind == TOKEN_WORD_NOT) {
    negated = true;
    if (advance(p) != 0) return -1;
  }
  if (p->token.kind != TOKEN_MISSING)
    return wrong(p, "behind 'is' stands 'missing' or 'not missing'");
  if (advance(p) != 0 || add_node(p, NODE_MISSING, index) != 0) return -1;
  p->e->nodes[*index].a = *a;
  if (!negated) return 0;
  const size_t inner = *index;
  if (add_node(p, NODE_NOT, index) != 0) return -1;
  p->e->nodes[*index].first = inner;
  return 0;
}

static int take_comparison(struct parser *p, const struct operand *a, const char *begin,
                           size_t *index) {
  const heddle_comparison comparison = p->token.comparison;
  struct operand b;
  if (advance(p) != 0) return -1;
  if (!is_operand(p->token.kind)) return wrong(p, "a number, \"text\" or a column is missing here");
  if (take_operand(p, &b) != 0) return -1;
  if (a->kind != OPERAND_COLUMN && b.kind != OPERAND_COLUMN)
    return token_fail(&p->tokens, begin, "neither side of this comparison is a column");
  if (p->token.kind == TOKEN_COMPARISON)
    return wrong(p, "comparisons do not chain; write a < b && b < c");
  if (add_node(p, NODE_COMPARE, index) != 0) return -1;
  struct node *const n = &p->e->nodes[*index];
  n->comparison = comparison;
  n->a = *a;
  n->b = b;
  return 0;
}

static int take_test(struct parser *p, size_t *index) {
  struct operand a = {.kind = OPERAND_COLUMN};
  const char *const begin = p->token.begin;
  if (is_operand(p->token.kind)) {
    if (take_operand(p, &a) != 0) return -1;
  } else {
    p->e->element = true;
    if (!p->element_at) p->element_at = begin;
  }
  if (p->token.kind == TOKEN_COMPARISON) return take_comparison(p, &a, begin, index);
  if (p->token.kind == TOKEN_IS && a.kind == OPERAND_COLUMN) return take_missing(p, &a, index);
  if (p->token.kind == TOKEN_IS)
    return token_fail(&p->tokens, begin, "only a column can be missing");
  return wrong(p, "a comparison is missing here: == != < <= > >= or 'is missing'");
}

/* ---- rules --------------------------------------------------------------------------------- */

static int take_list(struct parser *p, enum node_kind kind, size_t *index);

static int enter(struct parser *p) {
  if (++p->depth <= EXPRESSION_DEPTH) return 0;
  return token_fail(&p->tokens, p->token.begin, "more than %d parentheses and ! within each other",
                    EXPRESSION_DEPTH);
}

/* longer chains of "!" are as deep as parentheses are: both are counted by enter */
static int take_one(struct parser *p, size_t *index) {
  const enum token_kind kind = p->token.kind;
  if (kind == TOKEN_NOT) {
    size_t inner;
    if (enter(p) != 0 || advance(p) != 0 || take_one(p, &inner) != 0 ||
        add_node(p, NODE_NOT, index) != 0)
      return -1;
    p->e->nodes[*index].first = inner;
    p->depth--;
    return 0;
  }
  if (kind == TOKEN_OPEN) {
    const char *const open = p->token.begin;
    if (enter(p) != 0 || advance(p) != 0 || take_list(p, NODE_ANY, index) != 0) return -1;
    if (p->token.kind == TOKEN_END)
      return token_fail(&p->tokens, open, "this parenthesis is not closed");
    if (p->token.kind != TOKEN_CLOSE) return wrong(p, "&&, || or ) is missing here");
    p->depth--;
    return advance(p);
  }
  if (kind == TOKEN_END) return wrong(p, "a condition is missing here");
  return take_test(p, index);
}

/* Parts with || between them, or of NODE_ALL with &&; one alone is itself. */
static int take_list(struct parser *p, enum node_kind kind, size_t *index) {
  const enum token_kind between = kind == NODE_ANY ? TOKEN_OR : TOKEN_AND;
  size_t last = 0, list = 0;
  for (bool first = true;; first = false) {
    size_t part;
    if ((kind == NODE_ANY ? take_list(p, NODE_ALL, &part) : take_one(p, &part)) != 0) return -1;
    if (first) *index = part;
    if (!first) p->e->nodes[last].next = part;
    last = part;
    if (p->token.kind != between) return 0;
    if (first) {
      if (add_node(p, kind, &list) != 0) return -1;
      p->e->nodes[list].first = part;
      *index = list;
    }
    if (advance(p) != 0) return -1;
  }
}

static int take_whole(struct parser *p) {
  size_t root, top;
  /* index 0 is none: the whole takes it once all else stands */
  if (add_node(p, NODE_ALL, &root) != 0 || advance(p) != 0 || take_list(p, NODE_ANY, &top) != 0)
    return -1;
  if (p->token.kind == TOKEN_CLOSE) return wrong(p, "this parenthesis was not opened");
  if (p->token.kind != TOKEN_END)
    return wrong(p, "&& or || is missing here; a column whose name has other characters than "
                    "letters, digits, _ and . stands between backticks");
  if (p->named && p->e->element)
    return token_fail(&p->tokens, p->element_at,
                      "a column is missing here, as others are named elsewhere");
  p->e->nodes[root].first = top;
  return 0;
}

int expression_parse(const char *text, struct expression *out, struct failure *why) {
  const size_t bytes = strlen(text);
  struct parser p = {.e = out};
  memset(out, 0, sizeof *out);
  if (bytes > EXPRESSION_BYTES)
    return fail(why, EXIT_USAGE, "the condition has %zu bytes, and may have %d", bytes,
                EXPRESSION_BYTES);
  out->storage = malloc(2 * bytes + 1);
  if (!out->storage) return fail(why, EXIT_DATA, "no memory for the condition");
  p.tokens = (struct tokens){.whole = text, .at = text, .storage = out->storage, .why = why};
  if (take_whole(&p) == 0) return 0;
  expression_free(out);
  return -1;
}

void expression_free(struct expression *e) {
  free(e->nodes);
  free(e->storage);
  memset(e, 0, sizeof *e);
}
