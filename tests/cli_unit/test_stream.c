/* test_stream.c - pipes, packed files, two passes, and what is no plain file */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "input/stream.h"
#include "support.h"

enum { COUNT = 700001 };

static struct input_options options_of(const char *path) {
  struct input_options options;
  input_options_init(&options, path);
  return options;
}

/* Numbers in which a misplaced block shows, as .npy and as text. */
static double values[COUNT];
static unsigned char *npy;
static size_t npy_count;
static char *text;
static size_t text_count;

static int make_data(void **unused) {
  (void)unused;
  text = malloc((size_t)COUNT * 16);
  if (!text) return -1;
  for (size_t i = 0; i < COUNT; i++) {
    values[i] = (double)(i * 2654435761u % 1000003) / 8;
    text_count += (size_t)sprintf(text + text_count, "%.3f\n", values[i]);
  }
  npy = npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (700001,), }\n", values,
                  sizeof values, &npy_count);
  return 0;
}

static int free_data(void **unused) {
  (void)unused;
  free(text);
  free(npy);
  return 0;
}

/* Everything, once and twice, from this path or, where bytes are given, from a pipe. */
static void require_all(const char *path, const void *bytes, size_t count) {
  for (int passes = 1; passes <= 2; passes++) {
    struct input_options options = options_of(path);
    options.two_passes = passes == 2;
    if (bytes) begin_pipe(bytes, count);
    require_values(&options, values, COUNT);
    if (bytes) end_pipe();
  }
}

static void pipes(void **unused) {
  (void)unused;
  require_all("-", npy, npy_count);
  require_all("-", text, text_count);
}

/* A socket that keeps messages apart drops what of one does not fit into a read. */
static void records(void **unused) {
  (void)unused;
  int ends[2];
  const int kept = dup(STDIN_FILENO);
  assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
  static const char *const messages[] = {"12", "345678\n9\n", "1", "23\n4", "5\n"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    assert_int_equal(send(ends[1], messages[i], strlen(messages[i]), 0), strlen(messages[i]));
  close(ends[0]);
  close(ends[1]);
  struct input_options options = options_of("-");
  require_values(&options, (double[]){12345678, 9, 123, 45}, 4);
  assert_true(dup2(kept, STDIN_FILENO) >= 0);
  close(kept);
}

/* Text has no count that would tell: the file's size at the start does. */
static void a_text_that_shrinks(void **unused) {
  (void)unused;
  for (int passes = 1; passes <= 2; passes++) {
    const char *const path = make_file("shrinks.txt", text, text_count);
    struct input_options options = options_of(path);
    struct input *in;
    struct failure why = {0, ""};
    const void *data[INPUT_MAX_COLUMNS];
    size_t count;
    options.two_passes = passes == 2;
    assert_int_equal(input_open(&options, &in, &why), 0);
    assert_int_equal(input_next(in, data, &count, &why), 0);
    assert_int_equal(truncate(path, 1000), 0);
    int status = 0;
    while (status == 0 && count > 0) status = input_next(in, data, &count, &why);
    assert_int_equal(status, -1);
    assert_int_equal(why.exit_code, EXIT_DATA);
    require_contains(why.text, "became shorter while it was being read");
    input_close(in);
  }
}

static void packed_files_and_pipes(void **unused) {
  (void)unused;
  const struct {
    const void *bytes;
    size_t count;
  } rows[] = {{npy, npy_count}, {text, text_count}};
  for (size_t i = 0; i < 2; i++)
    for (int zstd = 0; zstd <= 1; zstd++) {
      const char *const path = zstd ? make_zstd("packed", rows[i].bytes, rows[i].count)
                                    : make_gzip("packed", rows[i].bytes, rows[i].count);
      require_all(path, NULL, 0);
      size_t count;
      unsigned char *const bytes = read_file_bytes(path, &count);
      require_all("-", bytes, count);
      free(bytes);
    }
}

/* Two packed files, one behind the other, are one; cut and damaged ones are told apart. */
static void members(void **unused) {
  (void)unused;
  for (int zstd = 0; zstd <= 1; zstd++) {
    size_t first, second;
    const char *const a = zstd ? make_zstd("a", "1\n2\n", 4) : make_gzip("a", "1\n2\n", 4);
    const char *const b = zstd ? make_zstd("b", "3\n", 2) : make_gzip("b", "3\n", 2);
    unsigned char *const x = read_file_bytes(a, &first), *const y = read_file_bytes(b, &second);
    unsigned char both[400] = {0};
    memcpy(both, x, first);
    memcpy(both + first, y, second);
    struct input_options options = options_of(make_file("both", both, first + second));
    require_values(&options, (double[]){1, 2, 3}, 3);
    if (!zstd) { /* padding */
      options = options_of(make_file("both", both, first + second + 100));
      require_values(&options, (double[]){1, 2, 3}, 3);
    }
    for (size_t cut = 5; cut < first; cut++) {
      options = options_of(make_file("both", both, cut));
      require_failure(&options, EXIT_DATA,
                      zstd ? "the zstd data end too early" : "the gzip data end too early");
    }
    memcpy(both + first, "garbage", 7);
    options = options_of(make_file("both", both, first + 7));
    require_failure(&options, EXIT_DATA,
                    zstd ? "the zstd data are damaged: Unknown frame descriptor"
                         : "what follows the gzip data is not gzip data");
    free(x);
    free(y);
  }
}

static void damaged_members(void **unused) {
  (void)unused;
  size_t count;
  unsigned char *bytes = read_file_bytes(make_gzip("g", text, text_count), &count);
  bytes[count - 6] ^= 1; /* its checksum */
  struct input_options options = options_of(make_file("g", bytes, count));
  require_failure(&options, EXIT_DATA, "the gzip data are damaged: incorrect data check");
  memset(bytes + count / 2, 0xff, 100);
  options = options_of(make_file("g", bytes, count));
  options.format = INPUT_BYTES; /* or else a line of garbage may be met first */
  require_failure(&options, EXIT_DATA, "the gzip data are damaged");
  free(bytes);
  bytes = read_file_bytes(make_zstd("z", text, text_count), &count);
  memset(bytes + count / 2, 0xff, 100);
  options = options_of(make_file("z", bytes, count));
  options.format = INPUT_BYTES;
  require_failure(&options, EXIT_DATA, "the zstd data are damaged");
  free(bytes);
  /* A frame header, without a single segment, with a window of 2^31 bytes. */
  options = options_of(make_file("z", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9));
  require_failure(&options, EXIT_DATA,
                  "need a window of more than 128 MiB; unpack them by zstd -d");
}

static void truncated_pipes(void **unused) {
  (void)unused;
  struct input_options options = options_of("-");
  begin_pipe(npy, npy_count - 5);
  require_failure(&options, EXIT_DATA,
                  "standard input: the file is cut off: its header promises 5600008 bytes of data "
                  "(700001 f64 elements), it has 5600003");
  end_pipe();
  options.offset = 699999;
  begin_pipe(npy, npy_count - 100);
  require_failure(&options, EXIT_DATA, "it has 5599908");
  end_pipe();
  options = options_of("-");
  options.type = HEDDLE_U32;
  begin_pipe("\1\2\3\4\5", 5);
  require_failure(&options, EXIT_DATA, "standard input: 5 bytes are not a whole number of u32");
  end_pipe();
  options.offset = 9;
  begin_pipe("\1\2\3\4\5", 5);
  require_failure(&options, EXIT_USAGE, "offset 9 lies behind its last byte: it has 5");
  end_pipe();
  begin_pipe("12\nx\n", 5);
  options = options_of("-");
  require_failure(&options, EXIT_DATA, "standard input:2:1: 'x' is not a number");
  end_pipe();
  begin_pipe("", 0);
  require_values(&options, NULL, 0);
  end_pipe();
}

/* Standard input that is a file, and from its middle. */
static void redirected_files(void **unused) {
  (void)unused;
  const int fd = open(make_text("in", "1\n2\n3\n"), O_RDONLY), kept = dup(STDIN_FILENO);
  assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
  struct input_options options = options_of("-");
  options.two_passes = true;
  require_values(&options, (double[]){1, 2, 3}, 3);
  assert_int_equal(lseek(STDIN_FILENO, 2, SEEK_SET), 2);
  require_values(&options, (double[]){2, 3}, 2);
  close(STDIN_FILENO);
  require_failure(&options, EXIT_DATA, "cannot read standard input: Bad file descriptor");
  assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
  close(kept);
  close(fd);
}

static void what_is_no_plain_file(void **unused) {
  (void)unused;
  struct input_options options = options_of(folder());
  require_failure(&options, EXIT_DATA, "is a directory; name a file in it");
  options = options_of(path_of("missing"));
  require_failure(&options, EXIT_DATA, "missing: No such file or directory");
  options = options_of("/dev/null");
  require_values(&options, NULL, 0);
  const char *const locked = make_text("locked", "1\n");
  assert_int_equal(chmod(locked, 0), 0);
  options = options_of(locked);
  if (geteuid() != 0) require_failure(&options, EXIT_DATA, "locked: Permission denied");
  /* Files of /proc say that they are empty, those of /sys that they have a page. */
  options = options_of("/proc/sys/kernel/pid_max");
  options.two_passes = true;
  struct reading r;
  read_input(&options, &r);
  assert_string_equal(r.why.text, "");
  assert_int_equal(r.rows, 1);
  free_reading(&r);
  options = options_of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  options.format = INPUT_BYTES;
  if (access(options.path, R_OK) == 0) {
    read_input(&options, &r);
    assert_string_equal(r.why.text, "");
    assert_true(r.rows > 0 && r.rows < 4096);
    free_reading(&r);
  }
}

static void fifos(void **unused) {
  (void)unused;
  const char *const path = path_of("fifo");
  assert_int_equal(mkfifo(path, 0600), 0);
  const pid_t child = fork();
  if (child == 0) {
    FILE *const f = fopen(path, "w");
    _exit(!f || fputs("1\n2\n", f) < 0 || fclose(f) != 0);
  }
  struct input_options options = options_of(path);
  options.two_passes = true;
  require_values(&options, (double[]){1, 2}, 2);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

/* A second pass may begin before the first has ended. */
static void early_rewind(void **unused) {
  (void)unused;
  struct input_options options = options_of("-");
  options.two_passes = true;
  struct input *in;
  struct failure why;
  const void *data[INPUT_MAX_COLUMNS];
  size_t count, all = 0;
  begin_pipe(npy, npy_count);
  assert_int_equal(input_open(&options, &in, &why), 0);
  assert_int_equal(input_next(in, data, &count, &why), 0);
  assert_int_equal(input_rewind(in, &why), 0);
  while (input_next(in, data, &count, &why) == 0 && count > 0) {
    assert_memory_equal(data[0], values + all, count * sizeof *values);
    all += count;
  }
  assert_int_equal(all, COUNT);
  uint64_t done, total;
  input_progress(in, &done, &total);
  assert_int_equal(done, npy_count);
  input_close(in);
  end_pipe();
  options.two_passes = false;
  begin_pipe(npy, npy_count);
  assert_int_equal(input_open(&options, &in, &why), 0);
  assert_int_equal(input_rewind(in, &why), -1);
  require_contains(why.text, "standard input cannot be read twice");
  input_close(in);
  end_pipe();
}

/* The copy of a pipe is an open file of this process, in this folder, and has no name. */
static void require_spool_in(const char *where) {
  char link[64], target[400], expected[300];
  snprintf(expected, sizeof expected, "%s/", where);
  for (int fd = 3; fd < 64; fd++) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, target, sizeof target - 1);
    if (n < 0) continue;
    target[n] = '\0';
    if (strncmp(target, expected, strlen(expected)) == 0 && strstr(target, " (deleted)")) return;
  }
  reject("there is no spool in %s", where);
}

static void require_pipe_kept_in(const char *where) {
  struct input_options options = options_of("-");
  struct input *in;
  struct failure why;
  options.two_passes = true;
  begin_pipe("1\n", 2);
  assert_int_equal(input_open(&options, &in, &why), 0);
  require_spool_in(where);
  input_close(in);
  end_pipe();
}

static void spool_on_a_full_disk(void *unused) {
  (void)unused;
  struct rlimit limit = {1 << 20, 1 << 20};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
  struct input_options options = options_of("-");
  options.two_passes = true;
  struct reading r;
  read_input(&options, &r);
  fprintf(stderr, "%s", r.why.text);
  _exit(r.why.exit_code);
}

static void spools_that_cannot_be(void **unused) {
  (void)unused;
  char message[600];
  begin_pipe(npy, npy_count);
  assert_int_equal(run_child(spool_on_a_full_disk, NULL, message, sizeof message), EXIT_DATA);
  require_contains(message, "standard input is read twice and cannot be kept in ");
  require_contains(message,
                   ": File too large after 1048576 bytes; set TMPDIR to a folder on a larger");
  end_pipe();
  const char *const before = getenv("TMPDIR");
  char *const kept = before ? strdup(before) : NULL;
  struct input_options options = options_of("-");
  options.two_passes = true;
  setenv("TMPDIR", "/nowhere/at/all", 1);
  begin_pipe("1\n", 2);
  require_failure(&options, EXIT_DATA,
                  "cannot be kept in /nowhere/at/all: No such file or directory");
  end_pipe();
  setenv("TMPDIR", folder(), 1);
  require_pipe_kept_in(folder());
  setenv("TMPDIR", "", 1); /* as good as none */
  require_pipe_kept_in("/tmp");
  if (kept)
    setenv("TMPDIR", kept, 1);
  else
    unsetenv("TMPDIR");
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pipes),
                                     cmocka_unit_test(records),
                                     cmocka_unit_test(a_text_that_shrinks),
                                     cmocka_unit_test(packed_files_and_pipes),
                                     cmocka_unit_test(members),
                                     cmocka_unit_test(damaged_members),
                                     cmocka_unit_test(truncated_pipes),
                                     cmocka_unit_test(redirected_files),
                                     cmocka_unit_test(what_is_no_plain_file),
                                     cmocka_unit_test(fifos),
                                     cmocka_unit_test(early_rewind),
                                     cmocka_unit_test(spools_that_cannot_be)};
  return cmocka_run_group_tests(tests, make_data, free_data);
}
