/* sort.c - heddle sort: the elements of a file in order, or the positions that sort them
 *
 * Method  The file is read as a whole, text after a pass that finds its one type, sorted in memory, and
 *         written as scan writes its totals.
 * Limits  One file, one column; elements and result have to fit the memory. */
#include <stdlib.h>

#include "command.h"
#include "options/commands.h"
#include "options/format.h"
#include "output/json.h"
#include "output/sink.h"
#include "source.h"

struct sorted {
  heddle_type type;
  void *elements;
  size_t count;
};

static void write_json(const struct settings *s, const struct sorted *sorted, struct sink *sink) {
  struct json json;
  const unsigned char *element = sorted->elements;
  json_start(&json, sink);
  json_open(&json, '{');
  json_name(&json, "reverse");
  json_bool(&json, s->reverse != 0);
  json_name(&json, "type");
  json_text(&json, heddle_type_name(sorted->type));
  json_name(&json, s->argsort ? "positions" : "values");
  json_open(&json, '[');
  for (size_t i = 0; i < sorted->count; i++, element += heddle_type_size(sorted->type))
    json_element(&json, sorted->type, element);
  json_close(&json, ']');
  json_close(&json, '}');
  json_end(&json);
}

static int write_sorted(const struct settings *s, const struct sorted *sorted,
                        struct failure *why) {
  struct array_sink out;
  const enum array_format format = output_array_format(s->output);
  const size_t count = sorted->count;
  if (array_open(&out, s->output, format, sorted->type, 1, &count, ARRAY_C, why) != 0) return -1;
  if (s->style == STYLE_CSV && format == ARRAY_TEXT)
    sink_text(&out.sink, s->argsort ? "position\n" : "value\n");
  if (s->style == STYLE_JSON && format == ARRAY_TEXT)
    write_json(s, sorted, &out.sink);
  else
    array_write(&out, sorted->elements, count);
  return array_close(&out, why);
}

static heddle_status run(const struct settings *s, heddle_context *ctx, heddle_type type,
                         const void *data, const struct sorted *sorted) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = s->reverse;
  if (s->argsort)
    return heddle_argsort(ctx, type, data, sorted->count, HEDDLE_U64, sorted->elements, &options);
  return heddle_sort(ctx, type, data, sorted->count, sorted->elements, &options);
}

static int sort_file(const struct settings *s, heddle_context *ctx, struct source *src,
                     struct failure *why) {
  struct sorted sorted = {.elements = NULL};
  const void *data = NULL;
  void *owned = NULL, *made = NULL;
  int status = source_single(src, why);
  if (status == 0) status = source_all(src, &data, &sorted.count, &owned, why);
  if (status != 0) return -1;
  const heddle_type type = input_type(src->in);
  sorted.type = s->argsort ? HEDDLE_U64 : type;
  sorted.elements = s->argsort ? NULL : owned; /* what was read is sorted where it lies */
  if (!sorted.elements && sorted.count > 0) {
    made = command_allocate(sorted.count, heddle_type_size(sorted.type), "results", why);
    sorted.elements = made;
    if (!made) status = -1;
  }
  if (status == 0) status = command_check(run(s, ctx, type, data, &sorted), src->path, why);
  if (status == 0) status = write_sorted(s, &sorted, why);
  free(made);
  free(owned);
  return status;
}

int command_sort(const struct settings *s, struct failure *why) {
  heddle_context *ctx;
  struct source src;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = source_open(s, s->files[0], SETTLED, &src, why);
  if (status == 0) {
    status = sort_file(s, ctx, &src, why);
    source_close(&src);
  }
  heddle_close(ctx);
  return status;
}
