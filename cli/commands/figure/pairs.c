/* pairs.c - a line, an object or a record for each pair of rows */
#include "pairs.h"

#include <inttypes.h>

#include "commands/command.h"
#include "options/format.h"
#include "output/json.h"
#include "text/element.h"

struct value_row *pair_add(const struct source *src, struct values *v, size_t column,
                           struct failure *why) {
  const struct settings *const s = src->settings;
  struct value_row *const row = values_add(v, why);
  if (!row) return NULL;
  row->file = src->path;
  if (input_columns(src->in) < 2) return row;
  const char *label = input_label(src->in, column);
  if (*label == '\0' && column < s->column_count) label = s->columns[column];
  v->columns = true;
  return value_name(row, label, why) == 0 ? row : NULL;
}

static const char *column_name(const struct value_row *row) {
  return row->column ? row->column : "";
}

static void table(struct sink *out, const struct values *v) {
  char text[NUMBER_TEXT];
  size_t widest[2] = {0, 0};
  const bool named = v->files || v->columns;
  for (size_t i = 0; i < v->count; i++) {
    const size_t length = (size_t)element_text(text, v->rows[i].type, v->rows[i].value);
    if (length > widest[i % 2]) widest[i % 2] = length;
  }
  for (size_t i = 0; i < v->count; i++) {
    const struct value_row *const row = &v->rows[i];
    (void)element_text(text, row->type, row->value);
    sink_right(out, text, named ? widest[i % 2] : 0);
    sink_text(out, i % 2 == 0 ? "  " : "");
    if (i % 2 == 0) continue;
    if (v->files) sink_text(out, "  ");
    if (v->files) sink_safe(out, command_file_label(row->file));
    if (v->columns) sink_text(out, "  ");
    if (v->columns) sink_safe(out, column_name(row));
    sink_text(out, "\n");
  }
}

static void json_pair(struct json *j, const struct values *v, const struct value_row *rows,
                      const char *const names[2]) {
  json_open(j, '{');
  if (v->files) json_member(j, "file", rows->file);
  if (v->columns) json_member(j, "column", column_name(rows));
  json_name(j, "op");
  json_text(j, v->op);
  for (size_t i = 0; i < 2; i++) {
    json_name(j, names[i]);
    json_element(j, rows[i].type, rows[i].value);
  }
  json_name(j, "type");
  json_text(j, heddle_type_name(rows->type));
  json_name(j, "elements");
  json_u64(j, rows->count);
  json_close(j, '}');
}

static void csv(struct sink *out, const struct values *v, const char *const names[2]) {
  char text[2][NUMBER_TEXT];
  sink_print(out, "%s%s%s,%s,elements\n", v->files ? "file," : "", v->columns ? "column," : "",
             names[0], names[1]);
  for (size_t i = 0; i < v->count; i += 2) {
    const struct value_row *const row = &v->rows[i];
    for (size_t k = 0; k < 2; k++) (void)element_text(text[k], row[k].type, row[k].value);
    if (v->files) sink_csv(out, row->file);
    if (v->files) sink_text(out, ",");
    if (v->columns) sink_csv(out, column_name(row));
    if (v->columns) sink_text(out, ",");
    sink_print(out, "%s,%s,%" PRIu64 "\n", text[0], text[1], row->count);
  }
}

int show_pairs(const struct settings *s, const struct values *v, const char *const names[2],
               struct failure *why) {
  struct sink out;
  const bool several = v->files || v->columns;
  if (sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_CSV) {
    csv(&out, v, names);
  } else if (s->style == STYLE_JSON) {
    struct json j;
    json_start(&j, &out);
    if (several) json_open(&j, '[');
    for (size_t i = 0; i < v->count; i += 2) json_pair(&j, v, &v->rows[i], names);
    if (several) json_close(&j, ']');
    json_end(&j);
  } else {
    table(&out, v);
  }
  return sink_close(&out, why);
}
