/* input.c - finds out what the input is, and hands it to elements.c or text.c */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "magic.h"

void input_spec_init(struct input_spec *spec, const char *path) {
  memset(spec, 0, sizeof *spec);
  spec->path = path;
  spec->format = INPUT_AUTO;
  spec->type = HEDDLE_TYPE_DEFAULT;
  spec->count = UINT64_MAX;
  spec->header = -1;
}

/* A type makes it raw, but elements that look like a text of numbers are asked about: the wrong
 * guess is a plausible number. */
static int take_for_raw(struct input *in, const unsigned char *bytes, size_t count,
                        struct failure *why) {
  const size_t size = heddle_type_size(in->spec.type);
  in->format = INPUT_RAW;
  if (!magic_is_text((const char *)bytes, count, count < STREAM_PEEK, size)) return 0;
  const char *const type = heddle_type_name(in->spec.type);
  return fail(why, EXIT_USAGE,
              "%s looks like text; to read its numbers as %s, add --format text; if it is raw "
              "memory of %s elements, add --format raw",
              in->name, type, type);
}

static int find_format(struct input *in, struct failure *why) {
  const struct input_spec *const spec = &in->spec;
  in->format = spec->format;
  if (in->format != INPUT_AUTO) return 0;
  unsigned char bytes[STREAM_PEEK];
  size_t count;
  if (stream_peek(in->stream, bytes, &count, why) != 0) return -1;
  const bool npy = npy_has_magic(bytes, count);
  in->format = INPUT_TEXT;
  if (spec->column_count > 0 || spec->delimiter != '\0' || spec->header != -1 || spec->skip_bad)
    return 0;
  if (npy && (spec->type == HEDDLE_TYPE_DEFAULT || spec->offset > 0)) {
    in->format = spec->type == HEDDLE_TYPE_DEFAULT ? INPUT_NPY : INPUT_RAW;
    return 0;
  }
  if (npy)
    return fail(why, EXIT_USAGE,
                "%s is a .npy file, which tells its own type: leave the type %s out", in->name,
                heddle_type_name(spec->type));
  if (magic_check_npy(spec->path, bytes, count, why) != 0) return -1;
  if (spec->type != HEDDLE_TYPE_DEFAULT) return take_for_raw(in, bytes, count, why);
  return magic_check_text(spec->path, in->name, bytes, count, why);
}

static int open_format(struct input *in, struct failure *why) {
  const struct stream_options options = {in->spec.as_is, in->spec.two_passes};
  if (stream_open(in->spec.path, &options, &in->stream, why) != 0) return -1;
  in->name = stream_name(in->stream);
  if (find_format(in, why) != 0) return -1;
  if (in->format != INPUT_TEXT) return elements_open(in, why);
  if (!in->spec.settle || in->spec.type != HEDDLE_TYPE_DEFAULT) return text_open(in, why);
  if (stream_keep(in->stream, why) != 0 || text_open(in, why) != 0 || text_settle(in, why) != 0)
    return -1;
  if (!in->spec.two_passes) stream_keep_no_more(in->stream);
  return 0;
}

int input_open(const struct input_spec *spec, struct input **out, struct failure *why) {
  struct input *const in = calloc(1, sizeof *in);
  if (!in) return fail(why, EXIT_DATA, "%s: no memory to read it", spec->path);
  in->spec = *spec;
  if (open_format(in, why) != 0) {
    input_close(in);
    return -1;
  }
  *out = in;
  return 0;
}

void input_close(struct input *in) {
  if (!in) return;
  text_close(in);
  elements_close(in);
  stream_close(in->stream);
  free(in);
}

heddle_type input_type(const struct input *in) { return in->type; }

size_t input_columns(const struct input *in) { return in->text ? text_columns(in) : 1; }

const char *input_label(const struct input *in, size_t column) {
  return in->text ? text_label(in, column) : "";
}

size_t input_shape(const struct input *in, const size_t **shape) {
  *shape = in->npy.shape;
  return in->format == INPUT_NPY && !in->cut ? in->npy.dimensions : 0;
}

bool input_fortran(const struct input *in) {
  return in->format == INPUT_NPY && !in->cut && in->npy.fortran;
}

uint64_t input_count(const struct input *in) { return in->text ? UINT64_MAX : elements_count(in); }

const void *input_whole(const struct input *in, size_t *count) {
  *count = in->whole ? (size_t)in->count : 0;
  return in->whole;
}

int input_next(struct input *in, const void *data[], size_t *count, struct failure *why) {
  *count = 0;
  return in->text ? text_next(in, data, count, why) : elements_next(in, data, count, why);
}

bool input_has_integers(const struct input *in) { return in->text && text_has_integers(in); }

bool input_is_rounded(const struct input *in, size_t column) {
  return in->text && text_is_rounded(in, column);
}

const void *input_integers(const struct input *in, size_t column, size_t *rows, heddle_type *type) {
  *rows = 0;
  return input_has_integers(in) ? text_integers(in, column, rows, type) : NULL;
}

int input_rewind(struct input *in, struct failure *why) {
  return in->text ? text_rewind(in, why) : elements_rewind(in, why);
}

uint64_t input_bad_lines(const struct input *in) { return in->text ? text_bad_lines(in) : 0; }

void input_progress(const struct input *in, uint64_t *done, uint64_t *total) {
  stream_progress(in->stream, done, total);
}
