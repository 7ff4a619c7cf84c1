/* test_cuda_streams.c - what waits for what, and who hears of a fault
 *
 * Result   work on any stream of a context waits for all work on its earlier ones, also through one
 *          that had none or was captured; a fault is told once, to the call or by the sync that it
 *          belongs to; a graph may be replayed after larger calls
 * Method   results that are right only after a wait. lazy_driver.c makes a missing one certain to
 *          show: c.simt_late.cuda_streams. Runs on the first device of HEDDLE_TEST_DEVICES. */
#include <pthread.h>

#include "gpu.h"

enum { COUNT = 1 << 16, LARGE = 1 << 28, STREAMS = 3 };
static float *ones, *between; /* on the device */
static gpu_handle stream[STREAMS];

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  float *host = allocate(COUNT * sizeof *host);
  for (int i = 0; i < COUNT; i++) host[i] = 1;
  ones = gpu_memory(COUNT * sizeof *ones);
  between = gpu_memory(COUNT * sizeof *between);
  gpu_up(ones, host, COUNT * sizeof *ones);
  free(host);
  for (int i = 0; i < STREAMS; i++)
    if (gpu.stream_create(&stream[i], GPU_NON_BLOCKING)) return 1;
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    if (heddle_set_stream(gpu_ctx, NULL)) return 1;
    for (int i = 0; i < STREAMS; i++) (void)gpu.stream_destroy(stream[i]);
    gpu_forget(ones);
    gpu_forget(between);
  }
  return gpu_teardown(state);
}

static void on_stream(int i) {
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream[i]), "stream %d", i);
}

static heddle_status scan_ones(void) {
  return heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, ones, COUNT, between, NULL);
}

static void queue_scan(void) {
  gpu_fill(between, 0, COUNT * sizeof *between);
  same_status(HEDDLE_OK, scan_ones(), "a scan");
}

static void scan_was_done(const char *how) {
  float got = 0;
  same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, HEDDLE_MAX, HEDDLE_F32, between, COUNT, &got, NULL),
              "%s", how);
  if (got != COUNT) fail_msg("%s: the greatest is %g, not %d", how, (double)got, COUNT);
}

static void begin_capture(int i) {
  gpu_must(gpu.capture_begin(stream[i], GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
}

static void end_capture(int i) {
  gpu_handle graph = NULL;
  gpu_must(gpu.capture_end(stream[i], &graph), "cuStreamEndCapture");
  gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
}

/* ---- waiting --------------------------------------------------------------------------------------- */

static void through_a_stream_without_work(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  on_stream(0);
  queue_scan();
  on_stream(1);
  on_stream(2);
  scan_was_done("by a stream without work");
}

static void through_a_captured_stream(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  on_stream(0);
  queue_scan();
  begin_capture(1);
  on_stream(1);
  on_stream(2);
  scan_was_done("while another stream is captured");
  end_capture(1);
  on_stream(0);
  queue_scan();
  begin_capture(1);
  on_stream(1);
  end_capture(1);
  scan_was_done("on the stream that was captured");
  on_stream(0);
  queue_scan();
  begin_capture(1);
  on_stream(1);
  end_capture(1);
  on_stream(2);
  scan_was_done("after the capture");
}

static void work_before_a_capture(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  on_stream(0);
  queue_scan();
  begin_capture(0);
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_stream(gpu_ctx, stream[1]), "from a captured stream");
  assert_non_null(strstr(heddle_message(), "captured"));
  end_capture(0);
  on_stream(1);
  scan_was_done("after the capture of its stream");
  begin_capture(1); /* nothing is under way there now */
  on_stream(2);
  end_capture(1);
}

/* While a stream that the default one waits for is captured, the default one cannot be waited for: a
 * status, and the context goes on. Whether the capture does is the driver's affair. */
static void default_stream_beside_a_capture(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  gpu_handle blocking = NULL, graph = NULL;
  float host[16] = {0}, total = 0;
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, NULL), "the default stream");
  gpu_must(gpu.stream_create(&blocking, 0), "cuStreamCreate");
  gpu_must(gpu.capture_begin(blocking, GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
  same_status(HEDDLE_BAD_ARGUMENT, heddle_sync(gpu_ctx), "heddle_sync beside a capture");
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, host, 16, between, NULL),
              "host memory beside a capture");
  assert_non_null(strstr(heddle_message(), "captured"));
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, ones, 16, &total, NULL),
              "a host result beside a capture");
  on_stream(0); /* nothing was queued, so there is nothing to wait for */
  if (!gpu.capture_end(blocking, &graph)) gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
  gpu_must(gpu.stream_destroy(blocking), "cuStreamDestroy");
  queue_scan();
  scan_was_done("after a capture beside it");
}

static void default_stream_of_threads(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  same_status(HEDDLE_BAD_ARGUMENT, heddle_set_stream(gpu_ctx, (void *)(uintptr_t)2),
              "cudaStreamPerThread");
  assert_non_null(strstr(heddle_message(), "thread"));
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, (void *)(uintptr_t)1), "cudaStreamLegacy");
  queue_scan();
  scan_was_done("on the default stream");
}

/* ---- faults ------------------------------------------------------------------------------------------ */

enum { CALLS = 70 }; /* more than there are words for faults */

static void faults_of_earlier_calls(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = HEDDLE_NAN_SKIP;
  char *memory = gpu_memory(256);
  gpu_fill(memory, 0xff, 16); /* four NaNs */
  void *value = memory + 64;
  uint64_t *index = (uint64_t *)(void *)(memory + 128);
  on_stream(0);
  same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "sync");
  same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, HEDDLE_MIN, HEDDLE_F32, memory, 4, value, &options),
              "queued");
  same_status(
      HEDDLE_OK,
      heddle_argreduce(gpu_ctx, HEDDLE_ARGMAX, HEDDLE_F32, memory, 4, value, index, &options),
      "queued");
  for (int i = 0; i < CALLS; i++) {
    int64_t sum = 0;
    same_status(
        HEDDLE_OK,
        heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_I32, memory, 4, i % 2 ? &sum : value, NULL),
        "a sum of integers, call %d", i);
    if (i % 2) assert_int_equal(sum, -4);
  }
  same_status(HEDDLE_EMPTY, heddle_sync(gpu_ctx), "the first fault");
  assert_non_null(strstr(heddle_message(), "heddle_reduce: min"));
  same_status(HEDDLE_EMPTY, heddle_sync(gpu_ctx), "the second fault");
  assert_non_null(strstr(heddle_message(), "heddle_argreduce"));
  same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "no more");
  gpu_forget(memory);
}

/* ---- graphs ------------------------------------------------------------------------------------------- */

/* What a graph uses stays where it is when later calls need more. */
static void replayed_after_larger_calls(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_context *const before = gpu_ctx;
  gpu_handle graph = NULL, ready = NULL;
  char *large = gpu_memory(LARGE);
  same_status(HEDDLE_OK, heddle_open(gpu_device(), &gpu_ctx), "open");
  on_stream(0);
  same_status(HEDDLE_OK, heddle_prepare_begin(gpu_ctx), "prepare");
  same_status(HEDDLE_OK, scan_ones(), "prepare");
  same_status(HEDDLE_OK, heddle_prepare_end(gpu_ctx, NULL), "prepare");
  begin_capture(0);
  same_status(HEDDLE_OK, scan_ones(), "captured");
  gpu_must(gpu.capture_end(stream[0], &graph), "cuStreamEndCapture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "cuGraphInstantiate");
  gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
  same_status(HEDDLE_OK, heddle_prepare_begin(gpu_ctx), "prepare");
  same_status(
      HEDDLE_OK,
      heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, large, LARGE / 4, large, NULL),
      "prepare a larger one");
  same_status(HEDDLE_OK, heddle_prepare_end(gpu_ctx, NULL), "prepare");
  for (int replay = 0; replay < 2; replay++) {
    gpu_fill(between, 0, COUNT * sizeof *between);
    gpu_must(gpu.graph_launch(ready, stream[0]), "cuGraphLaunch");
    gpu_must(gpu.stream_sync(stream[0]), "cuStreamSynchronize");
    scan_was_done("by a replay");
  }
  gpu_must(gpu.graph_forget(ready), "cuGraphExecDestroy");
  heddle_close(gpu_ctx);
  gpu_ctx = before;
  gpu_forget(large);
}

/* ---- threads ----------------------------------------------------------------------------------------- */

static void *describe_there(void *out) {
  return heddle_describe(gpu_ctx, HEDDLE_F32, ones, COUNT, out, NULL) ? out : NULL;
}

/* One that has never seen CUDA gives results on the device. */
static void from_a_new_thread(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_description *out = gpu_memory(sizeof *out), got;
  pthread_t thread;
  void *failed = NULL;
  gpu_fill(out, 0, sizeof *out);
  assert_false(pthread_create(&thread, NULL, describe_there, out));
  assert_false(pthread_join(thread, &failed));
  assert_null(failed);
  same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "sync");
  gpu_down(&got, out, sizeof got);
  assert_int_equal(got.count, COUNT);
  gpu_forget(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(through_a_stream_without_work),
      cmocka_unit_test(through_a_captured_stream),
      cmocka_unit_test(work_before_a_capture),
      cmocka_unit_test(default_stream_beside_a_capture),
      cmocka_unit_test(default_stream_of_threads),
      cmocka_unit_test(faults_of_earlier_calls),
      cmocka_unit_test(replayed_after_larger_calls),
      cmocka_unit_test(from_a_new_thread),
  };
  return cmocka_run_group_tests_name("streams", tests, setup, teardown);
}
