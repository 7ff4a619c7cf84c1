/* fuzz_file.c - any bytes as a file whose format is found out, read to its end
 *
 * Compiled once for each reader, of whose files tests/fuzz/corpus has seeds. Checked: nothing is read outside of
 * what was allocated, memory and time are bounded by the file's size, and what fails says why. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "input/input.h"
#include "input/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

static void read_blocks(struct input *in) {
  struct failure why = {.text = ""};
  const size_t bytes = heddle_type_size(input_type(in));
  unsigned char last[8];
  for (;;) {
    const void *columns[INPUT_MAX_COLUMNS];
    size_t count;
    if (input_next(in, columns, &count, &why) != 0) {
      require(why.text[0] != '\0');
      return;
    }
    if (count == 0) return;
    for (size_t k = 0; k < input_columns(in); k++)
      memcpy(last, (const unsigned char *)columns[k] + (count - 1) * bytes, bytes);
  }
}

static void read_records(struct input *in) {
  static const char *const first[] = {"1"};
  struct failure why = {.text = ""};
  struct records *records;
  const char *begin, *end;
  const bool open = records_open(in, first, 1, false, &records, &why) == 0;
  while (open) {
    const int next = records_next(records, &begin, &end, &why);
    if (next == RECORDS_READ && records_read(records, &why) == 0) continue;
    if (next != RECORDS_ONE) break;
  }
  records_close(records);
}

static void read_file(const char *path, const char *member, const char *column, bool records) {
  struct input_options options;
  struct failure why = {.text = ""};
  struct input *in;
  input_options_init(&options, path);
  options.member = member;
  options.records = records;
  if (column) options.columns[options.column_count++] = column;
  if (input_open(&options, &in, &why) != 0) {
    require(why.text[0] != '\0');
    return;
  }
  if (input_has_records(in))
    read_records(in);
  else if (!records)
    read_blocks(in);
  input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[40];
  const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  read_file(path, NULL, NULL, false);
  read_file(path, "a", NULL, false);
  read_file(path, NULL, "1", false);
  read_file(path, NULL, NULL, true);
  close(fd);
  return 0;
}
