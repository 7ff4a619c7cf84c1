/* Tokens, and what is passed over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rewrite/unit/unit.h"

static struct text messages;

static struct unit lexed(const char *text) {
  struct unit u = {.text = text,
                   .length = strlen(text),
                   .names = names_new(),
                   .own_headers = "/own",
                   .messages = &messages};
  unit_lex(&u);
  unit_match_brackets(&u);
  return u;
}

/* The tokens, parted by blanks. */
static void check_tokens(const char *text, const char *expected) {
  struct unit u = lexed(text);
  struct text got = {0};
  text_add(&got, "", 0);
  for (uint32_t i = 0; i + 1 < u.token_count; i++) {
    if (i) text_add(&got, " ", 1);
    text_add(&got, text + u.tokens[i].start, u.tokens[i].length);
  }
  assert_string_equal(got.data, expected);
  text_free(&got);
  unit_free(&u);
}

static void test_tokens(void **state) {
  (void)state;
  check_tokens("a->b::c<<<1>>>", "a -> b :: c < < < 1 > > >");
  check_tokens("x<=y>=z==1!=2<=>3", "x <= y >= z == 1 != 2 <=> 3");
  check_tokens("1'000 0x1p+3 .5e-3 1.f 'a'", "1'000 0x1p+3 .5e-3 1.f 'a'");
  check_tokens("'\\'' \"\\\"\" L\"a\" u8\"b\" '", "'\\'' \"\\\"\" L\"a\" u8\"b\" '");
  check_tokens("R\"(a)\" R\"x(a)\" )y\")x\" b", "R\"(a)\" R\"x(a)\" )y\")x\" b");
  check_tokens("a // b\nc /* d\n */ e", "a c e");
  check_tokens("\"open\nb", "\"open b");
  check_tokens("/* open", "");
}

static void test_headers_are_passed_over(void **state) {
  (void)state;
  check_tokens("# 1 \"a.cu\"\na\n# 1 \"/usr/x.h\" 1 3\nb\n# 1 \"/usr/y.h\" 1 3\nc\n"
               "# 2 \"/usr/x.h\" 2 3\nd\n# 2 \"a.cu\" 2\ne\n",
               "a e");
  check_tokens("# 1 \"a.cu\"\n# 1 \"/own/x.h\" 1\nb\n# 1 \"/usr/y.h\" 1 3\nc\n"
               "# 2 \"/own/x.h\" 2\nd\n# 2 \"a.cu\" 2\ne\n",
               "e");
  check_tokens("# 1 \"a.cu\"\n# 1 \"b.h\" 1\nb\n# 2 \"a.cu\" 2\ne\n", "b e");
  /* The text of a macro from a system header is the user's. */
  check_tokens("# 1 \"a.cu\"\na\n# 2 \"a.cu\" 3 4\nb\n# 2 \"a.cu\"\nc\n", "a b c");
}

static void test_lines(void **state) {
  (void)state;
  struct unit u = lexed("# 1 \"a.cu\"\na\n\n/*\n*/ b\n# 40 \"c.h\" 1\nR\"(\n)\" d\n");
  const uint32_t lines[] = {1, 4, 40, 41};
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(u.tokens[i].line, lines[i]);
  assert_string_equal(u.files[u.tokens[0].file].name, "a.cu");
  assert_string_equal(u.files[u.tokens[3].file].name, "c.h");
  unit_free(&u);
}

static void test_brackets(void **state) {
  (void)state;
  struct unit u = lexed("( [ ] { ( } ) )");
  assert_int_equal(u.tokens[1].match, 2);
  assert_int_equal(u.tokens[3].match, 5);
  assert_int_equal(u.tokens[4].match, NONE);
  assert_int_equal(u.tokens[0].match, 6);
  assert_int_equal(u.tokens[7].match, NONE);
  unit_free(&u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tokens),
      cmocka_unit_test(test_headers_are_passed_over),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_brackets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
