/* output.c - the forms that a sorted sequence may take: lines, JSON, CSV, arrays */
#include "output.h"

#include "options/format.h"

int sort_output_open(const struct sorting *g, heddle_type type, uint64_t count,
                     struct sort_output *o, struct failure *why) {
  const struct settings *const s = g->s;
  const enum array_format format = output_array_format(s->output);
  const size_t length = (size_t)count;
  o->taker = g->taker;
  if (o->taker) return o->taker->open(o->taker->user, type, why);
  if (array_open(&o->out, s->output, format, type, count != UINT64_MAX, &length, ARRAY_C, why) != 0)
    return -1;
  o->as_json = s->style == STYLE_JSON && format == ARRAY_TEXT;
  if (s->style == STYLE_CSV && format == ARRAY_TEXT)
    sink_text(&o->out.sink, s->argsort ? "position\n" : "value\n");
  if (!o->as_json) return 0;
  json_start(&o->json, &o->out.sink);
  json_open(&o->json, '{');
  json_name(&o->json, "reverse");
  json_bool(&o->json, g->reverse);
  json_name(&o->json, "type");
  json_text(&o->json, heddle_type_name(type));
  json_name(&o->json, s->argsort ? "positions" : "values");
  json_open(&o->json, '[');
  return 0;
}

int sort_output_write(struct sort_output *o, const void *elements, size_t count,
                      struct failure *why) {
  if (o->taker) return o->taker->take(o->taker->user, elements, count, why);
  const size_t size = heddle_type_size(o->out.type);
  const unsigned char *element = elements;
  if (!o->as_json) array_write(&o->out, elements, count);
  for (size_t i = 0; o->as_json && i < count; i++, element += size)
    json_element(&o->json, o->out.type, element);
  if (!o->out.sink.failed) return 0;
  *why = o->out.sink.why;
  return -1;
}

int sort_output_close(struct sort_output *o, int status, struct failure *why) {
  if (o->taker) return o->taker->close(o->taker->user, status, why);
  if (status != 0) {
    sink_drop(&o->out.sink);
    return -1;
  }
  if (o->as_json) {
    json_close(&o->json, ']');
    json_close(&o->json, '}');
    json_end(&o->json);
  }
  return array_close(&o->out, why);
}
