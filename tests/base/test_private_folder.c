/* test_private_folder.c - a folder is used only if it is this user's alone */
#include "support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/private_folder.h"
#include "base/text.h"

static char root[] = "/tmp/heddle-base-XXXXXX";

static char *below(const char *name) { return text_format("%s/%s", root, name); }

static int make_root(void **arg) {
  (void)arg;
  return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **arg) {
  (void)arg;
  static const char *const names[] = {"a/b/c", "a/b", "a", "open", "link", "file"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *path = below(names[i]);
    remove(path);
    free(path);
  }
  return remove(root);
}

static bool make(const char *name) {
  char *path = below(name);
  const bool made = private_folder_make(path);
  free(path);
  return made;
}

static void made_with_those_above(void **arg) {
  (void)arg;
  struct stat s;
  char *path = below("a/b/c");
  assert_true(make("a/b/c") && make("a/b/c") && make("a/b/c/"));
  assert_int_equal(stat(path, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  free(path);
}

static void open_to_others(void **arg) {
  (void)arg;
  char *path = below("open");
  static const mode_t modes[] = {0720, 0702, 0777, 0770};
  assert_int_equal(mkdir(path, 0700), 0);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    assert_int_equal(chmod(path, modes[i]), 0);
    assert_false(make("open"));
  }
  assert_int_equal(chmod(path, 0755), 0); /* others may read */
  assert_true(make("open"));
  free(path);
}

static void not_a_folder(void **arg) {
  (void)arg;
  char *link = below("link"), *file = below("file"), *folder = below("a");
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  fclose(f);
  assert_true(make("a"));
  assert_int_equal(symlink(folder, link), 0);
  assert_false(make("link"));
  assert_false(make("file"));
  assert_false(make("file/below"));
  assert_false(private_folder_make("") || private_folder_make("/tmp") ||
               private_folder_make("/proc/x"));
  free(link);
  free(file);
  free(folder);
}

static void found(const char *given, const char *cache, const char *home, const char *wanted) {
  const char *const names[] = {"BASE_TEST_FOLDER", "XDG_CACHE_HOME", "HOME"};
  const char *const values[] = {given, cache, home};
  for (size_t i = 0; i < 3; i++) {
    if (values[i])
      setenv(names[i], values[i], 1);
    else
      unsetenv(names[i]);
  }
  char *path = private_folder_below("BASE_TEST_FOLDER", "tool");
  if (wanted) {
    assert_non_null(path);
    assert_string_equal(path, wanted);
  } else {
    assert_null(path);
  }
  free(path);
}

static void where_it_is(void **arg) {
  (void)arg;
  char *in_home = below(".cache/tool"), *nowhere = below("nobody");
  found("/g", "/c", root, "/g");
  found("relative", "/c", root, "relative");
  found("", "/c", root, "/c/tool");
  found(NULL, "/c", root, "/c/tool");
  found(NULL, "c", root, in_home); /* void, since relative */
  found(NULL, "", root, in_home);
  found(NULL, NULL, root, in_home);
  found(NULL, NULL, nowhere, NULL);
  found(NULL, NULL, "home", NULL);
  found(NULL, NULL, NULL, NULL);
  free(in_home);
  free(nowhere);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(made_with_those_above),
                                     cmocka_unit_test(open_to_others),
                                     cmocka_unit_test(not_a_folder), cmocka_unit_test(where_it_is)};
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
