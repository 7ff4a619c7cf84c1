/* table.c - the records of a table: ids by the key's text, columns of numbers
 *
 * Method  The text is read whole, then record by record. A column is of integers until something else stands in
 *         it, from there on all of it f64. An empty field is NaN. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "group.h"
#include "input/detect.h"
#include "input/stream.h"
#include "text/number.h"
#include "text/record.h"

enum { FIRST_ROOM = 1 << 20, SAMPLE = 1 << 16 };

struct text {
  char *begin, *end;
};

static int read_all(const char *path, bool as_is, struct text *t, struct failure *why) {
  const struct stream_options options = {.as_is = as_is};
  struct stream *stream;
  size_t room = FIRST_ROOM, used = 0, got;
  if (stream_open(path, &options, &stream, why) != 0) return -1;
  int status = 0;
  t->begin = malloc(room + NUMBER_PADDING + 1);
  if (!t->begin) status = fail(why, EXIT_DATA, "%s: out of memory", command_file_label(path));
  while (status == 0) {
    status = stream_read(stream, t->begin + used, room - used, &got, why);
    used += status == 0 ? got : 0;
    if (status != 0 || used < room) break;
    room *= 2;
    char *const grown = realloc(t->begin, room + NUMBER_PADDING + 1);
    if (grown)
      t->begin = grown;
    else
      status =
          fail(why, EXIT_DATA, "%s: out of memory after %zu bytes", command_file_label(path), used);
  }
  stream_close(stream);
  if (status != 0) return -1;
  if (used > 0 && t->begin[used - 1] != '\n') t->begin[used++] = '\n';
  memset(t->begin + used, 0, NUMBER_PADDING);
  t->end = t->begin + used;
  return 0;
}

/* ---- fields ------------------------------------------------------------------------------------------ */

struct reading {
  struct grouping *g;
  struct text_layout layout;
  size_t line; /* of the record at hand, from 1 */
};

static int bad(const struct reading *r, const char *what, const struct text_field *f,
               struct failure *why) {
  char shown[60];
  text_show(f->begin, (size_t)(f->end - f->begin), shown, sizeof shown);
  return fail(why, EXIT_DATA, "%s:%zu: '%s' %s", command_file_label(r->g->path), r->line, shown,
              what);
}

/* A column of integers becomes one of f64; what f64 does not hold is rounded. */
static int widen(struct grouping *g, size_t c, struct failure *why) {
  g->column[c].type = HEDDLE_F64;
  return command_check(
      heddle_convert(HEDDLE_I64, g->column[c].values, HEDDLE_F64, g->column[c].values, g->rows),
      command_file_label(g->path), why);
}

static int take_number(struct reading *r, size_t c, const struct text_field *f,
                       struct failure *why) {
  struct grouping *const g = r->g;
  const size_t length = (size_t)(f->end - f->begin);
  uint64_t *const to = &g->column[c].values[g->rows];
  if (g->column[c].type == HEDDLE_I64) {
    if (number_parse(f->begin, length, HEDDLE_I64, to) == NUMBER_OK) return 0;
    if (widen(g, c, why) != 0) return -1;
  }
  if (number_parse(f->begin, length, HEDDLE_F64, to) == NUMBER_OK) return 0;
  return bad(r, "is no number", f, why);
}

static int take_key(struct reading *r, const struct text_field *f, struct failure *why) {
  struct grouping *const g = r->g;
  const size_t length = (size_t)(f->end - f->begin);
  if (!f->quoted || !memchr(f->begin, '"', length))
    return keys_id(&g->keys, f->begin, length, &g->ids[g->rows], why);
  char *const copy = text_field_copy(f);
  if (!copy) return fail(why, EXIT_DATA, "%s: out of memory", command_file_label(g->path));
  const int status = keys_id(&g->keys, copy, strlen(copy), &g->ids[g->rows], why);
  free(copy);
  return status;
}

static int make_room(struct grouping *g, struct failure *why) {
  const size_t room = 2 * g->room + 4096;
  if (g->rows < g->room) return 0;
  uint32_t *const ids = realloc(g->ids, room * sizeof *ids);
  bool failed = !ids;
  if (ids) g->ids = ids;
  for (size_t c = 0; c < g->columns; c++) {
    uint64_t *const values = realloc(g->column[c].values, room * sizeof *values);
    failed |= !values;
    if (values) g->column[c].values = values;
  }
  if (failed)
    return fail(why, EXIT_DATA, "%s: out of memory after %zu rows", command_file_label(g->path),
                g->rows);
  g->room = room;
  return 0;
}

/* The fields wanted of a record: field 0 of the layout is the key, the others are columns. */
static int take_record(struct reading *r, const char *record, const char *end,
                       struct failure *why) {
  struct grouping *const g = r->g;
  const size_t wanted = g->columns + 1;
  const char *at = record;
  size_t done = 0;
  struct text_field f;
  if (make_room(g, why) != 0) return -1;
  for (size_t i = 0; at && done < wanted; i++) {
    text_next_field(&at, end, r->layout.delimiter, &f);
    for (size_t k = 0; k < wanted; k++) {
      if (r->layout.field[k] != i) continue;
      if (f.problem != TEXT_GOOD) return bad(r, "has a quote that does not end with it", &f, why);
      if ((k == 0 ? take_key(r, &f, why) : take_number(r, k - 1, &f, why)) != 0) return -1;
      done++;
    }
  }
  if (done < wanted)
    return fail(why, EXIT_DATA, "%s:%zu: the line has too few columns", command_file_label(g->path),
                r->line);
  g->rows++;
  return 0;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static size_t lines_of(const char *begin, const char *end) {
  size_t lines = 0;
  for (; (begin = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin++) lines++;
  return lines;
}

static int take_text(struct reading *r, const struct text *t, const struct input_options *options,
                     struct failure *why) {
  const char *at = t->begin, *unclosed;
  bool first = true;
  if (t->end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
  const char *sample = t->end - at > SAMPLE ? at + SAMPLE : t->end;
  while (sample > at && sample[-1] != '\n') sample--;
  r->layout.delimiter = options->delimiter
                            ? options->delimiter
                            : text_detect_delimiter(at, sample > at ? sample : t->end);
  for (const char *end; at < t->end; at = end + 1) {
    end = text_record_end(at, t->end, r->layout.delimiter, &unclosed);
    if (!end)
      return fail(why, EXIT_DATA, "%s:%zu: a quote is not closed", command_file_label(r->g->path),
                  r->line);
    const bool passed = text_is_passed_over(at, end, r->layout.delimiter);
    if (!passed && first &&
        text_find_columns(options, command_file_label(r->g->path), at, end, &r->layout, why) != 0)
      return -1;
    if (!passed && !(first && r->layout.header) && take_record(r, at, end, why) != 0) return -1;
    first = first && passed;
    r->line += lines_of(at, end + 1);
  }
  if (first)
    return text_find_columns(options, command_file_label(r->g->path), NULL, NULL, &r->layout, why);
  return 0;
}

int group_read(struct grouping *g, struct failure *why) {
  struct reading r = {.g = g, .line = 1};
  struct input_options options;
  struct text t = {NULL, NULL};
  if (args_input_options(g->s, g->path, &options, why) != 0) return -1;
  options.columns[0] = g->s->keys[0];
  for (size_t c = 0; c < g->columns; c++) options.columns[c + 1] = g->column[c].name;
  options.column_count = g->columns + 1;
  int status = read_all(g->path, options.as_is, &t, why);
  if (status == 0) status = take_text(&r, &t, &options, why);
  if (status == 0 && r.layout.label[0]) {
    g->key_label = r.layout.label[0];
    r.layout.label[0] = NULL;
  }
  text_free_labels(&r.layout);
  free(t.begin);
  return status;
}
