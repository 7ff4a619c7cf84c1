/* cmd_scan.c - heddle scan: running totals of a file, streamed to a file or a pipe
 *
 * Limits  One file, one column; --json gathers nothing: values are written as they come. */
#include <stdlib.h>

#include "axis.h"
#include "command.h"
#include "fold.h"
#include "json.h"
#include "output_format.h"
#include "sink.h"
#include "source.h"

struct scan {
  heddle_state *state;
  heddle_type type; /* of the output */
  void *block;
  size_t room;
  struct array_sink out;
  struct json json;
  bool as_json;
};

static void emit(struct scan *scan, size_t n) {
  if (!scan->as_json) {
    array_write(&scan->out, scan->block, n);
    return;
  }
  const unsigned char *element = scan->block;
  for (size_t i = 0; i < n; i++, element += heddle_type_size(scan->type))
    json_element(&scan->json, scan->type, element);
}

static int feed(struct scan *scan, struct source *src, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (n > scan->room) {
      free(scan->block);
      scan->room = n;
      scan->block = command_allocate(n, heddle_type_size(scan->type), "totals", why);
      if (scan->block == NULL) return -1;
    }
    if (command_check(heddle_scan_update(scan->state, data[0], n, scan->block), src->path, why) !=
        0)
      return -1;
    emit(scan, n);
    if (scan->out.sink.failed) return 0; /* array_close tells why */
  }
}

static void json_head(const struct settings *s, struct scan *scan) {
  json_start(&scan->json, &scan->out.sink);
  json_open(&scan->json, '{');
  json_name(&scan->json, "op");
  json_text(&scan->json, fold_name(s->op));
  json_name(&scan->json, "exclusive");
  json_bool(&scan->json, s->exclusive != 0);
  json_name(&scan->json, "type");
  json_text(&scan->json, heddle_type_name(scan->type));
  json_name(&scan->json, "values");
  json_open(&scan->json, '[');
}

static int stream(const struct settings *s, struct scan *scan, struct source *src,
                  struct failure *why) {
  enum array_format format = output_array_format(s->output);
  uint64_t known = input_count(src->in);
  size_t count = (size_t)known;
  if (array_open(&scan->out, s->output, format, scan->type, known != UINT64_MAX, &count, ARRAY_C,
                 why) != 0)
    return -1;
  scan->as_json = s->style == STYLE_JSON && format == ARRAY_TEXT;
  if (s->style == STYLE_CSV && format == ARRAY_TEXT) {
    sink_text(&scan->out.sink, fold_name(s->op));
    sink_text(&scan->out.sink, "\n");
  }
  if (scan->as_json) json_head(s, scan);
  if (feed(scan, src, why) != 0) {
    sink_drop(&scan->out.sink);
    return -1;
  }
  if (scan->as_json) {
    json_close(&scan->json, ']');
    json_close(&scan->json, '}');
    json_end(&scan->json);
  }
  return array_close(&scan->out, why);
}

static int scan_file(const struct settings *s, heddle_context *ctx, struct failure *why) {
  struct scan scan = {.state = NULL};
  struct source src;
  heddle_options options;
  uint64_t init = 0;
  if (source_open(s, s->files[0], false, &src, why) != 0) return -1;
  heddle_type type = input_type(src.in);
  scan.type = s->out_type != HEDDLE_TYPE_DEFAULT ? (heddle_type)s->out_type : type;
  int status = source_single(&src, why);
  if (status == 0) status = fold_options(s, scan.type, &options, &init, why);
  if (status == 0)
    status = command_check(heddle_scan_begin(ctx, (heddle_op)s->op,
                                             s->exclusive ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE,
                                             type, &options, &scan.state),
                           src.path, why);
  if (status == 0) status = stream(s, &scan, &src, why);
  heddle_state_free(scan.state);
  free(scan.block);
  source_close(&src);
  return status;
}

int command_scan(const struct settings *s, struct failure *why) {
  heddle_context *ctx;
  if (command_context(s, &ctx, why) != 0) return -1;
  int status = s->axis != NULL ? axis_scan(s, ctx, why) : scan_file(s, ctx, why);
  heddle_close(ctx);
  return status;
}
