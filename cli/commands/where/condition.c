/* condition.c - fields of a record to expression/expression.h
 *
 * Limits  A field with doubled quotes is copied to be compared, any other is compared where it stands. */
#include "condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "text/record.h"

struct condition {
  struct expression e;
  struct input_filter filter;
};

static int answer_of(const struct expression *e, struct expression_field *fields, size_t *column,
                     char message[FILTER_MESSAGE]) {
  char shown[60];
  const enum expression_answer answer = expression_holds(e, fields, column);
  if (answer <= EXPRESSION_YES) return answer == EXPRESSION_YES;
  text_show(fields[*column].text, fields[*column].length, shown, sizeof shown);
  (void)snprintf(message, FILTER_MESSAGE, "'%s' is %s", shown,
                 answer == EXPRESSION_NO_NUMBER
                     ? "no number, and --where compares it with one"
                     : "text, and --where asks for its order with a number");
  return -1;
}

static int ask(const void *user, const struct text_field *from, size_t *column,
               char message[FILTER_MESSAGE]) {
  const struct condition *const c = user;
  struct expression_field fields[EXPRESSION_COLUMNS];
  char *copies[EXPRESSION_COLUMNS] = {NULL};
  int answer = 0;
  for (size_t k = 0; k < c->filter.column_count && answer == 0; k++) {
    const size_t length = (size_t)(from[k].end - from[k].begin);
    fields[k] = (struct expression_field){.text = from[k].begin, .length = length};
    if (!from[k].quoted || !memchr(from[k].begin, '"', length)) continue;
    copies[k] = text_field_copy(&from[k]);
    *column = k;
    if (!copies[k]) {
      (void)snprintf(message, FILTER_MESSAGE, "there is no memory for this field");
      answer = -1;
      break;
    }
    fields[k].text = copies[k];
    fields[k].length = strlen(copies[k]);
  }
  if (answer == 0) answer = answer_of(&c->e, fields, column, message);
  for (size_t k = 0; k < c->filter.column_count; k++) free(copies[k]);
  return answer;
}

int condition_read(const char *text, struct condition **out, struct failure *why) {
  static const char *const only[] = {"1"};
  struct condition *const c = calloc(1, sizeof *c);
  *out = NULL;
  if (!c) return fail(why, EXIT_DATA, "out of memory for --where");
  if (expression_parse(text, &c->e, why) != 0) {
    free(c);
    return -1;
  }
  c->filter = (struct input_filter){.columns = c->e.element ? only : c->e.columns,
                                    .column_count = c->e.element ? 1 : c->e.column_count,
                                    .element = c->e.element,
                                    .user = c,
                                    .ask = ask};
  *out = c;
  return 0;
}

const struct input_filter *condition_filter(const struct condition *c) { return &c->filter; }

const struct expression *condition_elements(const struct condition *c, const char *name,
                                            struct failure *why) {
  const struct expression *const e = &c->e;
  const char *const other = e->element || e->column_count == 0 ? NULL : e->columns[0];
  if (!other || (e->column_count == 1 && (strcmp(other, "1") == 0 || strcmp(other, "value") == 0)))
    return e;
  (void)fail(why, EXIT_USAGE,
             "%s is no table: --where is of its elements, as '> 3' or 'value > 3', and there is no "
             "column '%s'; heddle convert FILE.npy -o FILE.csv makes a table of two dimensions",
             name, e->column_count > 1 && strcmp(other, "value") == 0 ? e->columns[1] : other);
  return NULL;
}

void condition_free(struct condition *c) {
  if (!c) return;
  expression_free(&c->e);
  free(c);
}
