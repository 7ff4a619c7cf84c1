/* test_utf8.c - UTF-8 is what encoding a character gives, and nothing else is */
#include "support.h"

#include "base/utf8.h"

/* RFC 3629, section 3, as a table of bits; 0 for what is no character. */
static size_t encode(uint32_t code, unsigned char out[4]) {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return 0;
  if (code < 0x80) {
    out[0] = (unsigned char)code;
    return 1;
  }
  const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, code >>= 6)
    out[i] = (unsigned char)(0x80 | (code & 0x3f));
  out[0] = (unsigned char)(0xff00u >> length | code);
  return length;
}

static void every_character(void **arg) {
  (void)arg;
  unsigned char bytes[5];
  for (uint32_t code = 0; code < 0x110000; code++) {
    const size_t length = encode(code, bytes);
    uint32_t found = 1;
    if (!length) continue;
    bytes[length] = 0xff;
    if (utf8_decode(bytes, SIZE_MAX, &found) != length || found != code)
      fail_msg("U+%04X is not read as itself", (unsigned)code);
    for (size_t left = 0; left < length; left++)
      if (utf8_decode(bytes, left, &found) != 0)
        fail_msg("U+%04X is read when cut", (unsigned)code);
  }
}

/* All that begins with any three bytes: it is read if and only if it is what encode gives. */
static void every_three_bytes(void **arg) {
  (void)arg;
  static unsigned char lengths[1 << 24]; /* of the character that three bytes are or begin */
  unsigned char bytes[5] = {0}, again[4];
  for (uint32_t code = 0; code < 0x110000; code++) {
    const size_t length = encode(code, again);
    if (length == 3) lengths[(uint32_t)again[0] << 16 | (uint32_t)again[1] << 8 | again[2]] = 3;
    for (uint32_t more = 0; length == 2 && more < 256; more++)
      lengths[(uint32_t)again[0] << 16 | (uint32_t)again[1] << 8 | more] = 2;
    if (length == 4) lengths[(uint32_t)again[0] << 16 | (uint32_t)again[1] << 8 | again[2]] = 4;
  }
  for (uint32_t word = 1 << 23; word < 1 << 24; word++) { /* the others are ASCII */
    uint32_t code = 0;
    for (int i = 0; i < 3; i++) bytes[i] = (unsigned char)(word >> (16 - 8 * i));
    bytes[3] = (unsigned char)(0x80 | random_below(64));
    const size_t length = utf8_decode(bytes, 4, &code);
    if (length != lengths[word]) fail_msg("%06x is read as %zu bytes", (unsigned)word, length);
    if (length == 0 && code != bytes[0]) fail_msg("%06x is not its first byte", (unsigned)word);
  }
}

static void strings(void **arg) {
  (void)arg;
  uint32_t code;
  assert_int_equal(utf8_character("", &code), 1); /* the zero byte is one, too */
  assert_int_equal(code, 0);
  assert_true(utf8_valid("") && utf8_valid("Gr\xc3\xb6\xc3\x9f"
                                           "e \xf0\x9f\x98\x80"));
  assert_false(utf8_valid("\xc3") || utf8_valid("a\x80") || utf8_valid("\xed\xa0\x80"));
}

static void what_a_terminal_may_be_given(void **arg) {
  (void)arg;
  char safe[UTF8_SAFE];
  static const struct {
    const char *text, *safe;
    size_t bytes;
  } rows[] = {{"ab", "a", 1},
              {"\x1b[2J", "\\x1b", 1},
              {"\x7f", "\\x7f", 1},
              {"\xc3\xa9", "\xc3\xa9", 2},
              {"\xc2\x9b", "\\xc2\\x9b", 2},          /* CSI in one character */
              {"\xe2\x80\xae", "\\xe2\\x80\\xae", 3}, /* turns the direction */
              {"\xf3\xa0\x80\x81", "\\xf3\\xa0\\x80\\x81", 4},
              {"\xff", "\\xff", 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(utf8_safe(rows[i].text, safe), rows[i].bytes);
    assert_string_equal(safe, rows[i].safe);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_character),
                                     cmocka_unit_test(every_three_bytes), cmocka_unit_test(strings),
                                     cmocka_unit_test(what_a_terminal_may_be_given)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
