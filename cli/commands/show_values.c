/* show_values.c - rows gathered until all files are done, then one writer for each form
 *
 * Method  One result alone is one line; several are aligned as wc does, the name last. */
#include "show_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options/format.h"
#include "output/json.h"
#include "text/element.h"

struct value_row *values_add(struct values *v, struct failure *why) {
  if (v->count == v->room) {
    size_t room = v->room == 0 ? 8 : 2 * v->room;
    struct value_row *rows = realloc(v->rows, room * sizeof *rows);
    if (!rows) {
      (void)fail(why, EXIT_DATA, "out of memory for %zu results", room);
      return NULL;
    }
    v->rows = rows;
    v->room = room;
  }
  struct value_row *row = &v->rows[v->count++];
  memset(row, 0, sizeof *row);
  return row;
}

int value_name(struct value_row *row, const char *column, struct failure *why) {
  row->column = strdup(column);
  return row->column ? 0 : fail(why, EXIT_DATA, "out of memory for the name of a column");
}

void values_cut(struct values *v, size_t count) {
  while (v->count > count) free(v->rows[--v->count].column);
}

void values_free(struct values *v) {
  values_cut(v, 0);
  free(v->rows);
}

/* Of files beside each other some may have one column, and it no name. */
static const char *column_name(const struct value_row *row) {
  return row->column ? row->column : "";
}

static bool has_index(const struct values *v) { return v->indexed || v->ranked; }

static void table(struct sink *out, const struct values *v) {
  char text[NUMBER_TEXT];
  size_t widest = 0;
  for (size_t i = 0; i < v->count; i++) {
    size_t length = (size_t)element_text(text, v->rows[i].type, v->rows[i].value);
    if (length > widest) widest = length;
  }
  bool named = v->files || v->columns;
  const bool several = v->shares && v->count > 1;
  for (size_t i = 0; i < v->count; i++) {
    const struct value_row *row = &v->rows[i];
    if (has_index(v)) sink_print(out, named ? "%20" PRIu64 "  " : "%" PRIu64 " ", row->index);
    if (several) {
      (void)double_text(text, row->share);
      sink_right(out, text, 8);
      sink_text(out, "  ");
    }
    (void)element_text(text, row->type, row->value);
    sink_right(out, text, named || several ? widest : 0);
    if (v->files) {
      sink_text(out, "  ");
      sink_safe(out, command_file_label(row->file));
    }
    if (v->columns) {
      sink_text(out, "  ");
      sink_safe(out, column_name(row));
    }
    sink_text(out, "\n");
  }
}

static void json_row(struct json *j, const struct values *v, const struct value_row *row) {
  char hex[NUMBER_TEXT];
  json_open(j, '{');
  if (v->files) json_member(j, "file", row->file);
  if (v->columns) json_member(j, "column", column_name(row));
  json_name(j, "op");
  json_text(j, v->op);
  if (v->shares) {
    json_name(j, "q");
    json_double(j, row->share);
  }
  if (has_index(v)) {
    json_name(j, "index");
    json_u64(j, row->index);
  }
  json_name(j, "value");
  json_element(j, row->type, row->value);
  json_name(j, "hex");
  element_hex(hex, row->type, row->value);
  json_text(j, hex);
  json_name(j, "type");
  json_text(j, heddle_type_name(row->type));
  json_name(j, "count");
  json_u64(j, row->count);
  json_close(j, '}');
}

static void csv(struct sink *out, const struct values *v) {
  sink_print(out, "%s%sop,%s%svalue,hex,count\n", v->files ? "file," : "",
             v->columns ? "column," : "", v->shares ? "q," : "", has_index(v) ? "index," : "");
  for (size_t i = 0; i < v->count; i++) {
    const struct value_row *row = &v->rows[i];
    char text[NUMBER_TEXT], hex[NUMBER_TEXT];
    element_text(text, row->type, row->value);
    element_hex(hex, row->type, row->value);
    if (v->files) {
      sink_csv(out, row->file);
      sink_text(out, ",");
    }
    if (v->columns) {
      sink_csv(out, column_name(row));
      sink_text(out, ",");
    }
    sink_print(out, "%s,", v->op);
    if (v->shares) {
      char share[NUMBER_TEXT];
      (void)double_text(share, row->share);
      sink_print(out, "%s,", share);
    }
    if (has_index(v)) sink_print(out, "%" PRIu64 ",", row->index);
    sink_print(out, "%s,%s,%" PRIu64 "\n", text, hex, row->count);
  }
}

static int write_array(const struct settings *s, const struct values *v, struct failure *why) {
  heddle_type type = v->rows[0].type;
  size_t count = v->count;
  struct array_sink out;
  for (size_t i = 1; i < count; i++)
    if (v->rows[i].type != type)
      return fail(why, EXIT_USAGE,
                  "%s: %s gives %s but %s gives %s, and an array has one type; choose it with "
                  "--out-type",
                  s->output, v->rows[0].file, heddle_type_name(type), v->rows[i].file,
                  heddle_type_name(v->rows[i].type));
  if (v->indexed) type = HEDDLE_U64;
  if (array_open(&out, s->output, output_array_format(s->output), type, 1, &count, ARRAY_C, why) !=
      0)
    return -1;
  for (size_t i = 0; i < count; i++)
    array_write(&out, v->indexed ? &v->rows[i].index : v->rows[i].value, 1);
  return array_close(&out, why);
}

int show_values(const struct settings *s, const struct values *v, struct failure *why) {
  struct sink out;
  if (v->count > 0 && output_array_format(s->output) != ARRAY_TEXT) return write_array(s, v, why);
  if (sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    struct json j;
    json_start(&j, &out);
    bool several = v->files || v->columns || ((v->shares || v->ranked) && v->count > 1);
    if (several) json_open(&j, '[');
    for (size_t i = 0; i < v->count; i++) json_row(&j, v, &v->rows[i]);
    if (several) json_close(&j, ']');
    json_end(&j);
  } else if (s->style == STYLE_CSV) {
    csv(&out, v);
  } else {
    table(&out, v);
  }
  return sink_close(&out, why);
}

/* A line for each row of the last dimension, as numpy.savetxt does. */
static void array_text(struct sink *out, const struct value_array *a, const char *separator) {
  heddle_type type = a->indices ? HEDDLE_U64 : a->type;
  const unsigned char *element = a->indices ? (const void *)a->indices : a->values;
  size_t line = a->dims < 2 ? 1 : a->shape[a->dims - 1];
  for (size_t i = 0; i < a->count; i++, element += heddle_type_size(type)) {
    char text[NUMBER_TEXT];
    element_text(text, type, element);
    sink_text(out, text);
    sink_text(out, (i + 1) % line == 0 ? "\n" : separator);
  }
}

static void array_json(struct sink *out, const struct value_array *a) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_name(&j, "op");
  json_text(&j, a->op);
  if (a->axis >= 0) {
    json_name(&j, "axis");
    json_u64(&j, (uint64_t)a->axis);
  }
  json_name(&j, "type");
  json_text(&j, heddle_type_name(a->type));
  json_name(&j, "shape");
  json_open(&j, '[');
  for (size_t d = 0; d < a->dims; d++) json_u64(&j, a->shape[d]);
  json_close(&j, ']');
  if (a->indices) {
    json_name(&j, "indices");
    json_open(&j, '[');
    for (size_t i = 0; i < a->count; i++) json_u64(&j, a->indices[i]);
    json_close(&j, ']');
  }
  json_name(&j, "values");
  json_open(&j, '[');
  const unsigned char *element = a->values;
  for (size_t i = 0; i < a->count; i++, element += heddle_type_size(a->type))
    json_element(&j, a->type, element);
  json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
}

int show_array(const struct settings *s, const struct value_array *a, struct failure *why) {
  struct sink out;
  enum array_format format = output_array_format(s->output);
  if (format != ARRAY_TEXT) {
    struct array_sink array;
    size_t one = 1;
    if (array_open(&array, s->output, format, a->indices ? HEDDLE_U64 : a->type,
                   a->dims == 0 ? 1 : a->dims, a->dims == 0 ? &one : a->shape, ARRAY_C, why) != 0)
      return -1;
    array_write(&array, a->indices ? (const void *)a->indices : a->values, a->count);
    return array_close(&array, why);
  }
  if (sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON)
    array_json(&out, a);
  else
    array_text(&out, a, s->style == STYLE_CSV ? "," : " ");
  return sink_close(&out, why);
}
