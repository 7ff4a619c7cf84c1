/* show.c - rows one at a time to the output, in the style that is asked for */
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "commands/command.h"
#include "commands/page.h"
#include "report/terminal.h"
#include "text/element.h"

/* Columns are wide enough for what stands in them, up to so many characters. */
enum { WIDEST = 60 };

static const char *key_label(const struct show *s, size_t k) {
  return s->labels[k] ? s->labels[k] : s->q->s->keys[k];
}

static bool is_text(const struct show *s, size_t f) {
  const enum figure figure = s->q->of[f].spec.figure;
  return figure == FIGURE_FIRST || figure == FIGURE_LAST;
}

static void make_safe(const char *text, const char *end, char *to) {
  char safe[UTF8_SAFE];
  for (*to = '\0'; text < end; to += strlen(safe)) {
    text += utf8_safe(text, safe);
    memcpy(to, safe, strlen(safe) + 1);
  }
}

/* Bytes as a string; in a table for people nothing in it that a terminal obeys, or that ends a line. */
static const char *string(struct show *s, const char *text, size_t bytes, struct failure *why) {
  const bool table = s->q->s->style == STYLE_TABLE;
  const size_t most = table ? 4 * bytes + UTF8_SAFE : bytes; /* a byte is four at most */
  if (2 * (most + 1) > s->room) {
    char *const larger = realloc(s->text, 4 * most + 64);
    if (!larger) (void)fail(why, EXIT_DATA, "out of memory for a field of %zu bytes", bytes);
    if (!larger) return NULL;
    s->text = larger;
    s->room = 4 * most + 64;
  }
  /* The second half has the bytes, the first what is made of them. */
  char *const raw = table ? s->text + s->room / 2 : s->text;
  if (bytes > 0) memcpy(raw, text, bytes);
  raw[bytes] = '\0';
  if (table) make_safe(raw, raw + bytes, s->text);
  s->bytes = table ? strlen(s->text) : bytes;
  return s->text;
}

static const char *figure_string(struct show *s, const struct group_row *row, size_t f,
                                 char number[NUMBER_TEXT], struct failure *why) {
  if (is_text(s, f)) return string(s, row->text[f], row->text_bytes[f], why);
  s->bytes = (size_t)element_text(number, s->types[f], &row->value[f]);
  return number;
}

static void widen(size_t *width, const char *text) {
  const size_t columns = terminal_columns(text);
  if (columns > *width) *width = columns < WIDEST ? columns : WIDEST;
}

void show_start(struct show *s) {
  for (size_t k = 0; k < s->q->keys; k++) widen(&s->key_width[k], key_label(s, k));
  for (size_t f = 0; f < s->q->figures; f++) widen(&s->width[f], s->q->of[f].name);
}

int show_measure(void *user, const struct group_row *row, struct failure *why) {
  struct show *const s = user;
  const char *at = row->key;
  if (s->q->s->style != STYLE_TABLE) return 0;
  for (size_t k = 0; k < s->q->keys; k++) {
    size_t bytes;
    const char *const field = key_field(&at, row->key + row->key_bytes, s->q->keys - k, &bytes);
    const char *const text = string(s, field, bytes, why);
    if (!text) return -1;
    widen(&s->key_width[k], text);
  }
  for (size_t f = 0; f < s->q->figures; f++) {
    char number[NUMBER_TEXT];
    const char *const text = figure_string(s, row, f, number, why);
    if (!text) return -1;
    widen(&s->width[f], text);
  }
  return 0;
}

/* ---- fronts ------------------------------------------------------------------------------------------ */

static void open_json(struct show *s) {
  struct json *const j = &s->json;
  json_start(j, &s->out);
  json_open(j, '{');
  json_member(j, "file", s->q->path);
  if (s->q->keys == 1) {
    json_member(j, "key", key_label(s, 0));
  } else {
    json_name(j, "key");
    json_open(j, '[');
    for (size_t k = 0; k < s->q->keys; k++) json_text(j, key_label(s, k));
    json_close(j, ']');
  }
  json_name(j, "rows");
  json_u64(j, s->rows);
  json_name(j, "groups");
  json_open(j, '[');
}

static void open_csv(struct show *s) {
  page_table(s->q->s, &s->out);
  for (size_t k = 0; k < s->q->keys; k++) {
    if (k > 0) sink_text(&s->out, ",");
    sink_csv(&s->out, key_label(s, k));
  }
  for (size_t f = 0; f < s->q->figures; f++) {
    sink_text(&s->out, ",");
    sink_csv(&s->out, s->q->of[f].name);
  }
  sink_text(&s->out, "\n");
}

static size_t gap(const struct show *s, size_t k) { return k + 1 < s->q->keys ? 2 : 0; }

static void open_table(struct show *s) {
  for (size_t k = 0; k < s->q->keys; k++)
    sink_left(&s->out, key_label(s, k), s->key_width[k] + gap(s, k));
  for (size_t f = 0; f < s->q->figures; f++) {
    sink_text(&s->out, "  ");
    sink_right(&s->out, s->q->of[f].name, s->width[f]);
  }
  sink_text(&s->out, "\n");
}

int show_open(struct show *s, struct failure *why) {
  if (page_open(s->q->s, s->q->path, &s->out, why) != 0) return -1;
  switch (s->q->s->style) {
  case STYLE_JSON: open_json(s); break;
  case STYLE_JSON_LINES: break;
  case STYLE_CSV: open_csv(s); break;
  default: open_table(s);
  }
  return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static int json_keys(struct show *s, struct json *j, const struct group_row *row,
                     struct failure *why) {
  const bool lines = s->q->s->style == STYLE_JSON_LINES, several = s->q->keys > 1 && !lines;
  const char *at = row->key;
  if (!lines) json_name(j, "key");
  if (several) json_open(j, '[');
  for (size_t k = 0; k < s->q->keys; k++) {
    size_t bytes;
    const char *const field = key_field(&at, row->key + row->key_bytes, s->q->keys - k, &bytes);
    const char *const text = string(s, field, bytes, why);
    if (!text) return -1;
    if (lines) json_name(j, key_label(s, k));
    json_bytes(j, text, s->bytes);
  }
  if (several) json_close(j, ']');
  return 0;
}

static int json_row(struct show *s, struct json *j, const struct group_row *row,
                    struct failure *why) {
  json_open(j, '{');
  if (json_keys(s, j, row, why) != 0) return -1;
  for (size_t f = 0; f < s->q->figures; f++) {
    json_name(j, s->q->of[f].name);
    if (!is_text(s, f)) {
      json_element(j, s->types[f], &row->value[f]);
      continue;
    }
    const char *const text = string(s, row->text[f], row->text_bytes[f], why);
    if (!text) return -1;
    json_bytes(j, text, s->bytes);
  }
  json_close(j, '}');
  return 0;
}

static int text_row(struct show *s, const struct group_row *row, struct failure *why) {
  const bool csv = s->q->s->style == STYLE_CSV;
  const char *at = row->key;
  for (size_t k = 0; k < s->q->keys; k++) {
    size_t bytes;
    const char *const field = key_field(&at, row->key + row->key_bytes, s->q->keys - k, &bytes);
    const char *const text = string(s, field, bytes, why);
    if (!text) return -1;
    if (csv && k > 0) sink_text(&s->out, ",");
    if (csv)
      sink_csv_bytes(&s->out, text, s->bytes);
    else
      sink_left(&s->out, text, s->key_width[k] + gap(s, k));
  }
  for (size_t f = 0; f < s->q->figures; f++) {
    char number[NUMBER_TEXT];
    const char *const text = figure_string(s, row, f, number, why);
    if (!text) return -1;
    sink_text(&s->out, csv ? "," : "  ");
    if (csv)
      sink_csv_bytes(&s->out, text, s->bytes);
    else
      sink_right(&s->out, text, s->width[f]);
  }
  sink_text(&s->out, "\n");
  return 0;
}

int show_row(void *user, const struct group_row *row, struct failure *why) {
  struct show *const s = user;
  struct json line;
  if (s->out.failed) {
    *why = s->out.why;
    return -1;
  }
  switch (s->q->s->style) {
  case STYLE_JSON: return json_row(s, &s->json, row, why);
  case STYLE_JSON_LINES:
    json_start_line(&line, &s->out);
    if (json_row(s, &line, row, why) != 0) return -1;
    json_end(&line);
    return 0;
  default: return text_row(s, row, why);
  }
}

int show_close(struct show *s, int status, struct failure *why) {
  free(s->text);
  s->text = NULL;
  if (status != 0) {
    sink_drop(&s->out);
    return -1;
  }
  if (s->q->s->style == STYLE_JSON) {
    json_close(&s->json, ']');
    json_close(&s->json, '}');
    json_end(&s->json);
  }
  return page_close(s->q->s, &s->out, why);
}
