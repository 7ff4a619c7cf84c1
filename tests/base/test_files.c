/* test_files.c - files are read and written whole, or the reason is in errno */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/files.h"

static char folder[] = "/tmp/heddle-base-XXXXXX";
static char path[64];

static int make_folder(void **arg) {
  (void)arg;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/file", folder);
  return 0;
}

static int remove_folder(void **arg) {
  (void)arg;
  remove(path);
  return remove(folder);
}

static void there_and_back(void **arg) {
  (void)arg;
  static const size_t sizes[] = {1 << 20, 65537, 65536, 65535, 1, 0};
  unsigned char *bytes = malloc(sizes[0]);
  assert_non_null(bytes);
  for (size_t i = 0; i < sizes[0]; i++) bytes[i] = (unsigned char)random_below(256);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) { /* each shorter than the one before */
    struct text t = {0};
    text_add_string(&t, "before");
    assert_true(files_write(path, (const char *)bytes, sizes[s]));
    assert_true(files_read(path, &t));
    assert_int_equal(t.length, 6 + sizes[s]);
    assert_memory_equal(t.data, "before", 6);
    if (sizes[s]) assert_memory_equal(t.data + 6, bytes, sizes[s]);
    text_free(&t);
  }
  struct text empty = {0};
  assert_true(files_read(path, &empty));
  assert_string_equal(empty.data, "");
  text_free(&empty);
  free(bytes);
}

static void reasons(void **arg) {
  (void)arg;
  struct text t = {0};
  assert_false(files_read("/nowhere/at/all", &t));
  assert_int_equal(errno, ENOENT);
  assert_false(files_read(folder, &t));
  assert_int_equal(errno, EISDIR);
  assert_false(files_write("/nowhere/at/all", "a", 1));
  assert_int_equal(errno, ENOENT);
  assert_false(files_write("/dev/full", "a", 1));
  assert_int_equal(errno, ENOSPC);
  text_free(&t);
}

static void own_folder(void **arg) {
  (void)arg;
  char *own = files_own_folder();
  assert_non_null(own);
  char *name = text_format("%s/test_base_files", own);
  assert_int_equal(access(name, X_OK), 0);
  free(name);
  free(own);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(reasons),
                                     cmocka_unit_test(own_folder)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
