/* top.c - heddle top: the greatest elements of a file, or the least, and where they are
 *
 * Method  The column is held whole; heddle_partial_sort reads it once and sorts what it keeps.
 * Limits  One file, one column. */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/command.h"
#include "commands/source.h"
#include "options/commands.h"
#include "options/format.h"
#include "output/json.h"
#include "text/element.h"

struct top {
  heddle_type type;
  size_t count; /* that there are, at most those asked for */
  unsigned char *values;
  uint64_t *positions;
};

static void table(struct sink *out, const struct top *t, const char *separator) {
  const size_t size = heddle_type_size(t->type);
  for (size_t i = 0; i < t->count; i++) {
    char text[NUMBER_TEXT];
    (void)element_text(text, t->type, t->values + i * size);
    sink_print(out, "%s%s%" PRIu64 "\n", text, separator, t->positions[i]);
  }
}

static void write_json(struct sink *out, const struct settings *s, const struct top *t) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_name(&j, "least");
  json_bool(&j, s->least != 0);
  json_name(&j, "type");
  json_text(&j, heddle_type_name(t->type));
  json_name(&j, "values");
  json_open(&j, '[');
  for (size_t i = 0; i < t->count; i++)
    json_element(&j, t->type, t->values + i * heddle_type_size(t->type));
  json_close(&j, ']');
  json_name(&j, "positions");
  json_open(&j, '[');
  for (size_t i = 0; i < t->count; i++) json_u64(&j, t->positions[i]);
  json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
}

static int show(const struct settings *s, const struct top *t, struct failure *why) {
  const enum array_format format = output_array_format(s->output);
  struct sink out;
  if (format != ARRAY_TEXT) {
    struct array_sink array;
    if (array_open(&array, s->output, format, t->type, 1, &t->count, ARRAY_C, why) != 0) return -1;
    array_write(&array, t->values, t->count);
    return array_close(&array, why);
  }
  if (sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    write_json(&out, s, t);
  } else if (s->style == STYLE_CSV) {
    sink_text(&out, "value,position\n");
    table(&out, t, ",");
  } else {
    table(&out, t, "  ");
  }
  return sink_close(&out, why);
}

static int find(const struct settings *s, heddle_context *ctx, struct source *src, struct top *t,
                struct failure *why) {
  const void *data;
  void *owned;
  size_t count;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  if (source_single(src, why) != 0 || source_all(src, &data, &count, &owned, why) != 0) return -1;
  t->type = input_type(src->in);
  t->count = count < s->top ? count : (size_t)s->top;
  t->values = command_allocate(t->count, heddle_type_size(t->type), "elements", why);
  t->positions = command_allocate(t->count, sizeof *t->positions, "positions", why);
  options.descending = !s->least;
  int status = t->values && t->positions ? 0 : -1;
  if (status == 0)
    status = command_check(heddle_partial_sort(ctx, t->type, data, count, t->count, t->values,
                                               HEDDLE_U64, t->positions, &options),
                           src->path, why);
  free(owned);
  return status;
}

int command_top(const struct settings *s, struct failure *why) {
  struct top t = {HEDDLE_U8, 0, NULL, NULL};
  struct source src;
  heddle_context *ctx;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = source_open(s, s->files[0], SETTLED, &src, why);
  if (status == 0) {
    status = find(s, ctx, &src, &t, why);
    source_close(&src);
  }
  if (status == 0) status = show(s, &t, why);
  free(t.values);
  free(t.positions);
  heddle_close(ctx);
  return status;
}
