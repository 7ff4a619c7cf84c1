/* table.c - a table opened: its chosen columns as numbers, or all of it as text
 *
 * Method  Whoever works on lines or words (records, lines, a type to read text as) is given a stream of CSV, and reads
 *         text; all else are blocks of numbers. Columns are found by the code that finds them in a CSV's header.
 *         A pipe is kept until its columns are known: integers that may be missing are read from a file, so that
 *         their type is known before the first block; all else streams. */
#include <stdlib.h>
#include <string.h>

#include "input/internal.h"
#include "table.h"
#include "values.h"

struct table_input {
  struct table *table;
  struct table_values values;
  struct table_lines *lines;
  bool typed; /* batches are wanted */
};

int table_reserve(struct table *table, size_t columns, struct failure *why) {
  table->column = calloc(columns + 1, sizeof *table->column);
  table->part = calloc(columns + 1, sizeof *table->part);
  if (!table->column || !table->part)
    return fail(why, EXIT_DATA, "%s: no memory for its columns", table->name);
  table->columns = columns;
  return 0;
}

void table_free_columns(struct table *table) {
  for (size_t c = 0; c < table->columns; c++) free(table->column[c].name);
  free(table->column);
  free(table->part);
}

static int check_options(const struct input_options *o, const char *name, struct failure *why) {
  const char *const option = o->delimiter != '\0'          ? "--delimiter"
                             : o->header == 0              ? "--no-header"
                             : o->comment != '#'           ? "--comment"
                             : number_is_styled(&o->style) ? "--decimal and --thousands"
                                                           : NULL;
  if (!option) return 0;
  return fail(why, EXIT_USAGE, "%s is no text: its columns have names and types; leave out %s",
              name, option);
}

static bool is_text(const struct input_options *o) {
  return o->records || o->lines || o->skip_bad || o->missing.count > 0 ||
         o->type != HEDDLE_TYPE_DEFAULT || o->format == INPUT_TEXT || o->filter;
}

static int choose_columns(struct input *in, struct table_input *ti, struct failure *why) {
  char *const header = table_header(ti->table);
  if (!header) return fail(why, EXIT_DATA, "%s: no memory for its columns", in->name);
  struct text_layout *const layout = &ti->values.layout;
  layout->delimiter = ',';
  in->options.header = 1;
  const int status =
      text_find_columns(&in->options, in->name, header, header + strlen(header) - 1, layout, why);
  for (size_t k = 0; status == 0 && k < layout->wanted; k++)
    ti->table->column[layout->field[k]].wanted = true;
  free(header);
  return status;
}

/* ---- text ---------------------------------------------------------------------------------- */

static int check_texts(const struct table *t, struct failure *why) {
  for (size_t c = 0; c < t->columns; c++)
    if (t->column[c].wanted && t->column[c].kind == TABLE_OTHER)
      return fail(
          why, EXIT_DATA,
          "%s: column '%s' is of type %s, which has no text here; cast it, or leave it out of "
          "the file",
          t->name, t->column[c].name, t->column[c].what);
  return 0;
}

/* Those that the condition on rows is of. */
static int choose_filtered(struct input *in, struct table_input *ti, struct failure *why) {
  const struct input_filter *const f = in->options.filter;
  char *const header = table_header(ti->table);
  if (!header) return fail(why, EXIT_DATA, "%s: no memory for its columns", in->name);
  struct text_layout layout = {.delimiter = ','};
  struct input_options options;
  input_options_init(&options, in->options.path);
  options.header = 1;
  options.column_count = f->column_count;
  for (size_t k = 0; k < f->column_count; k++) options.columns[k] = f->columns[k];
  const int status =
      text_find_columns(&options, in->name, header, header + strlen(header) - 1, &layout, why);
  for (size_t k = 0; status == 0 && k < layout.wanted; k++)
    ti->table->column[layout.field[k]].wanted = true;
  text_free_labels(&layout);
  free(header);
  return status;
}

/* Where lines are not kept, the columns that are asked for are enough. */
static int open_lines(struct input *in, struct table_input *ti, struct failure *why) {
  struct table *const t = ti->table;
  const struct input_options *const o = &in->options;
  const bool filtered =
      o->filter && !o->filter->element && o->column_count > 0 && !o->lines && !o->records;
  const bool some = (o->records && o->only_columns) || filtered;
  if (some && choose_columns(in, ti, why) != 0) return -1;
  if (filtered && choose_filtered(in, ti, why) != 0) return -1;
  for (size_t c = 0; c < t->columns; c++) t->column[c].wanted |= !some;
  if (check_texts(t, why) != 0) return -1;
  if (t->format->choose && t->format->choose(t, why) != 0) return -1;
  ti->lines = table_lines_new(t);
  if (!ti->lines) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  if (stream_open_made(in->name, table_lines_make, ti->lines, in->stream, &in->stream, why) != 0)
    return -1;
  in->options.delimiter = ',';
  in->options.header = 1;
  in->options.comment = '\n';
  in->options.zeros = true;
  in->format = INPUT_TEXT;
  return in->options.two_passes ? stream_keep(in->stream, why) : 0;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* A pipe that was kept so far goes on, as a file or without being kept. */
static int go_on(struct input *in, struct table_input *ti, bool scan, struct failure *why) {
  struct table *const t = ti->table;
  if (stream_rewind(in->stream, why) != 0) return -1;
  if (scan && stream_to_file(in->stream, why) != 0) return -1;
  if (!scan && !in->options.two_passes) stream_keep_no_more(in->stream);
  return t->format->restart(t, why);
}

static int open_values(struct input *in, struct table_input *ti, struct failure *why) {
  struct table *const t = ti->table;
  if (ti->values.layout.wanted == 0 && choose_columns(in, ti, why) != 0) return -1;
  if (t->format->choose && t->format->choose(t, why) != 0) return -1;
  const bool scan = t->format->scan && table_values_need_scan(&ti->values, t);
  if (go_on(in, ti, scan, why) != 0) return -1;
  if (scan && (t->format->scan(t, why) != 0 || table_rewind(in, why) != 0)) return -1;
  ti->values.offset = in->options.offset;
  ti->values.count = in->options.count;
  if (table_values_start(&ti->values, t, why) != 0) return -1;
  in->type = ti->values.type;
  in->format = INPUT_TABLE;
  return 0;
}

/* ---- batches ------------------------------------------------------------------------------- */

/* What is asked for of text alone makes it such. */
static bool may_be_typed(const struct input_options *o) {
  return o->typed && !o->filter && !o->lines && !o->skip_bad && o->missing.count == 0 &&
         o->type == HEDDLE_TYPE_DEFAULT;
}

static bool is_typed(const struct table_input *ti, const struct input_options *o) {
  const struct text_layout *const layout = &ti->values.layout;
  for (size_t k = 0; k < layout->wanted && !o->typed_all; k++)
    if (ti->table->column[layout->field[k]].kind == TABLE_TEXT) return true;
  return o->typed_all;
}

static int open_typed(struct input *in, struct table_input *ti, struct failure *why) {
  struct table *const t = ti->table;
  if (check_texts(t, why) != 0 || (t->format->choose && t->format->choose(t, why) != 0)) return -1;
  if (go_on(in, ti, false, why) != 0) return -1;
  ti->typed = true;
  in->format = INPUT_TABLE;
  return 0;
}

const struct table *table_typed(const struct input *in) {
  return in->table->typed ? in->table->table : NULL;
}

int table_batch(struct input *in, struct failure *why) {
  struct table *const t = in->table->table;
  return t->format->next(t, why);
}

size_t table_place(const struct input *in, size_t column) {
  return in->table->values.layout.field[column];
}

int table_open(struct input *in, table_opener *open_format, struct failure *why) {
  if (check_options(&in->options, in->name, why) != 0) return -1;
  if (in->options.member)
    return fail(why, EXIT_USAGE, "%s is a table: choose its columns by --column, not '%s'",
                in->name, in->options.member);
  struct table_input *const ti = calloc(1, sizeof *ti);
  if (!ti) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  in->table = ti;
  const bool typed = may_be_typed(&in->options);
  if (typed)
    in->options.records = in->options.two_passes = false; /* read once, typed or as numbers */
  const bool text = is_text(&in->options) && !typed;
  if (open_format(in, !text, &ti->table, why) != 0) return -1;
  if (ti->table->columns == 0) return fail(why, EXIT_DATA, "%s has no columns", in->name);
  if (typed && choose_columns(in, ti, why) != 0) return -1;
  if (typed && is_typed(ti, &in->options)) return open_typed(in, ti, why);
  return text ? open_lines(in, ti, why) : open_values(in, ti, why);
}

int table_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  return table_values_next(&in->table->values, in->table->table, data, count, why);
}

int table_rewind(struct input *in, struct failure *why) {
  if (stream_rewind(in->stream, why) != 0) return -1;
  table_values_restart(&in->table->values);
  return in->table->table->format->restart(in->table->table, why);
}

size_t table_columns(const struct input *in) { return in->table->values.layout.wanted; }

const char *table_label(const struct input *in, size_t column) {
  const char *const label = in->table->values.layout.label[column];
  return label ? label : "";
}

bool table_is_rounded(const struct input *in, size_t column) {
  return in->table->values.rounded[column];
}

void table_close(struct input *in) {
  struct table_input *const ti = in->table;
  if (!ti) return;
  table_lines_free(ti->lines);
  table_values_free(&ti->values);
  if (ti->table) ti->table->format->close(ti->table);
  free(ti);
}
