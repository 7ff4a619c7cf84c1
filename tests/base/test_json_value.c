/* test_json_value.c - JSON is read as it was written, and what is no JSON is refused */
#include "support.h"

#include "base/json/value.h"

static const char document[] =
    " {\"name\": \"a\\n\\\"\\\\\\/\\u0041\\u20ac\", \"n\": -1.5e3, \"yes\": true, \"no\": false,\n"
    "\t\"none\": null, \"list\": [1, [], {}, [2, [3]]], \"deep\": {\"x\": {\"y\": 7}}} \r\n";

static void members(void **arg) {
  (void)arg;
  struct json_value v;
  assert_true(json_parse(document, &v));
  assert_string_equal(json_string(&v, "name", ""), "a\n\"\\/A?");
  assert_true(json_number(&v, "n", 0) == -1500);
  assert_true(json_find(&v, "yes")->kind == JSON_BOOL && json_find(&v, "yes")->number == 1);
  assert_true(json_find(&v, "no")->kind == JSON_BOOL && json_find(&v, "no")->number == 0);
  assert_int_equal(json_find(&v, "none")->kind, JSON_NULL);
  const struct json_value *list = json_find(&v, "list");
  assert_int_equal(list->count, 4);
  assert_true(list->item[3].item[1].item[0].number == 3);
  assert_true(json_number(json_find(json_find(&v, "deep"), "x"), "y", 0) == 7);
  assert_null(json_find(&v, "nam"));
  assert_null(json_find(list, "name"));
  assert_null(json_find(NULL, "name"));
  assert_true(json_number(&v, "name", 4) == 4); /* of another kind */
  assert_string_equal(json_string(&v, "n", "other"), "other");
  json_value_free(&v);
}

static void written_again(void **arg) {
  (void)arg;
  struct json_value v;
  struct text once = {0}, twice = {0};
  assert_true(json_parse(document, &v));
  json_write(&once, &v);
  json_value_free(&v);
  assert_string_equal(
      once.data, "{\"name\": \"a\\u000a\\\"\\\\/A?\", \"n\": -1500, \"yes\": true, \"no\": false, "
                 "\"none\": null, \"list\": [1, [], {}, [2, [3]]], \"deep\": {\"x\": {\"y\": 7}}}");
  assert_true(json_parse(once.data, &v));
  json_write(&twice, &v);
  assert_string_equal(once.data, twice.data);
  json_value_free(&v);
  text_free(&once);
  text_free(&twice);
}

static bool is_json(const char *text) {
  struct json_value v;
  const bool good = json_parse(text, &v);
  if (!good) assert_true(v.kind == JSON_NULL && v.count == 0 && !v.item && !v.text);
  json_value_free(&v);
  return good;
}

static void what_is_none(void **arg) {
  (void)arg;
  static const char *const wrong[] = {
      "",         " ",          "nul", "truely",    "1 2",          "[1",
      "[1,]",     "[,1]",       "{",   "{\"a\"}",   "{\"a\":",      "{1:2}",
      "{\"a\":1", "{\"a\":1,}", "\"a", "\"a\\",     "\"a\\u",       "\"\\u12\"x",
      "]",        "}",          "[1}", "{\"a\":1]", "[\"a\" \"b\"]"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (is_json(wrong[i])) fail_msg("'%s' was read", wrong[i]);
}

/* Cut anywhere, in memory that ends there. */
static void cut_short(void **arg) {
  (void)arg;
  const size_t blanks = 3; /* at its end */
  for (size_t length = 0; length + 1 < sizeof document; length++) {
    char *part = malloc(length + 1);
    assert_non_null(part);
    memcpy(part, document, length);
    part[length] = 0;
    assert_true(is_json(part) == (length + 1 >= sizeof document - blanks));
    free(part);
  }
}

static void depth(void **arg) {
  (void)arg;
  char text[100];
  for (size_t deep = 1; deep < 50; deep++) {
    memset(text, '[', deep);
    memset(text + deep, ']', deep);
    text[2 * deep] = 0;
    assert_true(is_json(text) == (deep <= 33));
  }
}

/* Rows of tokens: nothing that is read changes by being written and read again. */
static void random_tokens(void **arg) {
  (void)arg;
  static const char *const tokens[] = {"{",     "}",           "[", "]",     ",",    ":",
                                       "\"a\"", "\"\\u00e9\\", "1", "-2e9",  "null", "true",
                                       "\xff",  "\"\xff\"",    " ", "\"b\":"};
  size_t good = 0;
  for (int round = 0; round < 200000; round++) {
    struct text t = {0}, once = {0}, twice = {0};
    struct json_value v;
    const size_t count = 1 + random_below(7);
    for (size_t i = 0; i < count; i++) text_add_string(&t, tokens[random_below(16)]);
    if (json_parse(t.data, &v)) {
      good++;
      json_write(&once, &v);
      json_value_free(&v);
      assert_true(json_parse(once.data, &v));
      json_write(&twice, &v);
      json_value_free(&v);
      if (!strchr(once.data, '\\')) assert_string_equal(once.data, twice.data);
    }
    text_free(&t);
    text_free(&once);
    text_free(&twice);
  }
  assert_true(good > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members),      cmocka_unit_test(written_again),
      cmocka_unit_test(what_is_none), cmocka_unit_test(cut_short),
      cmocka_unit_test(depth),        cmocka_unit_test(random_tokens)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
