/* convert.c - heddle convert: between .npy, raw elements and text, and between types
 *
 * Method  Integers of text become text as they come, exactly, column by column until something else
 *         stands there. Where a type is told beforehand, the text is passed over first to find it.
 * Limits  Formats of columns under names are written by tables.c. Text out of a .npy array of two dimensions has a line a row. Arrays in Fortran order keep
 *         it, and so become .npy only. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/source.h"
#include "options/commands.h"
#include "options/format.h"
#include "output/sink.h"
#include "tables.h"
#include "text/element.h"
#include "text/types.h"

/* What is asked for; TO_DEFAULT is plain text. */
static int target(const struct settings *s) {
  if (s->to != TO_DEFAULT) return s->to;
  if (output_array_format(s->output) != ARRAY_TEXT) return (int)output_array_format(s->output);
  return output_ends(s->output, ".csv")   ? TO_CSV
         : output_ends(s->output, ".tsv") ? TO_TSV
                                          : TO_DEFAULT;
}

static enum array_format choose(const struct settings *s) {
  if (s->to == TO_CSV || s->to == TO_TSV) return ARRAY_TEXT;
  if (s->to != TO_DEFAULT) return (enum array_format)s->to;
  return output_array_format(s->output);
}

struct conversion {
  struct array_sink out;
  heddle_type from, to;
  size_t columns, line; /* elements a line of text */
  char separator;       /* between them */
  void *block;
  size_t room;
  uint64_t done;
  bool found; /* text whose types are found out, to text */
  bool gaps;  /* what is missing is an empty field of a table */
};

/* Elements of several columns side by side, as text lines or as rows. */
static void interleave(struct conversion *c, const void *const data[], size_t n) {
  size_t size = heddle_type_size(c->from);
  unsigned char *to = c->block;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < c->columns; k++, to += size)
      memcpy(to, (const unsigned char *)data[k] + i * size, size);
}

static void write_lines(struct conversion *c, const unsigned char *element, size_t n) {
  char text[NUMBER_TEXT];
  for (size_t i = 0; i < n; i++, element += heddle_type_size(c->to)) {
    (void)element_text(text, c->to, element);
    sink_text(&c->out.sink, text);
    sink_write(&c->out.sink, ++c->done % c->line == 0 ? "\n" : &c->separator, 1);
  }
}

static bool is_missing(const unsigned char *element) {
  double value;
  memcpy(&value, element, sizeof value);
  return value != value;
}

/* Rows of columns each of which may begin with integers, in this block or all through it. */
static void write_found(struct conversion *c, const struct source *src, const void *data[],
                        size_t n) {
  const unsigned char *integers[INPUT_MAX_COLUMNS];
  size_t rows[INPUT_MAX_COLUMNS];
  heddle_type type[INPUT_MAX_COLUMNS];
  char text[NUMBER_TEXT + 1];
  for (size_t k = 0; k < c->columns; k++)
    integers[k] = input_integers(src->in, k, &rows[k], &type[k]);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < c->columns; k++) {
      const unsigned char *const real = (const unsigned char *)data[k] + 8 * i;
      const int length = i < rows[k] ? element_text(text, type[k], integers[k] + 8 * i)
                         : c->gaps && is_missing(real) ? 0
                                                       : element_text(text, c->from, real);
      text[length] = k + 1 == c->columns ? '\n' : c->separator;
      sink_write(&c->out.sink, text, (size_t)length + 1);
    }
}

/* What does not fit an integer type would wrap around. */
int convert_check_range(const struct source *src, heddle_type from, heddle_type to,
                        const void *before, const void *after, size_t n, struct failure *why) {
  if (!input_has_integers(src->in) || type_is_float(from) || type_is_float(to)) return 0;
  const bool turned = type_is_signed(from) != type_is_signed(to);
  const unsigned char *a = before, *b = after;
  for (size_t i = 0; i < n; i++, a += 8, b += heddle_type_size(to)) {
    int64_t was, back;
    memcpy(&was, a, sizeof was);
    if (command_check(heddle_convert(to, b, from, &back, 1), NULL, why) != 0) return -1;
    if (back == was && !(turned && was < 0)) continue;
    char text[NUMBER_TEXT];
    (void)element_text(text, from, a);
    return fail(why, EXIT_DATA, "%s: %s does not fit %s", command_file_label(src->path), text,
                heddle_type_name(to));
  }
  return 0;
}

static int emit(struct conversion *c, const struct source *src, const void *data[], size_t n,
                struct failure *why) {
  if (c->found) {
    write_found(c, src, data, n);
    return 0;
  }
  const void *from = data[0];
  size_t size = heddle_type_size(c->from) > heddle_type_size(c->to) ? heddle_type_size(c->from)
                                                                    : heddle_type_size(c->to);
  if ((c->columns > 1 || c->from != c->to) && n * c->columns > c->room) {
    free(c->block);
    c->room = n * c->columns;
    c->block = command_allocate(2 * c->room, size, "elements", why);
    if (!c->block) return -1;
  }
  if (c->columns > 1) {
    interleave(c, data, n);
    from = c->block;
  }
  n *= c->columns;
  if (c->from != c->to) {
    void *converted = (unsigned char *)c->block + c->room * size;
    if (command_check(heddle_convert(c->from, from, c->to, converted, n), NULL, why) != 0)
      return -1;
    if (convert_check_range(src, c->from, c->to, from, converted, n, why) != 0) return -1;
    from = converted;
  }
  if (c->line > 1 && c->out.format == ARRAY_TEXT)
    write_lines(c, from, n);
  else
    array_write(&c->out, from, n);
  return 0;
}

/* The names of the columns, above their values, where a table is asked for and they have names. */
static void write_names(struct conversion *c, const struct source *src) {
  if (c->separator == ' ' || *input_label(src->in, 0) == '\0') return;
  for (size_t k = 0; k < c->columns; k++) {
    if (k > 0) sink_write(&c->out.sink, &c->separator, 1);
    sink_csv(&c->out.sink, input_label(src->in, k));
  }
  sink_text(&c->out.sink, "\n");
}

static bool streams_text(const struct settings *s) {
  return choose(s) == ARRAY_TEXT && s->out_type == HEDDLE_TYPE_DEFAULT;
}

static int start(const struct settings *s, struct conversion *c, struct source *src,
                 struct failure *why) {
  enum array_format format = choose(s);
  const size_t *shape = NULL;
  size_t dims = input_shape(src->in, &shape);
  c->from = input_type(src->in);
  c->to = s->out_type != HEDDLE_TYPE_DEFAULT ? (heddle_type)s->out_type : c->from;
  c->columns = input_columns(src->in);
  c->separator = target(s) == TO_CSV ? ',' : target(s) == TO_TSV ? '\t' : ' ';
  c->found = src->integers =
      streams_text(s) && c->from == HEDDLE_F64 && input_has_integers(src->in);
  c->gaps = c->columns > 1 && c->separator != ' ';
  bool fortran = dims > 1 && input_fortran(src->in);
  if (fortran && format != ARRAY_NPY)
    return fail(why, EXIT_DATA,
                "%s is in Fortran order, which convert keeps and does not turn around; "
                "convert it to .npy, or save it in C order (numpy.ascontiguousarray)",
                command_file_label(src->path));
  c->line = c->columns > 1 ? c->columns : dims > 1 ? shape[dims - 1] : 1;
  if (c->line == 0) c->line = 1;
  if (c->columns > 1 && format == ARRAY_NPY)
    return fail(why, EXIT_USAGE, "a .npy array takes one column; choose it with -c, or write .npz");
  size_t turned[HEDDLE_MAX_DIMS * 2], one = (size_t)input_count(src->in);
  for (size_t d = 0; d < dims && d < HEDDLE_MAX_DIMS * 2; d++)
    turned[d] = fortran ? shape[dims - 1 - d] : shape[d];
  bool cut = dims == 0 && input_count(src->in) != UINT64_MAX;
  if (array_open(&c->out, s->output, format, c->to, cut ? 1 : dims, cut ? &one : turned,
                 fortran ? ARRAY_FORTRAN : ARRAY_C, why) != 0)
    return -1;
  write_names(c, src);
  return 0;
}

static int stream(struct conversion *c, struct source *src, struct failure *why) {
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t n = 0;
    if (source_next(src, data, &n, why) != 0 || (n > 0 && emit(c, src, data, n, why) != 0)) {
      sink_drop(&c->out.sink);
      return -1;
    }
    if (n == 0 || c->out.sink.failed) return array_close(&c->out, why);
  }
}

int command_convert(const struct settings *s, struct failure *why) {
  struct conversion c = {.block = NULL};
  struct source src;
  const int to = s->to != TO_DEFAULT ? s->to : output_table_format(s->output);
  if (to >= TO_NPZ) return convert_table(s, to, why);
  const enum passes passes = streams_text(s) ? ONE_PASS : SETTLED;
  const int opened = convert_open(s, target(s), passes, &src, why);
  if (opened == CONVERT_WRITTEN) return 0;
  if (opened == CONVERT_FAILED) return -1;
  if (opened < 0) return convert_again(s, target(s), passes, why);
  int status = start(s, &c, &src, why);
  if (status == 0) status = stream(&c, &src, why);
  free(c.block);
  source_close(&src);
  return status == 0 ? 0 : convert_again(s, target(s), passes, why);
}
