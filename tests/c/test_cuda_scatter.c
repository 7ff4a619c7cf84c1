/* test_cuda_scatter.c - ids without a group, of rows that are folded by one call, on a device
 *
 * Method   What test_cuda_groups.c does not see: nothing waits for such ids, so that sorts and folds go on with them,
 *          whatever they are. */
#include <stdbool.h>

#include "gpu.h"

static void *there_of(const void *from, size_t bytes) {
  void *there = gpu_memory(bytes + 16);
  gpu_up(there, from, bytes);
  return there;
}

/* Ids without a group, one or the half of them, negative or too great, of rows in order or not: the call or
 * heddle_sync says so, for an array that is sorted at once and one that takes steps. What host memory held is as it
 * was, and so is what lies behind results on the device. */
struct beyond {
  size_t n, width, id_bytes;
  bool half, in_order, negative, on_device;
};
enum { BEYOND_GROUPS = 1000, BEHIND = 4 };

static void beyond_ids(const struct beyond *b, char *ids) {
  const heddle_type type = b->id_bytes == 8 ? HEDDLE_I64 : HEDDLE_I32;
  for (size_t i = 0; i < b->n; i++)
    data_put(type, ids, i,
             b->in_order ? i * BEYOND_GROUPS / b->n : data_word(3, i) % BEYOND_GROUPS);
  for (size_t i = b->half ? b->n / 2 : b->n - 1; i < b->n; i++)
    data_put(type, ids, i, b->negative ? UINT64_MAX - i : BEYOND_GROUPS + i);
}

static void check_beyond(const struct beyond *b) {
  const size_t in_bytes = b->n * b->width * 4, results = BEYOND_GROUPS * b->width;
  const size_t out_bytes = (results + BEHIND) * 4;
  char *ids = allocate(b->n * b->id_bytes), *in = allocate(in_bytes), number[32];
  int32_t *out = allocate(out_bytes);
  memset(in, 1, in_bytes);
  memset(out, 0x5a, out_bytes);
  beyond_ids(b, ids);
  void *from = b->on_device ? there_of(in, in_bytes) : in;
  void *given = b->on_device ? there_of(ids, b->n * b->id_bytes) : ids;
  void *to = b->on_device ? there_of(out, out_bytes) : out;
  heddle_status status = heddle_scatter_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, from, b->width,
                                               b->id_bytes == 8 ? HEDDLE_I64 : HEDDLE_I32, given,
                                               b->n, to, BEYOND_GROUPS, NULL);
  if (b->on_device) {
    same_status(HEDDLE_OK, status, "queued");
    status = heddle_peek(gpu_ctx);
    if (!status) status = heddle_sync(gpu_ctx);
    assert_int_equal(heddle_peek(gpu_ctx), HEDDLE_OK); /* once */
  }
  same_status(HEDDLE_BAD_DATA, status, "%zu ids of %zu bytes, half beyond %d", b->n, b->id_bytes,
              b->half);
  snprintf(number, sizeof number, "ids[%zu]", b->n - 1);
  if (!b->half) assert_non_null(strstr(heddle_message(), number));
  if (b->on_device) {
    gpu_down(out, to, out_bytes);
    gpu_forget(from), gpu_forget(given), gpu_forget(to);
  }
  for (size_t i = b->on_device ? results : 0; i < results + BEHIND; i++)
    assert_int_equal(out[i], 0x5a5a5a5a);
  free(ids);
  free(in);
  free(out);
}

static void scattered_beyond(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  float none[6] = {1, 1, 1, 1, 1, 1};
  same_status(HEDDLE_OK,
              heddle_scatter_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, NULL, 2, HEDDLE_I64, NULL, 0,
                                    none, 3, NULL),
              "no rows");
  for (size_t i = 0; i < 6; i++) assert_true(none[i] == 0);
  for (unsigned turn = 0; turn < 32; turn++) {
    if (gpu_is_software() && turn % 5 == 3) continue;
    const struct beyond b = {.n = turn & 1 ? 40000 : 700,
                             .width = turn & 2 ? 3 : 1,
                             .id_bytes = turn & 4 ? 8 : 4,
                             .half = turn % 3 == 0,
                             .in_order = turn & 8,
                             .negative = turn % 7 > 3,
                             .on_device = turn & 16};
    check_beyond(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scattered_beyond)};
  return cmocka_run_group_tests(tests, gpu_setup, gpu_teardown);
}
