/* bools.c - plain loops over lanes of bytes, which compilers make vectors of and which run as fast
 * as a processor reads memory; of large arrays, where a context has many threads, the library's
 * maximum and its sum instead */
#include "bools.h"

#include "fast.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  LANES = 64,
  MOST_ROWS = UINT8_MAX,
  LARGE = 4 * 1024 * 1024,
  FEW_THREADS = 4,
  UNASKED = 256 * 1024 * 1024, /* bytes between looks at signals: some 10 ms */
};

/* True bytes of up to MOST_ROWS rows of LANES: a byte counts each lane. */
static uint64_t count_rows(const uint8_t *x, size_t rows) {
  uint8_t lanes[LANES] = {0};
  uint64_t total = 0;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < LANES; i++) lanes[i] = (uint8_t)(lanes[i] + (x[r * LANES + i] != 0));
  for (size_t i = 0; i < LANES; i++) total += lanes[i];
  return total;
}

static uint64_t count_some(const uint8_t *x, size_t count) {
  uint64_t total = 0;
  for (size_t rows; count >= LANES; x += rows * LANES, count -= rows * LANES) {
    rows = count / LANES < MOST_ROWS ? count / LANES : MOST_ROWS;
    total += count_rows(x, rows);
  }
  for (size_t i = 0; i < count; i++) total += x[i] != 0;
  return total;
}

static bool are_numbers(const uint8_t *x, size_t count) {
  uint8_t lanes[LANES] = {0}, any = 0;
  for (; count >= LANES; x += LANES, count -= LANES)
    for (size_t i = 0; i < LANES; i++) lanes[i] |= x[i];
  for (size_t i = 0; i < LANES; i++) any |= lanes[i];
  for (size_t i = 0; i < count; i++) any |= x[i];
  return any <= 1;
}

/* Either loop over all of an array, with a look at signals now and then. */
static heddle_status look(const uint8_t *x, size_t count, uint64_t *total) {
  for (size_t done = 0, n; done < count; done += n) {
    n = count - done < UNASKED ? count - done : UNASKED;
    if (done && heddle_py_poll(NULL)) return HEDDLE_CANCELLED;
    if (total)
      *total += count_some(x + done, n);
    else if (!are_numbers(x + done, n))
      return HEDDLE_BAD_ARGUMENT;
  }
  return HEDDLE_OK;
}

/* Whether the library, whose threads share the work, is faster than one loop that knows bools. */
static bool is_worth_sharing(heddle_context *ctx, size_t count) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  return count >= LARGE && heddle_info(ctx, &info) == HEDDLE_OK &&
         !strncmp(info.device, "cpu", 3) && info.threads > FEW_THREADS;
}

heddle_status bools_are_numbers(heddle_context *ctx, const void *data, size_t count) {
  uint8_t most = 0;
  if (!is_worth_sharing(ctx, count)) return look(data, count, NULL);
  const heddle_status status = heddle_reduce(ctx, HEDDLE_MAX, HEDDLE_U8, data, count, &most, NULL);
  return status == HEDDLE_OK && most > 1 ? HEDDLE_BAD_ARGUMENT : status;
}

heddle_status bools_count(heddle_context *ctx, const void *data, size_t count, uint64_t *result) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_status status = HEDDLE_BAD_ARGUMENT;
  options.out_type = HEDDLE_U64;
  *result = 0;
  if (is_worth_sharing(ctx, count)) status = bools_are_numbers(ctx, data, count);
  if (status == HEDDLE_OK)
    return heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_U8, data, count, result, &options);
  return status == HEDDLE_BAD_ARGUMENT ? look(data, count, result) : status;
}
