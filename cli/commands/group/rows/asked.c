/* asked.c - operands to figures and a file, columns named once */
#include "asked.h"

#include <string.h>

static int add_column(struct asked *q, const char *name, bool text, size_t *column,
                      struct failure *why) {
  for (*column = 0; *column < q->columns; ++*column)
    if (strcmp(q->column[*column].name, name) == 0 && q->column[*column].text == text) return 0;
  if (q->columns == INPUT_MAX_COLUMNS)
    return fail(why, EXIT_USAGE, "figures of more than %d columns", INPUT_MAX_COLUMNS);
  q->column[q->columns].name = name;
  q->column[q->columns++].text = text;
  return 0;
}

static int add_figure(struct asked *q, const char *name, const struct spec *spec,
                      struct failure *why) {
  size_t column = 0;
  const size_t before = q->columns;
  const bool counts = spec->figure == FIGURE_COUNT;
  if (spec->column && add_column(q, spec->column, spec_is_text(spec->figure), &column, why) != 0)
    return -1;
  /* What is counted alone may be anything; what is also added up is a number. */
  if (spec->column && (q->columns > before || !counts)) q->column[column].any = counts;
  if (q->figures == GROUP_FIGURES)
    return fail(why, EXIT_USAGE, "more than %d figures", GROUP_FIGURES);
  q->of[q->figures].spec = *spec;
  q->of[q->figures].name = name;
  q->of[q->figures++].column = column;
  return 0;
}

static int take_operand(struct asked *q, const char *text, struct failure *why) {
  struct spec spec;
  const enum spec_kind kind = spec_parse(text, &spec, why);
  if (kind == SPEC_FIGURE) return add_figure(q, text, &spec, why);
  if (kind == SPEC_BAD && !input_is_there(text)) return -1;
  if (q->path)
    return fail(
        why, EXIT_USAGE,
        "'%s' is a second file; a figure is count, or sum, mean, min, max or another with a "
        "column behind it: sum:price",
        text);
  q->path = text;
  return 0;
}

static const char *by_of(const struct settings *s) {
  return s->command == COMMAND_GROUP ? "-k" : "--by";
}

static int check(const struct asked *q, struct failure *why) {
  const struct settings *const s = q->s;
  if (s->key_count == 0)
    return fail(why, EXIT_USAGE,
                "name the columns that rows are grouped by: -k COLUMN, or -k CITY,YEAR");
  for (size_t k = 0; k < s->key_count; k++)
    if (s->key_reversed[k])
      return fail(why, EXIT_USAGE, "%s: groups come in rising order alone", by_of(s));
  if (q->figures == 0)
    return fail(
        why, EXIT_USAGE,
        "say what is wanted of each group: count, or sum, mean, min, max, median or another "
        "figure of a column: heddle group -k %s sum:COLUMN FILE",
        s->keys[0]);
  const size_t all = q->keys + q->columns + (q->condition ? q->where.column_count : 0);
  if (all <= INPUT_MAX_COLUMNS) return 0;
  return fail(why, EXIT_USAGE,
              "keys, figures and the condition are of %zu columns, and at most %d are read at once",
              all, INPUT_MAX_COLUMNS);
}

int asked_condition(struct asked *q, struct failure *why) {
  if (!q->s->where) return 0;
  if (expression_parse(q->s->where, &q->where, why) != 0) return -1;
  q->condition = true;
  if (!q->where.element) return 0;
  return fail(why, EXIT_USAGE, "--where '%s' says of no column what it should be: 'price > 3'",
              q->s->where);
}

int asked_read(const struct settings *s, struct asked *q, struct failure *why) {
  const char *const path = q->path;
  memset(q, 0, sizeof *q);
  q->path = path;
  q->s = s;
  q->keys = s->key_count;
  for (size_t i = 0; i < s->file_count; i++)
    if (take_operand(q, s->files[i], why) != 0) return -1;
  if (!q->path) q->path = "-";
  if (asked_condition(q, why) != 0) return -1;
  return check(q, why);
}

void asked_free(struct asked *q) {
  if (q->condition) expression_free(&q->where);
}

size_t asked_names(const struct asked *q, const char *names[INPUT_MAX_COLUMNS]) {
  size_t n = 0;
  for (size_t k = 0; k < q->keys; k++) names[n++] = q->s->keys[k];
  for (size_t c = 0; c < q->columns; c++) names[n++] = q->column[c].name;
  for (size_t c = 0; q->condition && c < q->where.column_count; c++)
    names[n++] = q->where.columns[c];
  return n;
}
