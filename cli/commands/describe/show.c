/* show.c - columns of numbers as one table and those of text as another; JSON and CSV have all in their order
 *
 * Method  A figure is a text, for people as for CSV: what a column of one kind has not is empty. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "columns.h"
#include "commands/page.h"
#include "output/json.h"
#include "output/sink.h"
#include "report/terminal.h"
#include "text/element.h"

enum { COUNT, MISSING, MEAN, STD, MIN, P25, P50, P75, MAX, DISTINCT, TOP, FREQUENCY, FIGURES };

static const char *const names[FIGURES] = {"count", "missing",  "mean", "std",
                                           "min",   "p25",      "p50",  "p75",
                                           "max",   "distinct", "top",  "frequency"};
static const int of_numbers[] = {COUNT, MISSING, MEAN, STD, MIN, P25, P50, P75, MAX};
static const int of_texts[] = {COUNT, MISSING, DISTINCT, FREQUENCY};

static bool is_whole(int figure) { return figure <= MISSING || figure >= DISTINCT; }

static uint64_t whole(const struct column_row *r, int figure) {
  switch (figure) {
  case COUNT: return r->count;
  case MISSING: return r->missing;
  case DISTINCT: return r->distinct;
  default: return r->frequency;
  }
}

static double real(const struct column_row *r, int figure) {
  switch (figure) {
  case MEAN: return r->mean;
  case STD: return r->deviation;
  case MIN: return r->least;
  case MAX: return r->greatest;
  default: return r->quartile[figure - P25];
  }
}

static void figure_text(char text[NUMBER_TEXT], const struct column_row *r, int figure) {
  if (is_whole(figure))
    (void)snprintf(text, NUMBER_TEXT, "%s%" PRIu64, figure == DISTINCT && r->at_least ? ">" : "",
                   whole(r, figure));
  else
    (void)double_text(text, real(r, figure));
}

/* ---- a table for people ------------------------------------------------------------------------------ */

enum { WIDEST = 60 };

/* "city", or "file:city" */
static char *row_name(const struct column_row *r, struct failure *why) {
  const size_t bytes = strlen(r->name) + (r->file ? strlen(r->file) : 0) + 2;
  char *const plain = malloc(bytes), *const safe = malloc(4 * bytes + UTF8_SAFE);
  if (plain && safe) {
    char *to = safe;
    (void)snprintf(plain, bytes, "%s%s%s", r->file ? r->file : "", r->file ? ":" : "", r->name);
    *to = '\0';
    for (const char *from = plain; *from != '\0'; to += strlen(to)) from += utf8_safe(from, to);
  } else {
    (void)fail(why, EXIT_DATA, "out of memory for a name");
  }
  const bool good = plain && safe;
  free(plain);
  if (good) return safe;
  free(safe);
  return NULL;
}

static int measure(const struct column_rows *rows, bool text, const int *figures, size_t count,
                   size_t *width, size_t *name_width, struct failure *why) {
  *name_width = strlen("column");
  for (size_t f = 0; f < count; f++) width[f] = strlen(names[figures[f]]);
  for (size_t i = 0; i < rows->count; i++) {
    const struct column_row *const r = &rows->rows[i];
    if (r->text != text) continue;
    char number[NUMBER_TEXT], *const name = row_name(r, why);
    if (!name) return -1;
    const size_t columns = terminal_columns(name);
    free(name);
    if (columns > *name_width) *name_width = columns < WIDEST ? columns : WIDEST;
    for (size_t f = 0; f < count; f++) {
      figure_text(number, r, figures[f]);
      if (strlen(number) > width[f]) width[f] = strlen(number);
    }
  }
  return 0;
}

/* The rows of one kind. */
static int table(struct sink *out, const struct column_rows *rows, bool text, const int *figures,
                 size_t count, struct failure *why) {
  size_t width[FIGURES], name_width;
  if (measure(rows, text, figures, count, width, &name_width, why) != 0) return -1;
  sink_left(out, "column", name_width);
  for (size_t f = 0; f < count; f++) {
    sink_text(out, "  ");
    sink_right(out, names[figures[f]], width[f]);
  }
  sink_text(out, text ? "  top\n" : "\n");
  for (size_t i = 0; i < rows->count; i++) {
    const struct column_row *const r = &rows->rows[i];
    if (r->text != text) continue;
    char number[NUMBER_TEXT], *const name = row_name(r, why);
    if (!name) return -1;
    sink_left(out, name, name_width);
    free(name);
    for (size_t f = 0; f < count; f++) {
      figure_text(number, r, figures[f]);
      sink_text(out, "  ");
      sink_right(out, number, width[f]);
    }
    if (text) sink_text(out, "  ");
    if (text && r->top) sink_safe_bytes(out, r->top, r->top_bytes);
    sink_text(out, "\n");
  }
  return 0;
}

static int tables(struct sink *out, const struct column_rows *rows, struct failure *why) {
  size_t texts = 0;
  for (size_t i = 0; i < rows->count; i++) texts += rows->rows[i].text;
  if (texts < rows->count &&
      table(out, rows, false, of_numbers, sizeof of_numbers / sizeof *of_numbers, why) != 0)
    return -1;
  if (texts == 0) return 0;
  if (texts < rows->count) sink_text(out, "\n");
  return table(out, rows, true, of_texts, sizeof of_texts / sizeof *of_texts, why);
}

/* ---- JSON and CSV ------------------------------------------------------------------------------------ */

static void json_row(struct json *j, const struct column_row *r) {
  json_open(j, '{');
  if (r->file) json_member(j, "file", r->file);
  json_member(j, "column", r->name);
  json_name(j, "type");
  json_text(j, r->text ? "text" : "number");
  for (int f = COUNT; f < FIGURES; f++) {
    if (f > MISSING && r->text != (f >= DISTINCT)) continue;
    if (f == TOP && r->top) {
      json_member_bytes(j, names[f], r->top, r->top_bytes);
      continue;
    }
    if (f == TOP) continue;
    json_name(j, names[f]);
    if (is_whole(f))
      json_u64(j, whole(r, f));
    else
      json_double(j, real(r, f));
  }
  if (r->text) {
    json_name(j, "exact");
    json_bool(j, !r->at_least);
  }
  json_close(j, '}');
}

static void csv(struct sink *out, const struct column_rows *rows) {
  const bool files = rows->rows[0].file != NULL;
  sink_text(out, files ? "file,column,type" : "column,type");
  for (int f = COUNT; f < FIGURES; f++) sink_print(out, ",%s", names[f]);
  sink_text(out, "\n");
  for (size_t i = 0; i < rows->count; i++) {
    const struct column_row *const r = &rows->rows[i];
    if (files) {
      sink_csv(out, r->file);
      sink_text(out, ",");
    }
    sink_csv(out, r->name);
    sink_text(out, r->text ? ",text" : ",number");
    for (int f = COUNT; f < FIGURES; f++) {
      char number[NUMBER_TEXT] = "";
      const bool its = f <= MISSING || r->text == (f >= DISTINCT);
      sink_text(out, ",");
      if (f == TOP && r->top) sink_csv_bytes(out, r->top, r->top_bytes);
      if (f == TOP || !its) continue;
      figure_text(number, r, f);
      sink_text(out, number);
    }
    sink_text(out, "\n");
  }
}

int columns_show(const struct settings *s, const struct column_rows *rows, struct failure *why) {
  struct sink out;
  struct json j;
  if (page_open(s, NULL, &out, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    json_start(&j, &out);
    json_open(&j, '[');
    for (size_t i = 0; i < rows->count; i++) json_row(&j, &rows->rows[i]);
    json_close(&j, ']');
    json_end(&j);
  } else if (s->style == STYLE_CSV) {
    if (s->page) columns_draw(&out, rows);
    page_table(s, &out);
    csv(&out, rows);
  } else if (tables(&out, rows, why) != 0) {
    sink_drop(&out);
    return -1;
  }
  return page_close(s, &out, why);
}
