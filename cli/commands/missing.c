/* missing.c - a block is looked through without a branch an element; only one that has a NaN again */
#include "missing.h"

#include <string.h>

#include "command.h"
#include "text/record.h"

/* Floats of 16 bits whose exponent is all ones and whose fraction is not zero. */
static bool find_half(const uint16_t *bits, size_t count, uint16_t infinity, size_t *first) {
  for (size_t i = 0; i < count; i++) {
    if ((bits[i] & 0x7fff) <= infinity) continue;
    *first = i;
    return true;
  }
  return false;
}

static bool find_single(const float *x, size_t count, size_t *first) {
  size_t nan = 0;
  for (size_t i = 0; i < count; i++) nan += x[i] != x[i];
  for (*first = 0; nan > 0 && x[*first] == x[*first];) *first += 1;
  return nan > 0;
}

static bool find_double(const double *x, size_t count, size_t *first) {
  size_t nan = 0;
  for (size_t i = 0; i < count; i++) nan += x[i] != x[i];
  for (*first = 0; nan > 0 && x[*first] == x[*first];) *first += 1;
  return nan > 0;
}

bool missing_find(heddle_type type, const void *elements, size_t count, size_t *first) {
  switch (type) {
  case HEDDLE_F64: return find_double(elements, count, first);
  case HEDDLE_F32: return find_single(elements, count, first);
  case HEDDLE_F16: return find_half(elements, count, 0x7c00, first);
  case HEDDLE_BF16: return find_half(elements, count, 0x7f80, first);
  default: return false;
  }
}

int missing_fail(const char *path, const char *column, uint64_t row, struct failure *why) {
  char shown[48];
  text_show(column, strlen(column), shown, sizeof shown);
  return fail(
      why, EXIT_DATA,
      "%s: element %llu%s%s%s is NaN, or missing; --nan skip leaves such out, and --nan keep "
      "makes the result NaN",
      command_file_label(path), (unsigned long long)row + 1, *shown == '\0' ? "" : " of column '",
      shown, *shown == '\0' ? "" : "'");
}
