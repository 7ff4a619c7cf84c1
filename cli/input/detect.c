/* detect.c - votes of the first lines for a delimiter, words in place of numbers for a header
 *
 * Delimiter  Of tab, semicolon, comma and bar the one that most of the first lines have, outside
 *            quotes, if more than half of them do; between equals, in that order (numbers may have
 *            a comma as their point). Else blanks, if more than half of the lines behind the first
 *            (which may be a name of two words) have some inside. Else a line is one field.
 * Header     Where it is to be found out: the first record, if a column is asked for by a name,
 *            or if none of the fields concerned is a number, none begins like one, and one of
 *            them is not empty.
 * Columns    A name goes before a number: a column called "2020" is found by --column 2020. */
#define _GNU_SOURCE
#include "detect.h"

#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "text/record.h"

/* ---- the delimiter ------------------------------------------------------------------------- */

enum { TAB, SEMICOLON, COMMA, BAR, BLANK, CANDIDATES, SAMPLE_LINES = 64 };

static bool may_open_quote(char before) {
  return before == ' ' || before == '\t' || before == ',' || before == ';' || before == '|';
}

/* *quoted: inside quotes, which may go on over line ends. Tabs around a line are blanks, unless the first line has some
 * inside: an empty field may stand at either end of all others. */
static void look_at_line(const char *line, const char *end, bool tabs, bool *quoted,
                         bool has[CANDIDATES]) {
  if (end > line && end[-1] == '\r') end--;
  has[TAB] = tabs && !*quoted && line < end && (*line == '\t' || end[-1] == '\t');
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
  for (const char *p = line; p < end; p++) {
    if (*p == '"') *quoted = !*quoted && (p == line || may_open_quote(p[-1]));
    if (*quoted) continue;
    has[TAB] |= *p == '\t';
    has[SEMICOLON] |= *p == ';';
    has[COMMA] |= *p == ',';
    has[BAR] |= *p == '|';
    has[BLANK] |= *p == ' ' || *p == '\t';
  }
}

/* What most lines have; *unclosed tells whether the sample ends within quotes. */
static char most_common(const char *sample, const char *end, char comment,
                        const struct number_style *style, bool quotes, bool *unclosed) {
  static const char characters[CANDIDATES] = {'\t', ';', ',', '|', TEXT_BLANKS};
  size_t lines = 0, having[CANDIDATES] = {0}, blank_behind_first = 0;
  bool quoted = false, tabs = false;
  for (const char *p = sample; p < end && lines < SAMPLE_LINES;) {
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    if (!line_end) line_end = end;
    const bool inside = quoted;
    if (inside || !text_is_passed_over(p, line_end, TEXT_NONE, comment)) {
      bool has[CANDIDATES] = {false};
      look_at_line(p, line_end, tabs, &quoted, has);
      if (lines == 0) tabs = has[TAB];
      quoted &= quotes;
      for (size_t i = 0; i < CANDIDATES; i++) having[i] += has[i];
      if (lines > 0) blank_behind_first += has[BLANK];
      lines += !inside;
    }
    p = line_end + (line_end < end);
  }
  *unclosed = quoted;
  if (style->decimal == ',' || style->thousands == ',') having[COMMA] = 0;
  if (style->thousands == ' ') having[BLANK] = blank_behind_first = 0;
  size_t best = TAB;
  for (size_t i = SEMICOLON; i <= BAR; i++)
    if (having[i] > having[best]) best = i;
  if (2 * having[best] > lines) return characters[best];
  if (lines > 1 ? 2 * blank_behind_first > lines - 1 : having[BLANK] > 0) return TEXT_BLANKS;
  return TEXT_NONE;
}

char text_detect_delimiter(const char *sample, const char *end, char comment,
                           const struct number_style *style) {
  bool unclosed;
  const char delimiter = most_common(sample, end, comment, style, true, &unclosed);
  /* A quote that is never closed hides all behind it: reading is to find it, by its line. */
  return unclosed ? most_common(sample, end, comment, style, false, &unclosed) : delimiter;
}

/* ---- the header ---------------------------------------------------------------------------- */

/* 1 to SIZE_MAX, or 0 for all other text. */
static size_t column_number(const char *text) {
  size_t value = 0;
  for (const char *p = text; *p != '\0'; p++)
    if (*p < '0' || *p > '9' || __builtin_mul_overflow(value, (size_t)10, &value) ||
        __builtin_add_overflow(value, (size_t)(*p - '0'), &value))
      return 0;
  return value;
}

/* "2-5": columns that there are, from the first to the last. */
static bool column_range(const char *text, size_t columns, size_t *first, size_t *last) {
  const char *const dash = strchr(text, '-');
  char from[24] = "";
  if (!dash || dash == text || (size_t)(dash - text) >= sizeof from) return false;
  memcpy(from, text, (size_t)(dash - text));
  *first = column_number(from);
  *last = column_number(dash + 1);
  return *first > 0 && *first <= *last && *last <= columns;
}

static bool is_number(const struct text_field *field) {
  double value;
  const char *p = field->begin;
  if (p == field->end) return false;
  if (number_parse(p, (size_t)(field->end - p), HEDDLE_F64, &value) == NUMBER_OK) return true;
  if (*p == '-' || *p == '+') p++;
  if (p < field->end && *p == '.') p++;
  return p < field->end && *p >= '0' && *p <= '9';
}

static bool concerns(const struct input_options *options, size_t index, size_t columns) {
  size_t first, last;
  if (options->column_count == 0 || options->every_count > 0) return true;
  for (size_t i = 0; i < options->column_count; i++) {
    if (column_number(options->columns[i]) == index + 1) return true;
    if (options->spans && column_range(options->columns[i], columns, &first, &last) &&
        index + 1 >= first && index < last)
      return true;
  }
  return false;
}

static bool asks_by_name(const struct input_options *options, size_t columns) {
  size_t first, last;
  for (size_t i = 0; i < options->column_count; i++)
    if (column_number(options->columns[i]) == 0 &&
        !(options->spans && column_range(options->columns[i], columns, &first, &last)))
      return true;
  return false;
}

/* Words, and no number, in the fields concerned. */
static bool has_words(const struct input_options *options, const struct text_layout *layout,
                      const char *record, const char *end) {
  bool words = false;
  size_t index = 0;
  struct text_field field;
  for (const char *p = record; p; index++) {
    text_next_field(&p, end, layout->delimiter, &field);
    if (!concerns(options, index, layout->columns) || text_is_missing(&options->missing, &field))
      continue;
    if (is_number(&field)) return false;
    words |= field.begin < field.end;
  }
  return words;
}

/* ---- columns ------------------------------------------------------------------------------- */

static size_t count_fields(char delimiter, const char *record, const char *end) {
  size_t count = 0;
  struct text_field field;
  for (const char *p = record; p; count++) text_next_field(&p, end, delimiter, &field);
  return count;
}

/* "1 'time', 2 'x'" or "1 to 7", as much as fits. */
static void list_columns(const struct text_layout *layout, const char *record, const char *end,
                         char *out, size_t room) {
  if (!layout->header) {
    snprintf(out, room, "1 to %zu", layout->columns);
    return;
  }
  size_t used = 0, index = 0;
  struct text_field field;
  *out = '\0';
  for (const char *p = record; p && used + 64 < room; index++) {
    char shown[40];
    text_next_field(&p, end, layout->delimiter, &field);
    text_show(field.begin, (size_t)(field.end - field.begin), shown, sizeof shown);
    used += (size_t)snprintf(out + used, room - used, "%s%zu '%s'", index > 0 ? ", " : "",
                             index + 1, shown);
    if (p && used + 64 >= room) snprintf(out + used, room - used, ", ...");
  }
}

static int no_such_column(const char *wanted, const char *name, const struct text_layout *layout,
                          const char *record, const char *end, struct failure *why) {
  char list[600], shown[60];
  text_show(wanted, strlen(wanted), shown, sizeof shown);
  list_columns(layout, record, end, list, sizeof list);
  return fail(why, EXIT_USAGE, "%s has no column '%s'; it has %s%s", name, shown, list,
              layout->header ? "" : "; if the first line has their names, add --header");
}

/* The column that a name or a number stands for; layout->columns if there is none. Twice the same
 * name is an error: -1. */
static int look_up(const char *wanted, const char *name, const struct text_layout *layout,
                   const char *record, const char *end, size_t *index, struct failure *why) {
  *index = layout->columns;
  size_t i = 0;
  struct text_field field;
  for (const char *p = record; layout->header && p; i++) {
    text_next_field(&p, end, layout->delimiter, &field);
    char *const label = text_field_copy(&field);
    if (!label) return fail(why, EXIT_DATA, "%s: no memory for its header", name);
    const bool same = strcmp(label, wanted) == 0;
    free(label);
    if (!same) continue;
    if (*index != layout->columns)
      return fail(why, EXIT_USAGE, "%s: columns %zu and %zu have the same name; give the number",
                  name, *index + 1, i + 1);
    *index = i;
  }
  const size_t number = column_number(wanted);
  if (*index == layout->columns && number > 0 && number <= layout->columns) *index = number - 1;
  return 0;
}

static int take_label(struct text_layout *layout, size_t k, const char *name, const char *record,
                      const char *end, struct failure *why) {
  struct text_field field;
  size_t index = 0;
  for (const char *p = record; index <= layout->field[k]; index++)
    text_next_field(&p, end, layout->delimiter, &field);
  layout->label[k] = text_field_copy(&field);
  if (!layout->label[k]) return fail(why, EXIT_DATA, "%s: no memory for its header", name);
  return 0;
}

static int choose_only_column(const char *name, struct text_layout *layout, const char *record,
                              const char *end, struct failure *why) {
  layout->wanted = 1;
  layout->field[0] = 0;
  if (layout->columns <= 1) return 0;
  char list[600];
  list_columns(layout, record, end, list, sizeof list);
  return fail(why, EXIT_USAGE, "%s has %zu columns; choose by --column: %s", name, layout->columns,
              list);
}

static int add_column(struct text_layout *layout, size_t index, const char *name,
                      struct failure *why) {
  if (layout->wanted == INPUT_MAX_COLUMNS)
    return fail(why, EXIT_USAGE, "%s: at most %d columns at once", name, INPUT_MAX_COLUMNS);
  layout->field[layout->wanted++] = index;
  return 0;
}

/* Of several columns those that are not there yet. */
static int add_further(struct text_layout *layout, size_t index, const char *name,
                       struct failure *why) {
  for (size_t k = 0; k < layout->wanted; k++)
    if (layout->field[k] == index) return 0;
  return add_column(layout, index, name, why);
}

/* Columns one after the other, as many as there are. */
static int add_every(const struct input_options *options, const char *name,
                     struct text_layout *layout, struct failure *why) {
  for (size_t i = 0; i < options->every_count && options->every_first + i < layout->columns; i++)
    if (add_column(layout, options->every_first + i, name, why) != 0) return -1;
  return 0;
}

/* Those whose names match the expression of "/EXPRESSION/". */
static int add_matching(const char *wanted, const char *name, struct text_layout *layout,
                        const char *record, const char *end, struct failure *why) {
  char message[120];
  regex_t expression;
  struct text_field field;
  size_t index = 0, matches = 0;
  int status = 0;
  char *const inner = strndup(wanted + 1, strlen(wanted) - 2);
  if (!inner) return fail(why, EXIT_DATA, "%s: no memory for its columns", name);
  const int wrong = regcomp(&expression, inner, REG_EXTENDED | REG_NOSUB);
  free(inner);
  if (wrong != 0) {
    (void)regerror(wrong, &expression, message, sizeof message);
    return fail(why, EXIT_USAGE, "--column %s is no regular expression: %s", wanted, message);
  }
  for (const char *p = record; p && status == 0; index++) {
    text_next_field(&p, end, layout->delimiter, &field);
    char *const label = text_field_copy(&field);
    if (!label) status = fail(why, EXIT_DATA, "%s: no memory for its header", name);
    if (label && regexec(&expression, label, 0, NULL, 0) == 0) {
      matches += 1;
      status = add_further(layout, index, name, why);
    }
    free(label);
  }
  regfree(&expression);
  if (status == 0 && matches == 0)
    return fail(why, EXIT_USAGE, "%s has no column whose name matches %s", name, wanted);
  return status;
}

/* Columns of a range or of an expression; none if `wanted` is neither. */
static int add_span(const char *wanted, const char *name, struct text_layout *layout,
                    const char *record, const char *end, struct failure *why) {
  size_t first, last;
  const size_t length = strlen(wanted);
  if (layout->header && length > 2 && wanted[0] == '/' && wanted[length - 1] == '/')
    return add_matching(wanted, name, layout, record, end, why);
  if (!column_range(wanted, layout->columns, &first, &last)) return 0;
  for (size_t index = first - 1; index < last; index++)
    if (add_further(layout, index, name, why) != 0) return -1;
  return 0;
}

/* Columns without names are called by their numbers, where the command line does not list them. */
static int number_labels(struct text_layout *layout) {
  for (size_t k = 0; k < layout->wanted; k++) {
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", layout->field[k] + 1);
    layout->label[k] = strdup(number);
    if (!layout->label[k]) return -1;
  }
  return 0;
}

int text_find_columns(const struct input_options *options, const char *name, const char *record,
                      const char *end, struct text_layout *layout, struct failure *why) {
  layout->columns = record ? count_fields(layout->delimiter, record, end) : 0;
  layout->header = options->header == 1;
  layout->guessed = false;
  if (options->header < 0 && record) {
    const bool named = asks_by_name(options, layout->columns);
    layout->guessed = !named && has_words(options, layout, record, end);
    layout->header = layout->guessed || named;
  }
  layout->wanted = 0;
  const bool every = options->every_count > 0 && (options->every_first > 0 || layout->columns > 1);
  if (every ? add_every(options, name, layout, why) != 0
            : options->column_count == 0 && choose_only_column(name, layout, record, end, why) != 0)
    return -1;
  for (size_t k = 0; k < options->column_count; k++) {
    const char *const wanted = options->columns[k];
    size_t index = column_number(wanted) - 1;
    if (!record) {
      /* Without a single line a number cannot be wrong; a name cannot be right. */
      if (column_number(wanted) == 0)
        return fail(why, EXIT_DATA, "%s is empty: it has no column names", name);
    } else if (look_up(wanted, name, layout, record, end, &index, why) != 0) {
      return -1;
    }
    if (record && index == layout->columns) {
      const size_t before = layout->wanted;
      if (options->spans && add_span(wanted, name, layout, record, end, why) != 0) return -1;
      if (layout->wanted == before) return no_such_column(wanted, name, layout, record, end, why);
    } else if (add_column(layout, index, name, why) != 0) {
      return -1;
    }
  }
  if (!layout->header && options->column_count > 0 && layout->wanted != options->column_count &&
      number_labels(layout) != 0)
    return fail(why, EXIT_DATA, "%s: no memory for its columns", name);
  for (size_t k = 0; layout->header && record && k < layout->wanted; k++)
    if (take_label(layout, k, name, record, end, why) != 0) return -1;
  return 0;
}

void text_free_labels(struct text_layout *layout) {
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(layout->label[k]);
  memset(layout->label, 0, sizeof layout->label);
}
