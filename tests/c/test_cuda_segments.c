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
  out = gpu_memory(ELEMENTS * sizeof *out); /* more than an index a segment */
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

/* Kernels that deal with segments in ways of their own. */
enum verb { SUM, DOT, ARGMIN, SCAN, VERBS };
static const char *const names[VERBS] = {"sum", "dot", "argmin", "scan"};

static heddle_status call(enum verb verb, heddle_context *ctx, const float *in,
                          const heddle_rows *rows, void *to) {
  switch (verb) {
  case SUM: return heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, in, rows, to, NULL);
  case DOT: return heddle_dot_rows(ctx, HEDDLE_F32, in, in, rows, to, NULL);
  case ARGMIN:
    return heddle_argreduce_rows(ctx, HEDDLE_ARGMIN, HEDDLE_F32, in, rows, NULL, to, NULL);
  default:
    return heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, in, rows, to, NULL);
  }
}

static heddle_status on_the_device(enum verb verb, size_t segments) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = rows_device;
  rows.segments = segments;
  gpu_up(rows_device, offsets, (segments + 1) * sizeof *offsets);
  same_status(HEDDLE_OK, call(verb, gpu_ctx, on_device, &rows, out), "%s: queued", names[verb]);
  return heddle_sync(gpu_ctx);
}

/* Rows of all lengths that are dealt with differently, one of half the array among them. */
static void right_ones(enum verb verb, const char *when) {
  static const uint64_t lengths[] = {0,    1,    31,   32,    33,           1023,  1024,
                                     1025, 2047, 2048, 2049,  5000,         8192,  16383,
                                     3,    4095, 0,    16384, ELEMENTS / 2, 20481, 40000};
  enum { FEW = sizeof lengths / sizeof *lengths };
  const size_t bytes = verb == SCAN     ? ELEMENTS * sizeof(float)
                       : verb == ARGMIN ? FEW * sizeof(uint64_t)
                                        : FEW * sizeof(float);
  unsigned char *want = allocate(bytes), *got = allocate(bytes);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  offsets[0] = 7;
  for (size_t i = 0; i < FEW; i++) offsets[i + 1] = offsets[i] + lengths[i];
  rows.offsets = offsets;
  rows.segments = FEW;
  memset(want, 0xa5, bytes);
  gpu_fill(out, 0xa5, bytes);
  same_status(HEDDLE_OK, call(verb, gpu_cpu, x, &rows, want), "the CPU");
  same_status(HEDDLE_OK, on_the_device(verb, FEW), "%s %s", names[verb], when);
  gpu_down(got, out, bytes);
  same_bytes(want, got, bytes, "%s %s", names[verb], when);
  free(want);
  free(got);
}

/* Not for scans, whose rows would write the same elements: the checker sees that. */
static void fall(enum verb verb, size_t segments, const char *place) {
  if (verb == SCAN) return;
  same_status(HEDDLE_BAD_ARGUMENT, on_the_device(verb, segments), "%s: %s", names[verb], place);
  if (!strstr(heddle_message(), place)) fail_msg("%s: %s", names[verb], heddle_message());
}

static void offsets_that_fall(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (int verb = 0; verb < VERBS; verb++) {
    right_ones((enum verb)verb, "at first");
    for (uint64_t i = 0; i < 100; i++) offsets[i] = i * 50;
    offsets[41] = offsets[40] - 1;
    offsets[77] = 0;
    fall((enum verb)verb, 99, "offsets[41]");
    right_ones((enum verb)verb, "after offsets that fall");
  }
}

/* Every second batch begins anew: more long rows than an array of this length can have. */
static void more_rows_than_there_is_room_for(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (int verb = 0; verb < VERBS; verb++) {
    for (uint64_t i = 0; i <= SEGMENTS; i++) {
      const uint64_t place = i % (2 * BATCH);
      offsets[i] = place <= BATCH ? place * ROW : 0;
    }
    fall((enum verb)verb, SEGMENTS, "offsets[33]");
    right_ones((enum verb)verb, "after too many rows");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(offsets_that_fall),
      cmocka_unit_test(more_rows_than_there_is_room_for),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
