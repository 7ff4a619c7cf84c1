/* test_text_threads.c - text read by several threads: what one thread reads, and what it says
 *
 * White-box: the sizes of text.c and text_pool.c are made so small that every record is cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/internal.h"
#include "support.h"

enum { TABLES = 250, ROOM = 1 << 16 };

/* ---- random tables ------------------------------------------------------------------------- */

static uint32_t state;

static uint32_t draw(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(state >> 4) * below >> 28);
}

/* Fields of which a few are what nobody expects in this place; `wild` of a hundred. */
static size_t field(char *to, uint32_t kind, uint32_t wild) {
  static const char *const odd[] = {"x",
                                    "\"",
                                    "5\" pipe",
                                    "\"a\nb\"",
                                    "\"a\"\"\n,b\"",
                                    "\"7\"",
                                    "\"7\"x",
                                    "18446744073709551615",
                                    "-0",
                                    "1e400",
                                    "9007199254740993",
                                    "\xc3\xa9\xe2\x82\xac",
                                    "",
                                    "# no",
                                    "\"\n\n\n\"",
                                    " 12 ",
                                    "nan",
                                    "\xff\xfe",
                                    "1.5e-3",
                                    "99999999999999999999",
                                    "\"1,5\"",
                                    "0x1p3"};
  if (draw(100) < wild) return (size_t)sprintf(to, "%s", odd[draw(sizeof odd / sizeof *odd)]);
  if (kind == 0) return (size_t)sprintf(to, "%u", draw(100000));
  if (kind == 1) return (size_t)sprintf(to, "%d", (int)draw(2000) - 1000);
  if (kind == 2) return (size_t)sprintf(to, "%u.%02u", draw(1000), draw(100));
  return (size_t)sprintf(to, "\"text %u\n, %u\"", draw(10), draw(10));
}

static size_t table(char *text, char delimiter, const char *line_end) {
  const uint32_t rows = draw(300), columns = 1 + draw(4), wild = draw(3) == 0 ? 3 : 0;
  const uint32_t late = draw(rows + 1); /* from there on other kinds */
  uint32_t kinds[4];
  size_t used = 0;
  for (uint32_t c = 0; c < columns; c++) kinds[c] = draw(c == 0 ? 3 : 4);
  for (uint32_t r = 0; r < rows && used < ROOM - 4096; r++) {
    if (r == late) kinds[0] = draw(3);
    if (draw(40) == 0)
      used += (size_t)sprintf(text + used, "%s%s", draw(2) ? "# c \"" : " ", line_end);
    const uint32_t ragged = wild && draw(50) == 0 ? draw(columns) : columns;
    for (uint32_t c = 0; c < ragged; c++) {
      if (c > 0) text[used++] = delimiter;
      used += field(text + used, kinds[c], wild);
    }
    if (draw(500) == 0)
      for (int i = 0; i < 2000; i++) text[used++] = '0';
    if (r + 1 < rows || draw(2)) used += (size_t)sprintf(text + used, "%s", line_end);
  }
  return used;
}

/* ---- what came ----------------------------------------------------------------------------- */

struct outcome {
  size_t rows, exact;
  uint64_t bad, hash, comments;
  uint64_t lines; /* hash of them */
  bool rounded;
  char message[512];
};

static void hash_bytes(uint64_t *hash, const void *bytes, size_t count) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < count; i++) *hash = (*hash ^ p[i]) * 0x100000001b3u;
}

/* Rows are hashed one by one, so that the cut into blocks means nothing. */
static void add_block(struct input *in, const void *const data[], size_t count, bool lines,
                      struct outcome *o) {
  const size_t size = heddle_type_size(input_type(in));
  size_t whole[INPUT_MAX_COLUMNS];
  const unsigned char *exact[INPUT_MAX_COLUMNS];
  heddle_type type = HEDDLE_F64;
  for (size_t k = 0; k < input_columns(in); k++) exact[k] = input_integers(in, k, &whole[k], &type);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < input_columns(in); k++) {
      hash_bytes(&o->hash, (const unsigned char *)data[k] + i * size, size);
      if (exact[k] && i < whole[k]) hash_bytes(&o->hash, exact[k] + i * 8, 8);
      o->exact += exact[k] && i < whole[k];
    }
  o->rows += count;
  if (!lines) return;
  const struct input_lines l = input_lines(in);
  for (size_t i = 0; i < count; i++) {
    const size_t start = i == 0 ? 0 : l.end[i - 1];
    hash_bytes(&o->lines, l.text + start, l.end[i] - start);
  }
  o->comments = l.comments;
}

static struct outcome outcome_of(const struct input_options *options, size_t threads, size_t buffer,
                                 size_t block) {
  struct outcome o = {.hash = 1, .lines = 1};
  struct input_options with = *options;
  struct input *in;
  struct failure why = {.text = ""};
  with.threads = threads;
  text_buffer_bytes = buffer;
  text_block_bytes = block;
  int status = input_open(&with, &in, &why);
  if (status == 0) {
    size_t count = 1;
    while (count > 0) {
      const void *data[INPUT_MAX_COLUMNS];
      uint64_t done, total;
      status = input_next(in, data, &count, &why);
      if (status != 0) break;
      add_block(in, data, count, options->lines, &o);
      input_progress(in, &done, &total);
    }
    o.bad = input_bad_lines(in);
    for (size_t k = 0; k < input_columns(in); k++) o.rounded |= input_is_rounded(in, k);
    if (status == 0 && options->two_passes) {
      const uint64_t once = o.hash;
      size_t again = 0;
      assert_int_equal(input_rewind(in, &why), 0);
      for (count = 1; count > 0; again += count) {
        const void *data[INPUT_MAX_COLUMNS];
        assert_int_equal(input_next(in, data, &count, &why), 0);
      }
      assert_int_equal(again, o.rows);
      o.hash = once;
    }
    input_close(in);
  }
  if (status != 0) {
    memcpy(o.message, why.text, sizeof o.message - 1);
    o.hash = o.rows = o.exact = o.lines = 0; /* of the rows before, blocks were delivered or not */
    o.bad = o.comments = 0;
    o.rounded = false;
  }
  return o;
}

static void require_same(const struct input_options *options, uint32_t seed) {
  static const size_t threads[] = {2, 3, 8}, blocks[] = {1, 7, 64, 1000};
  const size_t buffer = text_buffer_bytes, block = text_block_bytes;
  const struct outcome one = outcome_of(options, 1, 1 << 20, block);
  for (size_t i = 0; i < 3; i++) {
    const size_t bytes = blocks[draw(4)];
    const struct outcome o = outcome_of(options, threads[i], draw(2) ? 16 : 300, bytes);
    if (strcmp(o.message, one.message) != 0)
      reject("seed %u, %zu threads: '%s', not '%s'", seed, threads[i], o.message, one.message);
    if (o.rows != one.rows || o.hash != one.hash || o.lines != one.lines || o.bad != one.bad ||
        o.exact != one.exact || o.comments != one.comments || o.rounded != one.rounded)
      reject("seed %u, %zu threads, blocks of %zu: %zu rows, not %zu, or others", seed, threads[i],
             bytes, o.rows, one.rows);
  }
  text_buffer_bytes = buffer;
  text_block_bytes = block;
}

/* A condition that no number of threads and no cut changes: of the fields' characters. */
static int ask(const void *user, const struct text_field *fields, size_t *column,
               char message[FILTER_MESSAGE]) {
  uint64_t hash = *(const uint64_t *)user;
  for (size_t k = 0; k < 2; k++)
    hash_bytes(&hash, fields[k].begin, (size_t)(fields[k].end - fields[k].begin));
  *column = hash % 2;
  if (hash % 4001 == 0) (void)strcpy(message, "the condition cannot tell");
  return hash % 4001 == 0 ? -1 : hash % 3 != 0;
}

static void random_tables(void **unused) {
  (void)unused;
  static const char delimiters[] = {',', '\t', ' ', ';'};
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  static const heddle_type types[] = {HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, HEDDLE_I32,
                                      HEDDLE_F32};
  static const char *const filtered[] = {"2", "1"};
  char *const text = malloc(ROOM + 8192);
  assert_non_null(text);
  for (uint32_t seed = 0; seed < TABLES; seed += lightness()) {
    struct input_options options;
    state = seed * 2654435761u;
    const char delimiter = delimiters[draw(4)];
    const size_t size = table(text, delimiter, ends[draw(3)]);
    input_options_init(&options, make_file("table", text, size));
    if (draw(8) == 0) options.path = make_gzip("table.gz", text, size);
    options.format = INPUT_TEXT;
    options.delimiter = delimiter;
    options.header = 0;
    options.columns[0] = "1";
    options.columns[1] = "2";
    options.column_count = 1 + draw(2);
    options.type = types[draw(4)];
    options.skip_bad = draw(2);
    if (draw(4) == 0) options.comment = '%';
    if (draw(3) == 0) options.missing = (struct text_missing){{"x", "-0", "7"}, {1, 2, 1}, 3, true};
    if (draw(4) == 0) options.offset = draw(200);
    if (draw(4) == 0) options.count = draw(200);
    const uint32_t kind = draw(4);
    options.two_passes = kind == 1;
    options.settle = kind == 2;
    options.lines = kind == 3;
    const uint64_t salt = draw(1000);
    const struct input_filter filter = {
        .columns = filtered, .column_count = 2, .user = &salt, .ask = ask};
    if (kind != 3 && draw(2)) options.filter = &filter;
    require_same(&options, seed);
  }
  free(text);
}

/* One column in lists, which is read in another loop. */
static void plain_lists(void **unused) {
  (void)unused;
  static const char *const later[] = {"%u\n", "%u.5\n", "-%u\n", "18446744073709551%03u\n"};
  char *const text = malloc(2 * ROOM);
  assert_non_null(text);
  for (uint32_t seed = 0; seed < 60; seed += lightness()) {
    size_t used = 0;
    state = seed * 2246822519u;
    const uint32_t rows = draw(2000), late = draw(2000);
    for (uint32_t r = 0; r < rows; r++)
      used += (size_t)sprintf(text + used, later[r < late ? 2 * (r + seed % 9 == late) : seed % 4],
                              draw(1000));
    if (seed % 5 == 0) used += (size_t)sprintf(text + used, "\n\"7\n8\"\n");
    struct input_options options;
    input_options_init(&options, make_file("list", text, used));
    options.format = INPUT_TEXT;
    require_same(&options, seed);
  }
  free(text);
}

/* A record longer than 16 MiB and a quote that nothing closes, behind blocks that are in order. */
static void endless_records(void **unused) {
  (void)unused;
  const size_t size = 20u << 20;
  char *const text = malloc(size);
  assert_non_null(text);
  for (int kind = 0; kind < 3; kind++) {
    struct input_options options;
    memset(text, '1', size);
    for (size_t i = 0; i < 3u << 20; i += 4) memcpy(text + i, "1,2\n", 4);
    if (kind > 0) text[3u << 20] = '"';
    if (kind == 2) memset(text + (7u << 20), '\n', 1);
    input_options_init(&options, make_file("endless", text, size));
    options.columns[0] = "1";
    options.column_count = 1;
    const struct outcome one = outcome_of(&options, 1, 1 << 20, 1 << 19);
    const struct outcome three = outcome_of(&options, 3, 1 << 20, 1 << 19);
    assert_string_equal(one.message, three.message);
    assert_true(one.message[0] != '\0');
  }
  free(text);
}

/* A pipe that stays open and silent does not hold up who has enough. */
static void enough_of_a_pipe(void **unused) {
  (void)unused;
  int ends[2];
  char path[64];
  assert_int_equal(pipe(ends), 0);
  const size_t size = 20000; /* less than a pipe holds, and than a pool */
  char *const text = malloc(size);
  assert_non_null(text);
  for (size_t i = 0; i < size; i += 2) memcpy(text + i, "1\n", 2);
  assert_int_equal(write(ends[1], text, size), size);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
  struct input_options options;
  struct input *in;
  struct failure why;
  const void *data[INPUT_MAX_COLUMNS];
  size_t count;
  const size_t buffer = text_buffer_bytes, block = text_block_bytes;
  text_buffer_bytes = 8192;
  text_block_bytes = 4096;
  input_options_init(&options, path);
  options.format = INPUT_TEXT;
  options.threads = 3;
  assert_int_equal(input_open(&options, &in, &why), 0);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(input_next(in, data, &count, &why), 0);
    assert_true(count > 0);
  }
  input_close(in);
  close(ends[0]);
  close(ends[1]);
  text_buffer_bytes = buffer;
  text_block_bytes = block;
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_tables), cmocka_unit_test(plain_lists),
                                     cmocka_unit_test(endless_records),
                                     cmocka_unit_test(enough_of_a_pipe)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
