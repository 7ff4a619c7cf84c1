/* fuzz_expression.c - arbitrary text as conditions, asked of arbitrary fields
 *
 * The first line is the condition; what follows is cut at commas into fields. What is accepted keeps
 * to its limits and is a tree; a refusal says why; an answer is the same when it is asked again, and
 * that of an array's element is the one of the same number as a field. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/interval.h"

static void require(int condition) {
  if (!condition) abort();
}

/* Every node but the root is a part of one other, which stands before or behind it. */
static void check_tree(const struct expression *e) {
  unsigned char *const seen = calloc(e->count, 1);
  require(seen != NULL);
  for (size_t i = 0; i < e->count; i++) {
    const struct node *const n = &e->nodes[i];
    const size_t parts[] = {n->first, n->next};
    for (size_t k = 0; k < 2; k++) {
      if (parts[k] == 0) continue;
      require(parts[k] < e->count && !seen[parts[k]]);
      seen[parts[k]] = 1;
    }
    const int leaf = n->kind == NODE_COMPARE || n->kind == NODE_MISSING;
    require(leaf == (n->first == 0));
    require(n->kind != NODE_COMPARE || n->comparison != HEDDLE_NONZERO);
  }
  for (size_t i = 1; i < e->count; i++) require(seen[i]);
  require(e->column_count <= EXPRESSION_COLUMNS && !(e->element && e->column_count > 0));
  free(seen);
}

/* A lone comparison of the element with a number, asked both ways. */
static void check_interval(const struct expression *e, const struct expression_field *field) {
  const struct node *const n = &e->nodes[e->nodes[0].first];
  if (!e->element || n->kind != NODE_COMPARE || n->b.kind != OPERAND_NUMBER) return;
  struct expression_field copy = *field;
  const struct value v = value_read(field->text, field->length);
  size_t column;
  const enum expression_answer answer = expression_holds(e, &copy, &column);
  uint8_t mask;
  if (v.kind == VALUE_NONE) {
    require(answer == EXPRESSION_NO_NUMBER);
    return;
  }
  const double real = v.kind == VALUE_MISSING ? NAN : v.real;
  const int64_t i = (int64_t)v.whole;
  const uint64_t u = (uint64_t)v.whole;
  const int is_signed = v.kind == VALUE_WHOLE && v.whole <= INT64_MAX;
  const heddle_type type = v.kind != VALUE_WHOLE ? HEDDLE_F64 : is_signed ? HEDDLE_I64 : HEDDLE_U64;
  const struct interval in = interval_of(n->comparison, &n->b.number, type);
  interval_mask(&in,
                type == HEDDLE_F64 ? (const void *)&real
                : is_signed        ? (const void *)&i
                                   : &u,
                1, &mask);
  require(mask == (answer == EXPRESSION_YES));
}

static void ask(const struct expression *e, const char *text, size_t size) {
  struct expression_field fields[EXPRESSION_COLUMNS];
  memset(fields, 0, sizeof fields);
  const char *at = text, *const end = text + size;
  for (size_t k = 0; k < EXPRESSION_COLUMNS; k++) {
    const char *comma = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    if (!comma) comma = end;
    fields[k].text = at;
    fields[k].length = (size_t)(comma - at);
    at = comma < end ? comma + 1 : end;
  }
  check_interval(e, &fields[0]);
  size_t column = 0, again = 0;
  const enum expression_answer first = expression_holds(e, fields, &column);
  require(column < EXPRESSION_COLUMNS && expression_holds(e, fields, &again) == first);
  require(again == column);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *const line = size > 0 ? memchr(data, '\n', size) : NULL;
  const size_t bytes = line ? (size_t)(line - data) : size;
  char *const text = malloc(bytes + 1), *const rest = malloc(size - bytes + 1);
  struct expression e;
  struct failure why = {0, ""};
  require(text && rest);
  if (bytes > 0) memcpy(text, data, bytes);
  text[bytes] = '\0';
  const size_t left = line ? size - bytes - 1 : 0;
  if (left > 0) memcpy(rest, line + 1, left);
  if (expression_parse(text, &e, &why) == 0) {
    check_tree(&e);
    ask(&e, rest, left);
    expression_free(&e);
  } else {
    require(why.text[0] != '\0' && strlen(why.text) < sizeof why.text);
  }
  free(text);
  free(rest);
  return 0;
}
