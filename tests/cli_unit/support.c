/* support.c - see support.h */
#define _GNU_SOURCE
#include "support.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "input/internal.h"

static char the_folder[256];
static pid_t owner;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st;
  (void)type;
  (void)at;
  return remove(path);
}

static void remove_folder(void) {
  if (getpid() == owner) (void)nftw(the_folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *folder(void) {
  if (the_folder[0] == '\0') {
    const char *base = getenv("TMPDIR");
    snprintf(the_folder, sizeof the_folder, "%s/heddle-test-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(the_folder));
    owner = getpid();
    atexit(remove_folder);
  }
  return the_folder;
}

const char *path_of(const char *name) {
  static char paths[16][512];
  static unsigned next;
  char *const path = paths[next++ % 16];
  snprintf(path, sizeof paths[0], "%s/%s", folder(), name);
  return path;
}

const char *make_file(const char *name, const void *bytes, size_t count) {
  const char *const path = path_of(name);
  FILE *const f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, count, f), count);
  assert_int_equal(fclose(f), 0);
  return path;
}

const char *make_text(const char *name, const char *text) {
  return make_file(name, text, strlen(text));
}

const char *make_gzip(const char *name, const void *bytes, size_t count) {
  const char *const path = path_of(name);
  gzFile f = gzopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(gzwrite(f, bytes, (unsigned)count), count);
  assert_int_equal(gzclose(f), Z_OK);
  return path;
}

const char *make_zstd(const char *name, const void *bytes, size_t count) {
  const size_t room = ZSTD_compressBound(count);
  unsigned char *const packed = malloc(room);
  assert_non_null(packed);
  ZSTD_CCtx *const context = ZSTD_createCCtx();
  assert_non_null(context);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t used = ZSTD_compress2(context, packed, room, bytes, count);
  ZSTD_freeCCtx(context);
  assert_false(ZSTD_isError(used));
  const char *const path = make_file(name, packed, used);
  free(packed);
  return path;
}

unsigned char *read_file_bytes(const char *path, size_t *count) {
  FILE *const f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  *count = (size_t)ftell(f);
  rewind(f);
  unsigned char *const bytes = malloc(*count + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *count, f), *count);
  bytes[*count] = '\0';
  fclose(f);
  return bytes;
}

unsigned char *npy_bytes(const char *dictionary, const void *data, size_t bytes, size_t *count) {
  const size_t length = strlen(dictionary);
  unsigned char *const out = malloc(10 + length + bytes);
  assert_non_null(out);
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = (unsigned char)(length & 0xff);
  out[9] = (unsigned char)(length >> 8);
  memcpy(out + 10, dictionary, length);
  if (bytes > 0) memcpy(out + 10 + length, data, bytes);
  *count = 10 + length + bytes;
  return out;
}

/* ---- pipes --------------------------------------------------------------------------------- */

static pid_t writer;
static int kept_input;

void begin_pipe(const void *bytes, size_t count) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  writer = fork();
  assert_true(writer >= 0);
  if (writer == 0) {
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    const char *p = bytes;
    while (count > 0) {
      const ssize_t n = write(ends[1], p, count);
      if (n <= 0) break;
      p += n;
      count -= (size_t)n;
    }
    _exit(0);
  }
  close(ends[1]);
  kept_input = dup(STDIN_FILENO);
  assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  close(ends[0]);
}

void end_pipe(void) {
  dup2(kept_input, STDIN_FILENO);
  close(kept_input);
  assert_int_equal(waitpid(writer, NULL, 0), writer);
}

/* ---- whole inputs -------------------------------------------------------------------------- */

static void add_block(struct reading *out, const void *const data[], size_t count) {
  const size_t size = heddle_type_size(out->type);
  for (size_t k = 0; k < out->columns; k++) {
    out->data[k] = realloc(out->data[k], (out->rows + count) * size);
    assert_non_null(out->data[k]);
    memcpy(out->data[k] + out->rows * size, data[k], count * size);
  }
  out->rows += count;
}

void read_input(const struct input_options *options, struct reading *out) {
  struct input *in;
  memset(out, 0, sizeof *out);
  if (input_open(options, &in, &out->why) != 0) return;
  out->type = input_type(in);
  out->columns = input_columns(in);
  for (size_t k = 0; k < out->columns; k++)
    snprintf(out->label[k], sizeof out->label[k], "%s", input_label(in, k));
  for (int pass = 0; pass < 1 + options->two_passes; pass++) {
    if (pass > 0 && input_rewind(in, &out->why) != 0) break;
    out->rows = 0;
    const void *data[INPUT_MAX_COLUMNS];
    size_t count = 0;
    while (input_next(in, data, &count, &out->why) == 0 && count > 0) add_block(out, data, count);
    out->bad = input_bad_lines(in);
  }
  input_close(in);
}

void free_reading(struct reading *r) {
  for (size_t k = 0; k < INPUT_MAX_COLUMNS; k++) free(r->data[k]);
}

void require_values(const struct input_options *options, const double *values, size_t count) {
  struct reading r;
  read_input(options, &r);
  assert_string_equal(r.why.text, "");
  assert_int_equal(r.rows, count);
  for (size_t i = 0; i < count; i++) {
    double value;
    const void *const element = r.data[0] + i * heddle_type_size(r.type);
    assert_int_equal(heddle_convert(r.type, element, HEDDLE_F64, &value, 1), HEDDLE_OK);
    if (values[i] != values[i])
      assert_true(value != value);
    else
      assert_memory_equal(&value, &values[i], sizeof value);
  }
  free_reading(&r);
}

void reject(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprint_error(format, arguments);
  va_end(arguments);
  print_error("\n");
  _fail(__FILE__, __LINE__);
}

void require_contains(const char *text, const char *part) {
  if (!strstr(text, part)) reject("'%s' lacks '%s'", text, part);
}

void require_failure(const struct input_options *options, int exit_code, const char *part) {
  struct reading r;
  read_input(options, &r);
  require_contains(r.why.text, part);
  assert_int_equal(r.why.exit_code, exit_code);
  assert_null(strchr(r.why.text, '\n'));
  free_reading(&r);
}

unsigned lightness(void) { return getenv("HEDDLE_TEST_LIGHT") ? 16 : 1; }

int run_child(void (*body)(void *), void *argument, char *message, size_t room) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    body(argument);
    _exit(0);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t n;
  while (used + 1 < room && (n = read(ends[0], message + used, room - 1 - used)) > 0)
    used += (size_t)n;
  message[used] = '\0';
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void require_content(const char *path, const char *expected) {
  size_t count;
  unsigned char *const bytes = read_file_bytes(path, &count);
  assert_string_equal((char *)bytes, expected);
  assert_int_equal(count, strlen(expected));
  free(bytes);
}

int temporaries(void) {
  int count = 0;
  DIR *const d = opendir(folder());
  assert_non_null(d);
  for (const struct dirent *e; (e = readdir(d));) count += strncmp(e->d_name, ".heddle", 7) == 0;
  closedir(d);
  return count;
}
