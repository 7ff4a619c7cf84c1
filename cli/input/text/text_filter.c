/* text_filter.c - each record's fields to whoever asks, and out with it
 *
 * Method  A record of a text without quotes is split at its delimiters up to the last field that is asked for, any other
 *         by text/record.h. The first character of each line that goes becomes the comment's; without comments all
 *         become blanks. */
#include "text_filter.h"

#include <stdlib.h>
#include <string.h>

int text_filter_open(struct text_filter *f, const struct input_options *options, const char *name,
                     const char *record, const char *end, char delimiter, int header,
                     struct failure *why) {
  const struct input_filter *const ask = options->filter;
  struct input_options its = *options;
  f->ask = ask;
  if (!ask) return 0;
  its.column_count = ask->column_count;
  for (size_t k = 0; k < ask->column_count; k++) its.columns[k] = ask->columns[k];
  its.spans = false;
  its.header = header;
  text_free_labels(&f->layout);
  f->layout.delimiter = delimiter;
  f->comment = options->comment;
  if (text_find_columns(&its, name, record, end, &f->layout, why) != 0) return -1;
  f->last = 0;
  for (size_t k = 0; k < f->layout.wanted; k++)
    if (f->layout.field[k] > f->last) f->last = f->layout.field[k];
  if (!ask->element || f->layout.columns <= 1) return 0;
  return fail(why, EXIT_USAGE,
              "%s has %zu columns: say in the condition which ones are meant, as in '`2` > 3'",
              name, f->layout.columns);
}

void text_filter_close(struct text_filter *f) { text_free_labels(&f->layout); }

/* ---- a record ------------------------------------------------------------------------------ */

static bool is_blank(char c, char delimiter) {
  return c == ' ' || c == '\r' || (c == '\t' && delimiter != '\t');
}

static void trim(struct text_field *field, char delimiter) {
  while (field->begin < field->end && is_blank(*field->begin, delimiter)) field->begin++;
  while (field->end > field->begin && is_blank(field->end[-1], delimiter)) field->end--;
  field->start = field->begin;
}

/* Fields up to the last one asked for; how many there were. */
static size_t split(const struct text_filter *f, const char *record, const char *end, bool plain,
                    struct text_field *fields) {
  const char delimiter = f->layout.delimiter;
  size_t index = 0;
  for (const char *at = record; at && index <= f->last; index++) {
    struct text_field field = {.begin = at};
    if (plain) {
      while (at < end && *at != delimiter) at++;
      field.end = at;
      at = at < end ? at + 1 : NULL;
    } else {
      text_next_field(&at, end, delimiter, &field);
    }
    for (size_t k = 0; k < f->layout.wanted; k++) {
      if (f->layout.field[k] != index) continue;
      if (plain) trim(&field, delimiter);
      fields[k] = field;
    }
  }
  return index;
}

/* Whether the record stays; -1: nothing can be said of it, and why. */
static int ask(const struct text_filter *f, const char *record, const char *end, bool plain,
               char message[FILTER_MESSAGE], const char **at) {
  struct text_field fields[INPUT_MAX_COLUMNS];
  size_t column = 0;
  *at = end;
  if (split(f, record, end, plain, fields) <= f->last) {
    (void)strcpy(message, "the line has too few columns");
    return -1;
  }
  for (size_t k = 0; k < f->layout.wanted; k++) {
    if (fields[k].problem == TEXT_GOOD) continue;
    *at = fields[k].start;
    (void)strcpy(message, "something stands behind the closing quote");
    return -1;
  }
  const int answer = f->ask->ask(f->ask->user, fields, &column, message);
  if (answer < 0) *at = fields[column].start;
  return answer;
}

static void take_out(char *record, char *end, char comment) {
  for (char *line = record; line < end;) {
    char *const stop = memchr(line, '\n', (size_t)(end - line));
    char *const limit = stop ? stop : end;
    if (comment == '\n')
      memset(line, ' ', (size_t)(limit - line));
    else if (line < limit)
      *line = comment;
    line = limit + 1;
  }
}

const char *text_filter_records(const struct text_filter *f, char *text, char *end, uint64_t *bad) {
  const char delimiter = f->layout.delimiter;
  const bool quotes = memchr(text, '"', (size_t)(end - text)) != NULL;
  const bool plain = !quotes && delimiter != TEXT_BLANKS;
  for (char *p = text; p < end;) {
    const char *unclosed, *at;
    char message[FILTER_MESSAGE];
    char *const line = memchr(p, '\n', (size_t)(end - p));
    if (!line) return p;
    if (text_is_passed_over(p, line, delimiter, f->comment)) {
      p = line + 1;
      continue;
    }
    const char *const whole = quotes ? text_record_end(p, end, delimiter, &unclosed) : line;
    if (!whole) return p;
    char *const stop = p + (whole - p);
    const int answer = ask(f, p, stop, plain, message, &at);
    if (answer < 0 && !bad) return p;
    if (answer < 0) *bad += 1;
    if (answer <= 0) take_out(p, stop, f->comment);
    p = stop + 1;
  }
  return end;
}

bool text_filter_complaint(const struct text_filter *f, const char *record, const char *limit,
                           char message[FILTER_MESSAGE], const char **at) {
  const char *unclosed;
  const char *const end = text_record_end(record, limit, f->layout.delimiter, &unclosed);
  return end && ask(f, record, end, false, message, at) < 0;
}
