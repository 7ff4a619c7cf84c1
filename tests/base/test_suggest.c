/* test_suggest.c - the nearest name is suggested, by the definition of the distance */
#include "support.h"

#include "base/suggest.h"

enum { NAMES = 12 };

/* Optimal string alignment by its recursion (Boytsov 2011, section 2.2). */
static size_t distance(const char *a, size_t m, const char *b, size_t n) {
  if (m == 0 || n == 0) return m + n;
  size_t least = distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
  const size_t less = distance(a, m - 1, b, n) + 1, more = distance(a, m, b, n - 1) + 1;
  if (less < least) least = less;
  if (more < least) least = more;
  if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
    const size_t swapped = distance(a, m - 2, b, n - 2) + 1;
    if (swapped < least) least = swapped;
  }
  return least;
}

static void random_names(void **arg) {
  (void)arg;
  for (int round = 0; round < 300; round++) {
    char *names[NAMES], *typed = random_string(1 + random_below(5), "abc");
    const char *best = NULL;
    size_t nearest = SIZE_MAX;
    const size_t m = strlen(typed);
    struct suggestion s;
    suggest_start(&s, typed);
    for (size_t i = 0; i < NAMES; i++) {
      names[i] = random_string(1 + random_below(6), "abc");
      suggest_add(&s, names[i]);
      size_t d = distance(typed, m, names[i], strlen(names[i]));
      const int begins = m >= 3 && strncmp(typed, names[i], m) == 0;
      if (begins && d > 1) d = 1;
      if (d > (m + 2) / 3 || d >= nearest) continue;
      nearest = d;
      best = names[i];
    }
    assert_ptr_equal(s.best, best);
    for (size_t i = 0; i < NAMES; i++) free(names[i]);
    free(typed);
  }
}

static void texts(void **arg) {
  (void)arg;
  char hint[64], tight[8];
  struct suggestion s;
  suggest_start(&s, "hsit");
  assert_string_equal(suggest_text(&s, "--", hint, sizeof hint), "");
  suggest_add(&s, "hist");
  assert_string_equal(suggest_text(&s, "--", hint, sizeof hint), "; did you mean '--hist'?");
  assert_string_equal(suggest_text(&s, "", tight, sizeof tight), "; did y");
}

static void lengths(void **arg) {
  (void)arg;
  for (size_t length = 60; length < 70; length++) {
    char *name = random_string(length, "a");
    struct suggestion s;
    suggest_start(&s, name);
    suggest_add(&s, name);
    if (length <= 63)
      assert_ptr_equal(s.best, name);
    else
      assert_null(s.best);
    free(name);
  }
  struct suggestion s;
  suggest_start(&s, "");
  suggest_add(&s, "a");
  assert_null(s.best);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_names), cmocka_unit_test(texts),
                                     cmocka_unit_test(lengths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
