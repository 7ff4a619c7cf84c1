/* expression.h - conditions: what they may say, as a tree, and whether one holds for a row
 *
 *   condition   all { "||" all }
 *   all         one { "&&" one }
 *   one         "!" one | "(" condition ")" | [ operand ] test
 *   test        ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand | "is" [ "not" ] "missing"
 *   operand     number | "text" | column
 *
 * Without an operand in front a test is of the element itself. A column is a name of letters, digits,
 * '_' and '.', or any other, or a number from 1, between backticks. In text \" is a quote and \\ a
 * backslash. One side of a comparison at least is a column or the element.
 *
 * A number is compared with a field as numbers, text with its characters, byte by byte. Two columns
 * are compared as numbers where both fields are such or missing, as text where neither is a number;
 * else they are unequal, and have no order. A field is missing if it is empty or NaN: compared with a
 * number it is unequal, and neither less nor greater. What decides already leaves the rest unread. */
#ifndef HEDDLE_CLI_EXPRESSION_EXPRESSION_H
#define HEDDLE_CLI_EXPRESSION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "heddle.h"
#include "report/failure.h"
#include "text/rows.h"
#include "value.h"

enum { EXPRESSION_BYTES = 1 << 16, EXPRESSION_DEPTH = 64, EXPRESSION_COLUMNS = 16 };

enum node_kind { NODE_ANY, NODE_ALL, NODE_NOT, NODE_COMPARE, NODE_MISSING };
enum operand_kind { OPERAND_COLUMN, OPERAND_NUMBER, OPERAND_TEXT };

struct operand {
  enum operand_kind kind;
  size_t column; /* of expression.columns; the element is column 0 */
  struct value number;
  const char *text;
  size_t length;
};

/* first, next: indices into expression.nodes; 0, which is the root, stands for none. */
struct node {
  enum node_kind kind;
  size_t first, next; /* the first of its parts; the next part of what it is a part of */
  heddle_comparison comparison;
  struct operand a, b;
};

struct expression {
  struct node *nodes; /* nodes[0] is the whole */
  size_t count, room;
  bool element; /* of the element itself, no columns */
  const char *columns[EXPRESSION_COLUMNS];
  size_t column_count;
  char *storage; /* the texts and names */
};

/* 0, or -1 and *why, which names the character at fault. */
int expression_parse(const char *text, struct expression *out, struct failure *why);
void expression_free(struct expression *e);

/* A field of a row, without its quotes. value is found when it is asked for. */
struct expression_field {
  const char *text;
  size_t length;
  bool read;
  struct value value;
};

enum expression_answer {
  EXPRESSION_NO,
  EXPRESSION_YES,
  EXPRESSION_NO_NUMBER, /* a number was compared with fields[*column], which is none */
  EXPRESSION_NO_ORDER   /* fields[*column] and another are a number and a text */
};
enum expression_answer expression_holds(const struct expression *e, struct expression_field *fields,
                                        size_t *column);

#endif
