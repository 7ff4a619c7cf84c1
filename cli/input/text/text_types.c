/* text_types.c - columns of text whose type is found out, as input.h has them
 *
 * Method  A reader that needs one type before the first block (a .npy header has it) passes over
 *         the text once beforehand; columns of floats end that within the first block. */
#include "text_reader.h"

/* The type that holds every number of the columns wanted so far. */
static heddle_type common_type(const struct text_reader *r) {
  bool negative = false, large = false;
  for (size_t k = 0; k < r->own.rows.fields; k++) {
    if (r->own.rows.type[k] == HEDDLE_F64) return HEDDLE_F64;
    negative |= r->own.found.column[k].negative;
    large |= r->own.rows.type[k] == HEDDLE_U64;
  }
  if (negative && large) return HEDDLE_F64;
  return large ? HEDDLE_U64 : HEDDLE_I64;
}

int text_settle(struct input *in, struct failure *why) {
  struct text_reader *const r = in->text;
  const void *data[INPUT_MAX_COLUMNS];
  size_t count = 1;
  if (!r->finds) return 0;
  while (count > 0 && common_type(r) != HEDDLE_F64) {
    if (text_next(in, data, &count, why) != 0) return -1;
    if (in->options.passing) in->options.passing(in->options.user, in);
  }
  const heddle_type type = r->delivered > 0 ? common_type(r) : HEDDLE_F64;
  r->integers = false;
  r->finds = type == HEDDLE_F64;
  in->type = type;
  for (size_t k = 0; k < r->own.rows.fields; k++) {
    r->own.rows.type[k] = type;
    r->own.rows.scan[k] = number_scanner(type);
    r->own.rows.found[k] = r->own.rows.checks_rounding[k] = false;
  }
  return text_rewind(in, why);
}

bool text_has_integers(const struct input *in) {
  return in->text->finds || in->type == HEDDLE_I64 || in->type == HEDDLE_U64;
}

bool text_is_rounded(const struct input *in, size_t column) {
  return in->text->finds && in->text->own.found.rounded[in->text->source[column]];
}

struct input_lines text_lines_of(const struct input *in) {
  const struct text_lines *const l = in->text->latest->lines, *const own = in->text->own.lines;
  return (struct input_lines){.text = l->text,
                              .front = own->front,
                              .end = l->end,
                              .front_bytes = own->front_used,
                              .comments = own->comments,
                              .delimiter = in->text->layout.delimiter};
}

const void *text_integers(const struct input *in, size_t column, size_t *rows, heddle_type *type) {
  const struct text_reader *const r = in->text;
  const struct text_block *const b = r->latest;
  const size_t k = r->source[column];
  *type = in->type;
  *rows = b->count;
  if (!r->finds) return text_has_integers(in) ? b->rows.values[k] : NULL;
  const void *const integers = found_integers(&b->found, &b->rows, k);
  *rows = integers ? b->found.column[k].whole : 0;
  *type = b->found.column[k].integers;
  return integers;
}
