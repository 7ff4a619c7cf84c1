/* top.c - heddle top: the greatest elements of a file, or the least, and where they are
 *
 * Method  The column is held whole; heddle_partial_sort reads it once and sorts what it keeps. Of a command in several
 *         processes each has a state of its part, and these are merged.
 * Limits  One file, one column. */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/command.h"
#include "commands/part.h"
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

static int allocate(struct top *t, heddle_type type, uint64_t count, uint64_t most,
                    struct failure *why) {
  t->type = type;
  t->count = (size_t)(count < most ? count : most);
  t->values = command_allocate(t->count, heddle_type_size(type), "elements", why);
  t->positions = command_allocate(t->count, sizeof *t->positions, "positions", why);
  return t->values && t->positions ? 0 : -1;
}

static int take(struct source *src, size_t column, const void *data, size_t n, void *user,
                struct failure *why) {
  (void)column;
  return command_check(heddle_partial_sort_update(user, data, n), src->path, why);
}

/* The first of all parts, which all processes come to. */
static int find_in_parts(const struct settings *s, heddle_context *ctx, struct source *src,
                         struct top *t, struct failure *why) {
  heddle_state *state = NULL;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  uint64_t found = 0;
  options.descending = !s->least;
  if (source_single(src, why) != 0 || allocate(t, input_type(src->in), src->all, s->top, why) != 0)
    return -1;
  int status =
      command_check(heddle_partial_sort_begin(ctx, t->type, t->count, src->first, &options, &state),
                    src->path, why);
  if (status == 0) status = source_each(src, take, state, why);
  if (status == 0) status = s->part->merge(s->part, ctx, &state, why);
  if (status == 0)
    status = command_check(
        heddle_partial_sort_finish(state, t->values, HEDDLE_U64, t->positions, &found), src->path,
        why);
  t->count = (size_t)found;
  heddle_state_free(state);
  return status;
}

static int find(const struct settings *s, heddle_context *ctx, struct source *src, struct top *t,
                struct failure *why) {
  const void *data;
  void *owned;
  size_t count;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  if (s->part) return find_in_parts(s, ctx, src, t, why);
  if (source_single(src, why) != 0 || source_all(src, &data, &count, &owned, why) != 0) return -1;
  int status = allocate(t, input_type(src->in), count, s->top, why);
  options.descending = !s->least;
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
  int status = source_open(s, s->files[0], s->part ? ONE_PASS : SETTLED, &src, why);
  if (status == 0) {
    status = find(s, ctx, &src, &t, why);
    source_close(&src);
  }
  if (status == 0 && (!s->part || s->part->rank == 0)) status = show(s, &t, why);
  free(t.values);
  free(t.positions);
  heddle_close(ctx);
  return status;
}
