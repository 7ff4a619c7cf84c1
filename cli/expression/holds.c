/* holds.c - the tree asked of one row: from left to right, as far as it takes
 *
 * Limits  Recursion is as deep as the condition, which parse.c bounds. */
#include <string.h>

#include "expression.h"

struct asking {
  const struct expression *e;
  struct expression_field *fields;
  size_t column; /* at fault */
};

static const struct value *value_of(struct expression_field *f) {
  if (!f->read) f->value = value_read(f->text, f->length);
  f->read = true;
  return &f->value;
}

static bool is_number(const struct value *v) {
  return v->kind == VALUE_WHOLE || v->kind == VALUE_REAL;
}

static enum expression_answer by_order(heddle_comparison comparison, int order) {
  bool holds = false;
  switch (comparison) {
  case HEDDLE_EQUAL: holds = order == 0; break;
  case HEDDLE_NOT_EQUAL: holds = order != 0; break;
  case HEDDLE_LESS: holds = order < 0; break;
  case HEDDLE_LESS_EQUAL: holds = order <= 0; break;
  case HEDDLE_GREATER: holds = order > 0; break;
  case HEDDLE_GREATER_EQUAL: holds = order >= 0; break;
  case HEDDLE_NONZERO:
  case HEDDLE_PREDICATE: break;
  }
  return holds ? EXPRESSION_YES : EXPRESSION_NO;
}

static enum expression_answer unequal(heddle_comparison comparison) {
  return comparison == HEDDLE_NOT_EQUAL ? EXPRESSION_YES : EXPRESSION_NO;
}

static enum expression_answer compare_text(heddle_comparison comparison, const char *a,
                                           size_t a_bytes, const char *b, size_t b_bytes) {
  const size_t least = a_bytes < b_bytes ? a_bytes : b_bytes;
  int order = least > 0 ? memcmp(a, b, least) : 0;
  if (order == 0) order = (a_bytes > b_bytes) - (a_bytes < b_bytes);
  return by_order(comparison, order);
}

static enum expression_answer compare_values(heddle_comparison comparison, const struct value *a,
                                             const struct value *b) {
  if (!is_number(a) || !is_number(b)) return unequal(comparison);
  return by_order(comparison, value_order(a, b));
}

static enum expression_answer compare_columns(struct asking *q, const struct node *n) {
  struct expression_field *const a = &q->fields[n->a.column], *const b = &q->fields[n->b.column];
  const struct value *const x = value_of(a), *const y = value_of(b);
  if (x->kind != VALUE_NONE && y->kind != VALUE_NONE) return compare_values(n->comparison, x, y);
  if (!is_number(x) && !is_number(y))
    return compare_text(n->comparison, a->text, a->length, b->text, b->length);
  if (n->comparison == HEDDLE_EQUAL || n->comparison == HEDDLE_NOT_EQUAL)
    return unequal(n->comparison);
  q->column = x->kind == VALUE_NONE ? n->a.column : n->b.column;
  return EXPRESSION_NO_ORDER;
}

static enum expression_answer compare(struct asking *q, const struct node *n) {
  const struct operand *const a = &n->a, *const b = &n->b;
  if (a->kind == OPERAND_COLUMN && b->kind == OPERAND_COLUMN) return compare_columns(q, n);
  const struct operand *const column = a->kind == OPERAND_COLUMN ? a : b;
  const struct operand *const other = column == a ? b : a;
  struct expression_field *const f = &q->fields[column->column];
  if (other->kind == OPERAND_TEXT)
    return column == a
               ? compare_text(n->comparison, f->text, f->length, other->text, other->length)
               : compare_text(n->comparison, other->text, other->length, f->text, f->length);
  const struct value *const v = value_of(f);
  if (v->kind == VALUE_NONE) {
    q->column = column->column;
    return EXPRESSION_NO_NUMBER;
  }
  return column == a ? compare_values(n->comparison, v, &other->number)
                     : compare_values(n->comparison, &other->number, v);
}

static enum expression_answer ask(struct asking *q, size_t index) {
  const struct node *const n = &q->e->nodes[index];
  enum expression_answer answer = EXPRESSION_NO;
  switch (n->kind) {
  case NODE_ANY:
  case NODE_ALL: {
    const enum expression_answer decides = n->kind == NODE_ANY ? EXPRESSION_YES : EXPRESSION_NO;
    for (size_t part = n->first; part != 0; part = q->e->nodes[part].next) {
      answer = ask(q, part);
      if (answer == decides || answer > EXPRESSION_YES) break;
    }
    return answer;
  }
  case NODE_NOT:
    answer = ask(q, n->first);
    if (answer > EXPRESSION_YES) return answer;
    return answer == EXPRESSION_YES ? EXPRESSION_NO : EXPRESSION_YES;
  case NODE_MISSING:
    return value_of(&q->fields[n->a.column])->kind == VALUE_MISSING ? EXPRESSION_YES
                                                                    : EXPRESSION_NO;
  case NODE_COMPARE: return compare(q, n);
  }
  return answer;
}

enum expression_answer expression_holds(const struct expression *e, struct expression_field *fields,
                                        size_t *column) {
  struct asking q = {e, fields, 0};
  const enum expression_answer answer = ask(&q, 0);
  *column = q.column;
  return answer;
}
