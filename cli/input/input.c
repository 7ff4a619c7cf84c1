/* input.c - finds out what the input is, and hands it to elements.c, text/ or table/ */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "magic.h"
#include "table/npy_table.h"

void input_options_init(struct input_options *options, const char *path) {
  memset(options, 0, sizeof *options);
  options->path = path;
  options->format = INPUT_AUTO;
  options->type = HEDDLE_TYPE_DEFAULT;
  options->count = UINT64_MAX;
  options->header = -1;
  options->comment = '#';
}

/* A type makes it raw, but elements that look like a text of numbers are asked about: the wrong
 * guess is a plausible number. */
static int take_for_raw(struct input *in, const unsigned char *bytes, size_t count,
                        struct failure *why) {
  const size_t size = heddle_type_size(in->options.type);
  in->format = INPUT_RAW;
  if (!magic_is_text((const char *)bytes, count, count < STREAM_PEEK, size)) return 0;
  const char *const type = heddle_type_name(in->options.type);
  return fail(why, EXIT_USAGE,
              "%s looks like text; to read its numbers as %s, add --format text; if it is raw "
              "memory of %s elements, add --format raw",
              in->name, type, type);
}

static int find_format(struct input *in, struct failure *why) {
  const struct input_options *const options = &in->options;
  in->format = options->format;
  if (container_open(in, why) != 0) return -1;
  if (in->table || (in->format != INPUT_AUTO && in->format != INPUT_TEXT)) return 0;
  unsigned char bytes[STREAM_PEEK];
  size_t count;
  if (stream_peek(in->stream, bytes, &count, why) != 0) return -1;
  if (npy_is_table(bytes, count, options)) return table_open(in, npy_table, why);
  if (in->format != INPUT_AUTO) return 0;
  const bool npy = npy_has_magic(bytes, count);
  in->format = INPUT_TEXT;
  if (options->column_count > 0 || options->delimiter != '\0' || options->header != -1 ||
      options->skip_bad || options->missing.count > 0 || options->comment != '#' ||
      number_is_styled(&options->style))
    return 0;
  if (npy && (options->type == HEDDLE_TYPE_DEFAULT || options->offset > 0)) {
    in->format = options->type == HEDDLE_TYPE_DEFAULT ? INPUT_NPY : INPUT_RAW;
    return 0;
  }
  if (npy)
    return fail(why, EXIT_USAGE,
                "%s is a .npy file, which tells its own type: leave the type %s out", in->name,
                heddle_type_name(options->type));
  if (magic_check_npy(options->path, bytes, count, why) != 0) return -1;
  if (options->type != HEDDLE_TYPE_DEFAULT) return take_for_raw(in, bytes, count, why);
  return magic_check_text(options->path, in->name, bytes, count, why);
}

static int open_text(struct input *in, struct failure *why) {
  if (in->options.records) return 0;
  if (!in->options.settle || in->options.type != HEDDLE_TYPE_DEFAULT) return text_open(in, why);
  if (stream_keep(in->stream, why) != 0 || text_open(in, why) != 0 || text_settle(in, why) != 0)
    return -1;
  if (!in->options.two_passes) stream_keep_no_more(in->stream);
  return 0;
}

int input_open(const struct input_options *options, struct input **out, struct failure *why) {
  const struct stream_options bytes = {options->as_is, options->two_passes};
  struct input *const in = calloc(1, sizeof *in);
  if (!in) return fail(why, EXIT_DATA, "%s: no memory to read it", options->path);
  in->options = *options;
  int status = container_path(in, why);
  if (status == 0) status = stream_open(in->options.path, &bytes, &in->stream, why);
  if (status == 0) in->name = stream_name(in->stream);
  if (status == 0) status = find_format(in, why);
  if (status == 0 && in->options.records && in->format != INPUT_TEXT && in->format != INPUT_TABLE)
    stream_keep_no_more(in->stream); /* only records are read again */
  if (status == 0 && in->format == INPUT_TEXT)
    status = open_text(in, why);
  else if (status == 0 && in->format != INPUT_TABLE)
    status = elements_open(in, why);
  if (status == 0)
    *out = in;
  else
    input_close(in);
  return status;
}

void input_close(struct input *in) {
  if (!in) return;
  text_close(in);
  elements_close(in);
  table_close(in);
  stream_close(in->stream);
  free(in->own_path);
  free(in);
}

heddle_type input_type(const struct input *in) { return in->type; }

size_t input_columns(const struct input *in) {
  if (in->format == INPUT_TABLE) return table_columns(in);
  return in->text ? text_columns(in) : 1;
}

const char *input_label(const struct input *in, size_t column) {
  if (in->format == INPUT_TABLE) return table_label(in, column);
  return in->text ? text_label(in, column) : "";
}

void input_narrow(const struct input *in, uint64_t first, uint64_t count,
                  struct input_options *options) {
  options->offset += first * (in->format == INPUT_NPY ? 1 : heddle_type_size(in->type));
  options->count = count;
}

size_t input_shape(const struct input *in, const size_t **shape) {
  *shape = in->npy.shape;
  return in->format == INPUT_NPY && !in->cut ? in->npy.dimensions : 0;
}

bool input_fortran(const struct input *in) {
  return in->format == INPUT_NPY && !in->cut && in->npy.fortran;
}

uint64_t input_count(const struct input *in) {
  return in->text || in->format == INPUT_TABLE ? UINT64_MAX : elements_count(in);
}

const void *input_whole(const struct input *in, size_t *count) {
  *count = in->whole ? (size_t)in->count : 0;
  return in->whole;
}

int input_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  *count = 0;
  if (in->format == INPUT_TABLE) return table_next(in, data, count, why);
  return in->text ? text_next(in, data, count, why) : elements_next(in, data, count, why);
}

bool input_has_integers(const struct input *in) { return in->text && text_has_integers(in); }

bool input_is_rounded(const struct input *in, size_t column) {
  if (in->format == INPUT_TABLE) return table_is_rounded(in, column);
  return in->text && text_is_rounded(in, column);
}

const void *input_integers(const struct input *in, size_t column, size_t *rows, heddle_type *type) {
  *rows = 0;
  return input_has_integers(in) ? text_integers(in, column, rows, type) : NULL;
}

bool input_is_text(const struct input *in) { return in->format == INPUT_TEXT; }

bool input_has_records(const struct input *in) {
  return in->options.records && in->format == INPUT_TEXT;
}

struct input_lines input_lines(const struct input *in) {
  return text_lines_of(in);
}

char input_comment(const struct input *in) { return in->options.comment; }

const struct table *input_table(const struct input *in) {
  return in->format == INPUT_TABLE ? table_typed(in) : NULL;
}

int input_batch(struct input *in, struct failure *why) { return table_batch(in, why); }

size_t input_table_column(const struct input *in, size_t column) { return table_place(in, column); }

void input_every(struct input *in, size_t first, size_t count) {
  in->options.every_first = first;
  in->options.every_count = count;
}

int input_as_numbers(struct input *in, struct failure *why) {
  in->options.records = in->options.two_passes = false;
  const bool settle = in->options.settle && in->options.type == HEDDLE_TYPE_DEFAULT;
  if (stream_rewind(in->stream, why) != 0) return -1;
  if (!settle) stream_keep_no_more(in->stream);
  if (text_open(in, why) != 0 || (settle && text_settle(in, why) != 0)) return -1;
  if (settle) stream_keep_no_more(in->stream);
  return 0;
}

int input_rewind(struct input *in, struct failure *why) {
  if (input_has_records(in)) return stream_rewind(in->stream, why);
  if (in->format == INPUT_TABLE) return table_rewind(in, why);
  return in->text ? text_rewind(in, why) : elements_rewind(in, why);
}

uint64_t input_bad_lines(const struct input *in) { return in->text ? text_bad_lines(in) : 0; }

void input_progress(const struct input *in, uint64_t *done, uint64_t *total) {
  if (in->text)
    text_progress(in, done, total);
  else
    stream_progress(in->stream, done, total);
}
