/* test_cuda_segments.c - segments whose offsets only the device has seen: long ones, and offsets that fall
 *
 * Offsets that fall are told by number, cost no more than their rows, and leave nothing behind: the same
 * call with right ones gives the CPU's bits, first time and again. Runs on the first device of
 * HEDDLE_TEST_DEVICES. */
#include "gpu.h"

enum {
  ROW = 16384,            /* a row that is put on the list */
  BATCH = 32,             /* rows of a batch, where they are short on average */
  ELEMENTS = BATCH * ROW, /* of the array */
  PAIRS = 1100,           /* of batches: more long rows than the list has room for */
  SEGMENTS = 2 * BATCH * PAIRS + BATCH
};
static float *x, *on_device, *out;
static uint64_t *offsets, *rows_device;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x = data_new(DATA_WIDE, HEDDLE_F32, 3, ELEMENTS);
  offsets = allocate((SEGMENTS + 1) * sizeof *offsets);
  on_device = gpu_memory(ELEMENTS * sizeof *x);
  out = gpu_memory(SEGMENTS * sizeof *out);
  rows_device = gpu_memory((SEGMENTS + 1) * sizeof *offsets);
  gpu_up(on_device, x, ELEMENTS * sizeof *x);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(on_device);
    gpu_forget(out);
    gpu_forget(rows_device);
  }
  free(x);
  free(offsets);
  return gpu_teardown(state);
}

static heddle_status sums(size_t segments) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = rows_device;
  rows.segments = segments;
  gpu_up(rows_device, offsets, (segments + 1) * sizeof *offsets);
  const heddle_status status =
      heddle_reduce_rows(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, on_device, &rows, out, NULL);
  same_status(HEDDLE_OK, status, "queued");
  return heddle_sync(gpu_ctx);
}

/* Rows of all lengths that are dealt with differently, one of half the array among them. */
static void right_ones(const char *when) {
  static const uint64_t lengths[] = {0,    1,     31,   32,   33,   1023,  1024,         1025,
                                     2047, 2048,  2049, 5000, 8192, 16383, ELEMENTS / 2, 16384,
                                     0,    20481, 3,    40000};
  enum { FEW = sizeof lengths / sizeof *lengths };
  float want[FEW], got[FEW];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  offsets[0] = 7;
  for (size_t i = 0; i < FEW; i++) offsets[i + 1] = offsets[i] + lengths[i];
  rows.offsets = offsets;
  rows.segments = FEW;
  same_status(HEDDLE_OK, heddle_reduce_rows(gpu_cpu, HEDDLE_SUM, HEDDLE_F32, x, &rows, want, NULL),
              "the CPU");
  gpu_fill(out, 0xa5, sizeof got);
  same_status(HEDDLE_OK, sums(FEW), "%s", when);
  gpu_down(got, out, sizeof got);
  same_array(HEDDLE_F32, want, got, FEW, "%s", when);
}

static void offsets_that_fall(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  right_ones("at first");
  for (uint64_t i = 0; i < 100; i++) offsets[i] = i * 50;
  offsets[41] = offsets[40] - 1;
  offsets[77] = 0;
  same_status(HEDDLE_BAD_ARGUMENT, sums(99), "offsets that fall twice");
  if (!strstr(heddle_message(), "offsets[41]")) fail_msg("%s", heddle_message());
  right_ones("after offsets that fall");
}

/* Every second batch begins anew: more long rows than an array of this length can have. */
static void more_rows_than_there_is_room_for(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (int run = 0; run < 2; run++) {
    for (uint64_t i = 0; i <= SEGMENTS; i++) {
      const uint64_t place = i % (2 * BATCH);
      offsets[i] = place <= BATCH ? place * ROW : 0;
    }
    same_status(HEDDLE_BAD_ARGUMENT, sums(SEGMENTS), "offsets that fall");
    if (!strstr(heddle_message(), "offsets[33]")) fail_msg("%s", heddle_message());
    right_ones("after too many rows");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(offsets_that_fall),
      cmocka_unit_test(more_rows_than_there_is_room_for),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
