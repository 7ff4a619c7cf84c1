/* test_string_list.c - lists own what was added, in order, with a NULL behind it at any time */
#include "support.h"

#include "base/string_list.h"

static void random_lists(void **arg) {
  (void)arg;
  for (int round = 0; round < 100; round++) {
    struct string_list l = {0};
    const size_t count = random_below(300);
    char *copies[300];
    for (size_t i = 0; i < count; i++) {
      char *s = random_string(random_below(20), "xyz ");
      copies[i] = strdup(s);
      if (random_below(2)) {
        string_list_add(&l, s);
        memset(s, '#', strlen(s)); /* the list has a copy */
        free(s);
      } else {
        string_list_take(&l, s);
        assert_ptr_equal(l.all[i], s);
      }
      assert_true(l.count == i + 1 && l.room > l.count);
      assert_null(l.all[l.count]);
    }
    for (size_t i = 0; i < count; i++) {
      assert_string_equal(l.all[i], copies[i]);
      free(copies[i]);
    }
    string_list_free(&l);
    assert_null(l.all);
    assert_true(l.count == 0 && l.room == 0);
  }
}

static void lists_of_lists(void **arg) {
  (void)arg;
  struct string_list a = {0}, none = {0};
  string_list_add_all(&a, &none);
  assert_null(a.all);
  for (int i = 0; i < 70; i++) string_list_add(&a, i % 2 ? "odd" : "even");
  string_list_add_all(&a, &a);
  assert_int_equal(a.count, 140);
  for (size_t i = 0; i < 140; i++) assert_string_equal(a.all[i], i % 2 ? "odd" : "even");
  string_list_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_lists),
                                     cmocka_unit_test(lists_of_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
