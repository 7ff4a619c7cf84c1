/* test_input.c - .npy files, raw elements and bytes through input.h */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>

#include "support.h"

#define HEADER(descr, fortran, shape) \
  "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

static const char *make_npy(const char *name, const char *dictionary, const void *data,
                            size_t bytes) {
  size_t count;
  unsigned char *const all = npy_bytes(dictionary, data, bytes, &count);
  const char *const path = make_file(name, all, count);
  free(all);
  return path;
}

static struct input_options options_of(const char *path) {
  struct input_options options;
  input_options_init(&options, path);
  return options;
}

static void both_byte_orders(void **unused) {
  (void)unused;
  static const struct {
    const char *dictionary, *bytes;
    size_t count;
    double value;
  } rows[] = {
      {HEADER("<u2", "False", "(1,)"), "\x02\x01", 2, 0x102},
      {HEADER(">u2", "False", "(1,)"), "\x01\x02", 2, 0x102},
      {HEADER("<i4", "False", "(1,)"), "\xfe\xff\xff\xff", 4, -2},
      {HEADER(">i4", "False", "(1,)"), "\xff\xff\xff\xfe", 4, -2},
      {HEADER(">f4", "False", "(1,)"), "\x3f\xc0\0\0", 4, 1.5},
      {HEADER("<f8", "False", "(1,)"), "\0\0\0\0\0\0\xf8\x3f", 8, 1.5},
      {HEADER(">f8", "False", "(1,)"), "\x3f\xf8\0\0\0\0\0\0", 8, 1.5},
      {HEADER(">u8", "False", "(1,)"), "\0\0\0\0\0\0\x01\x02", 8, 0x102},
      {HEADER(">f2", "False", "(1,)"), "\x3e\0", 2, 1.5},
      {HEADER("|b1", "False", "(1,)"), "\x01", 1, 1},
      {HEADER(">i1", "False", "(1,)"), "\xff", 1, -1},
      {HEADER("<f8", "False", "()"), "\0\0\0\0\0\0\xf8\x3f", 8, 1.5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct input_options options =
        options_of(make_npy("a.npy", rows[i].dictionary, rows[i].bytes, rows[i].count));
    require_values(&options, &rows[i].value, 1);
    options.two_passes = true;
    options.no_map = true;
    require_values(&options, &rows[i].value, 1);
  }
}

/* More than a block, so that every place in the file counts; both orders, file, map and pipe. */
static void many_elements(void **unused) {
  (void)unused;
  enum { COUNT = 1500007 };
  uint32_t *const values = malloc(COUNT * sizeof *values);
  double *const expected = malloc(COUNT * sizeof *expected);
  assert_true(values && expected);
  for (uint32_t i = 0; i < COUNT; i++) values[i] = i * 2654435761u;
  for (uint32_t i = 0; i < COUNT; i++) expected[i] = values[i];
  struct input_options options =
      options_of(make_npy("a.npy", HEADER("<u4", "False", "(1500007,)"), values, COUNT * 4));
  require_values(&options, expected, COUNT);
  struct input *in;
  struct failure why;
  size_t count;
  assert_int_equal(input_open(&options, &in, &why), 0);
  const void *const whole = input_whole(in, &count);
  assert_int_equal(count, COUNT);
  assert_memory_equal(whole, values, COUNT * 4);
  assert_int_equal(input_count(in), COUNT);
  input_close(in);
  options.offset = 1000003;
  options.count = 400000;
  require_values(&options, expected + 1000003, 400000);
  for (uint32_t i = 0; i < COUNT; i++) values[i] = __builtin_bswap32(values[i]);
  options = options_of(make_npy("a.npy", HEADER(">u4", "False", "(1500007,)"), values, COUNT * 4));
  require_values(&options, expected, COUNT);
  assert_int_equal(input_open(&options, &in, &why), 0);
  assert_null(input_whole(in, &count)); /* not in this machine's order */
  input_close(in);
  options = options_of(make_file("raw", values, COUNT * 4));
  options.type = HEDDLE_U32;
  options.big_endian = true;
  options.two_passes = true;
  require_values(&options, expected, COUNT);
  free(values);
  free(expected);
}

static void shapes(void **unused) {
  (void)unused;
  static const struct {
    const char *dictionary;
    bool fortran;
    size_t dimensions, shape[3];
    uint64_t offset, count;
  } rows[] = {
      {HEADER("|u1", "False", "(2, 3)"), false, 2, {2, 3}, 0, UINT64_MAX},
      {HEADER("|u1", "True", "(1, 2, 3)"), true, 3, {3, 2, 1}, 0, UINT64_MAX},
      {HEADER("|u1", "False", "(6,)"), false, 1, {6}, 0, 6},
      {HEADER("|u1", "False", "(6,)"), false, 0, {0}, 0, 5},
      {HEADER("|u1", "True", "(2, 3)"), false, 0, {0}, 1, UINT64_MAX},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct input_options options = options_of(make_npy("s.npy", rows[i].dictionary, "abcdef", 6));
    options.offset = rows[i].offset;
    options.count = rows[i].count;
    struct input *in;
    struct failure why = {0};
    const size_t *shape;
    assert_int_equal(input_open(&options, &in, &why), 0);
    assert_int_equal(input_shape(in, &shape), rows[i].dimensions);
    assert_int_equal(input_fortran(in), rows[i].fortran);
    for (size_t k = 0; k < rows[i].dimensions; k++) assert_int_equal(shape[k], rows[i].shape[k]);
    const void *data[INPUT_MAX_COLUMNS];
    size_t count;
    assert_int_equal(input_next(in, data, &count, &why), 0);
    assert_memory_equal(data[0], &"abcdef"[rows[i].offset], count);
    assert_int_equal(count, input_count(in));
    input_close(in);
  }
  const struct input_options options =
      options_of(make_npy("e.npy", HEADER("<f8", "False", "(0, 7)"), "", 0));
  require_values(&options, NULL, 0);
}

static void damaged_files(void **unused) {
  (void)unused;
  struct input_options options =
      options_of(make_npy("d.npy", HEADER("<f8", "False", "(3,)"), "1234567", 7));
  require_failure(&options, EXIT_DATA,
                  "its header promises 24 bytes of data (3 f64 elements), it has 7");
  options = options_of(make_npy("d.npy", HEADER("<f4", "False", "(1000000, 1000000)"), "", 0));
  require_failure(&options, EXIT_DATA, "promises 4000000000000 bytes");
  options = options_of(make_file("d.npy", "\x93NUMPY\x01\0\x40\0{'descr'", 18));
  require_failure(&options, EXIT_DATA,
                  "inside its header: the header has 64 bytes, the file 8 of them");
  options = options_of(make_text("d.npy", "hello\n"));
  options.format = INPUT_NPY;
  require_failure(&options, EXIT_DATA, "d.npy is not a .npy file");
  options = options_of(make_text("d.npy", ""));
  options.format = INPUT_NPY;
  require_failure(&options, EXIT_DATA, "d.npy is not a .npy file");
  options = options_of(make_npy("d.npy", HEADER("|O", "False", "(1,)"), "x", 1));
  require_failure(&options, EXIT_DATA, "d.npy: dtype '|O' holds Python objects");
  options = options_of(make_npy("d.npy", HEADER("|u1", "False", "(3,)"), "abc", 3));
  options.offset = 4;
  require_failure(&options, EXIT_USAGE, "offset 4 lies behind the last of its 3 elements");
  options.offset = 0;
  options.type = HEDDLE_U8;
  require_failure(&options, EXIT_USAGE,
                  "is a .npy file, which tells its own type: leave the type u8");
  options.offset = 1; /* somebody who counts bytes means it */
  options.count = 5;
  require_values(&options, (double[]){'N', 'U', 'M', 'P', 'Y'}, 5);
}

static void raw_elements(void **unused) {
  (void)unused;
  static const unsigned char bytes[] = {9, 1, 0, 2, 0, 3, 0};
  struct input_options options = options_of(make_file("raw", bytes, sizeof bytes));
  options.type = HEDDLE_U16;
  require_failure(&options, EXIT_DATA, "7 bytes are not a whole number of u16 elements");
  options.offset = 1;
  require_values(&options, (double[]){1, 2, 3}, 3);
  options.count = 2;
  require_values(&options, (double[]){1, 2}, 2);
  options.offset = 2;
  options.big_endian = true;
  require_values(&options, (double[]){2, 3}, 2);
  options.count = UINT64_MAX;
  require_failure(&options, EXIT_DATA, "5 bytes are not a whole number of u16");
  options.offset = 7;
  require_values(&options, NULL, 0);
  options.offset = 8;
  require_failure(&options, EXIT_USAGE, "offset 8 lies behind its last byte: it has 7");
  options = options_of(make_file("raw", "", 0));
  options.type = HEDDLE_F32;
  require_values(&options, NULL, 0);
  options.type = HEDDLE_TYPE_DEFAULT;
  options.format = INPUT_RAW;
  require_failure(&options, EXIT_USAGE, "raw elements need a type");
}

static void bytes_of_any_file(void **unused) {
  (void)unused;
  struct input_options options = options_of(make_text("any", "ab\nc"));
  options.format = INPUT_BYTES;
  require_values(&options, (double[]){'a', 'b', '\n', 'c'}, 4);
  options.offset = 1;
  options.count = 2;
  require_values(&options, (double[]){'b', '\n'}, 2);
  options = options_of(make_gzip("any", "zip", 3));
  options.format = INPUT_BYTES;
  require_values(&options, (double[]){'z', 'i', 'p'}, 3);
  options.as_is = true;
  options.count = 2;
  require_values(&options, (double[]){0x1f, 0x8b}, 2);
}

static void formats_are_found_out(void **unused) {
  (void)unused;
  struct input_options options = options_of(make_text("f", "12\n34\n"));
  require_values(&options, (double[]){12, 34}, 2);
  options.type = HEDDLE_U8; /* a type makes it raw, but what looks like text is asked about */
  require_failure(&options, EXIT_USAGE,
                  "f looks like text; to read its numbers as u8, add --format");
  options.format = INPUT_RAW;
  require_values(&options, (double[]){'1', '2', '\n', '3', '4', '\n'}, 6);
  options.format = INPUT_AUTO;
  options.skip_bad = true; /* with what only text has, it is the type that text is read as */
  require_values(&options, (double[]){12, 34}, 2);
}

/* ---- large files, and files that change ---------------------------------------------------- */

static long peak_kib(void) {
  struct rusage used;
  if (getrusage(RUSAGE_SELF, &used) != 0) _exit(5);
  return used.ru_maxrss;
}

static void read_sparse(void *path) {
  const long before = peak_kib();
  struct input_options options = options_of(path);
  options.type = HEDDLE_F32;
  struct input *in;
  struct failure why;
  const void *data[INPUT_MAX_COLUMNS];
  size_t count;
  uint64_t all = 0;
  if (input_open(&options, &in, &why) != 0) _exit(2);
  while (input_next(in, data, &count, &why) == 0 && count > 0) {
    all += count;
    if (((const unsigned char *)data[0])[4 * count - 1] != 0) _exit(3);
  }
  input_close(in);
  if (all != (uint64_t)1 << 28) _exit(4);
  fprintf(stderr, "%ld", peak_kib() - before);
}

static void large_files_stay_outside(void **unused) {
  (void)unused;
  const char *const path = make_text("sparse", "");
  assert_int_equal(truncate(path, (off_t)1 << 30), 0);
  char message[100];
  assert_int_equal(run_child(read_sparse, (void *)(uintptr_t)path, message, sizeof message), 0);
  if (atol(message) > 32 * 1024) reject("%s KiB more for 1 GiB of file", message);
}

static void shrinking_files(void **unused) {
  (void)unused;
  const char *const path = make_text("shrinks", "");
  assert_int_equal(truncate(path, 16 << 20), 0);
  struct input_options options = options_of(path);
  options.type = HEDDLE_F32;
  struct input *in;
  struct failure why = {0};
  const void *data[INPUT_MAX_COLUMNS];
  size_t count;
  assert_int_equal(input_open(&options, &in, &why), 0);
  assert_int_equal(input_next(in, data, &count, &why), 0);
  assert_int_equal(truncate(path, 6 << 20), 0);
  int status;
  while ((status = input_next(in, data, &count, &why)) == 0 && count > 0) {
  }
  assert_int_equal(status, -1);
  assert_int_equal(why.exit_code, EXIT_DATA);
  require_contains(why.text, "shrinks became shorter while it was being read");
  input_close(in);
}

static void read_whole_of_shrunk(void *path) {
  struct input_options options = options_of(path);
  options.type = HEDDLE_F32;
  struct input *in;
  struct failure why;
  size_t count;
  if (input_open(&options, &in, &why) != 0) _exit(2);
  const volatile unsigned char *const whole = input_whole(in, &count);
  if (truncate(path, 4096) != 0) _exit(3);
  _exit(whole[4 * count - 1] == 0 ? 4 : 5);
}

static void shrinking_maps(void **unused) {
  (void)unused;
  const char *const path = make_text("shrinks", "");
  assert_int_equal(truncate(path, 1 << 20), 0);
  char message[300];
  assert_int_equal(
      run_child(read_whole_of_shrunk, (void *)(uintptr_t)path, message, sizeof message), EXIT_DATA);
  require_contains(message, "heddle: ");
  require_contains(message, "shrinks became shorter, or its disk failed");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_byte_orders),
                                     cmocka_unit_test(many_elements),
                                     cmocka_unit_test(shapes),
                                     cmocka_unit_test(damaged_files),
                                     cmocka_unit_test(raw_elements),
                                     cmocka_unit_test(bytes_of_any_file),
                                     cmocka_unit_test(formats_are_found_out),
                                     cmocka_unit_test(large_files_stay_outside),
                                     cmocka_unit_test(shrinking_files),
                                     cmocka_unit_test(shrinking_maps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
