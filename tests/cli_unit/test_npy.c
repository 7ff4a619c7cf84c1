/* test_npy.c - the .npy header: what is read, refused and in which words, written */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/npy.h"
#include "support.h"

static int read_text(const char *text, struct npy_header *h, struct failure *why) {
  return npy_read_dictionary(text, strlen(text), "x.npy", h, why);
}

static void element_types(void **unused) {
  (void)unused;
  static const struct {
    const char *descr;
    heddle_type type;
    bool swapped;
  } rows[] = {{"|u1", HEDDLE_U8, false},  {"<u1", HEDDLE_U8, false},  {"|b1", HEDDLE_U8, false},
              {">i1", HEDDLE_I8, false},  {"<u2", HEDDLE_U16, false}, {">u2", HEDDLE_U16, true},
              {"<u4", HEDDLE_U32, false}, {">u4", HEDDLE_U32, true},  {"<u8", HEDDLE_U64, false},
              {">u8", HEDDLE_U64, true},  {"|i1", HEDDLE_I8, false},  {"<i2", HEDDLE_I16, false},
              {">i2", HEDDLE_I16, true},  {"<i4", HEDDLE_I32, false}, {">i4", HEDDLE_I32, true},
              {"<i8", HEDDLE_I64, false}, {">i8", HEDDLE_I64, true},  {"<f2", HEDDLE_F16, false},
              {">f2", HEDDLE_F16, true},  {"<f4", HEDDLE_F32, false}, {">f4", HEDDLE_F32, true},
              {"<f8", HEDDLE_F64, false}, {">f8", HEDDLE_F64, true},  {"=f8", HEDDLE_F64, false},
              {"=u2", HEDDLE_U16, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[100];
    struct npy_header h;
    struct failure why = {0};
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (3, 4), }",
             rows[i].descr);
    assert_int_equal(read_text(text, &h, &why), 0);
    assert_int_equal(h.type, rows[i].type);
    assert_int_equal(h.swapped, rows[i].swapped);
    assert_int_equal(h.count, 12);
    assert_false(h.fortran);
  }
}

static void spellings(void **unused) {
  (void)unused;
  struct npy_header h;
  struct failure why;
  assert_int_equal(
      read_text("{\"shape\":(2,3,5),\"fortran_order\":True,\"descr\":\"<i2\"}", &h, &why), 0);
  assert_true(h.fortran);
  assert_int_equal(h.dimensions, 3);
  assert_int_equal(h.shape[2], 5);
  assert_int_equal(h.count, 30);
  assert_int_equal(
      read_text("{'descr': '<f4', 'fortran_order': False, 'shape': (10L, 2L), }   \n", &h, &why),
      0);
  assert_int_equal(h.count, 20);
  assert_int_equal(read_text("{'descr':'<f4','fortran_order':False,'shape':(),}", &h, &why), 0);
  assert_int_equal(h.dimensions, 0);
  assert_int_equal(h.count, 1);
  assert_int_equal(
      read_text("{'descr':'<f4','fortran_order':False,'shape':(18446744073709551615, 0)}", &h,
                &why),
      -1);
  assert_int_equal(read_text("{'descr':'<f4','fortran_order':False,'shape':(5, 0)}", &h, &why), 0);
  assert_int_equal(h.count, 0);
}

/* As NumPy reads them: names and codes without an order, and comments. */
static void spellings_of_types(void **unused) {
  (void)unused;
  static const struct {
    const char *descr;
    heddle_type type;
  } rows[] = {{"f8", HEDDLE_F64},     {"float64", HEDDLE_F64}, {"i4", HEDDLE_I32},
              {"uint16", HEDDLE_U16}, {"b1", HEDDLE_U8},       {"bool", HEDDLE_U8},
              {"half", HEDDLE_F16},   {"?", HEDDLE_U8},        {"=i8", HEDDLE_I64},
              {"|f4", HEDDLE_F32}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct npy_header h;
    struct failure why;
    char text[200];
    snprintf(text, sizeof text,
             "{'descr': '%s', # order\n 'fortran_order': False, 'shape': (3,)} # end, } 'x\n",
             rows[i].descr);
    if (read_text(text, &h, &why) != 0) reject("%s: %s", text, why.text);
    assert_int_equal(h.type, rows[i].type);
    assert_false(h.swapped);
    assert_int_equal(h.count, 3);
  }
}

static void refused_dictionaries(void **unused) {
  (void)unused;
#define REST "'fortran_order': False, 'shape': (3,), }"
#define SHAPE(s) "{'descr': '<f8', 'fortran_order': False, 'shape': " s ", }"
  static const struct {
    const char *text, *message;
  } rows[] = {
      {"{'descr': '|O', " REST, "Python objects"},
      {"{'descr': [('x', '<f4')], " REST, "records of several fields"},
      {"{'descr': '|V8', " REST, "records or raw bytes"},
      {"{'descr': '<U4', " REST, "strings"},
      {"{'descr': '|S4', " REST, "byte strings"},
      {"{'descr': '<c16', " REST, "complex numbers"},
      {"{'descr': '<M8[ns]', " REST, "dates"},
      {"{'descr': '<m8[s]', " REST, "time differences"},
      {"{'descr': '<f16', " REST, "other than 2, 4 and 8"},
      {"{'descr': 'float128', " REST, "dtype 'float128' in the .npy header is not known"},
      {"{'descr': '<float64', " REST, "is not known"},
      {"{'descr': '<f8', # " REST, "a string expected"},
      {"{'descr': '', " REST, "is not known"},
      {"{'descr': '<x9', " REST, "is not known"},
      {"{'descr': '<f\\x38', " REST, "a plain string expected at byte 13"},
      {"{'descr': 5, " REST, "a string expected"},
      {"{'descr': '<f8, ", "the end of a string"},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }", "True or False"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)", "a comma or }"},
      {"{'descr': '<f8', 'fortran_order': False, }", "lacks"},
      {"{'descr': '<f8', 'descr': '<f8', " REST, "a key twice"},
      {"{'descr': '<f8', 'evil': 1, " REST, "'evil' that is not known"},
      {"{'descr' '<f8', " REST, "a colon"},
      {"", "{ expected at byte 0"},
      {"[]", "{ expected"},
      {SHAPE("(3,)") " __import__('os')", "nothing more"},
      {SHAPE("(3)"), "a comma behind one dimension"},
      {SHAPE("3"), "the tuple of dimensions"},
      {SHAPE("(3 4)"), "a comma"},
      {SHAPE("(3, 4 5)"), "a comma or )"},
      {SHAPE("(-1,)"), "a negative dimension"},
      {SHAPE("(18446744073709551616,)"), "passes 2^64"},
      {SHAPE("(99999999999999999999999,)"), "passes 2^64"},
      {SHAPE("(4294967296, 4294967296)"), "more bytes than a machine"},
      {SHAPE("(2305843009213693952,)"), "more bytes than a machine"},
      {SHAPE("(1152921504606846976,)"), "more bytes than a machine"},
      {SHAPE("(0x10,)"), "a comma behind one dimension"},
      {SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
             "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
       "more than 64 dimensions"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct npy_header h;
    struct failure why = {0};
    if (read_text(rows[i].text, &h, &why) == 0) reject("taken: %s", rows[i].text);
    require_contains(why.text, rows[i].message);
    require_contains(why.text, "x.npy: ");
    assert_int_equal(why.exit_code, EXIT_DATA);
  }
}

static void refused_prefixes(void **unused) {
  (void)unused;
  static const struct {
    const char *bytes;
    size_t count;
    const char *message;
  } rows[] = {
      {"", 0, "not a .npy file"},
      {"\x93NUMP", 5, "not a .npy file"},
      {"PK\x03\x04 a zip file", 14, "not a .npy file"},
      {"\x93NUMPY", 6, "inside its header, after 6 bytes"},
      {"\x93NUMPY\x01\0v", 9, "inside its header, after 9 bytes"},
      {"\x93NUMPY\x02\0vvv", 11, "inside its header, after 11 bytes"},
      {"\x93NUMPY\0\0vvvv", 12, "version 0.0 is not known"},
      {"\x93NUMPY\x04\0vvvv", 12, "version 4.0 is not known"},
      {"\x93NUMPY\x01\x01vvvv", 12, "version 1.1 is not known"},
      {"\x93NUMPY\x02\0\xff\xff\xff\xff", 12, "claims 4294967295 bytes"},
      {"\x93NUMPY\x03\0\x01\0\x10\0", 12, "claims 1048577 bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t begin, length;
    struct failure why = {0};
    assert_int_equal(npy_read_prefix(rows[i].bytes, rows[i].count, "x.npy", &begin, &length, &why),
                     -1);
    require_contains(why.text, rows[i].message);
  }
}

static void prefixes(void **unused) {
  (void)unused;
  size_t begin, length;
  struct failure why;
  assert_int_equal(npy_read_prefix("\x93NUMPY\x01\0\x76\0", 10, "x", &begin, &length, &why), 0);
  assert_int_equal(begin, 10);
  assert_int_equal(length, 0x76);
  assert_int_equal(npy_read_prefix("\x93NUMPY\x03\0\0\0\x10\0", 12, "x", &begin, &length, &why), 0);
  assert_int_equal(begin, 12);
  assert_int_equal(length, 1 << 20);
}

/* Written headers, character by character, and read back. */
static void written(void **unused) {
  (void)unused;
  static const struct {
    heddle_type type;
    size_t dimensions;
    size_t shape[3];
    bool fortran;
    const char *dictionary;
  } rows[] = {
      {HEDDLE_F64, 1, {5}, false, "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }"},
      {HEDDLE_U8, 0, {0}, false, "{'descr': '|u1', 'fortran_order': False, 'shape': (), }"},
      {HEDDLE_I8, 2, {2, 3}, true, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }"},
      {HEDDLE_F16,
       3,
       {7, 0, 1},
       false,
       "{'descr': '<f2', 'fortran_order': False, 'shape': (7, 0, 1), }"},
      {HEDDLE_U64,
       1,
       {SIZE_MAX / 64},
       false,
       "{'descr': '<u8', 'fortran_order': False, 'shape': (288230376151711743,), }"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned char bytes[NPY_WRITTEN_MAX];
    size_t count, begin, length;
    struct failure why = {0};
    struct npy_header h;
    assert_int_equal(npy_write_header(rows[i].type, rows[i].dimensions, rows[i].shape,
                                      rows[i].fortran, bytes, &count, &why),
                     0);
    assert_int_equal(count, 128);
    assert_int_equal(bytes[127], '\n');
    const size_t used = strlen(rows[i].dictionary);
    assert_memory_equal(bytes + 10, rows[i].dictionary, used);
    for (size_t j = 10 + used; j < 127; j++) assert_int_equal(bytes[j], ' ');
    assert_int_equal(npy_read_prefix(bytes, count, "x", &begin, &length, &why), 0);
    assert_int_equal(begin + length, 128);
    assert_int_equal(npy_read_dictionary((char *)bytes + begin, length, "x", &h, &why), 0);
    assert_int_equal(h.type, rows[i].type);
    assert_int_equal(h.dimensions, rows[i].dimensions);
  }
}

static void written_extremes(void **unused) {
  (void)unused;
  unsigned char bytes[NPY_WRITTEN_MAX];
  size_t shape[NPY_MAX_DIMENSIONS + 1], count;
  struct failure why = {0};
  for (size_t i = 0; i <= NPY_MAX_DIMENSIONS; i++) shape[i] = SIZE_MAX;
  assert_int_equal(npy_write_header(HEDDLE_U8, 64, shape, true, bytes, &count, &why), 0);
  assert_int_equal(count % 64, 0);
  assert_int_equal(npy_write_header(HEDDLE_U8, 65, shape, true, bytes, &count, &why), -1);
  require_contains(why.text, "at most 64 dimensions");
  assert_int_equal(npy_write_header(HEDDLE_BF16, 1, shape, true, bytes, &count, &why), -1);
  require_contains(why.text, ".npy has no type for bf16");
  /* The longest header of one dimension still has the length that can be patched. */
  assert_int_equal(npy_write_header(HEDDLE_F64, 1, shape, false, bytes, &count, &why), 0);
  assert_int_equal(count, 128);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(element_types),
                                     cmocka_unit_test(spellings),
                                     cmocka_unit_test(spellings_of_types),
                                     cmocka_unit_test(refused_dictionaries),
                                     cmocka_unit_test(refused_prefixes),
                                     cmocka_unit_test(prefixes),
                                     cmocka_unit_test(written),
                                     cmocka_unit_test(written_extremes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
