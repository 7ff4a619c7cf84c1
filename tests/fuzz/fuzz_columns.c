/* fuzz_columns.c - any bytes as what --column says, before a zero byte, and the first line of a table behind it
 *
 * Checked: columns found lie within the table, each has a name where there is a header, and a refusal says why. */
#define _GNU_SOURCE

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input/detect.h"
#include "text/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { MOST = 64 }; /* expressions of more, and such as (a{99}){99}, take the C library long */
  const uint8_t *const zero = size > 1 ? memchr(data + 1, 0, size - 1) : NULL;
  if (!zero || zero - data > MOST || zero == data + 1) return 0;
  if (memchr(data + 1, '{', (size_t)(zero - data)) || memchr(data + 1, '\\', (size_t)(zero - data)))
    return 0;
  char *const spec = strdup((const char *)data + 1);
  const size_t bytes = size - (size_t)(zero - data) - 1;
  char *const line = malloc(bytes + 1);
  if (!spec || !line) abort();
  memcpy(line, zero + 1, bytes);
  line[bytes] = '\n';
  struct input_options options;
  input_options_init(&options, "-");
  options.spans = data[0] & 1;
  options.header = (data[0] >> 1 & 3) - 1;
  if (options.header > 1) options.header = -1;
  for (char *p = strtok(spec, ","); p && options.column_count < INPUT_MAX_COLUMNS;
       p = strtok(NULL, ","))
    options.columns[options.column_count++] = p;
  struct text_layout layout = {.delimiter = ';'};
  struct failure why = {.text = ""};
  const char *unclosed;
  const char *const end = text_record_end(line, line + bytes + 1, ';', &unclosed);
  const int status = text_find_columns(&options, "t", end ? line : NULL, end, &layout, &why);
  require(status == 0 || (status == -1 && why.text[0] != '\0'));
  require(layout.wanted <= INPUT_MAX_COLUMNS);
  for (size_t k = 0; status == 0 && end && k < layout.wanted; k++) {
    require(layout.field[k] < layout.columns);
    require(!layout.header || layout.label[k]);
  }
  text_free_labels(&layout);
  free(line);
  free(spec);
  return 0;
}
