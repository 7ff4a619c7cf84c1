/* test_options.c - options go by their whole names, and numbers are digits and nothing else */
#include "support.h"

#include "base/options.h"

static const char *value;
static bool flag;
static struct string_list all;
static const struct option_entry table[] = {
    {"--value", .value = &value},
    {"--flag", .flag = &flag},
    {"-n", .all = &all},
    {"--flag", .value = &value} /* as a flag, and with a value */};
enum { ROWS = sizeof table / sizeof *table };

static int take(const char *word, const char *next, size_t *row) {
  char *words[3] = {NULL, NULL, NULL};
  words[0] = strdup(word);
  words[1] = next ? strdup(next) : NULL;
  value = NULL;
  flag = false;
  const int used = option_take(table, ROWS, words, next ? 2 : 1, row);
  static char kept[64]; /* the value is the caller's word */
  if (value) value = strcpy(kept, value);
  free(words[0]);
  free(words[1]);
  return used;
}

static void words_and_rows(void **arg) {
  (void)arg;
  size_t row = 9;
  assert_int_equal(take("--value", "x", &row), 2);
  assert_int_equal(row, 0);
  assert_string_equal(value, "x");
  assert_int_equal(take("--value=y=z", "x", &row), 1);
  assert_string_equal(value, "y=z");
  assert_int_equal(take("--value=", "x", &row), 1);
  assert_string_equal(value, "");
  assert_int_equal(take("--value", "--flag", &row), 2); /* what follows is the value */
  assert_string_equal(value, "--flag");
  assert_int_equal(take("--value", NULL, &row), OPTION_BARE);
  assert_int_equal(row, 0);
  assert_int_equal(take("--flag", "x", &row), 1);
  assert_true(flag && row == 1);
  assert_int_equal(take("--flag=3", NULL, NULL), 1);
  assert_true(!flag);
  assert_string_equal(value, "3");
}

static void no_option(void **arg) {
  (void)arg;
  static const char *const others[] = {"",      "-", "--",   "--valu", "--values",
                                       "value", "=", "--=x", "-nx",    "--values=x"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    size_t row = 9;
    assert_int_equal(take(others[i], "x", &row), OPTION_NONE);
    assert_true(row == 9 && !value && !flag);
  }
  char *words[] = {NULL};
  words[0] = strdup("--value");
  assert_int_equal(option_take(table, 0, words, 1, NULL), OPTION_NONE);
  free(words[0]);
}

static void every_value(void **arg) {
  (void)arg;
  assert_int_equal(take("-n", "1", NULL), 2);
  assert_int_equal(take("-n=2", "1", NULL), 1);
  assert_int_equal(all.count, 2);
  assert_string_equal(all.all[0], "1");
  assert_string_equal(all.all[1], "2");
  string_list_free(&all);
}

static void numbers(void **arg) {
  (void)arg;
  static const char *const wrong[] = {"",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "0x1",
                                      "1e3",
                                      "1.",
                                      "a",
                                      "18446744073709551616",
                                      "18446744073709551619",
                                      "28446744073709551615",
                                      "99999999999999999999999999"};
  uint64_t n = 77;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (option_number(wrong[i], 0, UINT64_MAX, &n)) fail_msg("'%s' was read", wrong[i]);
  assert_false(option_number("4", 5, 9, &n) || option_number("10", 5, 9, &n));
  assert_true(n == 77);
  assert_true(option_number("5", 5, 9, &n) && n == 5);
  assert_true(option_number("9", 5, 9, &n) && n == 9);
  assert_true(option_number("18446744073709551615", 0, UINT64_MAX, &n) && n == UINT64_MAX);
  assert_true(option_number("0000000000000000000000012", 0, UINT64_MAX, &n) && n == 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_rows), cmocka_unit_test(no_option),
                                     cmocka_unit_test(every_value), cmocka_unit_test(numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
