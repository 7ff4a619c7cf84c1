/* test_cuda_calls.c - the CUDA back end between a caller's contexts, streams and mistakes
 *
 * Every mistake gets a status and a message, and the context computes on. Runs on the first device
 * of HEDDLE_TEST_DEVICES. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"

enum { COUNT = 20011 };
static float *x, *on_device; /* the same data, in host and device memory */
static float *scanned;       /* the CPU's */
static float total;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x = data_new(DATA_WIDE, HEDDLE_F32, 1, COUNT);
  scanned = allocate(COUNT * sizeof *scanned);
  if (heddle_reduce(gpu_cpu, HEDDLE_SUM, HEDDLE_F32, x, COUNT, &total, NULL) ||
      heddle_scan(gpu_cpu, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, COUNT, scanned, NULL))
    return 1;
  on_device = gpu_memory(COUNT * sizeof *x);
  gpu_up(on_device, x, COUNT * sizeof *x);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) gpu_forget(on_device);
  free(x);
  free(scanned);
  return gpu_teardown(state);
}

/* The context still computes. */
static void still_usable(heddle_context *ctx, const char *after) {
  float got = 0;
  same_status(HEDDLE_OK, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, on_device, COUNT, &got, NULL),
              "after %s", after);
  same_bytes(&total, &got, sizeof got, "a sum after %s", after);
}

static void refused(heddle_status expected, heddle_status got, const char *word, const char *what) {
  same_status(expected, got, "%s", what);
  if (!strstr(heddle_message(), word)) fail_msg("%s: no '%s' in: %s", what, word, heddle_message());
  still_usable(gpu_ctx, what);
}

/* ---- contexts and streams ------------------------------------------------------------------------ */

static void two_contexts(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  heddle_context *other = NULL;
  float *out = gpu_memory(COUNT * 4), *again = gpu_memory(COUNT * 4), *got = allocate(COUNT * 4);
  same_status(HEDDLE_OK, heddle_open(gpu_device(), &other), "a second context");
  for (int run = 0; run < 3; run++) {
    heddle_context *const ctx[2] = {gpu_ctx, other};
    float *const to[2] = {out, again};
    for (int i = 0; i < 2; i++)
      same_status(HEDDLE_OK,
                  heddle_scan(ctx[i], HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, on_device, COUNT,
                              to[i], NULL),
                  "context %d", i);
    for (int i = 0; i < 2; i++) {
      same_status(HEDDLE_OK, heddle_sync(ctx[i]), "context %d", i);
      gpu_down(got, to[i], COUNT * 4);
      same_array(HEDDLE_F32, scanned, got, COUNT, "context %d, run %d", i, run);
    }
  }
  heddle_close(other);
  still_usable(gpu_ctx, "another context was closed");
  gpu_forget(out);
  gpu_forget(again);
  free(got);
}

/* Work on a second stream sees what was queued on the first, and the first what the second did. */
static void streams_follow_each_other(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  gpu_handle stream[2];
  float *between = gpu_memory(COUNT * 4), *back = gpu_memory(COUNT * 4), *last = gpu_memory(4);
  float *twice = allocate(COUNT * 4), expected, got;
  for (int i = 0; i < 2; i++)
    gpu_must(gpu.stream_create(&stream[i], GPU_NON_BLOCKING), "cuStreamCreate");
  same_status(
      HEDDLE_OK,
      heddle_scan(gpu_cpu, HEDDLE_MAX, HEDDLE_INCLUSIVE, HEDDLE_F32, scanned, COUNT, twice, NULL),
      "the CPU");
  same_status(HEDDLE_OK,
              heddle_reduce(gpu_cpu, HEDDLE_SUM, HEDDLE_F32, twice, COUNT, &expected, NULL),
              "the CPU");
  for (int run = 0; run < 5; run++) {
    gpu_fill(between, 0, COUNT * 4);
    gpu_fill(back, 0, COUNT * 4);
    same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream[0]), "stream 0");
    same_status(HEDDLE_OK,
                heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, on_device, COUNT,
                            between, NULL),
                "scan");
    same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream[1]), "stream 1");
    same_status(
        HEDDLE_OK,
        heddle_scan(gpu_ctx, HEDDLE_MAX, HEDDLE_INCLUSIVE, HEDDLE_F32, between, COUNT, back, NULL),
        "scan");
    same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream[0]), "stream 0");
    same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, back, COUNT, last, NULL),
                "reduce");
    same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "sync");
    gpu_down(&got, last, sizeof got);
    same_bytes(&expected, &got, sizeof got, "three calls on two streams, run %d", run);
  }
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, NULL), "no stream");
  for (int i = 0; i < 2; i++) gpu_must(gpu.stream_destroy(stream[i]), "cuStreamDestroy");
  still_usable(gpu_ctx, "the streams ended");
  gpu_forget(between);
  gpu_forget(back);
  gpu_forget(last);
  free(twice);
}

/* A caller's own CUDA context is used; its stream and memory belong to no other. */
static void callers_context(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  gpu_handle before, own = NULL, now, stream;
  heddle_context *ctx = NULL;
  float got = 0;
  gpu_must(gpu.context_get(&before), "cuCtxGetCurrent");
  gpu_must(gpu.context_create(&own, 0, 0), "cuCtxCreate");
  same_status(HEDDLE_OK, heddle_open(gpu_device(), &ctx), "open in the caller's context");
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "cuStreamCreate");
  float *here = gpu_memory(COUNT * 4);
  gpu_up(here, x, COUNT * 4);
  same_status(HEDDLE_OK, heddle_set_stream(ctx, stream), "the caller's stream");
  same_status(HEDDLE_OK, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, here, COUNT, &got, NULL),
              "the caller's memory");
  same_bytes(&total, &got, sizeof got, "a sum in the caller's context");
  gpu_must(gpu.context_get(&now), "cuCtxGetCurrent");
  assert_ptr_equal(now, own); /* current still is what was */
  gpu_must(gpu.context_set(before), "cuCtxSetCurrent");
  refused(HEDDLE_BAD_ARGUMENT, heddle_set_stream(gpu_ctx, stream), "stream",
          "a stream of another context");
  same_status(HEDDLE_OK, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, here, COUNT, &got, NULL),
              "while another context is current");
  same_bytes(&total, &got, sizeof got, "while another context is current");
  heddle_close(ctx);
  gpu_must(gpu.context_set(own), "cuCtxSetCurrent");
  gpu_forget(here);
  gpu_must(gpu.stream_destroy(stream), "cuStreamDestroy");
  gpu_must(gpu.context_set(before), "cuCtxSetCurrent");
  gpu_must(gpu.context_destroy(own), "cuCtxDestroy");
  gpu_must(gpu.context_set(before), "cuCtxSetCurrent");
  still_usable(gpu_ctx, "the caller's context ended");
}

/* ---- the same result every time -------------------------------------------------------------- */

static void forty_runs(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  float *out = gpu_memory(COUNT * 4), *got = allocate(COUNT * 4), sum;
  for (int run = 0; run < 40; run++) {
    gpu_fill(out, (unsigned char)run, COUNT * 4);
    same_status(
        HEDDLE_OK,
        heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, on_device, COUNT, out, NULL),
        "scan");
    same_status(HEDDLE_OK,
                heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, on_device, COUNT, &sum, NULL),
                "reduce");
    gpu_down(got, out, COUNT * 4);
    same_array(HEDDLE_F32, scanned, got, COUNT, "scan, run %d", run);
    same_bytes(&total, &sum, sizeof sum, "sum, run %d", run);
  }
  gpu_forget(out);
  free(got);
}

static void any_number_of_processors(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const char *const processors[] = {"1", "2", "3", "7", "100"};
  float *out = gpu_memory(COUNT * 4), *got = allocate(COUNT * 4);
  for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
    heddle_context *ctx = NULL;
    setenv("HEDDLE_SMS", processors[i], 1);
    const heddle_status status = heddle_open(gpu_device(), &ctx);
    unsetenv("HEDDLE_SMS");
    same_status(HEDDLE_OK, status, "HEDDLE_SMS=%s", processors[i]);
    still_usable(ctx, processors[i]);
    same_status(
        HEDDLE_OK,
        heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, on_device, COUNT, out, NULL),
        "scan");
    same_status(HEDDLE_OK, heddle_sync(ctx), "sync");
    gpu_down(got, out, COUNT * 4);
    same_array(HEDDLE_F32, scanned, got, COUNT, "scan on %s processors", processors[i]);
    heddle_close(ctx);
  }
  gpu_forget(out);
  free(got);
}

/* ---- sizes ------------------------------------------------------------------------------------- */

static void nothing_at_all(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  float *out = gpu_memory(64), got = 7, zero = 0;
  uint64_t counts[4];
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 4, 0, 1, 0, NULL, 0};
  gpu_fill(out, 0xA5, 64);
  same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, NULL, 0, out, NULL), "sum");
  same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "sync");
  gpu_down(&got, out, sizeof got);
  same_bytes(&zero, &got, sizeof got, "the sum of nothing");
  same_status(HEDDLE_OK,
              heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, NULL, 0, NULL, NULL),
              "scan of nothing");
  same_status(HEDDLE_OK, heddle_histogram(gpu_ctx, HEDDLE_F32, NULL, 0, &bins, counts, NULL, NULL),
              "histogram of nothing");
  assert_true(counts[0] == 0 && counts[1] == 0 && counts[2] == 0 && counts[3] == 0);
  refused(HEDDLE_EMPTY, heddle_reduce(gpu_ctx, HEDDLE_MIN, HEDDLE_F32, NULL, 0, out, NULL), "min",
          "min of nothing");
  gpu_forget(out);
}

/* Every count beyond 32 bits: a value that only the last element has must be found. */
static void more_than_32_bits(void **state) {
  (void)state;
  if (!gpu_device() || gpu_is_software()) skip();
  const size_t n = ((size_t)1 << 32) + 4099;
  uint64_t sum = 0, index = 0, counts[4];
  unsigned char *bytes = gpu_memory(n), *out = gpu_memory(n), last = 0;
  gpu_fill(bytes, 1, n);
  gpu_fill((bytes + n - 1), 3, 1);
  same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_U8, bytes, n, &sum, NULL),
              "sum");
  assert_int_equal(sum, n + 2);
  same_status(HEDDLE_OK,
              heddle_argreduce(gpu_ctx, HEDDLE_ARGMAX, HEDDLE_U8, bytes, n, NULL, &index, NULL),
              "argmax");
  assert_int_equal(index, n - 1);
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_INTEGER, 4, 0, 0, 0, NULL, 0};
  same_status(HEDDLE_OK, heddle_histogram(gpu_ctx, HEDDLE_U8, bytes, n, &bins, counts, NULL, NULL),
              "histogram");
  assert_true(counts[0] == 0 && counts[1] == n - 1 && counts[2] == 0 && counts[3] == 1);
  same_status(HEDDLE_OK,
              heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_U8, bytes, n, out, NULL),
              "scan");
  gpu_down(&last, out + n - 1, 1);
  assert_int_equal(last, (unsigned char)(n + 2));
  gpu_forget(bytes);
  gpu_forget(out);
}

/* ---- mistakes ---------------------------------------------------------------------------------- */

static void wrong_memory(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  float got = 0, host[64];
  const char *odd = (const char *)on_device + 1;
  refused(HEDDLE_BAD_ARGUMENT, heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, odd, 8, &got, NULL),
          "in", "device memory that is not aligned to its elements");
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_scan(gpu_ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, on_device, 8,
                      (char *)on_device + 2, NULL),
          "out", "an output that is not aligned");
  refused(HEDDLE_BAD_ARGUMENT, heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, NULL, 8, &got, NULL),
          "in", "no array");
  refused(HEDDLE_BAD_ARGUMENT, heddle_set_scratch(gpu_ctx, host, sizeof host), "memory",
          "host memory as scratch");
  refused(HEDDLE_BAD_ARGUMENT, heddle_device_free(gpu_ctx, host), "memory",
          "host memory to be freed");
}

static void out_of_memory(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  enum { LONG = 1 << 18 };
  char *room = gpu_memory(512), *little = room + (256 - (uintptr_t)room % 256) % 256;
  void *much = NULL, *data = gpu_memory(LONG * 8);
  gpu_fill(data, 0, LONG * 8);
  refused(HEDDLE_OUT_OF_MEMORY, heddle_device_alloc(gpu_ctx, (size_t)1 << 52, &much), "bytes",
          "4 PiB of device memory");
  assert_null(much);
  uint64_t *counts = gpu_memory(((size_t)1 << 20) * 8);
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 1 << 20, 0, 1, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = data;
  options.weights_type = HEDDLE_F32;
  options.sums = (double *)counts;
  same_status(HEDDLE_OK, heddle_set_scratch(gpu_ctx, little, 256), "256 bytes of scratch");
  const heddle_status status =
      heddle_histogram(gpu_ctx, HEDDLE_F32, data, LONG, &bins, NULL, NULL, &options);
  if (status != HEDDLE_OK) { /* one that needs no scratch is as good */
    same_status(HEDDLE_OUT_OF_MEMORY, status, "too little scratch");
    assert_non_null(strstr(heddle_message(), "bytes"));
  }
  same_status(HEDDLE_OK, heddle_set_scratch(gpu_ctx, NULL, 0), "its own scratch");
  still_usable(gpu_ctx, "too little scratch");
  gpu_forget(room);
  gpu_forget(data);
  gpu_forget(counts);
}

static void text_that_does_not_compile(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const char *const texts[] = {"float: a +* b", "float: a + undeclared_name",
                                      "typedef float heddle_element;\nint x = ;\n", "", "nonsense"};
  const float zero = 0;
  float got;
  heddle_custom custom = HEDDLE_CUSTOM_INIT;
  custom.element_bytes = 4;
  custom.identity = &zero;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.custom = &custom;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    custom.cuda_source = texts[i];
    refused(HEDDLE_BAD_ARGUMENT,
            heddle_reduce(gpu_ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, on_device, 100, &got, &options),
            i < 3 ? "custom operator" : "cuda_source", "text that does not compile");
    if (i == 1 && !strstr(heddle_message(), "undeclared_name"))
      fail_msg("the compiler's words are missing: %s", heddle_message());
    if (i == 2) assert_non_null(strstr(heddle_message(), "2")); /* the line */
  }
  custom.cuda_source = "double: a + b"; /* of 8 bytes, not 4 */
  refused(HEDDLE_BAD_ARGUMENT,
          heddle_reduce(gpu_ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, on_device, 100, &got, &options),
          "custom operator", "a type of another size");
}

/* A child of this process can use neither context nor device: a status, and never a hang. */
static void used_after_fork(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    float got = 0;
    heddle_context *other = NULL;
    (void)alarm(30);
    if (heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, x, COUNT, &got, NULL) != HEDDLE_DEVICE_ERROR)
      _exit(1);
    if (!strstr(heddle_message(), "fork")) _exit(2);
    if (heddle_sync(gpu_ctx) != HEDDLE_DEVICE_ERROR) _exit(3);
    if (heddle_open(gpu_device(), &other) == HEDDLE_OK) _exit(4);
    if (heddle_reduce(gpu_cpu, HEDDLE_SUM, HEDDLE_F32, x, COUNT, &got, NULL)) _exit(5);
    if (memcmp(&got, &total, sizeof got) != 0) _exit(6);
    heddle_close(gpu_ctx);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status)) fail_msg("the child ended by signal %d", WTERMSIG(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  still_usable(gpu_ctx, "a fork");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_contexts),      cmocka_unit_test(streams_follow_each_other),
      cmocka_unit_test(callers_context),   cmocka_unit_test(forty_runs),
      cmocka_unit_test(nothing_at_all),    cmocka_unit_test(any_number_of_processors),
      cmocka_unit_test(more_than_32_bits), cmocka_unit_test(wrong_memory),
      cmocka_unit_test(out_of_memory),     cmocka_unit_test(text_that_does_not_compile),
      cmocka_unit_test(used_after_fork),
  };
  return cmocka_run_group_tests_name("calls on a GPU", tests, setup, teardown);
}
