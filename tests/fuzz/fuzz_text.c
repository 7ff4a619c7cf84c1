/* fuzz_text.c - any bytes as text with numbers
 *
 * The first byte chooses delimiter, columns, type and style; the rest is the text. Checked:
 *   - every field as number_parse reads it against strtod, in both directions;
 *   - every line that the quick way accepts against the careful way, bit by bit;
 *   - the whole reader with a buffer of a few bytes against one of a MiB: rows, bits, messages;
 *   - the same on three threads, in blocks of a few bytes;
 *   - a type that is found out against f64, and its exact integers against both. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "input/internal.h"
#include "text/number.h"
#include "text/record.h"
#include "text/rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TEXT = 1 << 14 };

static void require(bool condition) {
  if (!condition) abort();
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void check_number(const char *text, size_t length) {
  char copy[400];
  if (length == 0 || length >= sizeof copy) return;
  memcpy(copy, text, length);
  copy[length] = '\0';
  double ours;
  float ours_f32;
  const bool good = number_parse(text, length, HEDDLE_F64, &ours) == NUMBER_OK;
  require(good == (number_parse(text, length, HEDDLE_F32, &ours_f32) == NUMBER_OK));
  char *end;
  const double theirs = strtod(copy, &end);
  const bool white = strchr(" \t\n\v\f\r", copy[0]);
  if (!good) {
    require(end != copy + length || white || strchr(copy, '('));
    return;
  }
  require(end == copy + length && !white);
  const float theirs_f32 = strtof(copy, NULL);
  require(isnan(theirs) ? isnan(ours) : memcmp(&ours, &theirs, sizeof ours) == 0);
  require(isnan(theirs_f32) ? isnan(ours_f32) : memcmp(&ours_f32, &theirs_f32, sizeof(float)) == 0);
}

/* ---- lines --------------------------------------------------------------------------------- */

static void check_line(const char *line, const char *end, const struct text_rows *rows) {
  unsigned char careful[INPUT_MAX_COLUMNS][8];
  struct text_rows other = *rows;
  for (size_t k = 0; k < other.fields; k++) other.values[k] = careful[k];
  size_t count = 0;
  const char *const stop = text_quick_rows(rows, line, end + 1, &count, 1);
  struct text_field field;
  for (const char *p = line; p;) {
    text_next_field(&p, end, rows->delimiter, &field);
    check_number(field.begin, (size_t)(field.end - field.begin));
  }
  if (count == 0) return;
  struct text_complaint complaint;
  const char *unclosed;
  require(stop == end + 1);
  require(!text_is_passed_over(line, end, rows->delimiter, rows->comment));
  require(text_record_end(line, end + 1, rows->delimiter, &unclosed) == end);
  require(text_careful_row(&other, line, end, 0, &complaint));
  for (size_t k = 0; k < other.fields; k++)
    require(memcmp(careful[k], rows->values[k], rows->element_bytes) == 0);
}

static void check_lines(const char *text, size_t size, char delimiter, size_t columns,
                        heddle_type type, struct number_style style) {
  unsigned char quick[INPUT_MAX_COLUMNS][8];
  struct text_rows rows = {
      .style = style, .delimiter = delimiter, .comment = '#', .only = columns == 0};
  rows.element_bytes = heddle_type_size(type);
  rows.fields = columns == 0 ? 1 : columns;
  rows.ends = columns > 0 && delimiter != TEXT_BLANKS && size % 2 == 1;
  for (size_t k = 0; k < rows.fields; k++) {
    rows.field[k] = columns == 0 ? 0 : 2 * k + 1;
    rows.values[k] = quick[k];
    rows.type[k] = type;
    rows.scan[k] = number_scanner(type);
  }
  char *const copy = calloc(size + 1 + NUMBER_PADDING, 1);
  if (!copy) return;
  memcpy(copy, text, size);
  copy[size] = '\n';
  for (const char *p = copy; p < copy + size;) {
    const char *const end = memchr(p, '\n', (size_t)(copy + size + 1 - p));
    check_line(p, end, &rows);
    p = end + 1;
  }
  free(copy);
}

/* ---- the whole reader ---------------------------------------------------------------------- */

struct outcome {
  size_t rows;
  uint64_t bad;
  uint64_t hash;  /* of all elements, and of the exact integers beside them */
  uint64_t reals; /* of the elements */
  char message[1024];
};

static void add_block(uint64_t *hash, const unsigned char *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) *hash = (*hash ^ p[i]) * 0x100000001b3u;
}

/* Each exact integer, converted, is what was delivered as f64. */
static void check_integers(heddle_type type, const void *exact, const void *reals,
                           heddle_type delivered, size_t count) {
  const unsigned char *p = exact, *q = reals;
  for (size_t i = 0; i < count && delivered == HEDDLE_F64; i++, p += 8, q += 8) {
    double x;
    require(heddle_convert(type, p, HEDDLE_F64, &x, 1) == HEDDLE_OK);
    require(memcmp(&x, q, sizeof x) == 0);
  }
}

/* Row by row, since the cut into blocks means nothing. */
static void add_rows(struct input *in, const void *const data[], size_t count, struct outcome *o) {
  const size_t bytes = heddle_type_size(input_type(in));
  const unsigned char *exact[INPUT_MAX_COLUMNS];
  size_t whole[INPUT_MAX_COLUMNS];
  for (size_t k = 0; k < input_columns(in); k++) {
    heddle_type integers;
    exact[k] = input_integers(in, k, &whole[k], &integers);
    if (exact[k]) check_integers(integers, exact[k], data[k], input_type(in), whole[k]);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < input_columns(in); k++) {
      const unsigned char *const value = (const unsigned char *)data[k] + i * bytes;
      add_block(&o->hash, value, bytes);
      add_block(&o->reals, value, bytes);
      if (exact[k] && i < whole[k]) add_block(&o->hash, exact[k] + i * 8, 8);
    }
}

static void read_all(const struct input_options *given, size_t buffer, size_t threads,
                     struct outcome *o) {
  struct input_options with = *given;
  const struct input_options *const options = &with;
  struct input *in;
  struct failure why;
  with.threads = threads;
  text_buffer_bytes = buffer;
  text_block_bytes = 2 * buffer;
  memset(o, 0, sizeof *o);
  if (input_open(options, &in, &why) != 0) {
    memcpy(o->message, why.text, sizeof o->message);
    return;
  }
  for (;;) {
    const void *data[INPUT_MAX_COLUMNS];
    size_t count;
    if (input_next(in, data, &count, &why) != 0) {
      memcpy(o->message, why.text, sizeof o->message);
      break;
    }
    if (count == 0) break;
    o->rows += count;
    add_rows(in, data, count, o);
  }
  o->bad = input_bad_lines(in);
  input_close(in);
}

/* A type that is found out has the f64 that HEDDLE_F64 gives, bit by bit, and settling finds what
 * reading found. */
static void check_found(const struct input_options *given, const struct outcome *found) {
  struct input_options options = *given;
  struct outcome real, settled;
  options.type = HEDDLE_F64;
  read_all(&options, 1 << 20, 1, &real);
  require(real.rows == found->rows && real.bad == found->bad && real.reals == found->reals);
  require(strcmp(real.message, found->message) == 0);
  options.type = HEDDLE_TYPE_DEFAULT;
  options.settle = true;
  read_all(&options, 64, 1, &settled);
  require(strcmp(settled.message, found->message) == 0);
  if (settled.message[0] == '\0') require(settled.rows == found->rows && settled.bad == found->bad);
}

static void check_reader(const char *text, size_t size, char delimiter, size_t columns,
                         heddle_type type, bool skip_bad, struct number_style style) {
  static int fd = -1;
  static char path[64];
  if (fd < 0) {
    fd = memfd_create("text", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, text, size, 0) != (ssize_t)size) return;
  struct input_options options;
  input_options_init(&options, path);
  options.format = INPUT_TEXT;
  options.delimiter = delimiter;
  options.type = type;
  options.skip_bad = skip_bad;
  options.style = style;
  static const char *const numbers[] = {"2", "4", "6"};
  for (size_t k = 0; k < columns; k++) options.columns[options.column_count++] = numbers[k];
  struct outcome small, large, several;
  read_all(&options, 16, 1, &small);
  read_all(&options, 1 << 20, 1, &large);
  require(small.rows == large.rows && small.bad == large.bad && small.hash == large.hash);
  require(strcmp(small.message, large.message) == 0);
  read_all(&options, 16, 3, &several);
  require(strcmp(several.message, large.message) == 0);
  if (large.message[0] == '\0')
    require(several.rows == large.rows && several.bad == large.bad && several.hash == large.hash);
  require(!(skip_bad && large.rows > 0 && large.message[0] != '\0'));
  if (type == HEDDLE_TYPE_DEFAULT) check_found(&options, &large);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char delimiters[] = {',', ' ', '\t', ';'};
  static const heddle_type types[] = {HEDDLE_TYPE_DEFAULT, HEDDLE_I32, HEDDLE_U64, HEDDLE_F32};
  if (size < 1 || size > MAX_TEXT || memchr(data + 1, 0, size - 1)) return 0;
  const char *const text = (const char *)data + 1;
  const char delimiter = delimiters[data[0] & 3];
  const size_t columns = (data[0] >> 2) & 3;
  const struct number_style style = {data[0] & 0x80 ? ',' : '.', data[0] & 0x80 ? '.' : '\0'};
  const heddle_type type = types[(data[0] >> 4) & 3];
  check_lines(text, size - 1, delimiter, columns, type == HEDDLE_TYPE_DEFAULT ? HEDDLE_F64 : type,
              style);
  check_reader(text, size - 1, delimiter, columns, type, (data[0] & 0x40) != 0, style);
  return 0;
}
