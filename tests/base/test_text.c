/* test_text.c - texts hold what was added, and sizes that cannot be had end in text_no_memory */
#include "support.h"

#include "base/text.h"

/* Against one large array. */
static void random_pieces(void **arg) {
  (void)arg;
  static char all[1 << 16], piece[700];
  for (int round = 0; round < 200; round++) {
    struct text t = {0};
    size_t used = 0;
    while (used < sizeof all - sizeof piece && random_below(400) > 0) {
      const size_t length = random_below(random_below(20) ? 8 : sizeof piece);
      for (size_t i = 0; i < length; i++) piece[i] = (char)random_below(256);
      text_add(&t, piece, length);
      memcpy(all + used, piece, length);
      used += length;
      assert_true(t.length == used && t.room > used);
      assert_int_equal(t.data[used], 0);
    }
    if (used) assert_memory_equal(t.data, all, used);
    text_free(&t);
    assert_null(t.data);
    assert_true(t.length == 0 && t.room == 0);
  }
}

static void nothing_is_an_empty_string(void **arg) {
  (void)arg;
  struct text t = {0};
  text_add(&t, NULL, 0);
  assert_string_equal(t.data, "");
  text_free(&t);
  char *copy = text_copy(NULL, 0), *formatted = text_format("%s", "");
  assert_string_equal(copy, "");
  assert_string_equal(formatted, "");
  free(copy);
  free(formatted);
}

/* All lengths around that of the array on the stack, which is tried first. */
static void formats_of_every_length(void **arg) {
  (void)arg;
  for (size_t length = 0; length < 600; length++) {
    char *word = random_string(length, "abc%\n"), *alone = text_format("<%s>", word);
    struct text t = {0};
    text_add_string(&t, "before ");
    text_add_format(&t, "%s|%d", word, -7);
    assert_true(t.length == 7 + length + 3 && strlen(alone) == length + 2);
    assert_memory_equal(t.data, "before ", 7);
    assert_memory_equal(t.data + 7, word, length);
    assert_string_equal(t.data + 7 + length, "|-7");
    assert_memory_equal(alone + 1, word, length);
    text_free(&t);
    free(alone);
    free(word);
  }
}

static void literals(void **arg) {
  (void)arg;
  struct text t = {0};
  text_add_literal(&t, "a\"b\\c\nd");
  assert_string_equal(t.data, "\"a\\\"b\\\\c\\nd\"");
  text_free(&t);
}

static void arrays_double(void **arg) {
  (void)arg;
  uint32_t *array = NULL;
  size_t room = 0, grown = 0;
  for (uint32_t i = 0; i < 100000; i++) {
    const size_t before = room;
    array = array_room(array, i, &room, sizeof *array);
    grown += room != before;
    assert_true(room > i);
    array[i] = i;
  }
  for (uint32_t i = 0; i < 100000; i++) assert_int_equal(array[i], i);
  assert_int_equal(grown, 12);
  free(array);
}

/* ---- no memory ----------------------------------------------------------------------------- */

static jmp_buf back;
static void come_back(void) { longjmp(back, 1); }

static struct text held;
static size_t hostile_room;

static void copy_all(void) { (void)text_copy("", SIZE_MAX); }
static void copy_most(void) { (void)text_copy("", SIZE_MAX - 1); }
static void allocate(void) { (void)text_allocate(SIZE_MAX); }
static void grow(void) { (void)text_grow(NULL, SIZE_MAX); }
static void add_all(void) { text_add(&held, "", SIZE_MAX); }
static void add_half(void) { text_add(&held, "", SIZE_MAX / 2); }
static void add_what_wraps(void) { text_add(&held, "", SIZE_MAX - held.length); }
/* Products that wrap around to nothing. */
static void wide_elements(void) { (void)array_room(NULL, 0, &hostile_room, SIZE_MAX / 64 + 1); }
static void many_elements(void) {
  hostile_room = SIZE_MAX / 32 + 1;
  (void)array_room(NULL, hostile_room, &hostile_room, 16);
}

static void too_much_memory(void **arg) {
  (void)arg;
  static void (*const asks[])(void) = {copy_all,       copy_most,     allocate,
                                       grow,           add_all,       add_half,
                                       add_what_wraps, wide_elements, many_elements};
  volatile size_t refused = 0;
  text_no_memory = come_back;
  for (volatile size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
    text_free(&held);
    text_add_string(&held, "what is there stays");
    hostile_room = 0;
    if (setjmp(back) == 0)
      asks[i]();
    else
      refused++;
    assert_string_equal(held.data, "what is there stays");
    assert_int_equal(refused, i + 1);
  }
  text_free(&held);
  text_no_memory = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_pieces),           cmocka_unit_test(nothing_is_an_empty_string),
      cmocka_unit_test(formats_of_every_length), cmocka_unit_test(literals),
      cmocka_unit_test(arrays_double),           cmocka_unit_test(too_much_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
