/* test_output_file.c - a result file appears whole or not at all */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "output/file.h"
#include "support.h"

static void require_tidy(void) { assert_int_equal(temporaries(), 0); }

static struct output_file *open_output(const char *path) {
  struct output_file *out;
  struct failure why = {0};
  if (output_file_open(path, &out, &why) != 0) reject("%s", why.text);
  return out;
}

static void require_refused(const char *path, const char *message) {
  struct output_file *out;
  struct failure why = {0};
  assert_int_equal(output_file_open(path, &out, &why), -1);
  require_contains(why.text, message);
  assert_int_equal(why.exit_code, EXIT_DATA);
  require_tidy();
}

static void appears_at_the_commit(void **unused) {
  (void)unused;
  struct failure why;
  const char *const path = path_of("new");
  struct output_file *out = open_output(path);
  assert_int_equal(output_file_write(out, "abc", 3, &why), 0);
  assert_int_equal(output_file_print(out, &why, "%d%s", 42, "\n"), 0);
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(output_file_commit(out, &why), 0);
  require_content(path, "abc42\n");
  require_tidy();
  out = open_output(path);
  assert_int_equal(output_file_write(out, "xyz", 3, &why), 0);
  require_content(path, "abc42\n");
  output_file_abort(out);
  output_file_abort(NULL);
  require_content(path, "abc42\n");
  require_tidy();
}

static void large_and_small_writes(void **unused) {
  (void)unused;
  enum { LARGE = 300000 };
  struct failure why;
  char *const expected = malloc(3 * LARGE + 20000);
  assert_non_null(expected);
  size_t used = 0;
  struct output_file *const out = open_output(path_of("large"));
  assert_true(output_file_can_patch(out));
  for (int round = 0; round < 3; round++) {
    const size_t begin = used;
    memset(expected + used, 'a' + round, LARGE);
    used += LARGE;
    assert_int_equal(output_file_write(out, expected + begin, LARGE, &why), 0);
    for (int i = 0; i < 1000; i++) {
      used += (size_t)sprintf(expected + used, "%d,", i);
      assert_int_equal(output_file_print(out, &why, "%d,", i), 0);
    }
  }
  char wide[700];
  memset(wide, 'w', sizeof wide);
  wide[699] = '\0';
  assert_int_equal(output_file_print(out, &why, "%s", wide), 0);
  used += (size_t)sprintf(expected + used, "%s", wide);
  assert_int_equal(output_file_patch(out, 2, "PATCH", 5, &why), 0);
  memcpy(expected + 2, "PATCH", 5);
  assert_int_equal(output_file_write(out, "!", 1, &why), 0);
  strcpy(expected + used, "!");
  assert_int_equal(output_file_commit(out, &why), 0);
  require_content(path_of("large"), expected);
  free(expected);
}

static void patches_of_what_is_gathered(void **unused) {
  (void)unused;
  struct failure why;
  struct output_file *const out = open_output(path_of("patched"));
  assert_int_equal(output_file_write(out, "count ?, data", 13, &why), 0);
  assert_int_equal(output_file_patch(out, 6, "7", 1, &why), 0);
  assert_int_equal(output_file_commit(out, &why), 0);
  require_content(path_of("patched"), "count 7, data");
}

static mode_t mode_of(const char *path) {
  struct stat st;
  assert_int_equal(lstat(path, &st), 0);
  return st.st_mode & 07777;
}

static void permissions_and_links(void **unused) {
  (void)unused;
  struct failure why;
  const char *const path = make_text("modes", "old");
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(output_file_commit(open_output(path), &why), 0);
  assert_int_equal(mode_of(path), 0640);
  require_content(path, "");
  const mode_t mask = umask(027);
  assert_int_equal(output_file_commit(open_output(path_of("fresh")), &why), 0);
  umask(mask);
  assert_int_equal(mode_of(path_of("fresh")), 0640);
  const char *const link = path_of("link");
  assert_int_equal(symlink("modes", link), 0);
  struct output_file *const out = open_output(link);
  assert_int_equal(output_file_write(out, "through", 7, &why), 0);
  assert_int_equal(output_file_commit(out, &why), 0);
  struct stat st;
  assert_int_equal(lstat(link, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  require_content(path, "through");
  assert_int_equal(symlink("nothing", path_of("dangling")), 0);
  require_refused(path_of("dangling"), "it is a link to a file that is not there");
}

static void refused_targets(void **unused) {
  (void)unused;
  require_refused(folder(), "it is a directory; name a file in it");
  require_refused(path_of("no/such/folder"), "no file can be made beside it: No such file");
  require_refused("/proc/heddle", "cannot write /proc/heddle: no file can be made beside it");
  struct output_file *out;
  struct failure why;
  assert_int_equal(output_file_open("", &out, &why), -1);
  assert_int_equal(why.exit_code, EXIT_USAGE);
  const char *const path = make_text("plain", "x");
  char below[600];
  snprintf(below, sizeof below, "%s/x", path);
  require_refused(below, "Not a directory");
  char *const longest = malloc(6000);
  assert_non_null(longest);
  memset(longest, 'x', 5999);
  longest[5999] = '\0';
  require_refused(longest, "File name too long");
  free(longest);
  if (geteuid() == 0) return; /* root may write to everything */
  assert_int_equal(chmod(path, 0444), 0);
  require_refused(path, "Permission denied");
}

static void devices_are_written_directly(void **unused) {
  (void)unused;
  struct failure why = {0};
  struct output_file *out = open_output("/dev/null");
  assert_false(output_file_can_patch(out));
  assert_int_equal(output_file_write(out, "x", 1, &why), 0);
  assert_int_equal(output_file_patch(out, 0, "y", 1, &why), -1);
  require_contains(why.text, "cannot write /dev/null");
  assert_int_equal(output_file_commit(out, &why), 0);
  struct stat st;
  assert_int_equal(stat("/dev/null", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  out = open_output("/dev/full");
  assert_int_equal(output_file_write(out, "x", 1, &why), 0);
  assert_int_equal(output_file_commit(out, &why), -1);
  require_contains(why.text, "cannot write /dev/full: No space left on device after 0 bytes; the "
                             "result is not complete");
  const char *const fifo = path_of("fifo");
  assert_int_equal(mkfifo(fifo, 0600), 0);
  const int reader = open(fifo, O_RDONLY | O_NONBLOCK);
  out = open_output(fifo);
  assert_int_equal(output_file_write(out, "through", 7, &why), 0);
  assert_int_equal(output_file_commit(out, &why), 0);
  char got[8] = {0};
  assert_int_equal(read(reader, got, 7), 7);
  assert_string_equal(got, "through");
  close(reader);
}

/* A full disk, made by a limit on the size of files; the old file stays as it was. */
static void write_too_much(void *path) {
  static char block[1 << 20];
  struct rlimit limit = {300000, 300000};
  struct output_file *out;
  struct failure why;
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || output_file_open(path, &out, &why) != 0) _exit(9);
  if (output_file_write(out, block, sizeof block, &why) == 0) _exit(8);
  fprintf(stderr, "%s", why.text);
  output_file_abort(out);
  _exit(why.exit_code);
}

static void write_too_much_at_the_end(void *path) {
  struct rlimit limit = {10, 10};
  struct output_file *out;
  struct failure why;
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || output_file_open(path, &out, &why) != 0) _exit(9);
  if (output_file_write(out, "more than ten bytes", 19, &why) != 0) _exit(8);
  if (output_file_commit(out, &why) == 0) _exit(7);
  fprintf(stderr, "%s", why.text);
  _exit(why.exit_code);
}

static void full_disks(void **unused) {
  (void)unused;
  char message[600];
  void *const path = (void *)(uintptr_t)make_text("kept", "as it was");
  assert_int_equal(run_child(write_too_much, path, message, sizeof message), EXIT_DATA);
  require_contains(message, "kept: File too large after 300000 bytes; nothing was changed");
  require_content(path, "as it was");
  require_tidy();
  assert_int_equal(run_child(write_too_much_at_the_end, path, message, sizeof message), EXIT_DATA);
  require_contains(message, "File too large after 10 bytes; nothing was changed");
  require_content(path, "as it was");
  require_tidy();
}

static void write_to_standard_output(void *path) {
  struct output_file *out;
  struct failure why;
  const int fd = open(path, O_WRONLY | O_TRUNC);
  if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || output_file_open("-", &out, &why) != 0) _exit(9);
  if (output_file_write(out, "data", 4, &why) != 0 || output_file_commit(out, &why) != 0) _exit(8);
  _exit(write(STDOUT_FILENO, "!", 1) == 1 ? 0 : 7); /* it is still open */
}

static void standard_output(void **unused) {
  (void)unused;
  char message[100];
  void *const path = (void *)(uintptr_t)make_text("stdout", "old");
  assert_int_equal(run_child(write_to_standard_output, path, message, sizeof message), 0);
  require_content(path, "data!");
  require_tidy();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(appears_at_the_commit),
                                     cmocka_unit_test(large_and_small_writes),
                                     cmocka_unit_test(patches_of_what_is_gathered),
                                     cmocka_unit_test(permissions_and_links),
                                     cmocka_unit_test(refused_targets),
                                     cmocka_unit_test(devices_are_written_directly),
                                     cmocka_unit_test(full_disks),
                                     cmocka_unit_test(standard_output)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
