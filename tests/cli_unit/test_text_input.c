/* test_text_input.c - whole text files through input.h: values, places of errors, cuts, types */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/internal.h"
#include "support.h"

static struct input_options text_options(const char *text) {
  struct input_options options;
  input_options_init(&options, make_text("t.csv", text));
  return options;
}

static void one_column(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    size_t count;
    double values[6];
  } rows[] = {
      {"", 0, {0}},
      {"\n\n", 0, {0}},
      {"1", 1, {1}},
      {"1\n2\n3\n", 3, {1, 2, 3}},
      {"1\r\n2\r\n", 2, {1, 2}},
      {"\xef\xbb\xbf"
       "1\n2",
       2,
       {1, 2}},
      {"\xef\xbb\xbf"
       "x\n2",
       1,
       {2}},
      {"value\n 1\n 22 \n", 2, {1, 22}},
      {"1\r2\r3\r", 3, {1, 2, 3}},
      {"x\r\r1\r2", 2, {1, 2}},
      {"1\r\n2\r\n3\r", 3, {1, 2, 3}},
      {"5\r", 1, {5}},
      {"# a comment\n\n1\n  # another\n\t\n2\n", 2, {1, 2}},
      {"nan\ninf\n-Infinity\n0x1p-3\n", 4, {NAN, INFINITY, -INFINITY, 0.125}},
      {"\"1.5\"\n\"\"\n\"2\"\n", 3, {1.5, NAN, 2}},
      {"response time\n1\n", 1, {1}},
      {"\"multi\nline\"\n1\n", 1, {1}},
      {"-0\n+1e2\n.5\n5.\n", 4, {-0.0, 100, 0.5, 5}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct input_options options = text_options(rows[i].text);
    require_values(&options, rows[i].values, rows[i].count);
  }
}

static void several_columns(void **unused) {
  (void)unused;
  struct input_options options = text_options(
      "id,\"the x\",y\r\n1,2.5,\r\n# no data\r\n2,\"3.5\",-1\r\n3,\"4\n\",\"7\",8\r\n");
  options.columns[0] = "y";
  options.columns[1] = "the x";
  options.columns[2] = "3";
  options.column_count = 3;
  require_failure(&options, EXIT_DATA, "t.csv:5:3: '4?' is not a number");
  struct reading r;
  options =
      text_options("id,\"the x\",y\r\n1,2.5,\r\n# no data\r\n2,\"3.5\",-1\r\n\"8\n\",4,\"7\"\r\n");
  options.columns[0] = "y";
  options.columns[1] = "the x";
  options.columns[2] = "3";
  options.column_count = 3;
  read_input(&options, &r);
  assert_string_equal(r.why.text, "");
  assert_int_equal(r.columns, 3);
  assert_int_equal(r.rows, 3);
  assert_string_equal(r.label[0], "y");
  assert_string_equal(r.label[1], "the x");
  assert_string_equal(r.label[2], "y");
  double y[3], x[3];
  memcpy(y, r.data[0], sizeof y);
  memcpy(x, r.data[1], sizeof x);
  assert_true(isnan(y[0]) && y[1] == -1 && y[2] == 7);
  assert_true(x[0] == 2.5 && x[1] == 3.5 && x[2] == 4);
  assert_memory_equal(r.data[2], r.data[0], sizeof y);
  free_reading(&r);
}

/* Which line and which character is wrong, and in which words. */
static void places_of_errors(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *column;
    heddle_type type;
    const char *message;
  } rows[] = {
      {"1\n2\nabc\n", NULL, HEDDLE_F64, "t.csv:3:1: 'abc' is not a number; --skip-bad"},
      {"# c\n\nx\n1\n2 3\n", NULL, HEDDLE_F64, "t.csv:5:1: '2 3' is not a number"},
      {"1 2\n3 4x\n", "2", HEDDLE_F64, "t.csv:2:3: '4x' is not a number"},
      {"a,b\n1,2\n\xc3\xa9\xc3\xa9,  x1\n", "b", HEDDLE_F64, "t.csv:3:6: 'x1' is not a number"},
      {"a,b\n1,2\n3\n", "b", HEDDLE_F64, "t.csv:3:2: the line has 1 field, column 2 is wanted"},
      {"a,b,c\n1,2,3\n3,4\n", "c", HEDDLE_F64, "t.csv:3:4: the line has 2 fields, column 3"},
      {"\"a\n\",b\n1,2\n\"\n\n\",z\n", "b", HEDDLE_F64, "t.csv:6:3: 'z' is not a number"},
      {"a,b\n1,\"2\"3\n", "b", HEDDLE_F64, "t.csv:2:3: something stands behind the closing quote"},
      {"a,b\n1, \"2\n3,4\n", "b", HEDDLE_F64, "t.csv:2:4: this quote is not closed"},
      {"\"a\n1\n", NULL, HEDDLE_F64, "t.csv:1:1: this quote is not closed"},
      {"a,b\n\"x,1\ny,2\n", "b", HEDDLE_F64, "t.csv:2:1: this quote is not closed"},
      {"1\r2\rx\r", NULL, HEDDLE_F64, "t.csv:3:1: 'x' is not a number"},
      {"1\n1.5\n", NULL, HEDDLE_I32, "t.csv:2:1: '1.5' is not an integer"},
      {"1\n300\n", NULL, HEDDLE_U8, "t.csv:2:1: '300' does not fit u8"},
      {"1\n\"\"\n", NULL, HEDDLE_I16, "t.csv:2:1: an empty field is not a number of type i16"},
      {"1\n12\x1b[2Jxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", NULL, HEDDLE_F64,
       "'12?[2Jxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is not"},
      {"# c\n\"a\nb\"\n\n", NULL, HEDDLE_F64,
       "t.csv:2: 'a?b' is not a number, and no line of data"},
      {"12a\n1\n", NULL, HEDDLE_F64, "t.csv:1:1: '12a' is not a number"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct input_options options = text_options(rows[i].text);
    options.format = INPUT_TEXT;
    options.type = rows[i].type;
    if (rows[i].column) options.columns[options.column_count++] = rows[i].column;
    require_failure(&options, EXIT_DATA, rows[i].message);
    require_failure(&options, EXIT_DATA, folder());
  }
  struct input_options options = text_options("1;2\n");
  options.delimiter = ';';
  require_failure(&options, EXIT_USAGE, "has 2 columns; choose by --column: 1 to 2");
  options = text_options("1\n2;3\n");
  options.delimiter = ';';
  require_failure(&options, EXIT_DATA, "t.csv:2:3: a second field on the line");
}

static void bad_lines_are_counted(void **unused) {
  (void)unused;
  struct input_options options = text_options("a,b\n1,2\nx\n3,y\n4,\"5\n6,7\n8,9\n");
  options.columns[options.column_count++] = "b";
  options.skip_bad = true;
  options.two_passes = true;
  struct reading r;
  read_input(&options, &r);
  assert_string_equal(r.why.text, "");
  assert_int_equal(r.bad, 3);
  free_reading(&r);
  require_values(&options, (double[]){2, 7, 9}, 3);
}

static void exact_types(void **unused) {
  (void)unused;
  struct input_options options = text_options("18446744073709551615\n9007199254740993\n");
  options.format = INPUT_TEXT;
  options.type = HEDDLE_U64;
  struct reading r;
  read_input(&options, &r);
  assert_string_equal(r.why.text, "");
  const uint64_t expected[] = {UINT64_MAX, 9007199254740993u};
  assert_memory_equal(r.data[0], expected, sizeof expected);
  free_reading(&r);
  /* Rounded once: by way of a double, this would be the even neighbour. */
  options = text_options("1.00000017881393432617187499\n1.000000059604644775390625000001\n");
  options.format = INPUT_TEXT;
  options.type = HEDDLE_F32;
  require_values(&options, (double[]){1.00000011920928955078125, 1.00000011920928955078125}, 2);
}

static void offset_count_and_header(void **unused) {
  (void)unused;
  struct input_options options = text_options("x\n1\n2\n3\n4\n");
  options.offset = 1;
  options.count = 2;
  options.two_passes = true;
  require_values(&options, (double[]){2, 3}, 2);
  options = text_options("1\n2\n3\n");
  options.header = 1;
  require_values(&options, (double[]){2, 3}, 2);
  options = text_options("x\n2\n");
  options.header = 0;
  require_failure(&options, EXIT_DATA, "t.csv:1:1: 'x' is not a number");
  options = text_options("1\n");
  options.offset = 5;
  require_values(&options, NULL, 0);
}

static void what_is_not_text(void **unused) {
  (void)unused;
  struct input_options options;
  input_options_init(&options, make_file("u16",
                                         "\xff\xfe"
                                         "1\0",
                                         4));
  require_failure(&options, EXIT_DATA, "is UTF-16 text; convert it by iconv");
  input_options_init(&options, make_file("bin", "1\n2\0\n", 5));
  require_failure(&options, EXIT_DATA, "is not text: it has zero bytes");
  options = text_options("1\n");
  static const char bad[] = {'5', 'e', '.', '-', '"', '#', '\n', 'Z'};
  for (size_t i = 0; i < sizeof bad; i++) {
    options.delimiter = bad[i];
    require_failure(&options, EXIT_USAGE, "a delimiter is one ASCII character");
  }
}

/* More lines than a block has, records across every cut of a small buffer, a line longer than the
 * buffer, and line numbers right to the end. */
static void blocks_and_cuts(void **unused) {
  (void)unused;
  enum { LINES = 300000 };
  char *const text = malloc(LINES * 12 + 100);
  assert_non_null(text);
  size_t used = 0;
  double *const expected = malloc(LINES * sizeof *expected);
  assert_non_null(expected);
  for (int i = 0; i < LINES; i++) {
    used += (size_t)sprintf(text + used, i % 1000 == 7 ? "\"%d\"\n" : "%d.5\n", i);
    expected[i] = i % 1000 == 7 ? i : i + 0.5;
  }
  struct input_options options;
  input_options_init(&options, make_file("long", text, used));
  options.two_passes = true;
  static const size_t sizes[] = {1, 3, 64, 1000, 1 << 20};
  const size_t usual = text_buffer_bytes;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    text_buffer_bytes = sizes[i];
    require_values(&options, expected, LINES);
  }
  used += (size_t)sprintf(text + used, "%0999d\n\n# c\n?\n", 5);
  input_options_init(&options, make_file("long", text, used));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    text_buffer_bytes = sizes[i];
    require_failure(&options, EXIT_DATA, "long:300004:1: '?' is not a number");
  }
  text_buffer_bytes = usual;
  free(text);
  free(expected);
}

/* The lines of all blocks, one behind the other, in a text with all that lines may be, whatever the
 * size of the buffer. */
static void lines_of_rows(void **unused) {
  (void)unused;
  enum { ROOM = 200, REPEATS = 30000 };
  static const char front[] = "\xef\xbb\xbf# c\n \n\nn,\"t\nu\"\r\n#d\n";
  static const char rows[] = "1,a\n 2 ,\"b\n\"\"c\"\r\n3,\n\"4\",#\n";
  static const size_t sizes[] = {
      3, 7, 64, 1 << 20}; /* a byte order mark is looked for in what is read first */
  char *const text = malloc(REPEATS * ROOM), *const expected = malloc(REPEATS * ROOM);
  assert_non_null(text);
  assert_non_null(expected);
  size_t used = (size_t)sprintf(text, "%s", front), lines = 0;
  for (int i = 0; i < REPEATS; i++) {
    used += (size_t)sprintf(text + used, "%s%s", rows, i % 9 == 0 ? " #e\n\nx,y\n" : "");
    lines += (size_t)sprintf(expected + lines, "%s", rows);
  }
  used += (size_t)sprintf(text + used, "5,end");
  lines += (size_t)sprintf(expected + lines, "5,end\n");
  const size_t usual = text_buffer_bytes;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct input_options options;
    struct input *in;
    struct failure why;
    const void *data[INPUT_MAX_COLUMNS];
    size_t at = 0, count = 1, all = 0;
    input_options_init(&options, make_file("lines", text, used));
    options.columns[0] = "n";
    options.column_count = 1;
    options.delimiter = ',';
    options.lines = options.skip_bad = true;
    text_buffer_bytes = sizes[i];
    assert_int_equal(input_open(&options, &in, &why), 0);
    while (count > 0) {
      assert_int_equal(input_next(in, data, &count, &why), 0);
      const struct input_lines l = input_lines(in);
      for (size_t k = 0; k < count; k++) {
        const size_t start = k == 0 ? 0 : l.end[k - 1];
        assert_true(lines - at >= l.end[k] - start);
        assert_memory_equal(l.text + start, expected + at, l.end[k] - start);
        const size_t value = at + 6 == lines ? 5 : 1 + (all + k) % 4;
        assert_true(((const double *)data[0])[k] == (double)value);
        at += l.end[k] - start;
      }
      all += count;
    }
    const struct input_lines l = input_lines(in);
    assert_int_equal(at, lines);
    assert_int_equal(l.front_bytes, sizeof front - 1);
    assert_memory_equal(l.front, front, l.front_bytes);
    assert_int_equal(l.comments, (REPEATS + 8) / 9);
    assert_int_equal(input_bad_lines(in), (REPEATS + 8) / 9);
    input_close(in);
  }
  text_buffer_bytes = usual;
  free(text);
  free(expected);
}

static void endless_lines(void **unused) {
  (void)unused;
  const size_t size = 17u << 20;
  char *const text = malloc(size);
  assert_non_null(text);
  memset(text, '1', size);
  memcpy(text, "5\n", 2);
  struct input_options options;
  input_options_init(&options, make_file("endless", text, size));
  require_failure(&options, EXIT_DATA,
                  "endless:2: the line, or a quoted field on it, is longer than");
  /* A quote that is open for longer than that is one bad line, not the end of the file. */
  for (size_t i = 3; i < size; i += 4) text[i] = '\n';
  text[2] = '"';
  text[size - 1] = '\n';
  input_options_init(&options, make_file("endless", text, size));
  require_failure(&options, EXIT_DATA, "endless:2:1: this quote is not closed");
  options.skip_bad = true;
  struct reading r;
  read_input(&options, &r);
  assert_string_equal(r.why.text, "");
  assert_int_equal(r.bad, 1);
  assert_int_equal(r.rows, 1 + (size - 4) / 4);
  free_reading(&r);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_column),       cmocka_unit_test(several_columns),
      cmocka_unit_test(places_of_errors), cmocka_unit_test(bad_lines_are_counted),
      cmocka_unit_test(exact_types),      cmocka_unit_test(offset_count_and_header),
      cmocka_unit_test(what_is_not_text), cmocka_unit_test(blocks_and_cuts),
      cmocka_unit_test(endless_lines),    cmocka_unit_test(lines_of_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
