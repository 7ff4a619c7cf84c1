/* scan.c - heddle scan: running totals of a file, streamed to a file or a pipe
 *
 * Method  Totals of integers out of text are exact and as large as they come, until something else
 *         stands there; the library's f64 run beside them and go on. Where the type of the totals
 *         is written first (.npy, JSON, --out-type), the text is passed over once to find it.
 * Limits  One file, one column; --json gathers nothing: values are written as they come. */
#include <stdlib.h>

#include "axis.h"
#include "command.h"
#include "fold.h"
#include "options/commands.h"
#include "options/format.h"
#include "output/json.h"
#include "output/sink.h"
#include "source.h"
#include "whole.h"

struct scan {
  heddle_state *state;
  heddle_type type; /* of the output */
  void *block;
  size_t room;
  struct array_sink out;
  struct json json;
  bool as_json;
  struct whole whole;
  bool exact; /* integers of text so far: their totals are written */
  bool check; /* the library's totals wrap: whole tells when */
};

/* The exact totals in front of the first number that has none; how many they are. */
static size_t emit_exact(const struct settings *s, struct scan *scan, const struct source *src,
                         size_t n) {
  size_t rows;
  heddle_type type;
  if (!scan->exact) return 0;
  const void *const integers = input_integers(src->in, 0, &rows, &type);
  const size_t done =
      whole_scan(&scan->whole, type, integers, rows, s->exclusive != 0, &scan->out.sink);
  scan->exact = done == n;
  if (done < rows)
    command_note(s,
                 "%s: the %s of its integers passes 64 bits: from there on it is rounded "
                 "to f64",
                 command_file_label(src->path), operator_name(s->op));
  return done;
}

static void emit(struct scan *scan, size_t n, size_t written) {
  if (!scan->as_json) {
    const size_t size = heddle_type_size(scan->type);
    array_write(&scan->out, (const unsigned char *)scan->block + written * size, n - written);
    return;
  }
  const unsigned char *element = scan->block;
  for (size_t i = 0; i < n; i++, element += heddle_type_size(scan->type))
    json_element(&scan->json, scan->type, element);
}

/* Integers of text whose total leaves their type would wrap around. */
static int check_totals(struct scan *scan, const struct source *src, struct failure *why) {
  size_t rows;
  heddle_type type;
  if (!scan->check) return 0;
  const void *const integers = input_integers(src->in, 0, &rows, &type);
  size_t at = 0;
  if (whole_fits(&scan->whole, type, integers, rows, &at)) return 0;
  return fail(why, EXIT_DATA,
              "%s: the total of its first %llu integers does not fit %s; --format text --type f64 "
              "rounds",
              command_file_label(src->path), (unsigned long long)(scan->whole.count + at + 1),
              heddle_type_name(type));
}

static int feed(const struct settings *s, struct scan *scan, struct source *src,
                struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0) return -1;
    if (n == 0) return 0;
    if (n > scan->room) {
      free(scan->block);
      scan->room = n;
      scan->block = command_allocate(n, heddle_type_size(scan->type), "totals", why);
      if (!scan->block) return -1;
    }
    if (check_totals(scan, src, why) != 0) return -1;
    if (command_check(heddle_scan_update(scan->state, data[0], n, scan->block), src->path, why) !=
        0)
      return -1;
    emit(scan, n, emit_exact(s, scan, src, n));
    if (scan->out.sink.failed) return 0; /* array_close tells why */
  }
}

static void json_head(const struct settings *s, struct scan *scan) {
  json_start(&scan->json, &scan->out.sink);
  json_open(&scan->json, '{');
  json_name(&scan->json, "op");
  json_text(&scan->json, operator_name(s->op));
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
    sink_text(&scan->out.sink, operator_name(s->op));
    sink_text(&scan->out.sink, "\n");
  }
  if (scan->as_json) json_head(s, scan);
  if (feed(s, scan, src, why) != 0) {
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

/* Text that is found to be integers, written as text as it comes: any total has a decimal. */
static bool streams_integers(const struct settings *s) {
  const bool bits = s->op == HEDDLE_AND || s->op == HEDDLE_OR || s->op == HEDDLE_XOR;
  const bool nothing_first = s->exclusive && !whole_is_total(s->op);
  return s->style != STYLE_JSON && output_array_format(s->output) == ARRAY_TEXT && !bits &&
         !nothing_first && s->out_type == HEDDLE_TYPE_DEFAULT;
}

static void start_integers(const struct settings *s, heddle_context *ctx, struct scan *scan,
                           struct source *src) {
  struct failure ignored;
  const bool wraps = whole_is_total(s->op);
  const bool found = input_type(src->in) == HEDDLE_F64;
  whole_start(&scan->whole, s->op);
  if (!input_has_integers(src->in) || s->acc != HEDDLE_TYPE_DEFAULT ||
      (s->init && !whole_init(ctx, &scan->whole, s->init, &ignored)))
    return;
  scan->exact = src->integers = found && streams_integers(s);
  scan->check = !found && wraps && scan->type == input_type(src->in);
}

static int scan_file(const struct settings *s, heddle_context *ctx, struct failure *why) {
  struct scan scan = {.state = NULL};
  struct source src;
  heddle_options options;
  uint64_t init = 0;
  if (source_open(s, s->files[0], streams_integers(s) ? ONE_PASS : SETTLED, &src, why) != 0)
    return -1;
  heddle_type type = input_type(src.in);
  scan.type = fold_result_type(s, HEDDLE_SCAN, type);
  int status = source_single(&src, why);
  start_integers(s, ctx, &scan, &src);
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
  int status = s->axis ? axis_scan(s, ctx, why) : scan_file(s, ctx, why);
  heddle_close(ctx);
  return status;
}
