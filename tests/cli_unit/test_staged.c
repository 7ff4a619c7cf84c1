/* test_staged.c - the file behind an output file: without a name or with a temporary one, on
 * the disk before it appears, on systems that refuse one thing or another */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "output/file.h"
#include "support.h"

/* A file system: without files that have no name; that fails to sync; and what was synced. */
static bool refuse_unnamed, refuse_links;
static int fsync_error, fsyncs;
static const char *watched; /* at the first fsync, whether it was there */
static bool was_there;

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = makes ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (refuse_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return __real_open(path, flags, mode);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  if (fsyncs++ == 0 && watched) was_there = access(watched, F_OK) == 0;
  errno = fsync_error;
  return fsync_error != 0 ? -1 : __real_fsync(fd);
}

int __real_linkat(int from, const char *old, int to, const char *path, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *path, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *path, int flags) {
  if (!refuse_links) return __real_linkat(from, old, to, path, flags);
  errno = EPERM;
  return -1;
}

static struct output_file *open_output(const char *path) {
  struct output_file *out;
  struct failure why = {0};
  if (output_file_open(path, &out, &why) != 0) reject("%s", why.text);
  return out;
}

static void require_tidy(void) { assert_int_equal(temporaries(), 0); }

static bool has_unnamed(void) {
  const int fd = open(folder(), O_TMPFILE | O_RDWR, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static void has_a_name_only_where_it_must(void **unused) {
  (void)unused;
  struct failure why;
  const char *const path = path_of("named");
  static const char digits[] = "0123456789";
  const int names = has_unnamed() ? 0 : 1;
  for (int round = 0; round < 4; round++) { /* without the target and with it, either way */
    refuse_unnamed = round >= 2;
    if (round == 2) assert_int_equal(unlink(path), 0);
    struct output_file *const out = open_output(path);
    assert_int_equal(output_file_write(out, &digits[round], 4, &why), 0);
    assert_int_equal(temporaries(), refuse_unnamed ? 1 : names);
    assert_int_equal(output_file_commit(out, &why), 0);
    refuse_unnamed = false;
    char expected[5];
    snprintf(expected, sizeof expected, "%.4s", &digits[round]);
    require_content(path, expected);
    require_tidy();
  }
}

static void is_copied_where_it_cannot_be_linked(void **unused) {
  (void)unused;
  struct failure why;
  static char block[200000];
  const char *const path = path_of("copied");
  for (size_t i = 0; i < sizeof block; i++) block[i] = (char)('a' + i % 26);
  refuse_links = true;
  struct output_file *out = open_output(path);
  assert_int_equal(output_file_write(out, block, sizeof block, &why), 0);
  assert_int_equal(output_file_commit(out, &why), 0);
  size_t count;
  unsigned char *const bytes = read_file_bytes(path, &count);
  assert_int_equal(count, sizeof block);
  assert_memory_equal(bytes, block, count);
  free(bytes);
  assert_int_equal(chmod(path, 0604), 0);
  out = open_output(path);
  assert_int_equal(output_file_write(out, "again", 5, &why), 0);
  assert_int_equal(output_file_commit(out, &why), 0);
  require_content(path, "again");
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 07777, 0604);
  require_tidy();
  refuse_links = false;
}

static void a_target_that_appears_meanwhile(void **unused) {
  (void)unused;
  struct failure why;
  const char *const path = path_of("raced");
  struct output_file *const first = open_output(path), *const second = open_output(path);
  assert_int_equal(output_file_write(first, "first", 5, &why), 0);
  assert_int_equal(output_file_write(second, "second", 6, &why), 0);
  assert_int_equal(output_file_commit(first, &why), 0);
  require_content(path, "first");
  assert_int_equal(output_file_commit(second, &why), 0);
  require_content(path, "second");
  require_tidy();
}

static void is_on_the_disk_before_it_appears(void **unused) {
  (void)unused;
  struct failure why;
  watched = path_of("synced");
  for (int round = 0; round < 2; round++) {
    refuse_unnamed = round == 1;
    fsyncs = 0;
    assert_int_equal(output_file_commit(open_output(watched), &why), 0);
    assert_int_equal(fsyncs, 2); /* the file, then its folder */
    assert_false(was_there);
    assert_int_equal(unlink(watched), 0);
  }
  refuse_unnamed = false;
  watched = NULL;
}

static void disks_that_fail_to_sync(void **unused) {
  (void)unused;
  struct failure why;
  const char *const path = make_text("unsynced", "as it was");
  for (int round = 0; round < 2; round++) {
    refuse_unnamed = round == 1;
    fsync_error = EIO;
    struct output_file *const out = open_output(path);
    assert_int_equal(output_file_write(out, "lost", 4, &why), 0);
    assert_int_equal(output_file_commit(out, &why), -1);
    require_contains(why.text, "unsynced: Input/output error; nothing was changed");
    require_content(path, "as it was");
    require_tidy();
  }
  refuse_unnamed = false;
  fsync_error = EINVAL; /* it cannot sync at all */
  assert_int_equal(output_file_commit(open_output(path), &why), 0);
  require_content(path, "");
  fsync_error = 0;
}

static void drop_and_end(void *path) {
  struct output_file *out;
  struct failure why;
  refuse_unnamed = true;
  if (output_file_open(path, &out, &why) != 0) _exit(9);
  output_file_drop_all();
  _exit(0);
}

static void names_go_in_a_signal_handler(void **unused) {
  (void)unused;
  char message[100];
  void *const path = (void *)(uintptr_t)make_text("dropped", "old");
  assert_int_equal(run_child(drop_and_end, path, message, sizeof message), 0);
  require_content(path, "old");
  require_tidy();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(has_a_name_only_where_it_must),
                                     cmocka_unit_test(is_copied_where_it_cannot_be_linked),
                                     cmocka_unit_test(a_target_that_appears_meanwhile),
                                     cmocka_unit_test(is_on_the_disk_before_it_appears),
                                     cmocka_unit_test(disks_that_fail_to_sync),
                                     cmocka_unit_test(names_go_in_a_signal_handler)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
