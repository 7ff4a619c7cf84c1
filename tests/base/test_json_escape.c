/* test_json_escape.c - strings as JSON has them: RFC 8259, section 7 */
#include "support.h"

#include "base/json/escape.h"
#include "base/utf8.h"

static bool none(uint32_t code) { return code == 'a'; }

static void every_character(void **arg) {
  (void)arg;
  static const struct {
    const char *text, *plain, *guarded; /* without and with a rule for what shows */
    size_t bytes;
  } rows[] = {{"a", "a", "a", 1},
              {"b", "b", "\\u0062", 1},
              {"\"", "\\\"", "\\\"", 1},
              {"\\", "\\\\", "\\\\", 1},
              {"\n", "\\u000a", "\\u000a", 1},
              {"\x1f", "\\u001f", "\\u001f", 1},
              {"\x7f", "\x7f", "\\u007f", 1},
              {"\xc3\xa9", "\xc3\xa9", "\\u00e9", 2},
              {"\xe2\x80\xae", "\xe2\x80\xae", "\\u202e", 3},
              {"\xef\xbf\xbf", "\xef\xbf\xbf", "\\uffff", 3},
              {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80", "\\ud800\\udc00", 4},
              {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\ud83d\\ude00", 4},
              {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf", "\\udbff\\udfff", 4},
              {"\xff", "\\ufffd", "\\ufffd", 0},
              {"\xc3", "\\ufffd", "\\ufffd", 0},
              {"\xed\xa0\x80", "\\ufffd", "\\ufffd", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char out[JSON_ESCAPED];
    assert_int_equal(json_escape(rows[i].text, NULL, out), rows[i].bytes);
    assert_string_equal(out, rows[i].plain);
    assert_int_equal(json_escape(rows[i].text, none, out), rows[i].bytes);
    assert_string_equal(out, rows[i].guarded);
  }
}

/* Whatever stands in it, a quoted string is UTF-8 with nothing that ends it or a terminal obeys. */
static void random_strings(void **arg) {
  (void)arg;
  for (int round = 0; round < 20000; round++) {
    char text[24];
    struct text t = {0};
    const size_t length = random_below(sizeof text);
    for (size_t i = 0; i < length; i++) text[i] = (char)(1 + random_below(255));
    text[length] = 0;
    json_quote(&t, text, utf8_shows);
    assert_true(t.length >= 2 && t.data[0] == '"' && t.data[t.length - 1] == '"');
    assert_true(utf8_valid(t.data));
    for (size_t i = 1; i + 1 < t.length; i++) {
      assert_true((unsigned char)t.data[i] >= 0x20 && t.data[i] != '"');
      if (t.data[i] == '\\') i += 1; /* and what it escapes */
    }
    text_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_character),
                                     cmocka_unit_test(random_strings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
