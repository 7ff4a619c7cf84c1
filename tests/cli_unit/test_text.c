/* test_text.c - fields, records, delimiters, headers and columns, and rows both ways */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/detect.h"
#include "support.h"
#include "text/record.h"
#include "text/rows.h"

/* A record's fields, "" made one quote, joined by '|'. */
static void require_fields(const char *record, char delimiter, const char *expected) {
  char joined[200] = "";
  const char *p = record;
  struct text_field field;
  while (p) {
    text_next_field(&p, record + strlen(record), delimiter, &field);
    char *const copy = text_field_copy(&field);
    assert_non_null(copy);
    strcat(joined, copy);
    strcat(joined, field.problem == TEXT_TRAILING ? "!" : "");
    strcat(joined, p ? "|" : "");
    free(copy);
  }
  assert_string_equal(joined, expected);
}

static void fields(void **unused) {
  (void)unused;
  require_fields("1,2,3", ',', "1|2|3");
  require_fields(" 1 , 2\t,3\r", ',', "1|2|3");
  require_fields(",,", ',', "||");
  require_fields("", ',', "");
  require_fields("\"a,b\",\"c\"\"d\",\"\"", ',', "a,b|c\"d|");
  require_fields(" \"a\" , 2", ',', "a|2");
  require_fields("\"a\"b,2", ',', "a!|2");
  require_fields("5\" pipe,2", ',', "5\" pipe|2");
  require_fields("a;b c;d", ';', "a|b c|d");
  require_fields("\t1\t \t2", '\t', "|1||2");
  require_fields("  1 \t 2  3 \r", ' ', "1|2|3");
  require_fields("\"a b\" 2", ' ', "a b|2");
  require_fields("\"a b\"c 2", ' ', "a b!|2");
  require_fields(" 1 2,3 ", TEXT_NONE, "1 2,3");
}

static void require_record(const char *text, char delimiter, long end, long unclosed) {
  const char *quote;
  const char *const got = text_record_end(text, text + strlen(text), delimiter, &quote);
  assert_int_equal(got ? got - text : -1, end);
  assert_int_equal(quote ? quote - text : -1, unclosed);
}

static void records(void **unused) {
  (void)unused;
  require_record("1,2\n3", ',', 3, -1);
  require_record("1,2", ',', -1, -1);
  require_record("1,\"a\nb\",2\n3\n", ',', 9, -1);
  require_record("1,\"a\"\"\nb\",2\n", ',', 11, -1);
  require_record("1, \"a\nb\n", ',', -1, 3);
  require_record("1,x\"a\nb\n", ',', 5, -1); /* no quote: it does not begin the field */
  require_record("\"a\n\" \"\nb\" 2\n", ' ', 11, -1);
  require_record("\"\"\n", TEXT_NONE, 2, -1);
  require_record("\"\"\"\n", TEXT_NONE, -1, 0);
  static const struct {
    const char *line;
    char delimiter;
    bool passed;
  } rows[] = {{"", ',', true},     {" \t\r", ',', true}, {"# x", ',', true},  {"  #", ' ', true},
              {"\t", '\t', false}, {" \r", '\t', true},  {"1 #", ' ', false}, {",", ',', false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(text_is_passed_over(rows[i].line, rows[i].line + strlen(rows[i].line),
                                         rows[i].delimiter, '#'),
                     rows[i].passed);
}

static void places(void **unused) {
  (void)unused;
  size_t line = 7;
  const char *const text = "a\xc3\xa9\xe2\x82\xac"
                           "b";
  assert_int_equal(text_column_of(text, text + 6, &line), 4);
  assert_int_equal(line, 7);
  const char *const lines = "a\nb\ncd";
  assert_int_equal(text_column_of(lines, lines + 5, &line), 2);
  assert_int_equal(line, 9);
}

static void require_shown(const char *text, size_t room, const char *expected) {
  char out[64];
  memset(out, 'x', sizeof out);
  text_show(text, strlen(text), out, room);
  assert_string_equal(out, expected);
  for (size_t i = room; i < sizeof out; i++) assert_int_equal(out[i], 'x');
}

static void shown(void **unused) {
  (void)unused;
  require_shown("abc", 4, "abc");
  require_shown("abcd", 4, "...");
  require_shown("abcdefgh", 8, "abcd...");
  require_shown("h\xc3\xa9", 10, "h\xc3\xa9");
  require_shown("\x1b[2Jx\x7f\n", 20,
                "?[2Jx?"
                "?");
  require_shown("\xff\xc3(\xc2\x9b", 20,
                "?"
                "?(?"
                "?");
  require_shown("\xe2\x80\xaeok\xe2\x80\xa6", 20, "???ok\xe2\x80\xa6");
  require_shown("\xe2\x82", 20, "??");
}

static void delimiters(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    char delimiter;
  } rows[] = {
      {"1,2\n3,4\n", ','},
      {"1\t2\n3\t4\n", '\t'},
      {"1;2\n3;4\n", ';'},
      {"1 2\n3 4\n", ' '},
      {"1\n2\n3\n", TEXT_NONE},
      {"", TEXT_NONE},
      {"1,5;2,5\n3,5;4,5\n", ';'},
      {"1,5\t2,5\n", '\t'},
      {"a, b\n1, 2\n", ','},
      {"# a,b,c\n1 2\n# d,e\n3 4\n", ' '},
      {"response time\n1\n2\n", TEXT_NONE},
      {"  1\n 22\n333\n", TEXT_NONE},
      {"1 \t 2\n", '\t'},
      {"\"a,b\" 1\n\"c,d\" 2\n", ' '},
      {"x\n1\n2,3\n4\n5\n", TEXT_NONE},
      {"\n\n1;2\n", ';'},
      {"a|b\n1|2\n", '|'},
      {"1,5|2,5\n", ','},
      {"a,b\n\"x,1\ny,2\nz,3\n", ','},
      {"\"a\n\",b\n1,2\n3\" pipe,4\n5,6\n", ','},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char got = text_detect_delimiter(rows[i].text, rows[i].text + strlen(rows[i].text), '#',
                                           &(struct number_style){'.', '\0'});
    if (got != rows[i].delimiter) reject("%s: 0x%x", rows[i].text, (unsigned)got);
  }
}

/* The record's layout for columns asked for as "a b"; returns the message, or "". */
static const char *layout_of(const char *record, const char *wanted, int header,
                             struct text_layout *layout) {
  static struct failure why;
  static char names[200];
  struct input_options options;
  input_options_init(&options, "t");
  options.header = header;
  snprintf(names, sizeof names, "%s", wanted);
  for (char *p = strtok(names, " "); p; p = strtok(NULL, " "))
    options.columns[options.column_count++] = p;
  memset(layout, 0, sizeof *layout);
  layout->delimiter = ',';
  why.text[0] = '\0';
  const char *const end = record ? record + strlen(record) : NULL;
  (void)text_find_columns(&options, "t.csv", record, end, layout, &why);
  return why.text;
}

static void headers(void **unused) {
  (void)unused;
  static const struct {
    const char *record, *wanted;
    int header;
    bool expected;
  } rows[] = {
      {"x", "", -1, true},       {"5", "", -1, false},     {"nan", "", -1, false},
      {"-inf", "", -1, false},   {"5x", "", -1, false},    {"-.5e", "", -1, false},
      {"", "", -1, false},       {"x,5", "1", -1, true},   {"x,5", "2", -1, false},
      {"x,5", "1 2", -1, false}, {"x,y", "2", -1, true},   {",y", "1", -1, false},
      {"x,y", "y", -1, true},    {"1,2", "1", 1, true},    {"x,y", "1", 0, false},
      {"\"x\"", "", -1, true},   {"\"5\"", "", -1, false}, {"+", "", -1, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text_layout layout;
    const char *const message = layout_of(rows[i].record, rows[i].wanted, rows[i].header, &layout);
    if (message[0] != '\0' || layout.header != rows[i].expected)
      reject("%s (%s): %d %s", rows[i].record, rows[i].wanted, layout.header, message);
    text_free_labels(&layout);
  }
}

static void columns(void **unused) {
  (void)unused;
  struct text_layout l;
  assert_string_equal(layout_of("a, \"b c\" ,2,\"q\"\"q\"", "2 q\"q 3", -1, &l), "");
  assert_int_equal(l.wanted, 3);
  assert_int_equal(l.field[0], 2); /* the name "2" goes before the number */
  assert_int_equal(l.field[1], 3);
  assert_int_equal(l.field[2], 2);
  assert_string_equal(l.label[0], "2");
  assert_string_equal(l.label[1], "q\"q");
  text_free_labels(&l);
  static const struct {
    const char *record, *wanted, *message;
    int header;
  } rows[] = {
      {"a,b,c", "", "t.csv has 3 columns; choose by --column: 1 'a', 2 'b', 3 'c'", -1},
      {"1,2,3", "", "t.csv has 3 columns; choose by --column: 1 to 3", -1},
      {"a,b", "z", "t.csv has no column 'z'; it has 1 'a', 2 'b'", -1},
      {"a,b", "3", "t.csv has no column '3'; it has 1 'a', 2 'b'", 1},
      {"1,2", "3", "t.csv has no column '3'; it has 1 to 2", -1},
      {"1,2", "0", "t.csv has no column '0'", 0},
      {"1,2", "99999999999999999999999", "no column '9999", 0},
      {"a,b,a", "a", "columns 1 and 3 have the same name", -1},
      {"a\x1b[2J,b", "", "1 'a?[2J', 2 'b'", -1},
      {NULL, "a", "t.csv is empty: it has no column names", -1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    require_contains(layout_of(rows[i].record, rows[i].wanted, rows[i].header, &l),
                     rows[i].message);
    text_free_labels(&l);
  }
  char many[4000] = "c0";
  for (int i = 1; i < 500; i++) sprintf(many + strlen(many), ",c%d", i);
  require_contains(layout_of(many, "", -1, &l), ", ...");
  text_free_labels(&l);
}

static const struct {
  const char *text;
  char delimiter;
  bool only;
  size_t field, rows;
} quick_lines[] = {
    {"1\n-2.5e3\n+.5\n", TEXT_NONE, true, 0, 3},
    {" 1 \n2\r\n", TEXT_NONE, true, 0, 2},
    {"1\n\n2\n", TEXT_NONE, true, 0, 1},
    {"1\n#2\n", TEXT_NONE, true, 0, 1},
    {"1,2\n", ',', true, 0, 0},
    {"1e\n", TEXT_NONE, true, 0, 0},
    {"1.5.5\n", TEXT_NONE, true, 0, 0},
    {"a,1,b\nc, 2 ,d\n,3\n", ',', false, 1, 3},
    {"a,1,\"b\nc\",2\n", ',', false, 1, 0},
    {"\"a\",1\n", ',', false, 1, 1},
    {" \"a,b\" ,1\n\"a\"\"\",2,x,\"y,z\"\r\n\"\",3,\"\"\n", ',', false, 1, 3},
    {"a,\"1\"\n", ',', false, 1, 0},
    {"\t\"a,b\",1\n", ',', false, 1, 0},
    {"\"a\"b,1\n", ',', false, 1, 0},
    {"\"a,1\n", ',', false, 1, 0},
    {"\"a\",1\"\n", ',', false, 1, 0},
    {"\"a\",1,b\"c,\"d\ne\"\n", ',', false, 1, 0},
    {"#a,1\n", ',', false, 1, 0},
    {" #a,1\n", ',', false, 1, 0},
    {"\t#a,1\n", ',', false, 1, 0},
    {"a\n1,2\n", ',', false, 1, 0},
    {"a,1 2\n", ',', false, 1, 0},
    {" a\t 1 b\n1 2\nx 3\r\n", ' ', false, 1, 3},
    {"a 1x\n", ' ', false, 1, 0},
    {"a \"1\"\n", ' ', false, 1, 0},
    {"a\t1\n\t2\t\n", '\t', false, 1, 2},
    {"a,nan\n", ',', false, 1, 0},
    {"a,\n", ',', false, 1, 0},
};

/* The quick way takes these lines, as many as said, and gives what the careful way gives. */
static void quick_rows(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof quick_lines / sizeof *quick_lines; i++) {
    double quick[8] = {0}, careful;
    char text[100] = {0};
    strcpy(text, quick_lines[i].text);
    struct text_rows r = {.comment = '#',
                          .delimiter = quick_lines[i].delimiter,
                          .type = {HEDDLE_F64},
                          .element_bytes = 8,
                          .fields = 1,
                          .only = quick_lines[i].only};
    r.scan[0] = number_scanner(HEDDLE_F64);
    r.field[0] = quick_lines[i].field;
    r.values[0] = (unsigned char *)quick;
    size_t count = 0;
    const char *stop = text_quick_rows(&r, text, text + strlen(text), &count, 8);
    if (count != quick_lines[i].rows) reject("%s: %zu rows", text, count);
    assert_true(stop == text || stop[-1] == '\n');
    r.values[0] = (unsigned char *)&careful;
    const char *p = text;
    for (size_t k = 0; k < count; k++) {
      const char *const end = strchr(p, '\n');
      struct text_complaint complaint;
      assert_true(text_careful_row(&r, p, end, 0, &complaint));
      assert_memory_equal(&careful, &quick[k], sizeof careful);
      p = end + 1;
    }
    assert_ptr_equal(p, stop);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields),     cmocka_unit_test(records),
                                     cmocka_unit_test(places),     cmocka_unit_test(shown),
                                     cmocka_unit_test(delimiters), cmocka_unit_test(headers),
                                     cmocka_unit_test(columns),    cmocka_unit_test(quick_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
